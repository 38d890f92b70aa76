//! The whole window: toolbar, canvas, details, table, status; loading and errors before there is a recording.

use std::path::PathBuf;

use egui::{Frame, Key, Margin, Rect, RichText, Ui, UiBuilder};

use super::command::WindowCommand;
use super::file_chooser::FileChooser;
use super::layout::{OpenPanels, PanelSizes, WindowLayout};
use super::panels::Panels;
use super::{help, toolbar};
use crate::scene::{FlowHeights, Palette, PixelRect, Regions};
use crate::session::{Session, Wake};
use crate::ui::canvas::layout::{CanvasLayout, Handle};
use crate::ui::canvas::pointer::{self, CanvasState};
use crate::ui::canvas::{chart, flow_panel, label_column, overview, splitters, tooltip};
use crate::ui::details::panel as details;
use crate::ui::input::actions::{command_for, is_taken};
use crate::ui::input::keys::{Action, KeyMap, actions};
use crate::ui::tables::{TableKind, drawer};
use crate::ui::widgets::style::{self, color};
use crate::view::{Command, FlowCommand, MoveDirection, Theme};

/// In windows narrower than this many points, the details are shown only while a marker is selected.
const NARROW_WIDTH: f32 = 900.0;
/// Longest time step of motion, in seconds.
const LONGEST_STEP: f64 = 0.25;
/// Time step of a motion's first frame, in seconds.
const FIRST_STEP: f64 = 1.0 / 60.0;

/// A request to the application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Open this file.
    Open(PathBuf),
    /// Stop loading.
    CancelLoading,
}

/// Progress of a load.
#[derive(Clone, Debug, PartialEq)]
pub struct Loading {
    /// File name.
    pub name: String,
    /// Current phase.
    pub phase: &'static str,
    /// Whether a partial recording is already shown.
    pub has_begun: bool,
    /// Fraction done, 0 to 1; `None` if unknown.
    pub part: Option<f32>,
    /// Amount done, as text.
    pub amount: String,
}

/// Which panels and dialogs are open.
#[derive(Debug, Default)]
pub struct ShellState {
    /// The table shown, if any.
    pub table: Option<TableKind>,
    /// Whether the details are hidden.
    pub hide_details: bool,
    /// Whether the help is shown.
    pub show_help: bool,
    /// Whether the warnings are shown.
    pub show_warnings: bool,
    /// Frame time in milliseconds, if shown.
    pub frame_ms: Option<f64>,
    /// Whether the search box takes the keyboard focus in the next frame.
    pub(crate) focus_search: bool,
    show_frame_time: bool,
}

/// The window's content: widgets, input handling and the open recording.
pub struct Shell {
    /// The open recording.
    pub session: Option<Session>,
    /// Tables and trees of the open recording.
    pub panels: Option<Panels>,
    /// Progress of the current load.
    pub loading: Option<Loading>,
    /// Why the last load failed.
    pub error: Option<String>,
    /// Key bindings.
    pub keys: KeyMap,
    /// Colours.
    pub theme: Theme,
    /// Open panels and dialogs.
    pub state: ShellState,
    /// Height of the flow panel in points, header included.
    pub flow_height: f32,
    sizes: PanelSizes,
    chooser: FileChooser,
    canvas: CanvasState,
    /// Commands returned by the widgets of the last frame.
    pending: Vec<WindowCommand>,
    applied_theme: Option<Theme>,
    /// Motion keys that are held down.
    held: Vec<(Key, MoveDirection)>,
    /// Time of the last frame in seconds, and whether something moved then.
    clock: (f64, bool),
    /// Whether a text box had the keyboard focus at the end of the last frame.
    was_typing: bool,
}

impl Shell {
    /// An empty window.
    #[must_use]
    pub fn new(keys: KeyMap, theme: Theme) -> Self {
        Self {
            session: None,
            panels: None,
            loading: None,
            error: None,
            keys,
            theme,
            state: ShellState::default(),
            flow_height: 300.0,
            sizes: PanelSizes::default(),
            chooser: FileChooser::default(),
            canvas: CanvasState::default(),
            pending: Vec::new(),
            applied_theme: None,
            held: Vec::new(),
            clock: (0.0, false),
            was_typing: false,
        }
    }

    /// Opens a recording. `wake` is called from other threads when there is something new to show.
    pub fn open(&mut self, mut session: Session, wake: &Wake) {
        session.view.theme = self.theme;
        self.canvas = CanvasState::default();
        self.pending.clear();
        self.held.clear();
        self.error = None;
        self.panels = Some(Panels::new(wake));
        self.session = Some(session);
    }

    /// Sets the last frame's time in milliseconds, shown on request.
    pub fn set_frame_time(&mut self, ms: f64) {
        self.state.frame_ms = self.state.show_frame_time.then_some(ms);
    }

    /// Whether another frame is due: something moves, or commands are pending.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        !self.pending.is_empty() || self.session.as_ref().is_some_and(|session| session.view.is_moving())
    }

    /// Whether background work is still running.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.is_busy() || session.flows.is_busy())
            || self.panels.as_ref().is_some_and(Panels::is_busy)
    }

    /// Waits for background work; for pictures and tests.
    pub fn wait(&mut self) {
        if let (Some(session), Some(panels)) = (&mut self.session, &mut self.panels) {
            session.refresh_and_wait();
            panels.wait(session);
        }
    }

    /// Runs one frame except for drawing the canvas; returns requests to the application. Nothing after the refresh
    /// changes the view: the widgets' commands are applied at the beginning of the next frame, which is requested at
    /// once.
    pub fn show(&mut self, ui: &mut Ui) -> Vec<Request> {
        for command in std::mem::take(&mut self.pending) {
            self.apply(command);
        }
        self.handle_input(ui);
        self.advance(ui);
        self.follow_theme(ui);
        let layout = self.refresh(ui);
        let mut requests = Vec::new();
        self.show_widgets(ui, layout, &mut requests);
        if self.is_moving() {
            ui.ctx().request_repaint();
        }
        self.was_typing = ui.ctx().text_edit_focused();
        requests
    }

    /// Applies a command to the window or the view.
    fn apply(&mut self, command: WindowCommand) {
        match command {
            WindowCommand::View(command) => {
                if let Some(session) = &mut self.session {
                    session.apply(command);
                }
            }
            WindowCommand::OpenDialog => {
                self.chooser.open(self.session.as_ref().map(|session| session.path.as_path()));
            }
            WindowCommand::ShowTable(table) => self.state.table = table,
            WindowCommand::ToggleDetails => self.state.hide_details = !self.state.hide_details,
            WindowCommand::ToggleHelp => self.state.show_help = !self.state.show_help,
            WindowCommand::ToggleWarnings => self.state.show_warnings = !self.state.show_warnings,
            WindowCommand::SwitchTheme => {
                self.theme = if self.theme == Theme::Dark { Theme::Light } else { Theme::Dark };
            }
            WindowCommand::ToggleFrameTime => {
                self.state.show_frame_time = !self.state.show_frame_time;
                self.state.frame_ms = None;
            }
            WindowCommand::FocusSearch => self.state.focus_search = true,
        }
    }

    /// Handles keys, then the pointer. Targets are the focused widget, and the widgets where the last frame placed
    /// them.
    fn handle_input(&mut self, ui: &Ui) {
        let context = ui.ctx();
        for action in actions(context, self.keys) {
            if !is_taken(ui, action) && (!self.chooser.is_open() || action == Action::Escape) {
                self.perform(ui, action);
            }
        }
        self.release_keys(ui);
        self.sizes.labels += splitters::drag_delta(context, Handle::LabelSplitter).x;
        self.flow_height -= splitters::drag_delta(context, Handle::FlowSplitter).y;
        self.sizes.details -= splitters::drag_delta(context, Handle::DetailsSplitter).x;
        self.sizes.table -= splitters::drag_delta(context, Handle::TableSplitter).y;
        if let Some(session) = &mut self.session {
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
    fn advance(&mut self, ui: &Ui) {
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

    fn follow_theme(&mut self, ui: &Ui) {
        if self.applied_theme != Some(self.theme) {
            style::apply(ui.ctx(), self.theme);
            self.applied_theme = Some(self.theme);
        }
        if let Some(session) = &mut self.session {
            session.view.theme = self.theme;
        }
    }

    /// Divides the window, refreshes the session and lays the view out on the canvas.
    fn refresh(&mut self, ui: &Ui) -> WindowLayout {
        let window = ui.max_rect();
        let selected = self.session.as_ref().is_some_and(|session| session.view.selected.is_some());
        // In a narrow window, the chart has the full width until a marker is selected.
        let open = OpenPanels {
            details: !self.state.hide_details && (window.width() >= NARROW_WIDTH || selected),
            table: self.state.table.is_some(),
        };
        let layout = WindowLayout::divide(window, &mut self.sizes, open);
        let Some(session) = &mut self.session else { return layout };
        let scale = ui.ctx().pixels_per_point();
        let pixels = |rect: Rect| {
            PixelRect::new(rect.min.x * scale, rect.min.y * scale, rect.width() * scale, rect.height() * scale)
        };
        if session.view.flows.is_open() {
            self.flow_height = FlowHeights::clamp(self.flow_height, layout.canvas.height());
        }
        let flow = FlowHeights::new(&session.view.flows, self.flow_height, layout.canvas.height());
        session.canvas.regions = Regions::divide(pixels(layout.canvas), scale, self.sizes.labels, flow);
        let screen = ui.ctx().content_rect().size() * scale;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "canvas size")]
        let size = [screen.x.round().max(1.0) as u32, screen.y.round().max(1.0) as u32];
        (session.canvas.size, session.canvas.scale) = (size, scale);
        session.refresh();
        layout
    }

    fn show_widgets(&mut self, ui: &mut Ui, layout: WindowLayout, requests: &mut Vec<Request>) {
        let palette = Palette::for_theme(self.theme);
        let background = Frame::new().fill(color(palette.panel));
        let bar = background.inner_margin(Margin::symmetric(10, 4));
        let state = &self.state;
        let mut commands = Vec::new();
        panel(ui, "toolbar", layout.toolbar, bar, |ui| {
            commands.extend(toolbar::toolbar(ui, self.session.as_ref(), state, palette));
        });
        self.state.focus_search = false;
        if let (Some(session), Some(panels)) = (&self.session, &mut self.panels) {
            let slim = background.inner_margin(Margin::symmetric(10, 1));
            panel(ui, "status", layout.status, slim, |ui| toolbar::status(ui, session, &self.state));
            if let Some(rect) = layout.details {
                let frame = background.inner_margin(Margin::same(12));
                panel(ui, "details", rect, frame, |ui| {
                    let wanted = details::show(ui, session, panels, palette);
                    commands.extend(wanted.into_iter().map(WindowCommand::View));
                });
            }
            if let Some((rect, table)) = layout.table.zip(self.state.table) {
                let frame = background.inner_margin(Margin::symmetric(4, 4));
                panel(ui, "table", rect, frame, |ui| {
                    let (wanted, open) = drawer::show(ui, session, panels, table, palette);
                    commands.extend(wanted.into_iter().map(WindowCommand::View));
                    if open != Some(table) {
                        commands.push(WindowCommand::ShowTable(open));
                    }
                });
            }
            panel(ui, "canvas", layout.canvas, Frame::NONE, |ui| {
                let wanted = canvas(ui, session, panels, &mut self.canvas, palette);
                commands.extend(wanted.into_iter().map(WindowCommand::View));
            });
            edges(ui, &layout, palette);
        } else {
            let rest = Rect::from_min_max(layout.toolbar.left_bottom(), layout.status.max);
            let frame = Frame::new().fill(color(palette.background));
            panel(ui, "welcome", rest, frame, |ui| commands.extend(self.welcome(ui)));
        }
        self.pending.extend(commands);
        self.overlays(ui, requests, palette);
    }

    /// The regions of the canvas in the last frame, in device pixels.
    #[must_use]
    pub fn regions(&self) -> Regions {
        self.session.as_ref().map(|session| session.canvas.regions).unwrap_or_default()
    }

    /// Handles Escape: closes the topmost open window; if there is none, clears range, search or
    /// selection, or leaves the entered flow.
    fn escape(&mut self) -> Option<Command> {
        if self.chooser.is_open() {
            self.chooser.close();
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
        } else if session.view.range.is_some() {
            Some(Command::SelectRange(None))
        } else if !session.view.search.is_empty() {
            Some(Command::Search(String::new()))
        } else if session.view.selected.is_some() {
            Some(Command::Select(None))
        } else {
            Some(Command::Flow(FlowCommand::Leave))
        }
    }

    /// Shows the last error, or an invitation, while no recording is open.
    fn welcome(&self, ui: &mut Ui) -> Option<WindowCommand> {
        let mut command = None;
        ui.vertical_centered(|ui| {
            ui.add_space(ui.available_height() * 0.36);
            if self.loading.is_some() {
                return;
            }
            if let Some(error) = &self.error {
                ui.label(RichText::new("This file cannot be shown").size(18.0).strong());
                ui.add_space(6.0);
                ui.set_max_width(640.0);
                ui.label(error);
            } else {
                ui.label(RichText::new("Drop a recording here").size(18.0).strong());
                ui.add_space(6.0);
                ui.weak("Firefox Profiler profiles and Chrome traces: JSON, also packed as .gz or .zip, and JSLB");
            }
            ui.add_space(12.0);
            if ui.button("Open a file…").clicked() {
                command = Some(WindowCommand::OpenDialog);
            }
        });
        command
    }

    fn overlays(&mut self, ui: &mut Ui, requests: &mut Vec<Request>, palette: &Palette) {
        let context = ui.ctx().clone();
        help::show(&context, self.keys, &mut self.state.show_help);
        requests.extend(self.chooser.show(&context).map(Request::Open));
        if let Some(session) = &self.session {
            toolbar::warnings_window(&context, session, &mut self.state.show_warnings);
        }
        if let Some(loading) = &self.loading {
            // The window must not cover a recording that is already shown.
            let (place, away) = if loading.has_begun {
                (egui::Align2::RIGHT_BOTTOM, egui::vec2(-16.0, -40.0))
            } else {
                (egui::Align2::CENTER_CENTER, egui::Vec2::ZERO)
            };
            egui::Window::new("Loading").title_bar(false).resizable(false).anchor(place, away).show(&context, |ui| {
                ui.set_width(380.0);
                ui.label(RichText::new(format!("Loading {}", loading.name)).strong());
                if loading.has_begun {
                    ui.label("Its beginning is shown; the rest follows.");
                }
                let bar = egui::ProgressBar::new(loading.part.unwrap_or(0.0)).fill(color(palette.accent));
                ui.add(if loading.part.is_some() { bar.show_percentage() } else { bar });
                ui.horizontal(|ui| {
                    ui.weak(format!("{} {}", loading.phase, loading.amount));
                    if ui.button("Cancel").clicked() {
                        requests.push(Request::CancelLoading);
                    }
                });
            });
        } else if let Some(error) = self.error.clone().filter(|_| self.session.is_some()) {
            let mut open = true;
            egui::Window::new("This file cannot be shown").open(&mut open).collapsible(false).show(&context, |ui| {
                ui.set_max_width(560.0);
                ui.label(error);
            });
            if !open {
                self.error = None;
            }
        }
    }
}

/// Shows a part of the window with a background and a margin, clipped to its rectangle.
fn panel(ui: &mut Ui, name: &str, rect: Rect, frame: Frame, contents: impl FnOnce(&mut Ui)) {
    let inner = rect - frame.inner_margin;
    let inner = Rect::from_min_max(inner.min, inner.max.max(inner.min));
    ui.painter().rect_filled(rect, 0.0, frame.fill);
    let mut child = ui.new_child(UiBuilder::new().id_salt(name).max_rect(inner));
    child.shrink_clip_rect(rect);
    contents(&mut child);
}

/// Draws the lines between panels and adds the splitters.
fn edges(ui: &Ui, layout: &WindowLayout, palette: &Palette) {
    let line = (1.0, color(palette.grid));
    ui.painter().hline(layout.toolbar.x_range(), layout.toolbar.max.y, line);
    ui.painter().hline(layout.status.x_range(), layout.status.min.y, line);
    if let Some(details) = layout.details {
        ui.painter().vline(details.min.x, details.y_range(), line);
        splitters::vertical(ui, Handle::DetailsSplitter, details.min.x, details, "Width of the details");
    }
    if let Some(table) = layout.table {
        ui.painter().hline(table.x_range(), table.min.y, line);
        splitters::horizontal(ui, Handle::TableSplitter, table.min.y, table, "Height of the table", palette);
    }
}

/// Shows the widgets around and over the canvas.
fn canvas(
    ui: &mut Ui,
    session: &Session,
    panels: &mut Panels,
    state: &mut CanvasState,
    palette: &Palette,
) -> Vec<Command> {
    let layout = CanvasLayout::new(&session.canvas.regions, session.canvas.scale);
    let mut commands = label_column::show(ui, session, layout.labels, palette);
    commands.extend(splitters::corner(ui, &layout, palette, session));
    chart::show(ui, session, &layout);
    let (wanted, focused) = flow_panel::show(ui, session, &layout, palette);
    commands.extend(wanted);
    panels.focused_flow = focused;
    commands.extend(overview::breadcrumbs(ui, session, &layout));
    splitters::vertical(ui, Handle::LabelSplitter, layout.labels.max.x, layout.labels, "Width of the labels");
    if layout.flow_header.height() >= 1.0 {
        let header = layout.flow_header;
        splitters::horizontal(ui, Handle::FlowSplitter, header.min.y, header, "Height of the flow panel", palette);
    }
    commands.extend(tooltip::show(ui, session, state, palette));
    commands
}
