//! The descriptions of processes and threads.

use super::json_text::text;
use super::wire::Fields;

/// Process and thread ids.
pub(super) type ThreadKey = (i64, i64);

/// Ids and names in the description of a process or a thread.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnerDescriptor {
    pub(super) pid: i64,
    pub(super) tid: i64,
    pub(super) name: String,
    /// The first argument of the process's command line.
    pub(super) command: String,
    /// All arguments of the process's command line.
    pub(super) command_line: String,
    /// Chrome's name of the process's type; empty if it is unknown.
    pub(super) chrome_type: &'static str,
    pub(super) labels: Vec<String>,
    pub(super) sort_index: Option<i64>,
}

impl OwnerDescriptor {
    pub(super) fn process(message: &[u8]) -> Self {
        let mut described = Self::default();
        for field in Fields::new(message) {
            match field.number {
                1 => described.pid = field.signed(),
                2 => add_argument(&mut described.command, &mut described.command_line, field.bytes()),
                3 => described.sort_index = Some(field.signed()),
                4 => described.chrome_type = chrome_process(field.number()),
                6 if !field.bytes().is_empty() => described.name = text(field.bytes()).into_owned(),
                8 => described.labels.push(text(field.bytes()).into_owned()),
                _ => {}
            }
        }
        described
    }

    pub(super) fn thread(message: &[u8]) -> Self {
        let mut described = Self::default();
        for field in Fields::new(message) {
            match field.number {
                1 => described.pid = field.signed(),
                2 => described.tid = field.signed(),
                3 => described.sort_index = Some(field.signed()),
                5 => described.name = text(field.bytes()).into_owned(),
                _ => {}
            }
        }
        described
    }
}

/// Maximum length of a command line in bytes. Longer ones lose their last arguments.
const MAX_COMMAND_LINE: usize = 1 << 16;

/// Adds an argument to a command line, whose first argument is the command.
pub(super) fn add_argument(command: &mut String, command_line: &mut String, argument: &[u8]) {
    if command_line.len() + argument.len() > MAX_COMMAND_LINE {
        return;
    }
    let argument = text(argument);
    if command.is_empty() {
        argument.as_ref().clone_into(command);
    }
    if !command_line.is_empty() {
        command_line.push(' ');
    }
    command_line.push_str(&argument);
}

/// Returns Chrome's name of a process type.
pub(super) fn chrome_process(number: u64) -> &'static str {
    const NAMES: [&str; 9] = [
        "",
        "Browser",
        "Renderer",
        "Utility",
        "Zygote",
        "SandboxHelper",
        "GPU Process",
        "PPAPI Plugin",
        "PPAPI Broker",
    ];
    usize::try_from(number).ok().and_then(|number| NAMES.get(number)).copied().unwrap_or_default()
}
