//! Card lines for a marker of an interaction: its parts, which add up to its length.

use crate::tracks::EntryTitle;
use flowline_format::{format_duration_ns, format_whole_ms};
use flowline_index::{Derived, Index};
use flowline_insights::interactions::{Handler, Interaction, Interactions};
use flowline_profile::{MarkerId, Ns};

/// The interaction as a sentence: "click, 232 ms to next paint".
pub(super) fn title(own: &Interaction) -> String {
    match own.length() {
        Some(length) => format!("{}, {} to next paint", own.event, format_whole_ms(length.0)),
        None => format!("{}, paint not recorded", own.event),
    }
}

/// Name of the interaction that a marker states: "click interaction".
pub(super) fn entry_title(index: &Index, marker: MarkerId) -> Option<EntryTitle> {
    let own = of_marker(index, marker).filter(|own| own.marker == marker)?;
    Some(EntryTitle { name: format!("{} interaction", own.event), length: own.length() })
}

/// The most important part of that, for places without much room.
pub(super) fn short_title(own: &Interaction) -> String {
    own.length().map_or_else(|| own.event.clone(), |length| format_whole_ms(length.0))
}

/// The parts on one line: "Delay 8 ms, handlers 212 ms, paint 12 ms".
pub(super) fn reason(index: &Index, marker: MarkerId) -> Option<String> {
    let own = of_marker(index, marker)?;
    let [delay, handlers] = [own.input_delay(), own.processing()].map(|part| format_whole_ms(part.0));
    let paint = own.presentation().map_or_else(|| "not recorded".to_owned(), |part| format_whole_ms(part.0));
    Some(format!("Delay {delay}, handlers {handlers}, paint {paint}"))
}

/// The interaction of a marker, if interactions have been read.
fn of_marker(index: &Index, marker: MarkerId) -> Option<&Interaction> {
    let all = Interactions::if_built(index)?;
    all.list().get(all.of_marker(marker)?)
}

/// The lines of a marker's interaction. Empty for other markers, and until interactions have been read.
pub(super) fn lines(index: &Index, marker: MarkerId) -> Vec<(String, String)> {
    let Some(own) = of_marker(index, marker) else { return Vec::new() };
    let mut lines = Vec::new();
    let mut add = |label: &str, value: String| lines.push((label.to_owned(), value));
    add("Interaction", title(own));
    if let Some(rating) = own.rating() {
        add("Rating", rating.name().to_owned());
    }
    let length = |from: Ns, to: Ns| format_duration_ns((to - from).0);
    add("Input delay", length(own.start, own.processing_start));
    if let Some(queued) = own.queued {
        add("In browser", length(own.start, queued));
        add("In queue", length(queued, own.processing_start));
    }
    add("Handlers", length(own.processing_start, own.processing_end));
    if let Some(handler) = Handler::of(index.profile(), own).first() {
        add("Longest handler", format!("{}, {}", handler.short_text(), format_duration_ns(handler.time.0)));
    }
    match own.end {
        Some(end) => add("Presentation", length(own.processing_end, end)),
        None => add("Presentation", "not recorded".to_owned()),
    }
    if let Some((committed, end)) = own.committed.zip(own.end) {
        add("Main thread", length(own.processing_end, committed));
        add("Compositor", length(committed, end));
    }
    if own.is_nested {
        add("Counted with", "an earlier event with the same paint".to_owned());
    }
    lines
}
