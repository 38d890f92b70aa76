//! Desktop integration: version, manual page, completions, and `./dev install`.

use std::process::Command;

use crate::support::program::Program;

const COMMANDS: [&str; 14] = [
    "render",
    "info",
    "dump",
    "stats",
    "insights",
    "compare",
    "export",
    "cut",
    "annotate",
    "bench",
    "synth",
    "cache",
    "man",
    "completions",
];

/// The long options that `--help` lists, of the program and of each command; for example `range`.
fn options() -> Vec<(String, String)> {
    let program = Program::new("options");
    let of = |command: Option<&&str>| {
        let arguments: Vec<&str> = command.copied().into_iter().chain(["--help"]).collect();
        let help = program.good(&arguments);
        let options = help.lines().filter_map(|line| {
            let line = line.trim_start();
            let long = line.strip_prefix("--").or_else(|| line.get(4..)?.strip_prefix("--"))?;
            line.starts_with('-').then(|| long.split([' ', '=', '[']).next().unwrap_or_default().to_owned())
        });
        let name = command.copied().unwrap_or_default();
        options.map(|option| (name.to_owned(), option)).collect::<Vec<_>>()
    };
    let options: Vec<_> = of(None).into_iter().chain(COMMANDS.iter().flat_map(|command| of(Some(command)))).collect();
    assert!(options.len() > 50, "{options:?}");
    options
}

#[test]
fn the_version_matches_the_package() {
    let version = Program::new("version").good(&["--version"]);
    assert_eq!(version.trim(), format!("flowline {}", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_manual_page_lists_every_command_and_option() {
    let page = Program::new("man").good(&["man"]);
    assert!(page.contains(&format!("\n.TH FLOWLINE 1 \"\" \"flowline {}\"", env!("CARGO_PKG_VERSION"))));
    for command in COMMANDS {
        assert!(page.contains(&format!("\n.SH \"flowline {command}\"\n")), "{command}");
    }
    for (command, option) in options() {
        let bold = format!("\\fB\\-\\-{}\\fR", option.replace('-', "\\-"));
        assert!(page.contains(&bold), "--{option} of {command}");
    }
    assert!(page.contains("\n\\fB\\-o\\fR, \\fB\\-\\-output\\fR"), "short options come first");
    assert!(page.contains("\n.SH \"EXIT STATUS\"\n"));
    // A line may begin with a dot only if it is a roff request.
    let requests = [".TH", ".SH", ".SS", ".TP", ".IP", ".RS", ".RE", ".br", ".ie", ".el"];
    for line in page.lines().filter(|line| line.starts_with(['.', '\''])) {
        assert!(requests.contains(&line.split(' ').next().expect("a word")), "{line}");
    }
}

#[test]
fn bash_completes_commands_options_and_values() {
    let program = Program::new("completions");
    let script = program.file("flowline.bash", program.good(&["completions", "bash"]));
    let complete = |words: &str| {
        let run = format!(
            "source {script}; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _flowline flowline \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD - 1]}}\"; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let output = Command::new("bash").args(["-c", &run]).output().expect("bash");
        let text = String::from_utf8(output.stdout).expect("text");
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(complete("flowline ren"), ["render"]);
    assert!(complete("flowline render x --sea").contains(&"--search".to_owned()));
    assert_eq!(complete("flowline render x --layout st"), ["stack"]);
    assert!(complete("flowline dump x cal").contains(&"calltree".to_owned()));
    assert!(complete("flowline render --no-ca").contains(&"--no-cache".to_owned()), "global options are completed too");
}

#[test]
fn completions_have_every_command_and_option() {
    let program = Program::new("completion_scripts");
    for (shell, long) in [("bash", "--"), ("zsh", "--"), ("fish", "-l ")] {
        let script = program.good(&["completions", shell]);
        assert!(COMMANDS.iter().all(|command| script.contains(command)), "{shell}");
        for (command, option) in options() {
            assert!(script.contains(&format!("{long}{option}")), "{shell}: --{option} of {command}");
        }
    }
}

#[test]
fn install_and_uninstall_work() {
    let program = Program::new("install");
    let prefix = program.path("prefix with spaces");
    let dev = |what: &str| {
        let mut command = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/dev"));
        command.arg(what).env("PREFIX", &prefix).env("FLOWLINE_PROGRAM", env!("CARGO_BIN_EXE_flowline"));
        let output = command.output().expect("a shell");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    dev("install");
    let read = |name: &str| std::fs::read_to_string(format!("{prefix}/{name}")).expect("a file");
    let entry = read("share/applications/flowline.desktop");
    assert!(entry.contains("MimeType=") && entry.contains("/bin/flowline"), "{entry}");
    assert!(read("share/man/man1/flowline.1").contains("\n.TH FLOWLINE 1 "));
    assert!(read("share/icons/hicolor/scalable/apps/flowline.svg").starts_with("<svg"));
    let version = Command::new(format!("{prefix}/bin/flowline")).arg("--version").output().expect("the program");
    assert!(version.status.success());
    dev("uninstall");
    for name in ["bin/flowline", "share/applications/flowline.desktop", "share/mime/packages/flowline.xml"] {
        assert!(!std::path::Path::new(&format!("{prefix}/{name}")).exists(), "{name}");
    }
}
