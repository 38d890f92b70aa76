//! The kind of track for lanes of messages and of file accesses below their threads.

use super::hit::lane_hit;
use super::painter::SurfacePainter;
use crate::layout::{Hit, ROW_HEIGHT, SceneInput, THREAD_TRACKS, TrackPart};
use crate::tracks::thread::track_indent;
use crate::tracks::{DumpLine, TrackEntry, TrackKind, TrackLabel, TrackPainter, TrackPlace};
use flowline_format::{format_count_short, format_counted};
use flowline_index::search::Hits;
use flowline_index::{Derived as _, Index, LanePlace, MarkerSurfaces, SurfaceLane};
use flowline_profile::{MarkerId, ProcessId, Profile, ThreadId, TimeRange};
use flowline_view::TrackId;

/// Points between the names of a thread and of its rows.
const ROW_INDENT: f32 = 4.0;

/// Lanes of messages and of file accesses.
pub(crate) struct SurfaceTracks;

/// A lane below a thread, with all lanes.
fn lane_of(index: &Index, track: u32) -> Option<(&MarkerSurfaces, &SurfaceLane)> {
    let surfaces = MarkerSurfaces::if_built(index)?;
    surfaces.lane(track).filter(|lane| is_row(lane)).map(|lane| (surfaces, lane))
}

const fn is_row(lane: &SurfaceLane) -> bool {
    matches!(lane.place, LanePlace::Messages | LanePlace::Files)
}

impl TrackKind for SurfaceTracks {
    fn key(&self) -> &'static str {
        THREAD_TRACKS
    }

    fn place(&self) -> TrackPlace {
        TrackPlace::Thread
    }

    fn may_exist(&self, profile: &Profile) -> bool {
        MarkerSurfaces::may_exist(profile)
    }

    fn is_derived(&self, index: &Index) -> bool {
        MarkerSurfaces::if_built(index).is_some()
    }

    fn derive(&self, index: &Index) {
        MarkerSurfaces::of(index);
    }

    fn tracks(&self, _index: &Index, _process: Option<ProcessId>) -> Vec<u32> {
        Vec::new()
    }

    fn tracks_below(&self, index: &Index, thread: ThreadId) -> Vec<u32> {
        MarkerSurfaces::if_built(index).map_or_else(Vec::new, |surfaces| surfaces.below(thread).to_vec())
    }

    fn rows(&self, index: &Index, track: u32) -> u32 {
        u32::from(lane_of(index, track).is_some())
    }

    fn row_len(&self, index: &Index, track: u32, _row: u32) -> u32 {
        lane_of(index, track).map_or(0, |(_, lane)| lane.count)
    }

    fn folds(&self, _index: &Index, _track: u32) -> bool {
        false
    }

    fn starts_expanded(&self, _index: &Index, _track: u32) -> bool {
        false
    }

    fn shows_row(&self, index: &Index, track: u32, _row: u32, ticks: (u64, u64)) -> bool {
        lane_of(index, track).is_some_and(|(_, lane)| lane.touches(index, ticks))
    }

    fn has_hit(&self, index: &Index, track: u32, hits: &Hits) -> bool {
        lane_of(index, track).is_some_and(|(surfaces, lane)| {
            let thread = index.profile().thread(lane.thread);
            hits.thread(lane.thread).iter().any(|marker| surfaces.has(lane, thread, *marker))
        })
    }

    fn heading_height(&self) -> f64 {
        ROW_HEIGHT
    }

    fn label(&self, input: &SceneInput<'_>, track: u32) -> TrackLabel {
        let Some((_, lane)) = lane_of(input.index, track) else { return TrackLabel::default() };
        let narrowed = input.scope.counted_tracks();
        let narrowed = narrowed.and_then(|counts| counts.contents(TrackId::new(THREAD_TRACKS, track), None));
        let count = narrowed.map_or(u64::from(lane.count), |count| count as u64);
        let name = if lane.place == LanePlace::Messages { "IPC" } else { "File I/O" };
        let owner = &input.index.profile().thread(lane.thread).name;
        TrackLabel {
            text: name.to_owned(),
            right: format_count_short(count),
            spoken: format!("{name} of {owner}, {}", format_counted(count, "marker")),
            indent: track_indent(input.index.profile(), lane.thread) + ROW_INDENT,
            ..TrackLabel::default()
        }
    }

    fn hit(&self, input: &SceneInput<'_>, track: u32, _row: Option<u32>, x: f32) -> Option<Hit> {
        let (surfaces, lane) = lane_of(input.index, track)?;
        lane_hit(input, surfaces, lane, x)
    }

    fn row_markers(&self, index: &Index, track: u32, _row: u32, each: &mut dyn FnMut(MarkerId)) {
        let Some((surfaces, lane)) = lane_of(index, track) else { return };
        let thread = index.profile().thread(lane.thread);
        surfaces.markers(lane, thread).for_each(|marker| each(thread.global(marker)));
    }

    /// A marker is revealed in the rows of its thread.
    fn entry_of(&self, _index: &Index, _marker: MarkerId) -> Option<TrackEntry> {
        None
    }

    fn contents_name(&self) -> &'static str {
        "lanes of threads"
    }

    fn painter(&self) -> Box<dyn TrackPainter> {
        Box::<SurfacePainter>::default()
    }

    fn count(&self, index: &Index, range: TimeRange, each: &mut dyn FnMut(TrackPart, bool)) {
        let Some(surfaces) = MarkerSurfaces::if_built(index) else { return };
        for (number, lane) in surfaces.lanes().filter(|(_, lane)| is_row(lane)) {
            let thread = index.profile().thread(lane.thread);
            for marker in surfaces.markers(lane, thread) {
                let times = thread.markers.range(marker);
                each((number, 0), range.overlaps(times.start, times.end));
            }
        }
    }

    fn is_dumped(&self) -> bool {
        false
    }

    fn dump_name(&self) -> (&'static str, &'static str) {
        ("threadtracks", "")
    }

    fn dump<'a>(&self, _index: &'a Index) -> Box<dyn Iterator<Item = DumpLine> + 'a> {
        Box::new(std::iter::empty())
    }
}
