//! The kind of track that shows entries of user timings.

use super::entries::{self, CustomPainter, KEY};
use super::{card, dump};
use crate::layout::{Hit, SceneInput, TrackPart};
use crate::tracks::entry_rows::has_hit;
use crate::tracks::{DumpLine, TrackEntry, TrackKind, TrackLabel, TrackPainter, TrackPlace};
use flowline_format::{format_count, format_count_short, format_counted};
use flowline_index::custom_tracks::CustomTrack;
use flowline_index::search::Hits;
use flowline_index::{CustomTracks, Index};
use flowline_profile::{DisplayClock, MarkerId, ProcessId, Profile, TimeRange};
use flowline_view::TrackId;

/// Tracks with at most this many rows are expanded by default. A track with a single row is shown on its heading's
/// line.
const FEW_ROWS: usize = 10;
/// With more tracks than this, all are collapsed by default.
const FEW_TRACKS: usize = 20;

/// Tracks that page authors define.
pub(crate) struct CustomTrackKind;

/// A track by its number.
fn track_of(index: &Index, number: u32) -> Option<&CustomTrack> {
    index.custom_tracks_if_built()?.tracks().get(number as usize)
}

/// The first row of a part of a track.
fn row_number(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(u32::MAX)
}

impl TrackKind for CustomTrackKind {
    fn key(&self) -> &'static str {
        KEY
    }

    fn place(&self) -> TrackPlace {
        TrackPlace::Top
    }

    fn may_exist(&self, profile: &Profile) -> bool {
        CustomTracks::may_have(profile)
    }

    fn is_derived(&self, index: &Index) -> bool {
        index.custom_tracks_if_built().is_some()
    }

    fn derive(&self, index: &Index) {
        index.custom_tracks();
    }

    fn tracks(&self, index: &Index, _process: Option<ProcessId>) -> Vec<u32> {
        index.custom_tracks_if_built().map_or_else(Vec::new, |custom| (0..row_number(custom.tracks().len())).collect())
    }

    fn rows(&self, index: &Index, track: u32) -> u32 {
        track_of(index, track).map_or(0, |track| row_number(track.rows()))
    }

    fn starts_expanded(&self, index: &Index, track: u32) -> bool {
        let count = index.custom_tracks_if_built().map_or(0, |custom| custom.tracks().len());
        let is_small = |track: &CustomTrack| (track.is_group || track.rows() > 1) && track.rows() <= FEW_ROWS;
        count <= FEW_TRACKS && track_of(index, track).is_some_and(is_small)
    }

    fn shows_row(&self, index: &Index, track: u32, row: u32, ticks: (u64, u64)) -> bool {
        track_of(index, track).is_some_and(|track| track.shows(row as usize, ticks))
    }

    fn has_hit(&self, index: &Index, track: u32, hits: &Hits) -> bool {
        let custom = index.custom_tracks_if_built();
        custom.is_some_and(|custom| has_hit(index.profile(), custom, track, hits))
    }

    fn label(&self, input: &SceneInput<'_>, number: u32) -> TrackLabel {
        let Some(track) = track_of(input.index, number) else { return TrackLabel::default() };
        let id = TrackId::new(KEY, number);
        let narrowed = input.scope.counted_tracks().and_then(|counts| counts.contents(id, None));
        let count = narrowed.unwrap_or_else(|| track.entries().len()) as u64;
        let entries = match track.parts.len() {
            1 => entries_text(count),
            parts => format!("{}, {}", format_counted(parts as u64, "track"), entries_text(count)),
        };
        let name = one_line(&track.name);
        TrackLabel {
            spoken: format!("Custom track {name}, {entries}"),
            text: name,
            right: format_count_short(count),
            ..TrackLabel::default()
        }
    }

    /// The first row of each track of a group has the track's name.
    fn row_label(&self, input: &SceneInput<'_>, number: u32, row: u32) -> TrackLabel {
        let Some(track) = track_of(input.index, number).filter(|track| track.is_group) else {
            return TrackLabel::default();
        };
        let Some(part) = track.part_at(row as usize) else { return TrackLabel::default() };
        let name = one_line(&part.name);
        let (id, first) = (TrackId::new(KEY, number), row_number(part.first_row));
        let narrowed = input.scope.counted_tracks().and_then(|counts| counts.contents(id, Some(first)));
        let count = narrowed.unwrap_or(part.entries) as u64;
        TrackLabel {
            spoken: format!("{name}, {}", entries_text(count)),
            text: name,
            right: format_count_short(count),
            ..TrackLabel::default()
        }
    }

    fn hit(&self, input: &SceneInput<'_>, track: u32, row: Option<u32>, x: f32) -> Option<Hit> {
        entries::hit(input, (track, row), x)
    }

    fn row_markers(&self, index: &Index, track: u32, row: u32, each: &mut dyn FnMut(MarkerId)) {
        let Some(custom) = index.custom_tracks_if_built() else { return };
        let entries = track_of(index, track).and_then(|track| track.row(Some(row as usize)));
        let numbers = entries.into_iter().flat_map(|entries| entries.numbers());
        numbers.filter_map(|number| custom.entry(number)).for_each(|entry| each(entry.marker));
    }

    fn entry_of(&self, index: &Index, marker: MarkerId) -> Option<TrackEntry> {
        let custom = index.custom_tracks_if_built()?;
        let number = custom.of_marker(marker)?;
        let (track, row) = custom.place(number)?;
        let entry = custom.entry(number)?;
        let times = TimeRange::new(entry.start, entry.drawn_end());
        Some(TrackEntry { track: row_number(track), row: row_number(row), times })
    }

    fn contents_name(&self) -> &'static str {
        "custom tracks"
    }

    fn painter(&self) -> Box<dyn TrackPainter> {
        Box::<CustomPainter>::default()
    }

    fn count(&self, index: &Index, range: TimeRange, each: &mut dyn FnMut(TrackPart, bool)) {
        let Some(custom) = index.custom_tracks_if_built() else { return };
        for (number, track) in (0_u32..).zip(custom.tracks()) {
            for entry in track.entries() {
                let Some(part) = track.row_of(entry).and_then(|row| track.part_of(row)) else { continue };
                let entry = custom.entry(entry);
                let is_in = entry.is_some_and(|entry| range.overlaps(entry.start, entry.drawn_end()));
                each((number, row_number(part.first_row)), is_in);
            }
        }
    }

    fn card_lines(&self, index: &Index, marker: MarkerId, clock: DisplayClock) -> Vec<(String, String)> {
        card::lines(index, marker, clock)
    }

    fn dump_name(&self) -> (&'static str, &'static str) {
        let entries = "One line per entry of a custom track: performance.measure, performance.mark and console.timeStamp \
                       with a track";
        ("customtracks", entries)
    }

    fn dump<'a>(&self, index: &'a Index) -> Box<dyn Iterator<Item = DumpLine> + 'a> {
        Box::new(dump::entries(index))
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
