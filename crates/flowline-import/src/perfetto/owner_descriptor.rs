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
    pub(super) labels: Vec<String>,
    pub(super) sort_index: Option<i64>,
}

impl OwnerDescriptor {
    pub(super) fn process(message: &[u8]) -> Self {
        let mut described = Self::default();
        for field in Fields::new(message) {
            match field.number {
                1 => described.pid = field.signed(),
                2 if described.command.is_empty() => described.command = text(field.bytes()).into_owned(),
                3 => described.sort_index = Some(field.signed()),
                4 => described.name = chrome_process(field.number()).to_owned(),
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
