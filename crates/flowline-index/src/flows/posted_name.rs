//! The name of what a marker posts or runs, where its payload says it: the runnable's or task's name in Firefox profiles; in
//! traces of Chrome the function that posted the task and its file, or the interface of a Mojo message.

use super::rule_names::MemberInfo;
use super::rule_values::field_text;
use flowline_profile::{LocalMarker, Profile, ThreadId, Value};

/// Fields of Firefox markers that hold the name of what was posted.
pub(super) const POSTED_NAMES: [&str; 2] = ["name", "task"];

/// What was posted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostedName {
    /// As short as it is understood: `FinishDecode`.
    pub name: String,
    /// With where it comes from, as a path of types: `blink/renderer/platform/decoder::FinishDecode`.
    pub path: String,
}

/// What a marker posts or runs, if its payload says so.
#[must_use]
pub fn posted_name(profile: &Profile, thread: ThreadId, local: LocalMarker) -> Option<PostedName> {
    if profile.source.member().is_some() {
        return of_trace(&profile.payload(thread, local));
    }
    let name = profile.thread(thread).markers.name(local);
    let member = MemberInfo { marker: profile.thread(thread).global(local), thread, local, name };
    let found = POSTED_NAMES.iter().find_map(|field| field_text(profile, member, field))?;
    Some(PostedName { path: found.clone(), name: found })
}

fn of_trace(args: &Value) -> Option<PostedName> {
    let text = |value: &Value, key: &str| {
        value.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty()).map(str::to_owned)
    };
    if let Some(name) = text(args, "src_func") {
        let file = text(args, "src_file").unwrap_or_default();
        let folder = file.rsplit_once('.').map_or(file.as_str(), |(stem, _)| stem);
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}::{name}") };
        return Some(PostedName { name, path });
    }
    let mojo = args.get("chrome_mojo_event_info")?;
    let tag = ["mojo_interface_tag", "watcher_notify_interface_tag"].into_iter().find_map(|key| text(mojo, key))?;
    Some(PostedName { path: tag.clone(), name: tag })
}
