//! The names of processes. A trace may state several: Chrome's type of the process, a name, and the command line, which
//! some programs also state as the name.
//!
//! The best one is shown: Chrome's type goes first, as in Perfetto
//! (`src/trace_processor/importers/proto/track_event_parser.cc`), then a name, then the program of the command line.

/// Kinds of names, the worst first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NameKind {
    #[default]
    None,
    /// The program of a command line.
    Program,
    /// A name that the process or thread reports itself.
    Own,
    /// Chrome's type of the process.
    ChromeType,
}

/// Returns true if a name is the path of a program or begins with one.
fn is_path(name: &str) -> bool {
    let is_drive = matches!(name.as_bytes(), [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic());
    is_drive || ["/", "./", "../", "\\\\"].iter().any(|start| name.starts_with(start))
}

/// Returns true if a name is a command line.
pub(super) fn is_command(name: &str, command: &str) -> bool {
    is_path(name) || (!command.is_empty() && name == command)
}

/// Returns the name of the program in a command line, which may contain the arguments.
pub(super) fn program(command: &str) -> &str {
    let without_options = command.find(" -").map_or(command, |at| &command[..at]);
    if !is_path(command) {
        return without_options;
    }
    // Another path is an argument. A program's path may contain spaces.
    let path = without_options.find(" /").map_or(without_options, |at| &without_options[..at]);
    let name = path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or_default();
    if name.is_empty() { command } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_the_last_part_of_their_path() {
        for (command, expected) in [
            ("/system/bin/surfaceflinger", "surfaceflinger"),
            ("/usr/lib/chromium/chromium --type=renderer --lang=en", "chromium"),
            ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome --type=gpu --path=/x/y", "Google Chrome"),
            ("C:\\Program Files\\App\\app.exe -v", "app.exe"),
            ("/usr/bin/python /home/user/script.py", "python"),
            ("./a.out", "a.out"),
            ("chromium --type=renderer", "chromium"),
            // Names that are no paths.
            ("com.android.systemui", "com.android.systemui"),
            ("kworker/0:1-events", "kworker/0:1-events"),
            ("(sd-pam)", "(sd-pam)"),
            ("/", "/"),
            ("", ""),
        ] {
            assert_eq!(program(command), expected);
        }
        assert!(
            is_command("/bin/a", "") && is_command("a --b", "a --b") && !is_command("a", "") && !is_command("", "")
        );
    }
}
