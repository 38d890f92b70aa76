//! What cards say of the custom track of a marker: its place and times there, its tooltip and its properties.

use super::marker_card::time_text;
use flowline_format::{format_count, format_duration_ns};
use flowline_index::Index;
use flowline_index::custom_tracks::{CustomEntry, EntryKind, Origin, property_text};
use flowline_profile::{MarkerId, Ns, Profile};

/// Properties that a card shows.
const MAX_PROPERTIES: usize = 100;

/// The lines of the entry that a marker states on a custom track. Empty for other markers, and while custom tracks are being
/// found.
pub(super) fn custom_lines(index: &Index, marker: MarkerId) -> Vec<(String, String)> {
    let Some(custom) = index.custom_tracks_if_built() else { return Vec::new() };
    let Some(entry) = custom.of_marker(marker).and_then(|number| custom.entry(number)) else { return Vec::new() };
    let mut lines = vec![("Track".to_owned(), place(entry))];
    if entry.origin == Origin::Stamp {
        lines.push(("Entry".to_owned(), entry.name.clone()));
        lines.push(("There".to_owned(), times(index.profile(), entry)));
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
        EntryKind::Marker => "a marker over all tracks".to_owned(),
        EntryKind::Timing => "Timings".to_owned(),
        EntryKind::Track if entry.group.is_empty() => entry.track.clone(),
        EntryKind::Track => format!("{} › {}", entry.group, entry.track),
    }
}

/// Where a stamp put its entry, which is not where the stamp is.
fn times(profile: &Profile, entry: &CustomEntry) -> String {
    let start = time_text(profile.displayed(entry.start));
    match entry.end.map_or(Ns(0), |end| end - entry.start) {
        length if length < Ns(0) => {
            format!("at {start}; its end is {} before its start", format_duration_ns(length.0.saturating_neg()))
        }
        Ns(0) => format!("at {start}"),
        length => format!("from {start}, {}", format_duration_ns(length.0)),
    }
}
