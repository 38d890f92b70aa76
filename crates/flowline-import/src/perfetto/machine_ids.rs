//! Names and ids of the processes of other machines (see `machines`).

use std::borrow::Cow;

use flowline_profile::MACHINE_SEPARATOR;

/// Maximum number of other machines. A trace of hostile bytes could name millions.
pub(super) const MAX_MACHINES: usize = 32;

/// Returns an id that is unique among the machines of a trace.
pub(super) fn id_of(machine: u32, id: &str) -> Cow<'_, str> {
    if machine == 0 { Cow::Borrowed(id) } else { Cow::Owned(format!("{machine}{MACHINE_SEPARATOR}{id}")) }
}

/// Returns the name of a process with its machine.
pub(super) fn name_of(machine: u32, name: &str) -> Cow<'_, str> {
    if machine == 0 || name.is_empty() { Cow::Borrowed(name) } else { Cow::Owned(format!("machine {machine}: {name}")) }
}

/// Returns the name of a process. Without a name, only its machine tells it from another process with its id.
pub(super) fn process_name_on(machine: u32, pid: i64, name: &str) -> Cow<'_, str> {
    if machine > 0 && name.is_empty() { Cow::Owned(format!("Process {pid}")) } else { Cow::Borrowed(name) }
}
