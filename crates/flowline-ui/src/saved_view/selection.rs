//! The part of a saved view about the selection: a marker or a call, rows, and threads.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::names::Names;
use super::track_format::{RowsPart, SavedSelection};
use super::word;
use flowline_profile::{Arrangement, ProcessId, ThreadId};
use flowline_scene::{TrackPlace, track_kind};
use flowline_session::Session;
use flowline_view::{RowSelection, RowSet, TrackId, ViewState};

pub(super) fn saved(view: &ViewState, names: &Names<'_>) -> SavedSelection {
    let chosen = &view.chosen;
    let rows = |((thread, arrangement), rows): (&(ThreadId, Arrangement), &RowSet)| {
        let head = [Some(names.thread(*thread)), word::text(*arrangement).map(str::to_owned)];
        head.into_iter().flatten().map(RowsPart::Name).chain(numbers(rows)).collect()
    };
    SavedSelection {
        marker: view.selected.and_then(|marker| names.marker(marker)),
        is_revealed: view.selected.is_some() && view.revealed == view.selected,
        call: view.selected_call.and_then(|call| names.call(call)),
        picked_threads: names.threads(&chosen.threads),
        anchor: chosen.anchor.map(|id| names.thread(id)),
        threads: names.threads(&chosen.rows.threads),
        samples: names.threads(&chosen.rows.samples),
        counters: names.counters(&chosen.rows.counters),
        rows: chosen.rows.rows.iter().map(rows).collect(),
        tracks: chosen.rows.tracks.iter().filter_map(|(track, rows)| track_rows(*track, rows, names)).collect(),
    }
}

/// The numbers of rows: start and end of each range.
fn numbers(rows: &RowSet) -> impl Iterator<Item = RowsPart> {
    rows.ranges().iter().flat_map(|range| [range.start, range.end]).map(RowsPart::Row)
}

fn track_rows(track: TrackId, rows: &RowSet, names: &Names<'_>) -> Option<Vec<RowsPart>> {
    let name = match track_kind(track.kind)?.place() {
        TrackPlace::Top | TrackPlace::Thread => RowsPart::Row(track.number),
        TrackPlace::Process => RowsPart::Name(names.process(ProcessId(track.number))),
    };
    Some([RowsPart::Name(track.kind.to_owned()), name].into_iter().chain(numbers(rows)).collect())
}

pub(super) fn show(saved: &SavedSelection, session: &mut Session, names: &Names<'_>) {
    let view = &mut session.view;
    view.selected = saved.marker.as_ref().and_then(|marker| names.find_marker(marker));
    view.revealed = view.selected.filter(|_| saved.is_revealed);
    let call = saved.call.as_ref().filter(|_| view.selected.is_none());
    view.selected_call = call.and_then(|call| names.find_call(call));
    let rows = RowSelection {
        threads: names.find_threads(&saved.threads),
        samples: names.find_threads(&saved.samples),
        counters: names.find_counters(&saved.counters),
        rows: read_rows(&saved.rows, names),
        tracks: read_track_rows(&saved.tracks, names),
    };
    let anchor = saved.anchor.as_ref().and_then(|name| names.find_thread(name));
    Arc::make_mut(&mut view.chosen).restore(rows, names.find_threads(&saved.picked_threads), anchor);
}

fn read_rows(saved: &[Vec<RowsPart>], names: &Names<'_>) -> BTreeMap<(ThreadId, Arrangement), RowSet> {
    let mut chosen: BTreeMap<(ThreadId, Arrangement), RowSet> = BTreeMap::new();
    for entry in saved {
        let [RowsPart::Name(thread), arrangement, numbers @ ..] = &entry[..] else { continue };
        let arrangement = match arrangement {
            RowsPart::Name(name) => word::find(name),
            RowsPart::Row(_) => None,
        };
        let Some(key) = names.find_thread(thread).zip(arrangement) else { continue };
        // A thread has at most as many rows as markers.
        let most = names.index.profile().thread(key.0).markers.len();
        let ranges = read_ranges(numbers, most);
        if !ranges.is_empty() {
            let rows = chosen.entry(key).or_default();
            ranges.into_iter().for_each(|range| rows.insert(range));
        }
    }
    chosen
}

/// Ranges of rows, of at most `most` rows.
fn read_ranges(numbers: &[RowsPart], most: usize) -> Vec<Range<u32>> {
    let most = u32::try_from(most).unwrap_or(u32::MAX);
    let row = |part: &RowsPart| match part {
        RowsPart::Row(row) => Some((*row).min(most)),
        RowsPart::Name(_) => None,
    };
    let ranges = numbers.chunks_exact(2).filter_map(|pair| Some(row(&pair[0])?..row(&pair[1])?));
    ranges.filter(|range| !range.is_empty()).collect()
}

/// Rows of tracks, whose data may not have been derived yet.
fn read_track_rows(saved: &[Vec<RowsPart>], names: &Names<'_>) -> BTreeMap<TrackId, RowSet> {
    let mut chosen: BTreeMap<TrackId, RowSet> = BTreeMap::new();
    for entry in saved {
        let [RowsPart::Name(kind), track, numbers @ ..] = &entry[..] else { continue };
        let Some(kind) = track_kind(kind) else { continue };
        let number = match (kind.place(), track) {
            (TrackPlace::Top | TrackPlace::Thread, RowsPart::Row(number)) => Some(*number),
            (TrackPlace::Process, RowsPart::Name(name)) => names.find_process(name).map(|process| process.0),
            (TrackPlace::Top | TrackPlace::Thread, RowsPart::Name(_)) | (TrackPlace::Process, RowsPart::Row(_)) => None,
        };
        // A row has at least one marker.
        let ranges = read_ranges(numbers, names.index.profile().marker_count());
        if let Some(number) = number.filter(|_| !ranges.is_empty()) {
            let rows = chosen.entry(TrackId::new(kind.key(), number)).or_default();
            ranges.into_iter().for_each(|range| rows.insert(range));
        }
    }
    chosen
}
