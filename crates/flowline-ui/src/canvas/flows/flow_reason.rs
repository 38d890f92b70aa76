//! The reasons of a flow's waits in a few words, for the end of its row.

use flowline_index::flows::SegmentKind;
use flowline_profile::FlowId;
use flowline_session::Session;

/// At most this many waits are named.
const NAMED: usize = 2;

/// "after 140.80 ms for the server, 12.24 ms behind Task": the longest waits, longest first; `None` without waits and
/// until their blockers have been found.
pub(super) fn text(session: &Session, flow: FlowId) -> Option<String> {
    let card = session.timelines.card(&session.index, &session.flows.rules, flow)?;
    let segments = &card.timeline.segments;
    let is_wait = |number: &usize| segments[*number].kind == SegmentKind::Wait;
    let mut waits: Vec<usize> = card.listed(NAMED + 1, None).into_iter().filter(is_wait).collect();
    waits.sort_by_key(|number| std::cmp::Reverse(segments[*number].range.len()));
    waits.truncate(NAMED);
    let words = |number: usize| {
        let text = session.timelines.wait_text(&session.index, &card, (flow, number))?;
        Some(text.brief.clone())
    };
    let words: Vec<String> = waits.into_iter().map(words).collect::<Option<_>>()?;
    (!words.is_empty()).then(|| format!("after {}", words.join(", ")))
}
