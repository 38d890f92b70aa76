//! The whole window: toolbar, canvas, details, table, status; loading and errors before there is a recording.

mod input;
mod panes;
mod widgets;

use std::path::PathBuf;
use std::sync::Arc;

use egui::{Key, Rect, Ui};

pub use panes::OtherPane;
use panes::{FLOW_HEIGHT, PaneState};

use super::command::WindowCommand;
use super::file_chooser::{FileChooser, Purpose};
use super::finder::Finder;
use super::layout::{OpenPanels, PanelSizes, WindowLayout};
use super::panels::Panels;
use super::question::Question;
use super::recent_file::RecentFile;
use super::save_dialog::{NotesForm, PictureFormat, SaveDialog, StackFormat};
use super::saving::Saving;
use super::state::ShellState;
use crate::profile::text::FilePlace;
use crate::scene::{FlowHeights, OVERVIEW_HEIGHT, PixelRect, Regions, SMALL_OVERVIEW_HEIGHT};
use crate::session::{Session, TableFile, TableFormat, Wake};
use crate::ui::asks::{NotesFile, TreeStacks};
use crate::ui::canvas::state::CanvasState;
use crate::ui::input::keys::KeyMap;
use crate::ui::source_search::SourceSearch;
use crate::ui::widgets::style;
use crate::view::{MoveDirection, Pane, Theme};

/// In windows narrower than this many points, the details are shown only while a marker is selected.
const NARROW_WIDTH: f32 = 900.0;
/// Something to tell the user, in a window of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What it is about.
    pub title: String,
    /// The message.
    pub text: String,
}

/// A request to the application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Open this file.
    Open(PathBuf),
    /// Open this file in a second window.
    OpenBeside(PathBuf),
    /// Open the recording that comes with the program.
    OpenExample,
    /// Remove this file from [`Shell::recent`].
    ForgetRecent(PathBuf),
    /// Open this file below the open recording, to compare both.
    Compare(PathBuf),
    /// Open the file that [`Shell::question`] asked about.
    OpenAnyway,
    /// Stop loading.
    CancelLoading,
    /// The recording was closed: forget what is kept for it, and what is being loaded.
    Closed,
    /// End the program.
    Quit,
    /// Fill the screen, or leave it again.
    FullScreen,
    /// Show a place in the user's editor.
    OpenPlace(FilePlace),
    /// Show an address in the user's browser.
    OpenLink(String),
    /// Write stacks to a file.
    SaveStacks {
        /// The file; one that exists is replaced.
        path: PathBuf,
        /// How to write them.
        format: StackFormat,
        /// The stacks.
        stacks: TreeStacks,
    },
    /// Write notes to a file, or a copy of the trace with notes.
    SaveNotes {
        /// The file; one that exists is replaced.
        path: PathBuf,
        /// Which of both.
        form: NotesForm,
        /// The notes.
        notes: NotesFile,
    },
    /// Write what the window shows to a file.
    SavePicture {
        /// The file; one that exists is replaced.
        path: PathBuf,
        /// How to write it.
        format: PictureFormat,
    },
    /// Write a table to a file.
    SaveTable {
        /// The file; one that exists is replaced.
        path: PathBuf,
        /// How to write it.
        format: TableFormat,
        /// The table.
        table: TableFile,
    },
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
    /// Which recording of the window it becomes.
    pub pane: Pane,
    /// Fraction done, 0 to 1; `None` if unknown.
    pub part: Option<f32>,
    /// Amount done, as text.
    pub amount: String,
}

/// The window's content: widgets, input handling and the open recording.
pub struct Shell {
    /// The open recording.
    pub session: Option<Session>,
    /// Tables and trees of the open recording.
    pub panels: Option<Panels>,
    /// A second recording below it, on the same time axis.
    pub other: Option<OtherPane>,
    /// Progress of the current load.
    pub loading: Option<Loading>,
    /// Why the last load failed.
    pub error: Option<String>,
    /// A question about the last load.
    pub question: Option<Question>,
    /// A message that the user has not closed yet.
    pub message: Option<Message>,
    /// The recordings opened last, the last one first.
    pub recent: Vec<RecentFile>,
    /// Files that are being written.
    pub saving: Vec<Arc<Saving>>,
    /// How to set the command that opens places; `None` if there is one.
    pub opener_advice: Option<String>,
    /// Where names are looked up.
    pub source_search: SourceSearch,
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
    save: SaveDialog,
    pub(super) finder: Finder,
    /// What keys asked the application for.
    asked: Vec<Request>,
    canvas: CanvasState,
    panes: PaneState,
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
            other: None,
            loading: None,
            error: None,
            question: None,
            message: None,
            recent: Vec::new(),
            saving: Vec::new(),
            opener_advice: None,
            source_search: SourceSearch::default(),
            keys,
            theme,
            state: ShellState::default(),
            flow_height: FLOW_HEIGHT,
            sizes: PanelSizes::default(),
            chooser: FileChooser::default(),
            save: SaveDialog::default(),
            finder: Finder::default(),
            asked: Vec::new(),
            canvas: CanvasState::default(),
            panes: PaneState::default(),
            pending: Vec::new(),
            applied_theme: None,
            held: Vec::new(),
            clock: (0.0, false),
            was_typing: false,
        }
    }

    /// Opens a recording; those that were open before are closed. `wake` is called from other threads when there is something new to show.
    pub fn open(&mut self, mut session: Session, wake: &Wake) {
        session.view.theme = self.theme;
        (self.canvas, self.other, self.panes) = (CanvasState::default(), None, PaneState::default());
        self.pending.clear();
        self.held.clear();
        (self.error, self.question) = (None, None);
        self.save.close();
        let layouts = self.panels.take().map(|panels| panels.layouts());
        let mut panels = Panels::new(wake);
        layouts.into_iter().for_each(|layouts| panels.set_layouts(layouts));
        self.panels = Some(panels);
        self.session = Some(session);
    }

    /// Closes the open recording, and the second one with it.
    pub fn close(&mut self) {
        self.close_other();
        (self.canvas, self.panes) = (CanvasState::default(), PaneState::default());
        self.pending.clear();
        self.held.clear();
        (self.session, self.error, self.question) = (None, None, None);
        self.save.close();
    }

    /// Closes the recording that was chosen last: the second one, or else the first with all that is open.
    fn close_recording(&mut self) {
        if self.active() == Pane::B {
            return self.close_other();
        }
        self.close();
        self.asked.push(Request::Closed);
    }

    /// Sets the height of the table in points.
    pub fn set_table_height(&mut self, height: f32) {
        self.sizes.table = height;
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
        let panels = [self.panels.as_ref(), self.other.as_ref().map(|other| &other.panels)];
        let mut sessions = Pane::ALL.into_iter().filter_map(|pane| self.session_of(pane));
        sessions.any(|session| session.is_busy() || session.flows.is_busy())
            || panels.into_iter().flatten().any(Panels::is_busy)
    }

    /// Waits for background work; for pictures and tests.
    pub fn wait(&mut self) {
        self.follow_first();
        for pane in Pane::ALL {
            if let Some(parts) = self.parts(pane) {
                parts.session.refresh_and_wait();
                parts.panels.wait(parts.session);
            }
        }
    }

    /// Runs one frame except for drawing the canvas; returns requests to the application. Nothing after the refresh
    /// changes the view: the widgets' commands are applied at the beginning of the next frame, which is requested at
    /// once.
    pub fn show(&mut self, ui: &mut Ui) -> Vec<Request> {
        for command in std::mem::take(&mut self.pending) {
            self.apply(ui, command);
        }
        self.handle_input(ui);
        self.advance(ui);
        self.follow_theme(ui);
        let layout = self.refresh(ui);
        let mut requests = std::mem::take(&mut self.asked);
        requests.extend(self.dropped(ui));
        self.show_widgets(ui, layout, &mut requests);
        if self.is_moving() {
            ui.ctx().request_repaint();
        }
        self.was_typing = ui.ctx().text_edit_focused();
        requests
    }

    /// Applies a command to the window or the view.
    fn apply(&mut self, ui: &Ui, command: WindowCommand) {
        match command {
            WindowCommand::View(command) => self.apply_to(self.active(), command),
            WindowCommand::In(pane, command) => self.apply_to(pane, command),
            WindowCommand::OpenDialog => self.choose_file(Purpose::Open),
            WindowCommand::OpenRecent(path) => self.asked.push(Request::Open(path)),
            WindowCommand::CompareDialog if self.session.is_some() => self.choose_file(Purpose::Compare),
            WindowCommand::CompareDialog => self.choose_file(Purpose::Open),
            WindowCommand::ToggleFinder => self.finder.toggle(ui.ctx()),
            WindowCommand::Perform(action) => self.perform(ui, action),
            WindowCommand::CloseRecording => self.close_recording(),
            WindowCommand::Align(alignment) => self.align(alignment),
            WindowCommand::CloseOther => self.close_other(),
            WindowCommand::CompareRecordings => self.compare_recordings(),
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
            WindowCommand::ToggleBoxMode => self.state.box_mode = !self.state.box_mode,
            WindowCommand::ToggleTooltips => self.state.keeps_no_tooltip = !self.state.keeps_no_tooltip,
            WindowCommand::FocusSearch => self.state.focus_search = true,
        }
    }

    fn follow_theme(&mut self, ui: &Ui) {
        let theme = self.theme;
        if self.applied_theme != Some(self.theme) {
            style::apply(ui.ctx(), self.theme);
            self.applied_theme = Some(self.theme);
        }
        for pane in Pane::ALL {
            self.parts(pane).into_iter().for_each(|parts| parts.session.view.theme = theme);
        }
    }

    fn choose_file(&mut self, purpose: Purpose) {
        self.chooser.open(self.session.as_ref().map(|session| session.path.as_path()), purpose);
    }

    /// Divides the window, refreshes the recordings and lays their views out, each on its canvas.
    fn refresh(&mut self, ui: &Ui) -> WindowLayout {
        let window = ui.max_rect();
        let active = self.session_of(self.active());
        let selected = active.is_some_and(|session| session.view.selected.is_some());
        // In a narrow window, the chart has the full width until a marker is selected.
        let open = OpenPanels {
            details: !self.state.hide_details && (window.width() >= NARROW_WIDTH || selected),
            table: self.state.table.is_some(),
            other: self.other.is_some(),
        };
        let layout = WindowLayout::divide(window, &mut self.sizes, open);
        self.panes.place(&layout);
        self.divide_canvas(ui, Pane::A, (layout.canvas, OVERVIEW_HEIGHT));
        if let Some(other) = layout.other {
            self.divide_canvas(ui, Pane::B, (other.canvas, SMALL_OVERVIEW_HEIGHT));
        }
        // The line under the pointer stands in both.
        let pointers = Pane::ALL.map(|pane| self.session_of(pane).and_then(|session| session.canvas.timed_pointer()));
        self.follow_first();
        for pane in Pane::ALL {
            if let Some(parts) = self.parts(pane) {
                parts.session.canvas.other_pointer = pointers[pane.other() as usize];
                parts.session.refresh();
            }
        }
        layout
    }

    /// Divides the canvas of a recording, given in points with the height of its overview.
    fn divide_canvas(&mut self, ui: &Ui, pane: Pane, (canvas, overview): (Rect, f32)) {
        let scale = ui.ctx().pixels_per_point();
        let pixels =
            PixelRect::new(canvas.min.x * scale, canvas.min.y * scale, canvas.width() * scale, canvas.height() * scale);
        let screen = ui.ctx().content_rect().size() * scale;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "canvas size")]
        let size = [screen.x.round().max(1.0) as u32, screen.y.round().max(1.0) as u32];
        let labels = self.sizes.labels;
        let Some(parts) = self.parts(pane) else { return };
        let session = parts.session;
        if session.view.flows.is_open() {
            *parts.flow_height = FlowHeights::clamp(*parts.flow_height, canvas.height());
        }
        let flow = FlowHeights::new(&session.view.flows, *parts.flow_height, canvas.height());
        session.canvas.regions = Regions::divide(pixels, scale, (labels, overview), flow);
        (session.canvas.size, session.canvas.scale) = (size, scale);
        session.view.axis.set_width(f64::from(session.canvas.regions.chart.width));
    }

    /// The regions of the canvas in the last frame, in device pixels.
    #[must_use]
    pub fn regions(&self) -> Regions {
        self.session.as_ref().map(|session| session.canvas.regions).unwrap_or_default()
    }
}
