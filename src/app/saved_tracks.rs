//! Hidden threads and the order of tracks as they are saved: each thread and process by its number and its name, so that another
//! numbering is noticed. What is not found again is left out.

use std::collections::BTreeSet;

use crate::profile::{ProcessId, Profile, ThreadId, Value};
use crate::view::{TrackOrder, Tracks};

/// What is written for a thread or a process.
fn label(number: u32, name: &str) -> Value {
    Value::String(format!("{number} {name}"))
}

/// The number in a label, if the name at this number is still the same.
fn number<'a>(value: &Value, name_of: impl FnOnce(usize) -> Option<&'a str>) -> Option<usize> {
    let (number, name) = value.as_str()?.split_once(' ')?;
    let number = number.parse().ok()?;
    (name_of(number)? == name).then_some(number)
}

/// The members of the saved object.
pub(super) fn members(tracks: &Tracks, profile: &Profile) -> Vec<(String, Value)> {
    let thread = |id: &ThreadId| label(id.0, &profile.thread(*id).name);
    let process = |id: &ProcessId| label(id.0, &profile.processes[id.index()].name);
    let order = &tracks.order;
    let threads = order.threads.values().map(|own| Value::List(own.iter().map(thread).collect()));
    vec![
        ("hidden".to_owned(), Value::List(tracks.hidden.iter().map(thread).collect())),
        ("top_threads".to_owned(), Value::List(order.pinned.iter().map(thread).collect())),
        ("process_order".to_owned(), Value::List(order.processes.iter().map(process).collect())),
        ("thread_order".to_owned(), Value::List(threads.collect())),
    ]
}

/// Reads them.
pub(super) fn read(saved: &Value, profile: &Profile) -> (BTreeSet<ThreadId>, TrackOrder) {
    let items = |value: Option<&Value>| match value {
        Some(Value::List(items)) => items.clone(),
        _ => Vec::new(),
    };
    let thread = |value: &Value| {
        number(value, |at| profile.threads.get(at).map(|thread| thread.name.as_str())).map(ThreadId::new)
    };
    let process = |value: &Value| {
        number(value, |at| profile.processes.get(at).map(|process| process.name.as_str())).map(ProcessId::new)
    };
    let threads = |value: Option<&Value>| -> Vec<ThreadId> { items(value).iter().filter_map(thread).collect() };
    let mut pinned = threads(saved.get("top_threads"));
    let mut seen = BTreeSet::new();
    pinned.retain(|id| seen.insert(*id));
    let mut order = TrackOrder {
        processes: items(saved.get("process_order")).iter().filter_map(process).collect(),
        pinned,
        ..TrackOrder::default()
    };
    for list in items(saved.get("thread_order")) {
        let own = threads(Some(&list));
        if let Some(first) = own.first() {
            order.threads.insert(profile.thread(*first).process, own);
        }
    }
    (threads(saved.get("hidden")).into_iter().collect(), order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{Process, Thread};

    #[test]
    fn tracks_come_back_by_number_and_name() {
        let named =
            |name: &str, process| Thread { name: name.into(), process: ProcessId(process), ..Thread::default() };
        let process = |name: &str| Process { name: name.into(), pid: String::new() };
        let mut profile = Profile {
            processes: vec![process("parent"), process("web content")],
            threads: vec![named("main", 0), named("a b", 0), named("", 1)],
            ..Profile::default()
        };
        let mut tracks = Tracks::default();
        tracks.change(|tracks| {
            tracks.hidden = [ThreadId(1), ThreadId(2)].into();
            tracks.order = TrackOrder {
                processes: vec![ProcessId(1), ProcessId(0)],
                threads: [(ProcessId(0), vec![ThreadId(1), ThreadId(0)])].into(),
                pinned: vec![ThreadId(2), ThreadId(0)],
            };
        });
        let saved = Value::Object(members(&tracks, &profile));
        assert_eq!(read(&saved, &profile), (tracks.hidden.clone(), tracks.order.clone()));

        profile.threads[1].name = "another".into();
        let (hidden, order) = read(&saved, &profile);
        assert_eq!(hidden, [ThreadId(2)].into());
        assert_eq!(order.threads[&ProcessId(0)], [ThreadId(0)]);
        let damaged =
            Value::Object(vec![("hidden".into(), Value::List(vec![Value::String("99 x".into()), Value::Null]))]);
        assert_eq!(read(&damaged, &profile), (BTreeSet::new(), TrackOrder::default()));
    }
}
