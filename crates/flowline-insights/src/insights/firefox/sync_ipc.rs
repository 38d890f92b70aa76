//! Messages for whose answers the main thread waited.

use std::collections::BTreeSet;

use super::functions::count;
use super::quiet::quiet;
use crate::insights::context::Context;
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::ThreadRule;
use crate::markers_by_name::markers_named;
use flowline_format::{format_counted, format_duration_ns};
use flowline_profile::{LocalMarker, MarkerFlags, MarkerId, Ns, Profile, ThreadId, TimeRange, Value};

/// Name of the markers of sent messages.
const SENT: &str = "SyncIPCOut";
/// Shorter messages are not listed.
const SLOW: Ns = Ns(1_000_000);
/// Records of a message whose transfer was recorded by the sender, too: both ends of it.
const TRANSFER_RECORDS: usize = 2;

/// See the module.
pub(super) struct SyncIpcRule;

/// A message.
struct Message {
    kind: String,
    other: String,
    times: TimeRange,
    marker: MarkerId,
    is_complete: bool,
    records: usize,
}

impl ThreadRule for SyncIpcRule {
    fn name(&self) -> InsightName {
        InsightName::SyncIpc
    }

    fn evaluate(&self, context: &Context<'_>, id: ThreadId) -> Option<Finding> {
        let profile = context.profile();
        if profile.strings.find("IPC").and_then(|name| profile.types.find(name)).is_none() {
            return quiet(
                context,
                id,
                Finding::unknown("no messages in the recording: record the feature ipcmessages"),
            );
        }
        let messages = messages(profile, id);
        if messages.is_empty() {
            return quiet(context, id, Finding::new(InsightState::Pass, "No synchronous message"));
        }
        let slow: Vec<&Message> = messages.iter().filter(|own| own.is_complete && own.times.len() > SLOW.0).collect();
        let total = slow.iter().fold(0_i64, |sum, own| sum.saturating_add(own.times.len()));
        let longest = slow.iter().max_by_key(|own| own.times.len());
        let kinds: BTreeSet<&str> = messages.iter().map(|own| own.kind.as_str()).collect();
        let fact = |own: &&Message| {
            Fact::Group(vec![
                ("message", Fact::text(&own.kind)),
                ("start_ns", Fact::Moment(own.times.start)),
                ("end_ns", Fact::Moment(own.times.end)),
                ("other_pid", Fact::text(&own.other)),
                ("marker", Fact::Marker(own.marker)),
            ])
        };
        let data = vec![
            ("count", count(slow.len())),
            ("total_ns", Fact::Duration(Ns(total))),
            ("longest_ns", Fact::known(longest, |own| Fact::Duration(Ns(own.times.len())))),
            ("unknown_length", count(messages.iter().filter(|own| !own.is_complete).count())),
            ("halves_seen", count(messages.iter().map(|own| own.records).sum())),
            ("messages", Fact::List(kinds.into_iter().map(|kind| Fact::Text(kind.to_owned())).collect())),
            ("slow", Fact::List(slow.iter().map(fact).collect())),
        ];
        let (state, summary) = match longest {
            None => (InsightState::Pass, "No synchronous message took more than 1 ms".to_owned()),
            Some(longest) => {
                let number = format_counted(slow.len() as u64, "message");
                let length = format_duration_ns(longest.times.len());
                let kind = &longest.kind;
                (InsightState::Informative, format!("{number} over 1 ms, the longest {length}: {kind}"))
            }
        };
        let range = slow.iter().map(|own| own.times).reduce(TimeRange::union);
        let late = longest.map(|own| own.marker);
        let finding = Finding { range, late, data, ..Finding::new(state, summary) };
        Some(finding.with_markers(slow.iter().map(|own| own.marker)))
    }
}

/// The synchronous messages that a thread sent.
fn messages(profile: &Profile, id: ThreadId) -> Vec<Message> {
    let thread = profile.thread(id);
    let sent = markers_named(profile, &[SENT], |own| own.first_marker == thread.first_marker);
    let own = sent.into_iter().filter(|(_, of, _)| *of == id);
    let message = |(_, _, marker): (usize, ThreadId, LocalMarker)| {
        let payload = profile.payload_in(thread, marker);
        let text = |key: &str| payload.get(key).map(Value::display_js).unwrap_or_default();
        let has_transfer = payload.get("sendStartTime").is_some();
        Message {
            kind: text("messageType"),
            other: text("otherPid"),
            times: thread.markers.range(marker),
            marker: thread.global(marker),
            is_complete: !thread.markers.flags(marker).has(MarkerFlags::INCOMPLETE),
            records: 1 + if has_transfer { TRANSFER_RECORDS } else { 0 },
        }
    };
    own.map(message).collect()
}
