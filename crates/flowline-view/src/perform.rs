//! Commands and their effects on the view. Undo steps and the history of selections are recorded by
//! [`ViewState::apply`].

use crate::command::Command;
use crate::flow_lanes::FlowLaneCommand;
use crate::track_state::{RowSelection, toggle};
use crate::view_state::ViewState;

impl ViewState {
    pub(crate) fn perform(&mut self, command: Command) {
        match command {
            Command::Note(command) => self.notes.apply(command),
            Command::RevealNote(note) => self.reveal_note(note),
            Command::Undo => self.step_in_history(false),
            Command::Redo => self.step_in_history(true),
            Command::Zoom { pixel, factor, animated: true } => self.motion.zoom(pixel, factor),
            Command::Zoom { pixel, factor, animated: false } => {
                self.motion.stop();
                self.axis.zoom(pixel, factor);
            }
            Command::Pan { pixels, animated: true } => self.motion.pan(pixels),
            Command::Pan { pixels, animated: false } => {
                self.motion.stop();
                self.axis.pan(pixels);
            }
            Command::Hold { direction, pixel } => {
                self.motion.stop();
                self.held.press(direction, pixel);
            }
            Command::Release(direction) => self.held.release(direction),
            Command::Show(range) => {
                self.motion.stop();
                self.axis.show(range);
            }
            Command::ZoomTo(range) => self.zoom_to(range),
            Command::ZoomToSelection => self.zoom_to_selection(),
            Command::ZoomToMarker(marker) => self.zoom_to_marker(marker),
            Command::ZoomToCall(call) => self.zoom_to(self.around(call.times)),
            Command::ZoomToAll => self.show_everything(),
            Command::GoToEdge(direction) => self.go_to_edge(direction),
            Command::ZoomBack => self.go_back(None),
            Command::Breadcrumb(kept) => self.go_back(Some(kept)),
            Command::Scroll(points) => self.scroll = (self.scroll + points).max(0.0),
            Command::SelectRange(range) => self.range = range.filter(|range| !range.is_empty()),
            Command::RevealRange(range) => {
                (self.selected, self.selected_call, self.counter) = (None, None, None);
                self.range = Some(range).filter(|range| !range.is_empty());
                if range.is_empty() { self.bring_into_view(range) } else { self.bring_range_into_view(range) }
            }
            Command::SelectBox(range, rows) => {
                self.range = range.filter(|range| !range.is_empty());
                self.edit_selection(|chosen| chosen.set_rows(rows));
            }
            Command::ToggleRows(rows) => self.edit_selection(|chosen| chosen.toggle_rows(&rows)),
            Command::ClearRows => self.edit_selection(|chosen| chosen.set_rows(RowSelection::default())),
            Command::ToggleThreads(threads) => self.edit_selection(|chosen| chosen.toggle_threads(&threads)),
            Command::PickThreads(threads) => {
                self.edit_selection(|chosen| chosen.set_threads(threads.into_iter().collect()));
            }
            Command::Measure(measure) => self.measure = measure,
            Command::Select(marker) => (self.selected, self.selected_call) = (marker, None),
            Command::SelectCall(call) => {
                (self.selected, self.selected_call, self.reveal_call) = (None, call, false);
            }
            Command::RevealCall(call) => {
                (self.selected, self.selected_call, self.reveal_call) = (None, Some(call), true);
                self.show_chart_of(call.call.thread);
                self.bring_into_view(call.times);
            }
            Command::HoverCall(call) => self.hovered_call = call,
            Command::Light(entries) => self.lit = entries,
            Command::FocusInsight(focus) => self.focus_insight(focus),
            Command::ColorBy(by) => self.color_by = by,
            Command::ShowCalls(functions) => {
                // A different set of functions changes the calls.
                (self.selected_call, self.hovered_call, self.call_functions) = (None, None, functions);
                self.selections.drop_calls();
            }
            Command::ToggleStackChart(thread) => self.edit_tracks(|tracks| toggle(&mut tracks.stack_charts, thread)),
            Command::Reveal(_)
            | Command::RevealOnTrack { .. }
            | Command::SelectCounter(..)
            | Command::StepSelection(_) => self.apply_to_selection(&command),
            Command::Hover(marker) => self.hovered = marker,
            Command::SetArrangement(arrangement) => {
                self.arrangement = arrangement;
                self.show_flow_lanes(false);
            }
            Command::FlowLane(command) => self.change_flow_lanes(command),
            Command::Search(text) => {
                if text != self.search {
                    (self.wanted_hit, self.revealed) = (None, None);
                }
                self.search = text;
            }
            Command::FollowView(follows) => self.follows_view = follows,
            Command::StepHit(direction) => self.wanted_hit = Some(direction),
            Command::ZeroAt(marker) => {
                let times = marker.and_then(|marker| self.times_of(marker));
                self.zero = marker.filter(|_| times.is_some());
                self.clock =
                    times.map_or_else(|| self.profile.clock(), |times| self.profile.clock().with_origin(times.start));
            }
            Command::ShowPath(path) => self.path = path,
            Command::Flow(command) => self.flows.apply(command),
            command => self.apply_to_tracks(command),
        }
    }

    /// Shows the whole recording; going back leads to the ranges before.
    fn show_everything(&mut self) {
        let here = self.axis.visible();
        if here != self.bounds.whole || self.breadcrumbs.committed().is_some() {
            self.breadcrumbs.leave(here);
        }
        self.go_to(Some(self.bounds.whole));
    }

    /// Returns to the view before the last zoom, or uncommits all ranges except the first ones.
    fn go_back(&mut self, kept: Option<usize>) {
        let view = match kept {
            Some(kept) => self.breadcrumbs.back_to(kept),
            None => self.breadcrumbs.back(),
        };
        self.go_to(view);
    }

    fn change_flow_lanes(&mut self, command: FlowLaneCommand) {
        match command {
            FlowLaneCommand::Show(shown) => self.show_flow_lanes(shown),
            FlowLaneCommand::Order(order) => {
                self.flow_lanes.order = order;
                if self.flow_lanes.shown {
                    self.scroll = 0.0;
                }
            }
            FlowLaneCommand::ShowInstants(shown) => self.flow_lanes.show_instants(shown),
            FlowLaneCommand::ShowOutside(shown) => {
                self.flow_lanes.outside = shown;
                // Both hide lanes.
                if shown && self.tracks.hide_empty_rows {
                    self.edit_tracks(|tracks| tracks.hide_empty_rows = false);
                }
            }
            FlowLaneCommand::GroupByThread(by_thread) => self.flow_lanes.group_by_thread(by_thread),
            FlowLaneCommand::Collapse(node) => self.flow_lanes.fold(node),
            FlowLaneCommand::Switch { path, on } => self.flow_lanes.switch(&path, on),
            FlowLaneCommand::Select(flow, marker) => {
                self.flows.chosen = Some(flow);
                self.reveal_marker(marker);
            }
        }
    }
}
