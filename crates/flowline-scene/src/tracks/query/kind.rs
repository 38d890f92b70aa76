//! The kind of track that shows rows of queries.

use super::painter::QueryPainter;
use super::source::QuerySource;
use super::sql_excerpt::excerpt;
use super::state_text::state_text;
use crate::layout::{EntryHit, Hit, PointerHits, SceneInput, TrackPart};
use crate::tracks::entry_rows::{EntrySource as _, entry_at, has_hit};
use crate::tracks::{DumpLine, TrackEntry, TrackKind, TrackLabel, TrackPainter, TrackPlace};
use flowline_format::format_count_short;
use flowline_index::Index;
use flowline_index::custom_tracks::CustomTrack;
use flowline_index::query_tracks::{QueryTrackRows, QueryTrackState};
use flowline_index::search::Hits;
use flowline_profile::{MarkerId, ProcessId, Profile, TimeRange};
use flowline_view::{Command, QUERY_TRACKS, QueryTrackCommand};

/// Tracks with at most this many rows are expanded by default. A single row is shown on the line of its heading.
const FEW_ROWS: usize = 10;

/// Tracks of queries.
pub(crate) struct QueryTrackKind;

/// Number of rows of a track.
fn row_count(index: &Index, track: u32) -> usize {
    QuerySource::of(index).track(track).map_or(0, CustomTrack::rows)
}

impl TrackKind for QueryTrackKind {
    fn key(&self) -> &'static str {
        QUERY_TRACKS
    }

    fn place(&self) -> TrackPlace {
        TrackPlace::Top
    }

    fn may_exist(&self, _profile: &Profile) -> bool {
        true
    }

    /// The rows come from outside, so there is nothing to derive.
    fn is_derived(&self, _index: &Index) -> bool {
        true
    }

    fn derive(&self, _index: &Index) {}

    fn tracks(&self, index: &Index, _process: Option<ProcessId>) -> Vec<u32> {
        QuerySource::of(index).numbers().collect()
    }

    fn rows(&self, index: &Index, track: u32) -> u32 {
        u32::try_from(row_count(index, track)).unwrap_or(u32::MAX)
    }

    fn folds(&self, index: &Index, track: u32) -> bool {
        row_count(index, track) > 1
    }

    fn starts_expanded(&self, index: &Index, track: u32) -> bool {
        row_count(index, track) <= FEW_ROWS
    }

    fn shows_row(&self, index: &Index, track: u32, row: u32, ticks: (u64, u64)) -> bool {
        QuerySource::of(index).track(track).is_some_and(|track| track.shows(row as usize, ticks))
    }

    fn has_hit(&self, index: &Index, track: u32, hits: &Hits) -> bool {
        has_hit(index.profile(), &QuerySource::of(index), track, hits)
    }

    fn label(&self, input: &SceneInput<'_>, number: u32) -> TrackLabel {
        let source = QuerySource::of(input.index);
        let Some((track, state)) = input.view.tracks.query_track(number).zip(source.state(number)) else {
            return TrackLabel::default();
        };
        let right = match state {
            QueryTrackState::NotRun => "not run".to_owned(),
            QueryTrackState::Running => "…".to_owned(),
            QueryTrackState::Stopping => "stopping".to_owned(),
            QueryTrackState::Stopped | QueryTrackState::TimedOut(_) => "stopped".to_owned(),
            QueryTrackState::Failed(_) => "failed".to_owned(),
            QueryTrackState::Ready(rows) => format_count_short(rows.entries().len() as u64),
        };
        let state = state_text(state);
        let spoken = format!("Query track {}, {state}", track.name);
        TrackLabel { spoken, text: track.name.clone(), right, ..TrackLabel::default() }
    }

    /// The query, so that it can be read before it runs.
    fn tooltip(&self, input: &SceneInput<'_>, number: u32) -> Option<String> {
        let track = input.view.tracks.query_track(number)?;
        let has_more = QuerySource::of(input.index).rows(number).is_some_and(QueryTrackRows::has_more);
        let note = if has_more { "\nThe query has more rows than its limit. The first ones are shown." } else { "" };
        Some(format!("{}{note}", excerpt(&track.sql)))
    }

    fn menu(&self, input: &SceneInput<'_>, track: u32) -> Vec<(&'static str, Command)> {
        let run = match QuerySource::of(input.index).state(track) {
            Some(state) if state.is_running() => ("Stop query", QueryTrackCommand::Stop(track)),
            Some(state) if state.can_run() => ("Run query", QueryTrackCommand::Run(track)),
            _ => ("Run query again", QueryTrackCommand::Run(track)),
        };
        let remove = ("Remove track", QueryTrackCommand::Remove(track));
        [run, remove].map(|(text, command)| (text, Command::QueryTrack(command))).into()
    }

    fn hit(&self, input: &SceneInput<'_>, track: u32, row: Option<u32>, x: f32) -> Option<Hit> {
        self.hits(input, track, row, x).chart
    }

    fn hits(&self, input: &SceneInput<'_>, track: u32, row: Option<u32>, x: f32) -> PointerHits {
        let source = QuerySource::of(input.index);
        let Some((entry, count)) = entry_at(input, &source, (track, row), x) else { return PointerHits::default() };
        let marker = source.marker(track, entry);
        let chart = marker.and_then(|marker| {
            let (thread, _) = input.index.profile().locate(marker)?;
            Some(Hit { thread, marker, count })
        });
        PointerHits {
            chart,
            entry: Some(EntryHit { kind: QUERY_TRACKS, track, entry, count }),
            ..PointerHits::default()
        }
    }

    fn row_len(&self, index: &Index, track: u32, row: u32) -> u32 {
        let source = QuerySource::of(index);
        let entries = source.track(track).and_then(|track| track.row(Some(row as usize)));
        entries.map_or(0, |entries| u32::try_from(entries.numbers().count()).unwrap_or(u32::MAX))
    }

    fn row_markers(&self, index: &Index, track: u32, row: u32, each: &mut dyn FnMut(MarkerId)) {
        let source = QuerySource::of(index);
        let entries = source.track(track).and_then(|track| track.row(Some(row as usize)));
        let numbers = entries.into_iter().flat_map(|entries| entries.numbers());
        numbers.filter_map(|entry| source.marker(track, entry)).for_each(each);
    }

    /// A marker is revealed on its thread, not where a query shows it, too.
    fn entry_of(&self, _index: &Index, _marker: MarkerId) -> Option<TrackEntry> {
        None
    }

    fn contents_name(&self) -> &'static str {
        "query tracks"
    }

    fn painter(&self) -> Box<dyn TrackPainter> {
        Box::<QueryPainter>::default()
    }

    /// The scope leaves out no entries: they are what the query found.
    fn count(&self, _index: &Index, _range: TimeRange, _each: &mut dyn FnMut(TrackPart, bool)) {}

    fn is_dumped(&self) -> bool {
        false
    }

    fn dump_name(&self) -> (&'static str, &'static str) {
        ("querytracks", "")
    }

    fn dump<'a>(&self, _index: &'a Index) -> Box<dyn Iterator<Item = DumpLine> + 'a> {
        Box::new(std::iter::empty())
    }
}
