//! Tooltip of an entry of a query track.

use super::tooltip_text::TooltipText;
use crate::widgets::counted;
use flowline_format::format_duration_ns;
use flowline_index::color_of_name;
use flowline_scene::EntryHit;
use flowline_session::Session;

/// Name, duration and track of an entry, and its marker if that has another name.
pub(super) fn text(session: &Session, hit: EntryHit, has_details: bool) -> Option<TooltipText> {
    let track = session.view.tracks.query_track(hit.track)?;
    let rows = session.index.query_track(hit.track)?;
    let entry = rows.entry(hit.entry)?;
    let profile = session.index.profile();
    let length = entry.end.map_or_else(|| "instant".to_owned(), |end| format_duration_ns((end - entry.start).0));
    let marker = entry.marker.and_then(|marker| profile.locate(marker).map(|place| (marker, place)));
    let color = match marker {
        Some((marker, _)) => session.index.source().styles.get(marker).colors().kind,
        None => color_of_name(&entry.name),
    };
    let mut text = TooltipText::new(Some(color), &entry.name, length, has_details);
    if hit.count > 1 {
        text.reason(format!("One of {} at this pixel", counted(hit.count as usize, "entry")));
    }
    let of_marker = marker.map(|(_, (thread, local))| {
        let name = profile.marker_name(thread, local);
        let thread = &profile.thread(thread).name;
        if *name == *entry.name {
            format!("{thread}, in {}", track.name)
        } else {
            format!("{name}, {thread}, in {}", track.name)
        }
    });
    text.place(of_marker.unwrap_or_else(|| format!("Query track {}", track.name)));
    text.place(format!("Start {}", session.view.clock().position(entry.start)));
    Some(text)
}
