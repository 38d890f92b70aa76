//! Tracks of registered kinds as items of the chart, and lookups among all kinds.

use std::collections::BTreeMap;
use std::ops::Range;

use super::kind::{TrackKind, TrackPlace};
use super::kinds::TRACK_KINDS;
use super::thread::LEVEL_INDENT;
use super::track_item::{Background, LabelStyle, TrackItem, TrackLabel, expansion_text};
use crate::layout::{Item, MoreRows, PointerHits, SceneInput, TrackHeading, TrackRow};
use flowline_format::format_count;
use flowline_index::Index;
use flowline_profile::{Direction, LocalMarker, MarkerId, Ns, ThreadId, TimeRange};
use flowline_view::{Command, LitEntries, RowSet, TrackId, Tracks};

/// The kind with a key.
#[must_use]
pub fn track_kind(key: &str) -> Option<&'static dyn TrackKind> {
    TRACK_KINDS.iter().copied().find(|kind| kind.key() == key)
}

/// The kinds that are listed at a place.
pub(super) fn kinds_at(place: TrackPlace) -> impl Iterator<Item = &'static dyn TrackKind> {
    TRACK_KINDS.iter().copied().filter(move |kind| kind.place() == place)
}

/// Number of kinds whose data has been derived.
#[must_use]
pub fn derived_kinds(index: &Index) -> usize {
    TRACK_KINDS.iter().filter(|kind| kind.is_derived(index)).count()
}

/// Keys of the kinds that the recording may have and whose data has not been derived.
pub(super) fn missing_kinds(index: &Index) -> Vec<&'static str> {
    let is_missing = |kind: &&&'static dyn TrackKind| !kind.is_derived(index) && kind.may_exist(index.profile());
    TRACK_KINDS.iter().filter(is_missing).map(|kind| kind.key()).collect()
}

/// The markers on rows of tracks of registered kinds, by thread and number. Rows of tracks whose data has not been derived
/// yet have none.
pub(crate) fn markers_on_rows(
    index: &Index,
    tracks: &BTreeMap<TrackId, RowSet>,
) -> BTreeMap<ThreadId, Vec<LocalMarker>> {
    let mut found: BTreeMap<ThreadId, Vec<LocalMarker>> = BTreeMap::new();
    let mut add = |marker: MarkerId| {
        if let Some((thread, local)) = index.profile().locate(marker) {
            found.entry(thread).or_default().push(local);
        }
    };
    for (track, rows) in tracks {
        let Some(kind) = track_kind(track.kind) else { continue };
        let count = kind.rows(index, track.number);
        rows.iter().take_while(|row| *row < count).for_each(|row| kind.row_markers(index, track.number, row, &mut add));
    }
    for markers in found.values_mut() {
        markers.sort_unstable();
        markers.dedup();
    }
    found
}

/// The times of the entries without markers on rows of tracks.
pub(crate) fn times_on_rows(index: &Index, tracks: &BTreeMap<TrackId, RowSet>) -> Vec<TimeRange> {
    let of_track = |(track, rows): (&TrackId, &RowSet)| {
        let Some(kind) = track_kind(track.kind) else { return Vec::new() };
        let count = kind.rows(index, track.number);
        let rows = rows.iter().take_while(|row| *row < count);
        rows.flat_map(|row| kind.times_on_row(index, track.number, row)).collect()
    };
    tracks.iter().flat_map(of_track).collect()
}

/// The row and the times of the entry that a marker defines on a track of a registered kind.
pub(crate) fn entry_on_track(index: &Index, marker: MarkerId) -> Option<(TrackRow, TimeRange)> {
    let on_track = |kind: &&'static dyn TrackKind| {
        let entry = kind.entry_of(index, marker)?;
        Some((TrackRow { track: TrackId::new(kind.key(), entry.track), row: entry.row }, entry.times))
    };
    TRACK_KINDS.iter().find_map(on_track)
}

/// The row of the entry that a marker defines, and the entry after it on that row, or before it. `None` for markers without
/// an entry, and for kinds whose entries have no order of their own.
#[must_use]
pub fn next_on_track(index: &Index, marker: MarkerId, direction: Direction) -> Option<(TrackRow, Option<MarkerId>)> {
    TRACK_KINDS.iter().find_map(|kind| {
        let entry = kind.entry_of(index, marker)?;
        let place = kind.place_on_row(index, marker)?;
        let next = match direction {
            Direction::Forward => place.checked_add(1),
            Direction::Back => place.checked_sub(1),
        };
        let found = next.and_then(|next| kind.entry_at(index, entry.track, entry.row, next));
        Some((TrackRow { track: TrackId::new(kind.key(), entry.track), row: entry.row }, found))
    })
}

/// The times of the entry after or before the entry without a marker that has exactly these times. `None` if no entry has
/// them, `Some(None)` at the end of its row.
#[must_use]
pub fn next_by_times(index: &Index, times: TimeRange, direction: Direction) -> Option<Option<TimeRange>> {
    TRACK_KINDS.iter().find_map(|kind| {
        let (track, entry) = kind.entry_with_times(index, times)?;
        let next = kind.next_entry(index, (track, entry), direction);
        Some(next.and_then(|next| kind.entry_card(index, track, next)).map(|card| card.times))
    })
}

/// The row of the entry that a marker defines on a track that lists only its first rows, if it is another row.
pub(crate) fn row_beyond(index: &Index, marker: MarkerId) -> Option<TrackRow> {
    let (row, _) = entry_on_track(index, marker)?;
    let most = track_kind(row.track.kind)?.most_rows()?;
    (row.row >= most).then_some(row)
}

/// The slices to highlight while a marker is selected.
pub(super) fn lit_by(index: &Index, marker: MarkerId) -> Option<LitEntries> {
    TRACK_KINDS.iter().find_map(|kind| kind.lit(index, marker))
}

/// True if the rows of a track are shown.
pub(super) fn is_expanded(kind: &dyn TrackKind, index: &Index, track: TrackId, tracks: &Tracks) -> bool {
    kind.folds(index, track.number) && kind.starts_expanded(index, track.number) != tracks.toggled.contains(&track)
}

impl TrackHeading {
    /// The row that the heading shows: all of a collapsed track, the first one of some expanded tracks.
    fn shown(&self) -> Option<(&'static dyn TrackKind, Option<u32>)> {
        let kind = track_kind(self.track.kind)?;
        match self.expanded {
            false => Some((kind, None)),
            true => kind.heads_first_row().then_some((kind, Some(0))),
        }
    }
}

impl TrackItem for TrackHeading {
    fn height(&self) -> f64 {
        track_kind(self.track.kind).map_or(0.0, TrackKind::heading_height)
    }

    fn identity(&self) -> [u32; 2] {
        [self.track.number, 0]
    }

    fn kind(&self) -> Option<&'static str> {
        Some(self.track.kind)
    }

    fn background(&self) -> Background {
        Background::TrackHeading { expanded: self.shown().is_none() }
    }

    fn label(&self, input: &SceneInput<'_>) -> TrackLabel {
        let label = track_kind(self.track.kind).map(|kind| kind.label(input, self.track.number)).unwrap_or_default();
        if label.spoken.is_empty() {
            return label;
        }
        let folds = self.folds(input);
        let spoken = if folds { format!("{}, {}", label.spoken, expansion_text(self.expanded)) } else { label.spoken };
        TrackLabel {
            spoken,
            style: LabelStyle::Track,
            indent: label.indent + LEVEL_INDENT,
            expanded: folds.then_some(self.expanded),
            ..label
        }
    }

    fn toggle(&self) -> Option<Command> {
        Some(Command::ToggleTrack(self.track))
    }

    fn folds(&self, input: &SceneInput<'_>) -> bool {
        track_kind(self.track.kind).is_some_and(|kind| kind.folds(input.index, self.track.number))
    }

    fn figure_tooltip(&self, input: &SceneInput<'_>) -> Option<String> {
        track_kind(self.track.kind)?.tooltip(input, self.track.number)
    }

    fn menu(&self, input: &SceneInput<'_>) -> Vec<(&'static str, Command)> {
        track_kind(self.track.kind).map(|kind| kind.menu(input, self.track.number)).unwrap_or_default()
    }

    fn track_rows(&self, input: &SceneInput<'_>) -> Option<(TrackId, Range<u32>)> {
        let (kind, row) = self.shown()?;
        let end = row.map_or_else(|| kind.rows(input.index, self.track.number), |row| row + 1);
        Some((self.track, 0..end))
    }

    fn edges_near(&self, input: &SceneInput<'_>, time: Ns) -> Vec<Ns> {
        let Some((kind, Some(row))) = self.shown() else { return Vec::new() };
        kind.edges_near(input.index, self.track.number, row, time)
    }

    fn hits(&self, input: &SceneInput<'_>, _item: &Item, x: f32, _y: f32) -> PointerHits {
        self.shown().map(|(kind, row)| kind.hits(input, self.track.number, row, x)).unwrap_or_default()
    }
}

impl TrackItem for MoreRows {
    fn height(&self) -> f64 {
        track_kind(self.track.kind).map_or(0.0, TrackKind::row_height)
    }

    fn identity(&self) -> [u32; 2] {
        [self.track.number, u32::MAX]
    }

    fn kind(&self) -> Option<&'static str> {
        Some(self.track.kind)
    }

    fn label(&self, _input: &SceneInput<'_>) -> TrackLabel {
        let text = format!("{} more", format_count(u64::from(self.count)));
        let what = track_kind(self.track.kind).map_or("", TrackKind::contents_name);
        TrackLabel {
            spoken: format!("{text} {what}, open the table"),
            text,
            right: "Show".into(),
            style: LabelStyle::More,
            indent: 3.0 * LEVEL_INDENT,
            ..TrackLabel::default()
        }
    }

    fn table(&self) -> Option<&'static str> {
        Some(self.track.kind)
    }
}

impl TrackItem for TrackRow {
    fn height(&self) -> f64 {
        track_kind(self.track.kind).map_or(0.0, TrackKind::row_height)
    }

    fn identity(&self) -> [u32; 2] {
        // The heading is 0.
        [self.track.number, self.row.saturating_add(1)]
    }

    fn kind(&self) -> Option<&'static str> {
        Some(self.track.kind)
    }

    fn background(&self) -> Background {
        if self.row % 2 == 1 { Background::Stripe } else { Background::Plain }
    }

    fn label(&self, input: &SceneInput<'_>) -> TrackLabel {
        let kind = track_kind(self.track.kind);
        kind.map(|kind| kind.row_label(input, self.track.number, self.row)).unwrap_or_default()
    }

    fn track_rows(&self, _input: &SceneInput<'_>) -> Option<(TrackId, Range<u32>)> {
        Some((self.track, self.row..self.row.saturating_add(1)))
    }

    fn edges_near(&self, input: &SceneInput<'_>, time: Ns) -> Vec<Ns> {
        let kind = track_kind(self.track.kind);
        kind.map_or_else(Vec::new, |kind| kind.edges_near(input.index, self.track.number, self.row, time))
    }

    fn hits(&self, input: &SceneInput<'_>, _item: &Item, x: f32, _y: f32) -> PointerHits {
        let kind = track_kind(self.track.kind);
        kind.map(|kind| kind.hits(input, self.track.number, Some(self.row), x)).unwrap_or_default()
    }
}
