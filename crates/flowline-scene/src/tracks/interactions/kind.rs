//! The kind of track that shows the interactions with the page of a process.

use super::painter::{self, InteractionPainter};
use super::rows::{InteractionRows, InteractionTrack, KEY, built, times};
use super::{card, dump};
use crate::layout::{Hit, SceneInput, TrackPart};
use crate::tracks::timed_row::{has_any, join, left_out};
use crate::tracks::{DumpLine, EntryTitle, TrackEntry, TrackKind, TrackLabel, TrackPainter, TrackPlace};
use flowline_format::{format_count, format_counted, format_whole_ms};
use flowline_index::search::Hits;
use flowline_index::{Derived, Index};
use flowline_insights::interactions::Interactions;
use flowline_profile::{DisplayClock, MarkerId, ProcessId, Profile, TimeRange};
use flowline_view::{LitEntries, TrackId};

/// Names of the slices of handlers, in Chrome and in Firefox.
const HANDLERS: [&str; 2] = ["EventDispatch", "DOMEvent"];
/// Height of headings and rows in points.
const HEIGHT: f64 = 20.0;
/// Tracks with at most this many rows are expanded by default.
const FEW_ROWS: u32 = 4;

/// The interactions of processes.
pub(crate) struct InteractionTracks;

fn track_of(index: &Index, process: u32) -> Option<&InteractionTrack> {
    InteractionRows::if_built(index)?.track(ProcessId(process))
}

impl TrackKind for InteractionTracks {
    fn key(&self) -> &'static str {
        KEY
    }

    fn place(&self) -> TrackPlace {
        TrackPlace::Process
    }

    fn may_exist(&self, profile: &Profile) -> bool {
        Interactions::may_have(profile)
    }

    fn is_derived(&self, index: &Index) -> bool {
        built(index).is_some()
    }

    fn derive(&self, index: &Index) {
        InteractionRows::of(index);
    }

    fn tracks(&self, index: &Index, process: Option<ProcessId>) -> Vec<u32> {
        process.filter(|process| track_of(index, process.0).is_some()).map(|process| process.0).into_iter().collect()
    }

    fn rows(&self, index: &Index, track: u32) -> u32 {
        track_of(index, track).map_or(0, |track| u32::try_from(track.rows.len()).unwrap_or(u32::MAX))
    }

    fn folds(&self, index: &Index, track: u32) -> bool {
        self.rows(index, track) > 1
    }

    fn heads_first_row(&self) -> bool {
        true
    }

    fn starts_expanded(&self, index: &Index, track: u32) -> bool {
        self.rows(index, track) <= FEW_ROWS
    }

    fn shows_row(&self, index: &Index, track: u32, row: u32, ticks: (u64, u64)) -> bool {
        let row = track_of(index, track).and_then(|track| track.rows.get(row as usize));
        row.is_some_and(|row| has_any(row, ticks))
    }

    fn has_hit(&self, index: &Index, track: u32, hits: &Hits) -> bool {
        let found = built(index).zip(track_of(index, track));
        found.is_some_and(|((all, _), track)| {
            hits.total() > 0 && track.numbers().any(|number| painter::is_hit(index, all, number, hits))
        })
    }

    fn heading_height(&self) -> f64 {
        HEIGHT
    }

    fn row_height(&self) -> f64 {
        HEIGHT
    }

    fn label(&self, input: &SceneInput<'_>, number: u32) -> TrackLabel {
        let Some(track) = track_of(input.index, number) else { return TrackLabel::default() };
        let narrowed = input.scope.counted_tracks().and_then(|counts| counts.contents(TrackId::new(KEY, number), None));
        let count = narrowed.unwrap_or_else(|| track.len()) as u64;
        let inp = track.inp.map(|inp| format!("INP {}", format_whole_ms(inp.0)));
        let left_out = left_out(Interactions::if_built(input.index).map_or(0, |all| all.dropped().count()), "event");
        let spoken_inp = inp.as_ref().map_or_else(String::new, |inp| format!(", {inp}"));
        TrackLabel {
            text: "Interactions".to_owned(),
            right: inp.unwrap_or_else(|| format_count(count)),
            spoken: join(format!("Interactions, {}{spoken_inp}", format_counted(count, "interaction")), &left_out),
            detail: left_out,
            ..TrackLabel::default()
        }
    }

    fn hit(&self, input: &SceneInput<'_>, track: u32, row: Option<u32>, x: f32) -> Option<Hit> {
        painter::hit(input, (track, row), x)
    }

    fn row_markers(&self, index: &Index, track: u32, row: u32, each: &mut dyn FnMut(MarkerId)) {
        let Some(((all, _), track)) = built(index).zip(track_of(index, track)) else { return };
        let entries = track.rows.get(row as usize).into_iter().flatten();
        let interactions = entries.filter_map(|entry| all.list().get(entry.number as usize));
        interactions.for_each(|own| own.markers.iter().copied().for_each(&mut *each));
    }

    fn entry_of(&self, index: &Index, marker: MarkerId) -> Option<TrackEntry> {
        let (all, rows) = built(index)?;
        let number = all.of_marker(marker)?;
        let own = all.list().get(number).filter(|own| own.marker == marker)?;
        let (process, row) = rows.place(u32::try_from(number).ok()?)?;
        Some(TrackEntry { track: process.0, row, times: times(own) })
    }

    fn place_on_row(&self, index: &Index, marker: MarkerId) -> Option<usize> {
        let (all, rows) = built(index)?;
        let number = u32::try_from(all.of_marker(marker)?).ok()?;
        let (process, row) = rows.place(number)?;
        rows.track(process)?.rows.get(row as usize)?.iter().position(|entry| entry.number == number)
    }

    fn entry_at(&self, index: &Index, track: u32, row: u32, place: usize) -> Option<MarkerId> {
        let ((all, _), track) = built(index).zip(track_of(index, track))?;
        let entry = track.rows.get(row as usize)?.get(place)?;
        all.list().get(entry.number as usize).map(|own| own.marker)
    }

    fn contents_name(&self) -> &'static str {
        "interactions"
    }

    fn painter(&self) -> Box<dyn TrackPainter> {
        Box::<InteractionPainter>::default()
    }

    fn count(&self, index: &Index, range: TimeRange, each: &mut dyn FnMut(TrackPart, bool)) {
        let Some((all, rows)) = built(index) else { return };
        for (process, track) in rows.tracks() {
            for own in track.numbers().filter_map(|number| all.list().get(number as usize)) {
                let times = times(own);
                each((process.0, 0), range.overlaps(times.start, times.end));
            }
        }
    }

    fn card_lines(&self, index: &Index, marker: MarkerId, _clock: DisplayClock) -> Vec<(String, String)> {
        card::lines(index, marker)
    }

    fn reason(&self, index: &Index, marker: MarkerId) -> Option<String> {
        card::reason(index, marker)
    }

    fn lit(&self, index: &Index, marker: MarkerId) -> Option<LitEntries> {
        let (all, _) = built(index)?;
        let own = all.list().get(all.of_marker(marker)?)?;
        let strings = &index.profile().strings;
        Some(LitEntries {
            threads: vec![own.thread],
            range: Some(TimeRange { start: own.processing_start, end: own.processing_end }),
            names: HANDLERS.iter().filter_map(|name| strings.find(name)).collect(),
            ..LitEntries::default()
        })
    }

    fn title(&self, index: &Index, marker: MarkerId) -> Option<EntryTitle> {
        card::entry_title(index, marker)
    }

    fn dump_name(&self) -> (&'static str, &'static str) {
        (KEY, "One line per interaction of the user with a page: input delay, handlers, presentation")
    }

    fn dump<'a>(&self, index: &'a Index) -> Box<dyn Iterator<Item = DumpLine> + 'a> {
        Box::new(dump::interactions(index))
    }
}
