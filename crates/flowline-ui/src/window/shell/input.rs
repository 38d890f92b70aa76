//! The input of a frame: keys, then the pointer, and the motion of held keys.

use std::path::PathBuf;

use egui::{Context, Popup, Ui};

use super::{AppRequest, Shell};
use crate::canvas::layout::CanvasWidget;
use crate::canvas::pointer::pointer_input;
use crate::canvas::splitters;
use crate::canvas::state::Drag;
use crate::commands::{KeyPress, Reach, key_presses, set_key_map};
use crate::input::focus::focused_widget_handles;
use flowline_session::HoverSource;
use flowline_view::{Command, FlowCommand, NoteCommand, Pane, RowSelection};

/// Maximum time in seconds that a motion advances in one frame.
const LONGEST_STEP: f64 = 0.25;
/// Time in seconds that a motion advances in its first frame.
const FIRST_STEP: f64 = 1.0 / 60.0;

impl Shell {
    /// Handles keys, then the pointer. The targets are the focused widget and the widgets at their positions in the
    /// last frame.
    pub(super) fn handle_input(&mut self, ui: &Ui) {
        let context = ui.ctx();
        self.follow_choice(context);
        set_key_map(context, self.keys);
        for KeyPress { row, held } in key_presses(context, self.keys) {
            if self.reaches(context, row.reach) && !focused_widget_handles(ui, row.command) {
                self.run(ui, row.command, held);
            }
        }
        self.release_keys(ui);
        let dragged = |handle: CanvasWidget, pane| splitters::drag_delta(context, handle.of(pane));
        let (sizes, shown) = (&mut self.sizes, self.shown_sizes);
        // A drag starts at the visible edge, which may differ from the size set by the user.
        let pull = |size: &mut f32, shown: f32, by: f32| *size = if by == 0.0 { *size } else { shown - by };
        pull(&mut sizes.details, shown.details, dragged(CanvasWidget::DetailsSplitter, Pane::A).x);
        pull(&mut sizes.table, shown.table, dragged(CanvasWidget::TableSplitter, Pane::A).y);
        let height = self.pane_state.height().max(1.0);
        pull(&mut sizes.other, shown.other, dragged(CanvasWidget::PaneSplitter, Pane::A).y / height);
        let (box_mode, has_details) = (self.state.box_mode, self.state.shows_details);
        let mut hidden = self.state.hidden;
        for pane in Pane::ALL {
            let [labels, flows] =
                [CanvasWidget::LabelSplitter, CanvasWidget::FlowSplitter].map(|handle| dragged(handle, pane));
            // Dragging the edge of a hidden panel shows it again.
            let is_pulled_out = hidden.labels && labels.x > 0.0;
            pull(&mut self.sizes.labels, if is_pulled_out { 0.0 } else { shown.labels }, -labels.x);
            hidden.labels &= labels.x <= 0.0;
            let collapsed_flows = hidden.flows && flows.y < 0.0;
            hidden.flows &= flows.y >= 0.0;
            self.change(pane, |parts| {
                (parts.canvas.box_mode, parts.canvas.has_details) = (box_mode, has_details);
                if flows.y != 0.0 {
                    let regions = parts.session.canvas.regions;
                    let shown = (regions.flow_header.height + regions.flows.height + regions.pinned.height)
                        / parts.session.canvas.scale;
                    parts.flow_height =
                        Some(if collapsed_flows { 0.0 } else { parts.flow_height.unwrap_or(shown) } - flows.y);
                }
                pointer_input::handle(context, &mut parts.session, &mut parts.canvas);
            });
        }
        self.state.hidden = hidden;
        // A drag that leaves its recording must not hover items of the other.
        for pane in Pane::ALL {
            if self.pane_mut(pane).is_some_and(|parts| parts.canvas.drag != Drag::None) {
                self.pane_mut(pane.other()).into_iter().for_each(|parts| parts.session.hovering = HoverSource::Nothing);
            }
        }
    }

    /// True if a key works although something may be open above the chart.
    fn reaches(&self, context: &Context, reach: Reach) -> bool {
        let is_asked = |pane| self.session_of(pane).is_some_and(|session| session.view.notes.asked.is_some());
        let has_dialog = self.chooser.is_open() || self.save.is_open() || self.finder.is_open();
        let is_below_menu = Popup::is_any_open(context) && !matches!(reach, Reach::Window | Reach::Everywhere);
        // Text typed before the note's field has the focus is meant for the field.
        let is_for_field = Pane::ALL.into_iter().any(is_asked) && !context.text_edit_focused();
        match reach {
            Reach::Everywhere => true,
            _ if is_below_menu || is_for_field => false,
            Reach::Chart | Reach::Window => !has_dialog,
            Reach::ScrollsHelp => !has_dialog && !self.state.show_help,
            Reach::FileDialog => !has_dialog || self.chooser.is_open(),
            Reach::Palette => !has_dialog || self.finder.is_open(),
        }
    }

    /// The requests for files dropped on the window: the first is opened, a second one is compared with it. With Shift,
    /// the first is compared with the open recording.
    pub(super) fn dropped(&mut self, ui: &Ui) -> Vec<AppRequest> {
        let (files, shift) = ui.input(|input| {
            let files: Vec<PathBuf> = input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect();
            (files, input.modifiers.shift)
        });
        let mut files = files.into_iter();
        if files.len() > 0 {
            // Open menus and dialogs refer to the previous recording.
            Popup::close_all(ui.ctx());
            self.chooser.close();
            self.save.close();
            self.finder.close();
        }
        let opened = if shift && !self.panes.is_empty() { None } else { files.next().map(AppRequest::OpenFile) };
        opened.into_iter().chain(files.next().map(AppRequest::OpenSecondFile)).collect()
    }

    /// Ends the motion of released keys, or of all keys when the window loses the focus.
    fn release_keys(&mut self, ui: &Ui) {
        let Some(first) = self.panes.first_mut() else { return self.held.clear() };
        ui.input(|input| {
            self.held.retain(|(key, direction)| {
                let is_down = input.keys_down.contains(key);
                if !is_down {
                    first.session.apply(Command::Release(*direction));
                }
                is_down
            });
        });
    }

    /// Advances motion by the time since the last frame. A new motion takes its first step immediately.
    pub(super) fn advance(&mut self, ui: &Ui) {
        let now = ui.input(|input| input.time);
        let (last, was_moving) = self.clock;
        let Some(session) = self.session() else { return };
        let is_moving = session.view.is_moving();
        if is_moving {
            let seconds = if was_moving { (now - last).clamp(0.0, LONGEST_STEP) } else { FIRST_STEP };
            // Both recordings move in time, but keys scroll the rows of only one.
            let pane = if self.compares() { self.pane_state.moving } else { Pane::A };
            self.change(pane, |parts| parts.session.view.advance(seconds));
        }
        self.clock = (now, is_moving);
    }

    /// Handles Escape: closes the topmost open window; if there is none, clears range, search or
    /// selection, or leaves the entered flow.
    pub(super) fn escape(&mut self, context: &Context) -> Option<Command> {
        if self.finder.is_open() {
            self.finder.close();
            return None;
        }
        if self.chooser.is_open() {
            self.chooser.close();
            return None;
        }
        if self.save.is_open() {
            self.save.close();
            return None;
        }
        if Popup::is_any_open(context) {
            return None;
        }
        if self.question.take().is_some() || self.message.take().is_some() {
            return None;
        }
        let changed =
            Pane::ALL.into_iter().find(|pane| self.session_of(*pane).is_some_and(|session| session.file_changed));
        if let Some(parts) = changed.and_then(|pane| self.pane_mut(pane)) {
            parts.session.file_changed = false;
            return None;
        }
        // In a text field of a dialog, Escape ends typing first.
        let has_fields = self.state.show_settings || self.state.show_presets;
        let is_typing = self.was_typing && has_fields && !self.state.show_about;
        let state = &mut self.state;
        let dialogs = [
            &mut state.show_about,
            &mut state.show_settings,
            &mut state.show_presets,
            &mut state.show_help,
            &mut state.show_warnings,
        ];
        if let Some(open) = dialogs.into_iter().find(|is_open| **is_open) {
            *open = is_typing;
            return None;
        }
        if self.toasts.close_failure() {
            return None;
        }
        self.session()?;
        if self.error.take().is_some() {
            return None;
        }
        // On Escape, egui removed the focus before this frame began.
        if self.was_typing {
            return None;
        }
        for pane in Pane::ALL {
            let cancelled = self.change(pane, |parts| {
                let command = pointer_input::cancel_selection(&mut parts.canvas);
                command.map(|command| parts.session.apply(command)).is_some()
            });
            if cancelled == Some(true) {
                return None;
            }
        }
        self.escape_view()
    }

    /// Clears the most recent kind of selection in the view.
    fn escape_view(&mut self) -> Option<Command> {
        let ends_box_mode = self.state.box_mode;
        let view = &self.session_of(self.active())?.view;
        if view.notes.asked.is_some() {
            Some(Command::Note(NoteCommand::Ask(None)))
        } else if view.notes.link_from.is_some() {
            Some(Command::Note(NoteCommand::LinkFrom(None)))
        } else if view.notes.selected.is_some() {
            Some(Command::Note(NoteCommand::Select(None)))
        } else if !view.chosen.rows.is_empty() {
            Some(Command::SelectBox(None, RowSelection::default()))
        } else if view.range.is_some() {
            Some(Command::SelectRange(None))
        } else if view.insight.is_some() {
            Some(Command::FocusInsight(None))
        } else if !view.chosen.threads.is_empty() {
            Some(Command::PickThreads(Vec::new()))
        } else if view.measure.is_some() {
            Some(Command::Measure(None))
        } else if ends_box_mode {
            self.state.box_mode = false;
            None
        } else if !view.search.is_empty() {
            Some(Command::Search(String::new()))
        } else if view.selected.is_some() || view.selected_call.is_some() || view.counter.is_some() {
            Some(Command::Select(None))
        } else if view.path.is_some() && view.flows.entered.is_empty() {
            Some(Command::ShowPath(None))
        } else {
            Some(Command::Flow(FlowCommand::Leave))
        }
    }
}
