//! Names of posted work, from the payloads of markers that post or run it: the runnable's or task's name in Firefox
//! profiles; in Chrome traces, the function that posted the task and its file, or the interface of a Mojo message.

use super::rule_names::MemberInfo;
use super::rule_values::text_in;
use flowline_profile::{LocalMarker, Profile, ThreadId, Value};

/// Fields of Firefox markers that contain the posted name.
pub(crate) const POSTED_NAMES: [&str; 2] = ["name", "task"];

/// The name of posted work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostedName {
    /// Short name: `FinishDecode`.
    pub name: String,
    /// Name with its origin, as a type path: `blink/renderer/platform/decoder::FinishDecode`.
    pub path: String,
}

/// Name of the work that a marker posts or runs, if its payload contains one.
#[must_use]
pub fn posted_name(profile: &Profile, thread: ThreadId, local: LocalMarker) -> Option<PostedName> {
    if profile.source.holds_events() {
        return of_trace(&profile.payload(thread, local));
    }
    let name = profile.thread(thread).markers.name(local);
    let member = MemberInfo { marker: profile.thread(thread).global(local), thread, local, name };
    let payload = profile.payload(member.thread, member.local);
    let found = POSTED_NAMES.iter().find_map(|field| text_in(profile, member, &payload, field))?;
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
