//! The kind of track that shows the frames of a page.

use super::painter::{self, FramePainter, KEY};
use super::row::{FrameRow, FrameRows, RowCounts};
use super::{card, dump};
use crate::layout::{Hit, SceneInput, TrackPart};
use crate::tracks::{DumpLine, EntryTitle, TrackEntry, TrackKind, TrackLabel, TrackPainter, TrackPlace};
use flowline_format::{format_count, format_counted};
use flowline_index::search::Hits;
use flowline_index::{Derived, Index};
use flowline_insights::frames::{FrameThreads, Frames, PageFrame};
use flowline_profile::{DisplayClock, MarkerId, ProcessId, Profile, TimeRange};
use flowline_view::TrackId;

/// Height in points.
const HEIGHT: f64 = 20.0;

/// The frames of processes.
pub(crate) struct FrameTracks;

/// The row of a process, by its number.
fn row_of(index: &Index, process: u32) -> Option<&FrameRow> {
    FrameRows::if_built(index)?.row(ProcessId(process))
}

/// The frames of a row.
fn frames_of<'a>(index: &'a Index, row: &'a FrameRow) -> impl Iterator<Item = &'a PageFrame> {
    let frames = Frames::if_built(index).map(Frames::list).unwrap_or_default();
    row.numbers().iter().filter_map(move |number| frames.get(*number as usize))
}

impl TrackKind for FrameTracks {
    fn key(&self) -> &'static str {
        KEY
    }

    fn place(&self) -> TrackPlace {
        TrackPlace::Process
    }

    fn may_exist(&self, profile: &Profile) -> bool {
        Frames::may_have(profile)
    }

    fn is_derived(&self, index: &Index) -> bool {
        FrameRows::if_built(index).is_some() && FrameThreads::if_built(index).is_some()
    }

    fn derive(&self, index: &Index) {
        FrameRows::of(index);
        FrameThreads::of(index);
    }

    fn tracks(&self, index: &Index, process: Option<ProcessId>) -> Vec<u32> {
        process.filter(|process| row_of(index, process.0).is_some()).map(|process| process.0).into_iter().collect()
    }

    fn rows(&self, index: &Index, track: u32) -> u32 {
        u32::from(row_of(index, track).is_some())
    }

    fn folds(&self, _index: &Index, _track: u32) -> bool {
        false
    }

    fn starts_expanded(&self, _index: &Index, _track: u32) -> bool {
        false
    }

    fn shows_row(&self, index: &Index, track: u32, _row: u32, ticks: (u64, u64)) -> bool {
        row_of(index, track).is_some_and(|row| {
            let at = row.first_at(ticks.0);
            (at..row.len()).take(2).any(|at| row.ticks(at).0 <= ticks.1 && row.ticks(at).1 >= ticks.0)
        })
    }

    fn has_hit(&self, index: &Index, track: u32, hits: &Hits) -> bool {
        let row = row_of(index, track).filter(|_| hits.total() > 0);
        row.is_some_and(|row| frames_of(index, row).any(|frame| painter::is_hit(index.profile(), frame, hits)))
    }

    fn heading_height(&self) -> f64 {
        HEIGHT
    }

    fn row_height(&self) -> f64 {
        HEIGHT
    }

    fn label(&self, input: &SceneInput<'_>, track: u32) -> TrackLabel {
        let Some(row) = row_of(input.index, track) else { return TrackLabel::default() };
        let narrowed = input.scope.counted_tracks().and_then(|counts| counts.contents(TrackId::new(KEY, track), None));
        let (right, spoken) = match narrowed {
            Some(count) => (format_count(count as u64), format_counted(count as u64, "frame")),
            None => counts_text(row.counts),
        };
        let (text, spoken) = ("Frames".to_owned(), format!("Frames, {spoken}"));
        TrackLabel { text, right, spoken, ..TrackLabel::default() }
    }

    fn hit(&self, input: &SceneInput<'_>, track: u32, _row: Option<u32>, x: f32) -> Option<Hit> {
        painter::hit(input, ProcessId(track), x)
    }

    fn row_markers(&self, index: &Index, track: u32, _row: u32, each: &mut dyn FnMut(MarkerId)) {
        let Some(row) = row_of(index, track) else { return };
        for frame in frames_of(index, row) {
            each(frame.marker);
            frame.markers.iter().copied().for_each(&mut *each);
        }
    }

    fn entry_of(&self, index: &Index, marker: MarkerId) -> Option<TrackEntry> {
        let (number, frame) = Frames::if_built(index)?.of_marker(marker)?;
        let (process, _) = FrameRows::if_built(index)?.row_of(u32::try_from(number).ok()?)?;
        Some(TrackEntry { track: process.0, row: 0, times: frame.times })
    }

    fn place_on_row(&self, index: &Index, marker: MarkerId) -> Option<usize> {
        let (number, _) = Frames::if_built(index)?.of_marker(marker)?;
        let number = u32::try_from(number).ok()?;
        FrameRows::if_built(index)?.row_of(number)?.1.find(number)
    }

    fn entry_at(&self, index: &Index, track: u32, _row: u32, place: usize) -> Option<MarkerId> {
        let number = *row_of(index, track)?.numbers().get(place)?;
        Frames::if_built(index)?.list().get(number as usize).map(|frame| frame.marker)
    }

    fn contents_name(&self) -> &'static str {
        "frames"
    }

    fn painter(&self) -> Box<dyn TrackPainter> {
        Box::<FramePainter>::default()
    }

    fn count(&self, index: &Index, range: TimeRange, each: &mut dyn FnMut(TrackPart, bool)) {
        let Some(rows) = FrameRows::if_built(index) else { return };
        for (process, row) in rows.iter() {
            for frame in frames_of(index, row) {
                each((process.0, 0), range.overlaps(frame.times.start, frame.times.end));
            }
        }
    }

    fn card_lines(&self, index: &Index, marker: MarkerId, clock: DisplayClock) -> Vec<(String, String)> {
        card::lines(index, marker, clock)
    }

    fn reason(&self, index: &Index, marker: MarkerId) -> Option<String> {
        card::reason(index, marker)
    }

    fn title(&self, index: &Index, marker: MarkerId) -> Option<EntryTitle> {
        card::title(index, marker)
    }

    fn dump_name(&self) -> (&'static str, &'static str) {
        (KEY, "One line per frame of a page: shown, dropped, partial, idle, missed")
    }

    fn dump<'a>(&self, index: &'a Index) -> Box<dyn Iterator<Item = DumpLine> + 'a> {
        Box::new(dump::lines(index))
    }
}

/// The text at the right of a heading, and the description for screen readers.
fn counts_text(counts: RowCounts) -> (String, String) {
    let mut right = format_count(counts.all);
    let mut spoken = format_counted(counts.all, "frame");
    for (count, name) in [(counts.late, "late"), (counts.partial, "partly shown"), (counts.dropped, "dropped")] {
        if count > 0 {
            right = format!("{right}, {} {name}", format_count(count));
            spoken = format!("{spoken}, {} {name}", format_count(count));
        }
    }
    (right, spoken)
}
