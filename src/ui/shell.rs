//! The whole window: toolbar, canvas, details, table, status; loading and errors before there is a recording.

use std::path::PathBuf;

use egui::{CentralPanel, Frame, Margin, Panel, RichText, Ui};

use super::actions::{command_of, is_taken};
use super::canvas::{self, CanvasState};
use super::document::Document;
use super::drawer::{self, Drawer};
use super::file_chooser::FileChooser;
use super::keys::{Action, KeyMap, actions};
use super::parts::Parts;
use super::splitters::{corner, flow_heights, flow_splitter, splitter};
use super::style::{self, color};
use super::{details, flow_panel, help, label_column, toolbar, tooltip};
use crate::scene::{Palette, Regions};
use crate::view::{Command, FlowCommand, Theme};

/// Windows narrower than this many points keep no panel open that says nothing of a selection.
const NARROW: f32 = 900.0;

/// What the window asks of the application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Open this file.
    Open(PathBuf),
    /// Stop loading.
    CancelLoading,
}

/// A load as shown: what is loaded, the phase, and the part done if known.
#[derive(Clone, Debug, PartialEq)]
pub struct Loading {
    /// File name.
    pub name: String,
    /// What is being done.
    pub phase: &'static str,
    /// Whether its beginning is shown already.
    pub has_begun: bool,
    /// Part done, 0 to 1.
    pub part: Option<f32>,
    /// Amount done in words.
    pub amount: String,
}

/// What is open and shown.
#[derive(Debug, Default)]
pub struct ShellState {
    /// Which table is shown, if one is.
    pub drawer: Option<Drawer>,
    /// Whether the details are put away.
    pub hide_details: bool,
    /// Whether the help is shown.
    pub show_help: bool,
    /// Whether the warnings are shown.
    pub show_warnings: bool,
    /// Put the text cursor into the search box.
    pub focus_search: bool,
    /// Let the person choose a file.
    pub open_dialog: bool,
    /// Someone asked for the other theme.
    pub switch_theme: bool,
    /// Frame time to show, if asked for.
    pub frame_ms: Option<f64>,
}

/// The window's contents.
pub struct Shell {
    /// The open recording.
    pub document: Option<Document>,
    /// A load that is under way.
    pub loading: Option<Loading>,
    /// Why the last load failed.
    pub error: Option<String>,
    /// Key bindings.
    pub keys: KeyMap,
    /// Colours.
    pub theme: Theme,
    /// What is open.
    pub state: ShellState,
    chooser: FileChooser,
    canvas: CanvasState,
    label_width: f32,
    /// Height of the flow panel in points, header included.
    pub flow_height: f32,
    styled: Option<Theme>,
    show_frame_time: bool,
    /// Whether a text box had the keyboard focus at the end of the last frame.
    was_typing: bool,
}

impl Shell {
    /// An empty window.
    #[must_use]
    pub fn new(keys: KeyMap, theme: Theme) -> Self {
        Self {
            document: None,
            loading: None,
            error: None,
            keys,
            theme,
            state: ShellState::default(),
            chooser: FileChooser::default(),
            canvas: CanvasState::default(),
            label_width: 220.0,
            flow_height: 300.0,
            styled: None,
            show_frame_time: false,
            was_typing: false,
        }
    }

    /// Shows a recording from now on.
    pub fn open(&mut self, mut document: Document) {
        document.view.theme = self.theme;
        self.canvas = CanvasState::default();
        self.error = None;
        self.document = Some(document);
    }

    /// Tells the time the last frame took; shown when asked for.
    pub fn set_frame_time(&mut self, ms: f64) {
        self.state.frame_ms = self.show_frame_time.then_some(ms);
    }

    /// Whether something moves, so that another frame is due.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        self.document.as_ref().is_some_and(|document| !document.view.motion.is_done())
    }

    /// Shows everything for one frame and applies what the person did; returns what the application must do.
    pub fn show(&mut self, ui: &mut Ui) -> Vec<Request> {
        if self.styled != Some(self.theme) {
            style::apply(ui.ctx(), self.theme);
            self.styled = Some(self.theme);
        }
        let palette = Palette::of(self.theme);
        let mut requests = Vec::new();
        let mut commands = Vec::new();
        if let Some(document) = &mut self.document {
            document.view.theme = self.theme;
            let seconds = f64::from(ui.input(|input| input.stable_dt));
            let view = &mut document.view;
            view.motion.advance(&mut view.axis, seconds);
            document.refresh();
        }
        commands.extend(self.handle_keys(ui));
        let bar = Frame::new().fill(color(palette.panel)).inner_margin(Margin::symmetric(10, 4));
        Panel::top("toolbar").exact_size(38.0).frame(bar).show(ui, |ui| {
            let document = self.document.as_mut();
            commands.extend(toolbar::toolbar(ui, document, &mut self.state, palette));
        });
        if self.document.is_some() {
            let slim = Frame::new().fill(color(palette.panel)).inner_margin(Margin::symmetric(10, 1));
            Panel::bottom("status").exact_size(22.0).frame(slim).show(ui, |ui| {
                if let Some(document) = &self.document {
                    toolbar::status(ui, document, &self.state);
                }
            });
            commands.extend(self.drawers(ui, palette));
            CentralPanel::default().frame(Frame::NONE).show(ui, |ui| commands.extend(self.canvas(ui, palette)));
        } else {
            CentralPanel::default().frame(Frame::new().fill(color(palette.background))).show(ui, |ui| self.welcome(ui));
        }
        self.overlays(ui, &mut requests, palette);
        if let Some(document) = &mut self.document {
            // What follows from a command is shown in the next frame; the pointer alone changes only what is drawn.
            if commands
                .iter()
                .any(|command| !matches!(command, Command::Hover(_) | Command::Flow(FlowCommand::Hover(_))))
            {
                ui.ctx().request_repaint();
            }
            for command in commands {
                document.apply(command);
            }
        }
        if std::mem::take(&mut self.state.switch_theme) {
            self.theme = if self.theme == Theme::Dark { Theme::Light } else { Theme::Dark };
            ui.ctx().request_repaint();
        }
        // How far a load is does not change with every frame: the window looks at it now and then.
        if self.is_moving() {
            ui.ctx().request_repaint();
        }
        self.was_typing = ui.ctx().text_edit_focused();
        requests
    }

    /// Details and table.
    fn drawers(&mut self, ui: &mut Ui, palette: &'static Palette) -> Vec<Command> {
        let mut commands = Vec::new();
        let Some(document) = &mut self.document else { return commands };
        // A narrow window gives its width to the chart until there is a marker to show.
        let roomy = ui.available_width() >= NARROW;
        if !self.state.hide_details && (roomy || document.view.selected.is_some()) {
            commands.extend(details::show(ui, document, palette));
        }
        commands.extend(drawer::show(ui, document, &mut self.state.drawer, palette));
        commands
    }

    fn canvas(&mut self, ui: &mut Ui, palette: &'static Palette) -> Vec<Command> {
        let mut commands = Vec::new();
        let Some(document) = &mut self.document else { return commands };
        let scale = ui.ctx().pixels_per_point();
        let area = ui.available_rect_before_wrap();
        self.label_width = self.label_width.clamp(90.0, (area.width() * 0.6).max(90.0));
        document.refresh();
        let heights = flow_heights(document, &mut self.flow_height, area.height());
        let parts = Parts::divide(area, self.label_width, scale, heights);
        document.regions = parts.regions(scale);
        let screen = ui.ctx().content_rect().size() * scale;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "canvas size")]
        let size = [screen.x.round().max(1.0) as u32, screen.y.round().max(1.0) as u32];
        document.canvas = (size, scale);
        document.view.axis.set_width(f64::from(document.regions.chart.width));
        document.refresh();
        document.look_ahead();
        commands.extend(label_column::show(ui, document, parts.labels, palette));
        commands.extend(corner(ui, &parts, palette, document));
        commands.extend(flow_panel::show(ui, document, &mut self.canvas, &parts, palette));
        commands.extend(canvas::interact(ui, document, &mut self.canvas, &parts));
        commands.extend(flow_panel::hover(document, &self.canvas));
        commands.extend(super::overview::breadcrumbs(ui, document, &parts));
        self.label_width += splitter(ui, &parts);
        self.flow_height -= flow_splitter(ui, &parts, palette);
        commands.extend(tooltip::show(ui, document, &mut self.canvas, palette));
        commands
    }

    /// The parts of the canvas as of the last frame, in device pixels.
    #[must_use]
    pub fn regions(&self) -> Regions {
        self.document.as_ref().map(|document| document.regions).unwrap_or_default()
    }

    /// What is shown before there is a recording: progress, the last error, an invitation.
    fn welcome(&mut self, ui: &mut Ui) {
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
                ui.weak("Firefox Profiler profiles and Chrome traces: JSON, .json.gz, .zip or JSLB");
            }
            ui.add_space(12.0);
            if ui.button("Open a file…").clicked() {
                self.state.open_dialog = true;
            }
        });
    }

    fn overlays(&mut self, ui: &mut Ui, requests: &mut Vec<Request>, palette: &Palette) {
        let context = ui.ctx().clone();
        help::show(&context, self.keys, &mut self.state.show_help);
        if std::mem::take(&mut self.state.open_dialog) {
            self.chooser.open(self.document.as_ref().map(|document| document.path.as_path()));
        }
        requests.extend(self.chooser.show(&context).map(Request::Open));
        if let Some(document) = &self.document {
            toolbar::warnings_window(&context, document, &mut self.state.show_warnings);
        }
        if let Some(loading) = &self.loading {
            // What is shown already must not be covered.
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
        } else if let Some(error) = self.error.clone().filter(|_| self.document.is_some()) {
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

    fn handle_keys(&mut self, ui: &Ui) -> Vec<Command> {
        let mut commands = Vec::new();
        for action in actions(ui.ctx(), self.keys) {
            match action {
                action if is_taken(ui, action) || (self.chooser.is_open() && action != Action::Escape) => {}
                Action::Open => self.state.open_dialog = true,
                Action::Help => self.state.show_help = !self.state.show_help,
                Action::Theme => self.state.switch_theme = true,
                Action::Table(table) => {
                    self.state.drawer = Some(table).filter(|_| self.state.drawer != Some(table));
                }
                Action::Search => self.state.focus_search = true,
                Action::FrameTime => {
                    self.show_frame_time = !self.show_frame_time;
                    self.state.frame_ms = None;
                }
                Action::Escape => commands.extend(self.escape()),
                action => {
                    if let Some(document) = &self.document {
                        let command = command_of(ui, document, action);
                        // Who walks along a flow means that flow from then on, as with the buttons of the details.
                        let walked = document.chosen_flow().filter(|_| matches!(action, Action::AlongFlow(_)));
                        commands
                            .extend(walked.filter(|_| command.is_some()).map(FlowCommand::Choose).map(Command::Flow));
                        commands.extend(command);
                    }
                }
            }
        }
        commands
    }

    /// Closes the topmost thing that is open; with nothing open, clears search, range, then selection.
    fn escape(&mut self) -> Option<Command> {
        if self.chooser.is_open() {
            self.chooser.close();
            return None;
        }
        if self.state.show_help || self.state.show_warnings {
            (self.state.show_help, self.state.show_warnings) = (false, false);
            return None;
        }
        let document = self.document.as_ref()?;
        if self.error.take().is_some() {
            return None;
        }
        // egui itself takes the focus away on Escape, before this frame began.
        if self.was_typing {
            return None;
        }
        if self.canvas.sticky.take().is_some() {
            None
        } else if document.view.range.is_some() {
            Some(Command::SelectRange(None))
        } else if !document.view.search.is_empty() {
            Some(Command::Search(String::new()))
        } else if document.view.selected.is_some() {
            Some(Command::Select(None))
        } else {
            Some(Command::Flow(FlowCommand::Leave))
        }
    }
}
