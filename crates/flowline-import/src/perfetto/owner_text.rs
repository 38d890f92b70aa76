//! Text of processes and threads, and the metadata events that name them.

use super::event::{Owner, OwnerId};
use super::json_text::{integer, string};
use super::machine_ids::{id_of, name_of};

/// Appends an id of a process or a thread.
pub(super) fn owner_id(out: &mut String, id: &OwnerId) {
    match id {
        OwnerId::Number(number) => integer(out, number),
        OwnerId::Name(name) => string(out, name.as_bytes()),
    }
}

/// Returns the id of a process as text, unique among the machines.
pub(super) fn process_id(machine: u32, id: &OwnerId) -> String {
    match id {
        OwnerId::Number(number) => id_of(machine, &number.to_string()).into_owned(),
        OwnerId::Name(name) => id_of(machine, name).into_owned(),
    }
}

/// Appends process and thread as members. The process is one of a machine.
pub(super) fn owner_members(out: &mut String, machine: u32, owner: &Owner) {
    out.push_str(",\"pid\":");
    match machine {
        0 => owner_id(out, &owner.process),
        machine => string(out, process_id(machine, &owner.process).as_bytes()),
    }
    if let Some(thread) = &owner.thread {
        out.push_str(",\"tid\":");
        owner_id(out, thread);
    }
}

/// Appends a text between the parts of a member.
pub(super) fn text_member(out: &mut String, opening: &str, text: &str, closing: &str) {
    out.push_str(opening);
    string(out, text.as_bytes());
    out.push_str(closing);
}

/// Returns a metadata event with a name.
pub(super) fn name_event(machine: u32, owner: &Owner, kind: &str, name: &str) -> String {
    let name = if kind == "process_name" { name_of(machine, name) } else { name.into() };
    metadata_event(machine, owner, kind, "name", &name)
}

/// Returns a metadata event with one text as argument.
pub(super) fn metadata_event(machine: u32, owner: &Owner, kind: &str, member: &str, value: &str) -> String {
    let mut out = String::from("{\"ph\":\"M\"");
    owner_members(&mut out, machine, owner);
    text_member(&mut out, ",\"name\":", kind, ",\"args\":{");
    text_member(&mut out, "", member, ":");
    text_member(&mut out, "", value, "}}");
    out
}

/// Returns a metadata event with a sort index.
pub(super) fn sort_event(machine: u32, owner: &Owner, kind: &str, index: i64) -> String {
    let mut out = String::from("{\"ph\":\"M\"");
    owner_members(&mut out, machine, owner);
    text_member(&mut out, ",\"name\":", kind, ",\"args\":{\"sort_index\":");
    integer(&mut out, index);
    out.push_str("}}");
    out
}
