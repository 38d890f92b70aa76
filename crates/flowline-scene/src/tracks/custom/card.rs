//! Card lines for a marker's custom track entry: its track and times, its tooltip and its properties.

use flowline_format::{format_count, format_duration_ns};
use flowline_index::Index;
use flowline_index::custom_tracks::{CustomEntry, EntryKind, Origin, property_text};
use flowline_profile::{DisplayClock, MarkerId, Ns};

/// Maximum number of properties on a card.
const MAX_PROPERTIES: usize = 100;

/// The lines of a marker's entry on a custom track. Empty for other markers, and until custom tracks have been derived.
pub(super) fn lines(index: &Index, marker: MarkerId, clock: DisplayClock) -> Vec<(String, String)> {
    let Some(custom) = index.custom_tracks_if_built() else { return Vec::new() };
    let Some(entry) = custom.of_marker(marker).and_then(|number| custom.entry(number)) else { return Vec::new() };
    let mut lines = vec![("Track".to_owned(), place(entry))];
    if entry.origin == Origin::Stamp {
        lines.push(("Entry".to_owned(), entry.name.clone()));
        lines.push(("Entry time".to_owned(), times(entry, clock)));
    }
    lines.extend(entry.tooltip.iter().map(|text| ("Tooltip".to_owned(), text.clone())));
    let property = |(name, value): &(String, _)| (name.clone(), property_text(value));
    lines.extend(entry.properties.iter().take(MAX_PROPERTIES).map(property));
    if let Some(more) = entry.properties.len().checked_sub(MAX_PROPERTIES).filter(|more| *more > 0) {
        lines.push(("Properties".to_owned(), format!("{} more", format_count(more as u64))));
    }
    lines
}

fn place(entry: &CustomEntry) -> String {
    match entry.kind {
        EntryKind::Marker => "marker across all tracks".to_owned(),
        EntryKind::Timing => "Timings".to_owned(),
        EntryKind::Track if entry.group.is_empty() => entry.track.clone(),
        EntryKind::Track => format!("{} › {}", entry.group, entry.track),
    }
}

/// Times of a stamp's entry, which differ from the stamp's own time.
fn times(entry: &CustomEntry, clock: DisplayClock) -> String {
    let start = clock.position(entry.start);
    match entry.end.map_or(Ns(0), |end| end - entry.start) {
        length if length < Ns(0) => {
            format!("at {start}; ends {} before its start", format_duration_ns(length.0.saturating_neg()))
        }
        Ns(0) => format!("at {start}"),
        length => format!("from {start}, {}", format_duration_ns(length.0)),
    }
}
