//! Headings and rows of custom tracks.

use super::entries;
use super::entries::track_of;
use crate::layout::{CustomHeading, CustomRow, Item, PointerHits, ROW_HEIGHT, SceneInput, THREAD_HEIGHT};
use crate::tracks::track_item::expansion_text;
use crate::tracks::{Background, LabelStyle, TrackItem, TrackLabel};
use flowline_format::{format_count, format_counted};
use flowline_index::custom_tracks::CustomTrack;
use flowline_view::{Command, Tracks};

/// Tracks with at most this many rows are expanded by default. A track with a single row is shown on its heading's
/// line.
const FEW_ROWS: usize = 10;

/// With more tracks than this, all are collapsed by default.
const FEW_TRACKS: usize = 20;

/// True if the rows of a track are shown, given the number of all tracks.
pub(crate) fn is_expanded(tracks: &Tracks, number: u32, track: &CustomTrack, count: usize) -> bool {
    let has_few = track.is_group || track.rows() > 1;
    (has_few && track.rows() <= FEW_ROWS && count <= FEW_TRACKS) != tracks.custom.contains(&number)
}

impl TrackItem for CustomHeading {
    fn height(&self) -> f64 {
        THREAD_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.track, 0]
    }

    fn background(&self) -> Background {
        Background::TrackHeading { expanded: self.expanded }
    }

    fn label(&self, input: &SceneInput<'_>) -> TrackLabel {
        let Some(track) = track_of(input, self.track) else { return TrackLabel::default() };
        let narrowed = input.scope.counted_tracks().and_then(|counts| counts.entries(self.track, None));
        let count = narrowed.unwrap_or_else(|| track.entries().len()) as u64;
        let entries = match track.parts.len() {
            1 => entries_text(count),
            parts => format!("{}, {}", format_counted(parts as u64, "track"), entries_text(count)),
        };
        let name = one_line(&track.name);
        TrackLabel {
            spoken: format!("Custom track {name}, {entries}, {}", expansion_text(self.expanded)),
            text: name,
            right: format_count(count),
            style: LabelStyle::Track,
            expanded: Some(self.expanded),
            ..TrackLabel::default()
        }
    }

    fn toggle(&self) -> Option<Command> {
        Some(Command::ToggleCustomTrack(self.track))
    }

    fn hits(&self, input: &SceneInput<'_>, _item: &Item, x: f32, _y: f32) -> PointerHits {
        let chart = if self.expanded { None } else { entries::hit(input, (self.track, None), x) };
        PointerHits { chart, ..PointerHits::default() }
    }
}

impl TrackItem for CustomRow {
    fn height(&self) -> f64 {
        ROW_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.track, self.row]
    }

    fn background(&self) -> Background {
        if self.row % 2 == 1 { Background::Stripe } else { Background::Plain }
    }

    /// The first row of each track of a group has the track's name.
    fn label(&self, input: &SceneInput<'_>) -> TrackLabel {
        let Some(track) = track_of(input, self.track).filter(|track| track.is_group) else {
            return TrackLabel::default();
        };
        let Some(part) = track.part_at(self.row as usize) else { return TrackLabel::default() };
        let name = one_line(&part.name);
        let narrowed = input.scope.counted_tracks().and_then(|counts| counts.entries(self.track, Some(part.first_row)));
        let count = narrowed.unwrap_or(part.entries) as u64;
        TrackLabel {
            spoken: format!("{name}, {}", entries_text(count)),
            text: name,
            right: format_count(count),
            ..TrackLabel::default()
        }
    }

    fn hits(&self, input: &SceneInput<'_>, _item: &Item, x: f32, _y: f32) -> PointerHits {
        let chart = entries::hit(input, (self.track, Some(self.row as usize)), x);
        PointerHits { chart, ..PointerHits::default() }
    }
}

/// "1 entry", "2 entries".
fn entries_text(count: u64) -> String {
    if count == 1 { "1 entry".to_owned() } else { format!("{} entries", format_count(count)) }
}

/// Puts a name on one line.
fn one_line(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}
