//! Times and rows of notes, looked up once per track list and ordered by time.
//!
//! A frame finds the notes in view by binary search, so its cost depends on the visible notes only, even with thousands
//! of notes. Rows are looked up again when notes or tracks change.

use std::sync::Arc;

use super::note_placement::{Wanted, anchored, place};
use crate::layout::{
    CallRow, EntryRow, IndexedNote, Item, ItemKind, NoteLayout, PlacedFlag, PlacedKey, PlacedNote, SceneInput,
    pixel_of, place_flags,
};
use crate::tracks::entry_on_track;
use flowline_insights::flags::Flags;
use flowline_profile::notes::{Entry, EntryLocation};
use flowline_profile::{MarkerId, Ns, TimeRange};
use flowline_view::NoteId;

/// The row of an entry, if it is in the list of tracks. Entries of tracks of registered kinds are on the row of such a
/// track, if it is listed; intervals only while their own row is not, because the track can show them at other times.
fn row_of(input: &SceneInput<'_>, entry: &Entry) -> Option<EntryRow> {
    let times = entry.times?;
    let on_track = match entry.place {
        EntryLocation::Marker(marker) => bar_of(input, marker),
        EntryLocation::Call(_) | EntryLocation::Times | EntryLocation::Unknown => None,
    };
    let on_thread = row_of_thread(input, entry).map(|item| EntryRow { item, times });
    let is_own = |row: &EntryRow| !times.is_empty() && matches!(row.item.kind, ItemKind::Row(_));
    // The bar of the marker itself, rather than that of something that it is a part of.
    let is_same = |row: &EntryRow| times.is_empty() || row.times == times;
    on_track.filter(is_same).or(on_thread.filter(is_own)).or(on_track).or(on_thread)
}

/// The row of a track of a registered kind with the entry of a marker, or the line of the collapsed track.
fn bar_of(input: &SceneInput<'_>, marker: MarkerId) -> Option<EntryRow> {
    let (thread, local) = input.index.profile().locate(marker)?;
    if input.list.shown().hides(thread, local) {
        return None;
    }
    let (row, times) = entry_on_track(input.index, marker)?;
    let shows = |item: &&Item| match item.kind {
        ItemKind::TrackRow(shown) => shown == row,
        ItemKind::Track(heading) => {
            let covers = |(track, rows): (_, std::ops::Range<u32>)| track == row.track && rows.contains(&row.row);
            heading.track == row.track && item.kind.track_rows(input).is_some_and(covers)
        }
        _ => false,
    };
    let item = *input.list.items().iter().find(shows)?;
    Some(EntryRow { item, times })
}

/// The row of an entry among the rows of its thread.
fn row_of_thread(input: &SceneInput<'_>, entry: &Entry) -> Option<Item> {
    entry.times?;
    let (profile, shown) = (input.index.profile(), input.list.shown());
    match &entry.place {
        EntryLocation::Marker(marker) => {
            let (thread, local) = profile.locate(*marker)?;
            let find = |(thread, local)| input.list.item_of(input.index, input.view.arrangement, thread, local);
            if !shown.hides(thread, local) {
                return find((thread, local));
            }
            // A note on a hidden marker is shown on the marker's visible parent.
            let parent = shown.visible_parent(profile, *marker).and_then(|parent| profile.locate(parent));
            parent.and_then(find).or_else(|| input.list.after_heading(thread)?.first().copied())
        }
        EntryLocation::Call(call) => {
            let visible = if shown.hides_call(*call) { shown.visible_parent_call(*call) } else { Some(*call) };
            let chart = shown.chart(input.index, call.functions, call.thread);
            let row = visible.zip(chart).and_then(|(call, chart)| chart.find(profile, call.call));
            let row = row.and_then(|(row, _)| u32::try_from(row).ok());
            let row = CallRow { thread: call.thread, row: row.unwrap_or(u32::MAX) };
            let items = input.list.after_heading(call.thread)?;
            let of_thread = items[1..].iter().take_while(|item| item.kind.is_of_thread());
            let is_row = |item: &&Item| matches!(item.kind, ItemKind::Calls(shown) if shown == row);
            let stacked = visible.and_then(|call| input.list.stack_row_of(input.index, input.view.arrangement, call));
            of_thread.clone().find(is_row).copied().or(stacked).or(items.first().copied())
        }
        EntryLocation::Times | EntryLocation::Unknown => None,
    }
}

impl NoteLayout {
    /// Updates the layout for a view.
    pub(crate) fn follow(&mut self, input: &SceneInput<'_>) {
        let notes = &input.view.notes;
        if self.list != Some(input.list.number) || !Arc::ptr_eq(&self.notes, &notes.list) {
            self.look_up(input);
        }
        let (axis, flags) = (&input.view.axis, Flags::if_built(input.index));
        let key = PlacedKey {
            axis: (axis.origin(), axis.ns_per_pixel()),
            scroll: input.view.scroll,
            chart: input.regions.chart,
            lane: input.regions.lane,
            scale: input.scale,
            shown: notes.shown,
            has_milestones: flags.is_some(),
            zero: input.view.zero,
        };
        if self.key.as_ref() != Some(&key) {
            self.flags = flags.map_or_else(Vec::new, |flags| place_flags(input, flags));
            self.placed = if notes.shown { self.place(input) } else { Vec::new() };
            self.lines = if self.placed.iter().any(|note| note.line > 0) { 2 } else { 1 };
            self.key = Some(key);
        }
    }

    fn look_up(&mut self, input: &SceneInput<'_>) {
        self.notes = Arc::clone(&input.view.notes.list);
        (self.list, self.key) = (Some(input.list.number), None);
        self.number += 1;
        self.known.clear();
        for (at, note) in self.notes.iter().enumerate().filter(|(_, note)| note.kind.is_shown()) {
            let Some(times) = note.kind.times() else { continue };
            let mut rows = [None; 2];
            for (row, entry) in rows.iter_mut().zip(note.kind.entries()) {
                *row = row_of(input, entry);
            }
            // A request is in view while its marker, an instant, is not.
            let times = rows.iter().flatten().map(|row| row.times).fold(times, TimeRange::union);
            self.known.push(IndexedNote { note: NoteId(at), times, rows });
        }
        self.known.sort_by_key(|known| (known.times.start, known.times.end, known.note));
        let ends = self.known.iter().scan(Ns(i64::MIN), |latest, known| {
            *latest = (*latest).max(known.times.end);
            Some(*latest)
        });
        self.ends = ends.collect();
    }

    /// The notes whose times touch the visible range, by start.
    fn in_view(&self, visible: TimeRange) -> impl Iterator<Item = &IndexedNote> {
        let first = self.ends.partition_point(|end| *end < visible.start);
        let end = self.known.partition_point(|known| known.times.start <= visible.end);
        self.known[first.min(end)..end].iter().filter(move |known| known.times.end >= visible.start)
    }

    fn place(&self, input: &SceneInput<'_>) -> Vec<PlacedNote> {
        let wanted = self.in_view(input.view.axis.visible()).filter_map(|known| {
            let note = self.notes.get(known.note.0)?;
            let x = pixel_of(input, known.times.start);
            Some(Wanted { note: known.note, text: note, x, anchor: anchored(input, &note.kind, known.rows) })
        });
        place(wanted.collect(), &self.flags, input.regions.lane, input.scale)
    }

    /// The flags of milestones, from left to right.
    pub(crate) fn flags(&self) -> &[PlacedFlag] {
        &self.flags
    }

    /// Number of lines that flags and notes need.
    pub(crate) const fn lines(&self) -> u8 {
        self.lines
    }

    /// The notes in view, in time order.
    pub(crate) fn placed(&self) -> &[PlacedNote] {
        &self.placed
    }

    /// A number that changes with notes and rows.
    pub(crate) const fn number(&self) -> u64 {
        self.number
    }

    /// Vertical middles of the rows that notes refer to, in points from the top of the content.
    pub(crate) fn places(&self) -> impl Iterator<Item = f64> {
        self.known.iter().flat_map(|known| known.rows).flatten().map(|row| row.item.y + row.item.height / 2.0)
    }
}
