//! Desktop integration: version, manual page, completions, and `./dev install`.

use std::process::Command;

use crate::support::program::Program;

const COMMANDS: [&str; 12] =
    ["render", "info", "dump", "stats", "compare", "export", "cut", "bench", "synth", "cache", "man", "completions"];

#[test]
fn the_version_matches_the_package() {
    let version = Program::new("version").good(&["--version"]);
    assert_eq!(version.trim(), format!("flowline {}", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_manual_page_lists_every_command_and_option() {
    let page = Program::new("man").good(&["man"]);
    assert!(page.starts_with(".TH FLOWLINE 1 "));
    for command in COMMANDS {
        assert!(page.contains(&format!(".SS flowline {command}")), "{command}");
    }
    for option in ["\\-\\-range", "\\-\\-no\\-cache", "\\-\\-theme", "\\fB\\-o\\fR, \\fB\\-\\-output\\fR"] {
        assert!(page.contains(option), "{option}");
    }
    // A line may begin with a dot only if it is a roff request.
    let requests = [".TH", ".SH", ".SS", ".TP", ".B", ".br"];
    for line in page.lines().filter(|line| line.starts_with(['.', '\''])) {
        assert!(requests.contains(&line.split(' ').next().expect("a word")), "{line}");
    }
}

#[test]
fn bash_completes_commands_options_and_values() {
    let program = Program::new("completions");
    let script = program.file("flowline.bash", program.good(&["completions", "bash"]));
    let complete = |words: &str| {
        let count = words.split(' ').count() - 1;
        let run = format!(
            "source {script}; COMP_WORDS=({words}); [ \"${{#COMP_WORDS[@]}}\" -gt {count} ] || COMP_WORDS+=(''); \
             COMP_CWORD={count}; _flowline; printf '%s\\n' \"${{COMPREPLY[@]}}\""
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
    for shell in ["zsh", "fish"] {
        let script = program.good(&["completions", shell]);
        assert!(COMMANDS.iter().all(|command| script.contains(command)), "{shell}");
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
    assert!(read("share/man/man1/flowline.1").starts_with(".TH"));
    assert!(read("share/icons/hicolor/scalable/apps/flowline.svg").starts_with("<svg"));
    let version = Command::new(format!("{prefix}/bin/flowline")).arg("--version").output().expect("the program");
    assert!(version.status.success());
    dev("uninstall");
    for name in ["bin/flowline", "share/applications/flowline.desktop", "share/mime/packages/flowline.xml"] {
        assert!(!std::path::Path::new(&format!("{prefix}/{name}")).exists(), "{name}");
    }
}
