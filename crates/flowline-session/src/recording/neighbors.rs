//! Navigation from the selected marker: along its row, to other rows, to enclosing and nested slices, along its flow.

use super::open_recording::Session;
use flowline_index::Derived;
use flowline_index::messages::message_peer;
use flowline_insights::frames::Frames;
use flowline_insights::overview::{LateFrames, Responsiveness};
use flowline_profile::{Direction, FlowId, MarkerId, Ns, TimeRange};
use flowline_scene::{Item, ItemKind, MarkerRow, TrackRow, next_by_times, next_on_track, track_kind};
use flowline_view::Command;

impl Session {
    /// The previous or next marker of the selected flow; without one, the first or last marker of the entered flow.
    #[must_use]
    pub fn along_flow(&self, direction: Direction) -> Option<MarkerId> {
        let (profile, graph) = (self.index.profile(), self.index.flows());
        match self.selected_flow().zip(self.view.selected) {
            Some((flow, marker)) => graph.sibling(profile, flow, marker, direction),
            None => {
                // A message leads to its other side, in another process.
                let peer = self.view.selected.and_then(|marker| message_peer(profile, marker));
                if let Some(peer) = peer.filter(|peer| peer.is_sender == (direction == Direction::Back)) {
                    return Some(peer.marker);
                }
                let members = graph.members(*self.view.flows.entered.first()?);
                match direction {
                    Direction::Forward => members.first(),
                    Direction::Back => members.last(),
                }
                .copied()
            }
        }
    }

    /// The next or previous flow of the selected marker, wrapping around.
    #[must_use]
    pub fn next_flow(&self, direction: Direction) -> Option<FlowId> {
        let marker_flows = self.index.flows().flows_of(self.view.selected?);
        let here = marker_flows.iter().position(|flow| Some(*flow) == self.selected_flow())?;
        let step = if direction == Direction::Forward { 1 } else { marker_flows.len() - 1 };
        marker_flows.get((here + step) % marker_flows.len()).copied()
    }

    /// The slice that encloses the selected marker, or (forward) its longest child.
    #[must_use]
    pub fn nested(&self, direction: Direction) -> Option<MarkerId> {
        let (marker, thread, _) = self.slice.marker.filter(|(marker, ..)| Some(*marker) == self.view.selected)?;
        let found = match direction {
            Direction::Forward => self.slice.contents_for(marker)?.longest?,
            Direction::Back => *self.slice.ancestors.first()?,
        };
        Some(self.index.profile().thread(thread).global(found))
    }

    /// The command that goes to the next or previous long task, or period in which events waited, of the busiest page.
    /// Unless one is selected and in view, the next one is the first that begins in view or later.
    #[must_use]
    pub fn next_long_task(&self, direction: Direction) -> Option<Command> {
        let lanes = self.overview.lanes()?;
        let times = |range: &TimeRange| *range;
        match lanes.responsiveness.as_ref()? {
            Responsiveness::LongTasks(tasks) => {
                let task = next_in(tasks, |task| task.times, self.edge(self.here(), direction), direction)?;
                Some(Command::Reveal(task.marker))
            }
            Responsiveness::Jank(periods) | Responsiveness::LateFrames(LateFrames { late: periods, .. }) => {
                let own = self.view.range.filter(|_| self.view.range_is_newer).map(|range| range.start);
                let from = self.edge(own.or_else(|| self.here()), direction);
                next_in(periods, times, from, direction).map(|period| Command::RevealRange(*period))
            }
        }
    }

    /// True if there is a long task or such a period.
    #[must_use]
    pub fn has_long_tasks(&self) -> bool {
        self.overview.lanes().and_then(|lanes| lanes.responsiveness.as_ref()).is_some_and(|own| own.count() > 0)
    }

    /// The command that goes to the next or previous frame that was late, dropped or missed, on the track of its page. Unless a
    /// frame is selected and in view, the next one is the first that begins in view or later.
    #[must_use]
    pub fn next_bad_frame(&self, direction: Direction) -> Option<Command> {
        let frames = Frames::if_built(&self.index)?;
        let bad: Vec<_> = frames.list().iter().filter(|frame| frame.is_bad()).collect();
        // A dropped frame begins before the event that states it.
        let own = self.view.selected.and_then(|marker| frames.of_marker(marker)).map(|(_, frame)| frame.times.start);
        let from = self.edge(own.or_else(|| self.here()), direction);
        let next = next_in(&bad, |frame| frame.times, from, direction)?;
        Some(Command::RevealOnTrack { marker: next.marker, times: next.times })
    }

    /// The start of the selected marker; `None` without one.
    fn here(&self) -> Option<Ns> {
        self.view.times_of(self.view.selected?).map(|times| times.start)
    }

    /// Where a step begins: at what is selected if that is in view, otherwise at the edge of the view that it leads away from.
    fn edge(&self, selected: Option<Ns>, direction: Direction) -> Ns {
        let visible = self.view.axis.visible();
        let is_in_view = |at: &Ns| (visible.start..=visible.end).contains(at);
        selected.filter(is_in_view).unwrap_or(match direction {
            // What begins with the view is in it.
            Direction::Forward => visible.start - Ns(1),
            Direction::Back => visible.end + Ns(1),
        })
    }

    /// The flow lane above or (forward) below the selected marker's lane, with the first marker of its flow.
    #[must_use]
    pub fn lane_neighbor(&self, direction: Direction) -> Option<(FlowId, MarkerId)> {
        let (list, marker) = (self.list(), self.view.selected?);
        let chosen = self.selected_flow().and_then(|flow| list.lane(flow)).copied();
        let here = list.position(chosen.or_else(|| self.item_of(marker))?.y);
        let lane = |item: &Item| match item.kind {
            ItemKind::FlowLane(lane) => Some(lane.flow),
            _ => None,
        };
        // Headings in between are skipped.
        let flow = match direction {
            Direction::Forward => list.items().get(here + 1..)?.iter().find_map(lane),
            Direction::Back => list.items().get(..here)?.iter().rev().find_map(lane),
        }?;
        Some((flow, *self.index.flows().members(flow).first()?))
    }

    /// The previous or next marker on the selected marker's row.
    #[must_use]
    pub fn sibling(&self, direction: Direction) -> Option<MarkerId> {
        if self.view.flow_lanes.shown {
            return self.along_flow(direction);
        }
        if let Some((row, next)) = self.next_shown(self.view.selected?, direction)
            && self.steps_along(row)
        {
            return next;
        }
        let (thread_id, local) = self.index.profile().locate(self.view.selected?)?;
        let thread = self.index.profile().thread(thread_id);
        let layout = self.list().shown().layout(&self.index, self.layout.view().arrangement, thread_id)?;
        let (row, position) = layout.find(thread, local)?;
        let next = match direction {
            Direction::Forward => position.checked_add(1)?,
            Direction::Back => position.checked_sub(1)?,
        };
        layout.rows.row(row).get(next).map(|marker| thread.global(*marker))
    }

    /// The times of the entry after or before the selected one on a track whose entries have no markers. `None` if no such
    /// entry is selected, `Some(None)` at the end of its row.
    #[must_use]
    pub fn next_period(&self, direction: Direction) -> Option<Option<TimeRange>> {
        let newer = self.view.range.filter(|_| self.view.range_is_newer && self.view.selected.is_none())?;
        next_by_times(&self.index, newer, direction)
    }

    /// The entry around a time on the row of a track; `None` for other items and for hidden entries.
    fn entry_near(&self, item: &Item, time: Ns) -> Option<MarkerId> {
        let (track, rows) = item.kind.track_rows(&self.scene_input()).filter(|(_, rows)| rows.len() == 1)?;
        let entry = track_kind(track.kind)?.entry_near(&self.index, track.number, rows.start, time)?;
        let (thread, local) = self.index.profile().locate(entry)?;
        (!self.list().shown().hides(thread, local)).then_some(entry)
    }

    /// The row of a marker's entry on a track, and the next entry on it that is not hidden.
    fn next_shown(&self, marker: MarkerId, direction: Direction) -> Option<(TrackRow, Option<MarkerId>)> {
        let (row, mut next) = next_on_track(&self.index, marker, direction)?;
        let is_hidden = |marker: MarkerId| {
            let place = self.index.profile().locate(marker);
            place.is_some_and(|(thread, local)| self.list().shown().hides(thread, local))
        };
        while let Some(hidden) = next.filter(|next| is_hidden(*next)) {
            next = next_on_track(&self.index, hidden, direction).and_then(|(_, next)| next);
        }
        Some((row, next))
    }

    /// True if steps from the selected marker lead along its track rather than its thread: if the row of the track is on
    /// screen, or that of the thread is not listed.
    fn steps_along(&self, row: TrackRow) -> bool {
        let input = self.scene_input();
        let is_shown = |item: &Item| {
            item.kind.track_rows(&input).is_some_and(|(track, rows)| track == row.track && rows.contains(&row.row))
        };
        let on_thread = || self.item_of(self.view.selected?);
        let is_listed = track_kind(row.track.kind)
            .is_some_and(|kind| kind.is_listed(self.index.profile(), self.layout.view().arrangement));
        let is_on_thread = || on_thread().is_some_and(|item| matches!(item.kind, ItemKind::Row(_)));
        is_listed && (input.visible_items().iter().any(is_shown) || !is_on_thread())
    }

    /// The marker above or (forward) below the selected one: the closest in time on the next row of an expanded thread, or of
    /// a track whose entries are markers.
    #[must_use]
    pub fn row_neighbor(&self, direction: Direction) -> Option<MarkerId> {
        let selected = self.view.selected?;
        let item = self.item_of(selected)?;
        let items = self.list().items();
        let here = items.iter().position(|other| *other == item)?;
        let rows: Box<dyn Iterator<Item = &Item>> = match direction {
            Direction::Forward => Box::new(items[here + 1..].iter()),
            Direction::Back => Box::new(items[..here].iter().rev()),
        };
        let time = self.view.times_of(selected)?.start;
        // The list can be older than the view, because commands of this frame are applied before its keys.
        let (shown, arrangement) = (self.list().shown(), self.layout.view().arrangement);
        for item in rows {
            let ItemKind::Row(MarkerRow { thread: id, row, .. }) = item.kind else {
                if let Some(entry) = self.entry_near(item, time) {
                    return Some(entry);
                }
                continue;
            };
            let thread = self.index.profile().thread(id);
            let markers = shown.layout(&self.index, arrangement, id)?.rows.row(row as usize);
            let after = markers.partition_point(|marker| thread.markers.start(*marker) <= time);
            // Rows of a stack can contain only calls.
            let Some(near) = markers.get(after.saturating_sub(1)).or(markers.first()) else { continue };
            return Some(thread.global(*near));
        }
        None
    }
}

/// The first item that starts after a moment, or the last one that starts before it.
fn next_in<T>(items: &[T], times: impl Fn(&T) -> TimeRange, from: Ns, direction: Direction) -> Option<&T> {
    match direction {
        Direction::Forward => items.iter().find(|item| times(item).start > from),
        Direction::Back => items.iter().rev().find(|item| times(item).start < from),
    }
}
