//! Tooltip of a flow's box in the flow panel: the flow, and its state at the pointer.

use super::tooltip_text::TooltipText;
use flowline_format::format_duration_ns;
use flowline_index::flows::SegmentKind;
use flowline_profile::{FlowId, Ns};
use flowline_session::{Session, place_text, segment_text};

/// The tooltip of a flow's box at a time.
pub(super) fn of_box(session: &Session, flow: FlowId, time: Ns, has_details: bool) -> Option<TooltipText> {
    let shape = session.flows.shapes.flow(flow)?;
    let entry = Some(shape.appearance.color);
    let duration = format_duration_ns(shape.range.len());
    let mut text = TooltipText::new(entry, &shape.appearance.label, duration, has_details);
    let card = session.timelines.card(&session.index, &session.flows.rules, flow);
    let found = card.as_ref().and_then(|card| Some((card, card.timeline.at(time)?)));
    if let Some((card, number)) = found {
        let segment = &card.timeline.segments[number];
        let wait = (segment.kind == SegmentKind::Wait)
            .then(|| session.timelines.wait_text(&session.index, card, (flow, number)))
            .flatten();
        match wait {
            Some(wait) => {
                text.reason(wait.headline());
                if !has_details && wait.headline() != wait.sentence() {
                    text.place(wait.sentence());
                }
            }
            None => text.reason(segment_text(segment, session.view.clock())),
        }
    }
    text.place(place_text(session.index.profile(), shape.appearance.thread));
    if let Some(card) = card {
        text.place(card.subject());
        text.place(card.summary());
    }
    Some(text)
}
