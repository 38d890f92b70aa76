//! The kind of track that shows the layout shifts of the pages of a process.

use super::card::{self, score_text};
use super::dump;
use super::painter::{self, ShiftPainter};
use super::rows::{KEY, ShiftRows, ShiftTrack, built};
use crate::layout::{Hit, SceneInput, TrackPart};
use crate::tracks::timed_row::{has_any, join, left_out};
use crate::tracks::{DumpLine, EntryTitle, TrackEntry, TrackKind, TrackLabel, TrackPainter, TrackPlace};
use flowline_format::format_counted;
use flowline_index::search::Hits;
use flowline_index::{Derived, Index};
use flowline_insights::layout_shifts::{LayoutShift, LayoutShifts, ShiftCulprits, Viewports};
use flowline_profile::{DisplayClock, MarkerId, ProcessId, Profile, TimeRange};
use flowline_view::TrackId;

/// Height of a heading in points.
const HEIGHT: f64 = 20.0;

/// The layout shifts of processes.
pub(crate) struct ShiftTracks;

fn track_of(index: &Index, process: u32) -> Option<&ShiftTrack> {
    ShiftRows::if_built(index)?.track(ProcessId(process))
}

/// The shifts of a track.
fn shifts<'a>(all: &'a LayoutShifts, track: &'a ShiftTrack) -> impl Iterator<Item = &'a LayoutShift> {
    track.shifts.iter().filter_map(|entry| all.shifts().get(entry.number as usize))
}

impl TrackKind for ShiftTracks {
    fn key(&self) -> &'static str {
        KEY
    }

    fn place(&self) -> TrackPlace {
        TrackPlace::Process
    }

    fn may_exist(&self, profile: &Profile) -> bool {
        LayoutShifts::may_have(profile)
    }

    fn is_derived(&self, index: &Index) -> bool {
        built(index).is_some() && ShiftCulprits::if_built(index).is_some() && Viewports::if_built(index).is_some()
    }

    fn derive(&self, index: &Index) {
        ShiftRows::of(index);
        ShiftCulprits::of(index);
        Viewports::of(index);
    }

    fn tracks(&self, index: &Index, process: Option<ProcessId>) -> Vec<u32> {
        process.filter(|process| track_of(index, process.0).is_some()).map(|process| process.0).into_iter().collect()
    }

    fn rows(&self, index: &Index, track: u32) -> u32 {
        u32::from(track_of(index, track).is_some())
    }

    fn folds(&self, _index: &Index, _track: u32) -> bool {
        false
    }

    fn starts_expanded(&self, _index: &Index, _track: u32) -> bool {
        false
    }

    fn shows_row(&self, index: &Index, track: u32, _row: u32, ticks: (u64, u64)) -> bool {
        track_of(index, track).is_some_and(|track| has_any(&track.shifts, ticks) || has_any(&track.clusters, ticks))
    }

    fn has_hit(&self, index: &Index, track: u32, hits: &Hits) -> bool {
        let found = built(index).zip(track_of(index, track));
        found.is_some_and(|((all, _), track)| {
            hits.total() > 0 && shifts(all, track).any(|shift| painter::is_hit(index, shift, hits))
        })
    }

    fn heading_height(&self) -> f64 {
        HEIGHT
    }

    fn row_height(&self) -> f64 {
        HEIGHT
    }

    fn label(&self, input: &SceneInput<'_>, number: u32) -> TrackLabel {
        let Some(((all, _), track)) = built(input.index).zip(track_of(input.index, number)) else {
            return TrackLabel::default();
        };
        let narrowed = input.scope.counted_tracks().and_then(|counts| counts.contents(TrackId::new(KEY, number), None));
        let count = narrowed.unwrap_or(track.shifts.len()) as u64;
        let clusters = track.clusters.iter().filter_map(|entry| all.clusters().get(entry.number as usize));
        let worst = clusters.map(|cluster| cluster.score).fold(0.0, f64::max);
        // A greater shift beside the score looks like an error.
        let excused =
            shifts(all, track).filter(|shift| shift.is_after_input).map(|shift| shift.score).fold(0.0, f64::max);
        let excused = (excused > worst).then(|| format!(", {} after input", score_text(excused)));
        let score = format!("CLS {}{}", score_text(worst), excused.unwrap_or_default());
        let left_out = left_out(all.dropped().count(), "shift");
        TrackLabel {
            text: "Layout shifts".to_owned(),
            spoken: join(format!("Layout shifts, {}, {score}", format_counted(count, "shift")), &left_out),
            detail: left_out,
            right: score,
            ..TrackLabel::default()
        }
    }

    fn hit(&self, input: &SceneInput<'_>, track: u32, _row: Option<u32>, x: f32) -> Option<Hit> {
        painter::hit(input, track, x)
    }

    fn row_markers(&self, index: &Index, track: u32, _row: u32, each: &mut dyn FnMut(MarkerId)) {
        let Some(((all, _), track)) = built(index).zip(track_of(index, track)) else { return };
        shifts(all, track).for_each(|shift| each(shift.marker));
    }

    fn entry_of(&self, index: &Index, marker: MarkerId) -> Option<TrackEntry> {
        let (all, _) = built(index)?;
        let shift = all.shifts().get(all.of_marker(marker)?)?;
        let process = index.profile().thread(shift.thread).process;
        Some(TrackEntry { track: process.0, row: 0, times: TimeRange { start: shift.time, end: shift.time } })
    }

    fn place_on_row(&self, index: &Index, marker: MarkerId) -> Option<usize> {
        let (all, rows) = built(index)?;
        let at = all.of_marker(marker)?;
        let process = index.profile().thread(all.shifts().get(at)?.thread).process;
        rows.track(process)?.shifts.iter().position(|entry| entry.number as usize == at)
    }

    fn entry_at(&self, index: &Index, track: u32, _row: u32, place: usize) -> Option<MarkerId> {
        let ((all, _), track) = built(index).zip(track_of(index, track))?;
        all.shifts().get(track.shifts.get(place)?.number as usize).map(|own| own.marker)
    }

    fn contents_name(&self) -> &'static str {
        "layout shifts"
    }

    fn painter(&self) -> Box<dyn TrackPainter> {
        Box::<ShiftPainter>::default()
    }

    fn count(&self, index: &Index, range: TimeRange, each: &mut dyn FnMut(TrackPart, bool)) {
        let Some((all, rows)) = built(index) else { return };
        for (process, track) in rows.tracks() {
            shifts(all, track).for_each(|shift| each((process.0, 0), range.overlaps(shift.time, shift.time)));
        }
    }

    fn card_lines(&self, index: &Index, marker: MarkerId, _clock: DisplayClock) -> Vec<(String, String)> {
        card::lines(index, marker)
    }

    fn reason(&self, index: &Index, marker: MarkerId) -> Option<String> {
        card::reason(index, marker)
    }

    fn title(&self, index: &Index, marker: MarkerId) -> Option<EntryTitle> {
        let (all, _) = built(index)?;
        let shift = all.shifts().get(all.of_marker(marker)?)?;
        Some(EntryTitle { name: format!("Layout shift {}", score_text(shift.score)), length: None })
    }

    fn dump_name(&self) -> (&'static str, &'static str) {
        (KEY, "One line per layout shift, and per cluster of shifts")
    }

    fn dump<'a>(&self, index: &'a Index) -> Box<dyn Iterator<Item = DumpLine> + 'a> {
        Box::new(dump::shifts(index))
    }
}
