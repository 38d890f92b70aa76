//! The kind of track that shows the jank of a process.

use super::dump;
use super::painter::{self, JankPainter};
use super::rows::{JankRows, KEY, built};
use crate::layout::{EntryHit, Hit, PointerHits, SceneInput, TrackPart};
use crate::tracks::timed_row::{TimedEntry, has_any};
use crate::tracks::{DumpLine, EntryCard, TrackEntry, TrackKind, TrackLabel, TrackPainter, TrackPlace};
use flowline_format::{format_count, format_counted, format_duration_ns};
use flowline_index::search::Hits;
use flowline_index::{Derived, Index};
use flowline_insights::jank::{JankPeriod, JankPeriodList};
use flowline_profile::{Direction, MarkerId, Ns, ProcessId, Profile, TimeRange};
use flowline_view::TrackId;

/// Height in points.
const HEIGHT: f64 = 20.0;

/// The jank of processes.
pub(crate) struct JankTracks;

fn row_of(index: &Index, process: u32) -> Option<&[TimedEntry]> {
    JankRows::if_built(index)?.row(ProcessId(process))
}

fn period(index: &Index, entry: u32) -> Option<&JankPeriod> {
    JankPeriodList::if_built(index)?.all().get(entry as usize)
}

impl TrackKind for JankTracks {
    fn key(&self) -> &'static str {
        KEY
    }

    fn place(&self) -> TrackPlace {
        TrackPlace::Process
    }

    fn may_exist(&self, profile: &Profile) -> bool {
        JankPeriodList::may_have(profile)
    }

    fn is_derived(&self, index: &Index) -> bool {
        built(index).is_some()
    }

    fn derive(&self, index: &Index) {
        JankRows::of(index);
    }

    fn tracks(&self, index: &Index, process: Option<ProcessId>) -> Vec<u32> {
        process.filter(|process| row_of(index, process.0).is_some()).map(|process| process.0).into_iter().collect()
    }

    fn rows(&self, index: &Index, track: u32) -> u32 {
        u32::from(row_of(index, track).is_some())
    }

    fn row_len(&self, index: &Index, track: u32, _row: u32) -> u32 {
        row_of(index, track).map_or(0, |row| u32::try_from(row.len()).unwrap_or(u32::MAX))
    }

    fn folds(&self, _index: &Index, _track: u32) -> bool {
        false
    }

    fn starts_expanded(&self, _index: &Index, _track: u32) -> bool {
        false
    }

    fn shows_row(&self, index: &Index, track: u32, _row: u32, ticks: (u64, u64)) -> bool {
        row_of(index, track).is_some_and(|row| has_any(row, ticks))
    }

    fn has_hit(&self, _index: &Index, _track: u32, _hits: &Hits) -> bool {
        false
    }

    fn heading_height(&self) -> f64 {
        HEIGHT
    }

    fn row_height(&self) -> f64 {
        HEIGHT
    }

    fn label(&self, input: &SceneInput<'_>, number: u32) -> TrackLabel {
        let periods = JankPeriodList::if_built(input.index).map(|list| list.of_process(ProcessId(number)));
        let Some(periods) = periods else { return TrackLabel::default() };
        let narrowed = input.scope.counted_tracks().and_then(|counts| counts.contents(TrackId::new(KEY, number), None));
        let counted = |count: usize| format_counted(count as u64, "period");
        let (right, spoken) = match narrowed {
            Some(count) => (format_count(count as u64), counted(count)),
            None => {
                let total = periods.iter().fold(0_i64, |sum, own| sum.saturating_add(own.times.len()));
                let total = format_duration_ns(total);
                (total.clone(), format!("{}, {total}", counted(periods.len())))
            }
        };
        TrackLabel { text: "Jank".to_owned(), right, spoken: format!("Jank, {spoken}"), ..TrackLabel::default() }
    }

    fn hit(&self, _input: &SceneInput<'_>, _track: u32, _row: Option<u32>, _x: f32) -> Option<Hit> {
        None
    }

    fn hits(&self, input: &SceneInput<'_>, track: u32, _row: Option<u32>, x: f32) -> PointerHits {
        let found = row_of(input.index, track).and_then(|row| painter::entry_at(input, row, x));
        let entry = found.map(|found| EntryHit { kind: KEY, track, entry: found.number, count: found.count });
        PointerHits { entry, ..PointerHits::default() }
    }

    /// The periods have no markers.
    fn row_markers(&self, _index: &Index, _track: u32, _row: u32, _each: &mut dyn FnMut(MarkerId)) {}

    fn times_on_row(&self, index: &Index, track: u32, _row: u32) -> Vec<TimeRange> {
        let periods = JankPeriodList::if_built(index).map(|list| list.of_process(ProcessId(track)));
        periods.unwrap_or_default().iter().map(|own| own.times).collect()
    }

    fn entry_of(&self, _index: &Index, _marker: MarkerId) -> Option<TrackEntry> {
        None
    }

    fn edges_near(&self, index: &Index, track: u32, _row: u32, time: Ns) -> Vec<Ns> {
        let periods = JankPeriodList::if_built(index).map(|list| list.of_process(ProcessId(track)));
        let periods = periods.unwrap_or_default();
        let next = periods.partition_point(|own| own.times.end < time);
        let near = periods.get(next.saturating_sub(1)..periods.len().min(next + 2)).unwrap_or_default();
        near.iter().flat_map(|own| [own.times.start, own.times.end]).collect()
    }

    fn entry_card(&self, index: &Index, _track: u32, entry: u32) -> Option<EntryCard> {
        let own = period(index, entry)?;
        let profile = index.profile();
        let ran = own.ran.as_ref().map(|ran| match ran.time {
            Ns(0) => ran.name.clone(),
            time => format!("{} ran for {}", ran.name, format_duration_ns(time.0)),
        });
        let reason = ran.unwrap_or_else(|| "No samples or markers say what ran".to_owned());
        Some(EntryCard {
            name: "Jank".to_owned(),
            times: own.times,
            reason,
            place: profile.thread(own.thread).name.to_string(),
        })
    }

    fn next_entry(&self, index: &Index, (track, entry): (u32, u32), direction: Direction) -> Option<u32> {
        let next = match direction {
            Direction::Forward => entry.checked_add(1)?,
            Direction::Back => entry.checked_sub(1)?,
        };
        let row = row_of(index, track)?;
        row.binary_search_by_key(&next, |own| own.number).ok().map(|_| next)
    }

    fn entry_with_times(&self, index: &Index, times: TimeRange) -> Option<(u32, u32)> {
        let (list, _) = built(index)?;
        let at = list.with_times(times)?;
        let process = index.profile().thread(list.all().get(at)?.thread).process;
        Some((process.0, u32::try_from(at).ok()?))
    }

    fn contents_name(&self) -> &'static str {
        "jank periods"
    }

    fn painter(&self) -> Box<dyn TrackPainter> {
        Box::<JankPainter>::default()
    }

    fn count(&self, index: &Index, range: TimeRange, each: &mut dyn FnMut(TrackPart, bool)) {
        let Some((list, _)) = built(index) else { return };
        for (process, periods) in list.processes() {
            periods.iter().for_each(|own| each((process.0, 0), range.overlaps(own.times.start, own.times.end)));
        }
    }

    fn dump_name(&self) -> (&'static str, &'static str) {
        (KEY, "One line per period in which the main thread of a Firefox process did not react to events")
    }

    fn dump<'a>(&self, index: &'a Index) -> Box<dyn Iterator<Item = DumpLine> + 'a> {
        Box::new(dump::periods(index))
    }
}
