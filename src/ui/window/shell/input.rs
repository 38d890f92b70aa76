//! The input of a frame: keys, then the pointer, and the motion of held keys.

use egui::Ui;

use super::Shell;
use crate::ui::canvas::layout::Handle;
use crate::ui::canvas::{pointer, splitters};
use crate::ui::input::actions::{command_for, is_taken};
use crate::ui::input::keys::{Action, actions};
use crate::ui::window::command::WindowCommand;
use crate::view::{Command, FlowCommand, RowChoice};

/// Longest time in seconds by which a motion advances at once.
const LONGEST_STEP: f64 = 0.25;
/// Seconds of a motion that its first frame shows.
const FIRST_STEP: f64 = 1.0 / 60.0;

impl Shell {
    /// Handles keys, then the pointer. Targets are the focused widget, and the widgets where the last frame placed
    /// them.
    pub(super) fn handle_input(&mut self, ui: &Ui) {
        let context = ui.ctx();
        for action in actions(context, self.keys) {
            if !is_taken(ui, action) && (!(self.chooser.is_open() || self.save.is_open()) || action == Action::Escape) {
                self.perform(ui, action);
            }
        }
        self.release_keys(ui);
        self.sizes.labels += splitters::drag_delta(context, Handle::LabelSplitter).x;
        self.flow_height -= splitters::drag_delta(context, Handle::FlowSplitter).y;
        self.sizes.details -= splitters::drag_delta(context, Handle::DetailsSplitter).x;
        self.sizes.table -= splitters::drag_delta(context, Handle::TableSplitter).y;
        if let Some(session) = &mut self.session {
            self.canvas.box_mode = self.state.box_mode;
            pointer::handle(context, session, &mut self.canvas);
        }
    }

    fn perform(&mut self, ui: &Ui, action: Action) {
        match action {
            Action::Open => self.apply(WindowCommand::OpenDialog),
            Action::Help => self.apply(WindowCommand::ToggleHelp),
            Action::Theme => self.apply(WindowCommand::SwitchTheme),
            Action::Table(table) => {
                self.apply(WindowCommand::ShowTable(Some(table).filter(|_| self.state.table != Some(table))));
            }
            Action::Search => self.apply(WindowCommand::FocusSearch),
            Action::BoxMode => self.apply(WindowCommand::ToggleBoxMode),
            Action::FrameTime => self.apply(WindowCommand::ToggleFrameTime),
            Action::Escape => {
                if let Some(command) = self.escape() {
                    self.apply(command.into());
                }
            }
            action => {
                let Some(session) = &mut self.session else { return };
                if let Action::Hold(direction, key) = action {
                    self.held.push((key, direction));
                }
                let focused = self.panels.as_ref().and_then(|panels| panels.focused_flow);
                let Some(command) = command_for(ui, session, focused, action) else { return };
                // Walking along a flow chooses it, as the buttons of the details do.
                if let Some(flow) = session.chosen_flow().filter(|_| matches!(action, Action::AlongFlow(_))) {
                    session.apply(Command::Flow(FlowCommand::Choose(flow)));
                }
                session.apply(command);
            }
        }
    }

    /// Ends the motion of released keys; of all keys when the window loses the focus.
    fn release_keys(&mut self, ui: &Ui) {
        let Some(session) = &mut self.session else { return self.held.clear() };
        ui.input(|input| {
            self.held.retain(|(key, direction)| {
                let is_down = input.keys_down.contains(key);
                if !is_down {
                    session.apply(Command::Release(*direction));
                }
                is_down
            });
        });
    }

    /// Advances motion by the time since the last frame. A new motion takes its first step at once.
    pub(super) fn advance(&mut self, ui: &Ui) {
        let now = ui.input(|input| input.time);
        let (last, was_moving) = self.clock;
        let Some(session) = &mut self.session else { return };
        let is_moving = session.view.is_moving();
        if is_moving {
            let seconds = if was_moving { (now - last).clamp(0.0, LONGEST_STEP) } else { FIRST_STEP };
            session.view.advance(seconds);
        }
        self.clock = (now, is_moving);
    }

    /// Handles Escape: closes the topmost open window; if there is none, clears range, search or
    /// selection, or leaves the entered flow.
    fn escape(&mut self) -> Option<Command> {
        if self.chooser.is_open() {
            self.chooser.close();
            return None;
        }
        if self.save.is_open() {
            self.save.close();
            return None;
        }
        if self.question.take().is_some() || self.message.take().is_some() {
            return None;
        }
        if self.state.show_help || self.state.show_warnings {
            (self.state.show_help, self.state.show_warnings) = (false, false);
            return None;
        }
        let session = self.session.as_ref()?;
        if self.error.take().is_some() {
            return None;
        }
        // On Escape, egui removed the focus before this frame began.
        if self.was_typing {
            return None;
        }
        if self.canvas.sticky.take().is_some() {
            None
        } else if !session.view.chosen.rows.is_empty() {
            Some(Command::SelectBox(None, RowChoice::default()))
        } else if session.view.range.is_some() {
            Some(Command::SelectRange(None))
        } else if !session.view.chosen.threads.is_empty() {
            Some(Command::PickThreads(Vec::new()))
        } else if session.view.measure.is_some() {
            Some(Command::Measure(None))
        } else if std::mem::take(&mut self.state.box_mode) {
            None
        } else if !session.view.search.is_empty() {
            Some(Command::Search(String::new()))
        } else if session.view.selected.is_some() || session.view.selected_call.is_some() {
            Some(Command::Select(None))
        } else {
            Some(Command::Flow(FlowCommand::Leave))
        }
    }
}
