//! The whole window: toolbar, canvas, details, table, and status; the welcome page and errors without a recording.

mod frame_layout;
mod input;
mod panes;
mod run_command;
mod state_transfer;
mod view_persistence;
mod widgets;

use std::cell::OnceCell;
use std::path::PathBuf;
use std::sync::Arc;

use egui::{Key, Ui};

pub use panes::SecondPane;
use panes::{FLOW_HEIGHT, PaneState};
pub use state_transfer::PreviousState;

use super::copy_notice::CopyNotice;
use super::file_chooser::{FileChooser, Purpose};
use super::file_formats::FileFormats;
use super::finder::Finder;
use super::layout::PanelSizes;
use super::panels::Panels;
use super::question::Question;
use super::recent_file::RecentFile;
use super::save_dialog::{ImageFormat, NotesFormat, Savable, SaveDialog, StackFormat};
use super::save_progress::SaveProgress;
use super::state::ShellState;
use super::window_command::WindowCommand;
use crate::canvas::state::CanvasState;
use crate::commands::KeyMap;
use crate::saved_view::SavedView;
use crate::saved_view::names::StableNames;
use crate::source_search::SourceSearch;
use crate::tables::TableKind;
use crate::widget_requests::{NotesFile, TreeStacks};
use crate::widgets::style;
use crate::window::loading::Loading;
use flowline_profile::Value;
use flowline_profile::text::FileLocation;
use flowline_session::{Session, TableFile, TableFormat, Wake};
use flowline_view::{MoveDirection, Pane, Theme};

/// A message for the user, shown in its own window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Title of the message window.
    pub title: String,
    /// The message.
    pub text: String,
}

/// A request to the application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppRequest {
    /// Open this file.
    Open(PathBuf),
    /// Open this file in a new window.
    OpenBeside(PathBuf),
    /// Open the bundled example recording.
    OpenExample,
    /// Remove this file from [`Shell::recent`].
    ForgetRecent(PathBuf),
    /// Open this file below the open recording to compare both.
    Compare(PathBuf),
    /// Open the file of [`Shell::question`] anyway.
    OpenAnyway,
    /// Cancel loading.
    CancelLoading,
    /// The recording was closed: drop all data of it, and any load in progress.
    Closed,
    /// Quit the program.
    Quit,
    /// Toggle full screen.
    FullScreen,
    /// Open a source location in the user's editor.
    OpenPlace(FileLocation),
    /// Open a URL in the user's browser.
    OpenLink(String),
    /// Write stacks to a file.
    SaveStacks {
        /// The file; an existing one is replaced.
        path: PathBuf,
        /// Format of the file.
        format: StackFormat,
        /// The stacks.
        stacks: TreeStacks,
    },
    /// Write notes to a file, or a copy of the trace with notes.
    SaveNotes {
        /// The file; an existing one is replaced.
        path: PathBuf,
        /// Separate file, or copy of the trace.
        form: NotesFormat,
        /// The notes.
        notes: NotesFile,
    },
    /// Write an image of the window to a file.
    SavePicture {
        /// The file; an existing one is replaced.
        path: PathBuf,
        /// Format of the file.
        format: ImageFormat,
    },
    /// Write a table to a file.
    SaveTable {
        /// The file; an existing one is replaced.
        path: PathBuf,
        /// Format of the file.
        format: TableFormat,
        /// The table.
        table: TableFile,
    },
}

/// The window's content: widgets, input handling and the open recording.
pub struct Shell {
    /// The open recording.
    pub session: Option<Session>,
    /// Tables and trees of the open recording.
    pub panels: Option<Panels>,
    /// A second recording below it, on the same time axis.
    pub other: Option<SecondPane>,
    /// Progress of the current load.
    pub loading: Option<Loading>,
    /// Error message of the last failed load.
    pub error: Option<String>,
    /// A question about the last load.
    pub question: Option<Question>,
    /// A message that the user has not closed yet.
    pub message: Option<Message>,
    /// The recently opened recordings, most recent first.
    pub recent: Vec<RecentFile>,
    /// Files being written.
    pub saving: Vec<Arc<SaveProgress>>,
    /// Advice on how to configure an editor; `None` if one is configured.
    pub opener_advice: Option<String>,
    /// Code search addresses for names.
    pub source_search: SourceSearch,
    /// The formats that can be opened.
    pub formats: FileFormats,
    /// Key bindings.
    pub keys: KeyMap,
    /// Colors.
    pub theme: Theme,
    /// Open panels and dialogs.
    pub state: ShellState,
    /// Height of the flow panel in points, header included.
    pub flow_height: f32,
    /// The sizes set by the user.
    sizes: PanelSizes,
    /// The sizes in the last frame.
    shown_sizes: PanelSizes,
    chooser: FileChooser,
    save: SaveDialog,
    copied: CopyNotice,
    pub(super) finder: Finder,
    /// Requests to the application that were triggered by keys.
    asked: Vec<AppRequest>,
    canvas: CanvasState,
    panes: PaneState,
    /// State of the tables when the recording was opened.
    first_choices: Value,
    /// Stable names of the first recording's items, built on first use.
    names: OnceCell<StableNames>,
    /// The view of the recording that was closed last, until the application has saved it.
    pub closed_view: Option<SavedView>,
    /// The part of a link about a second recording, until that recording is open.
    second_view: Option<SavedView>,
    /// Commands returned by the widgets of the last frame.
    pending: Vec<WindowCommand>,
    applied_theme: Option<Theme>,
    /// Motion keys that are down.
    held: Vec<(Key, MoveDirection)>,
    /// Time of the last frame in seconds, and true if something moved in it.
    clock: (f64, bool),
    /// True if a text box had the keyboard focus at the end of the last frame.
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
            formats: FileFormats::default(),
            keys,
            theme,
            state: ShellState::default(),
            flow_height: FLOW_HEIGHT,
            sizes: PanelSizes::default(),
            shown_sizes: PanelSizes::default(),
            chooser: FileChooser::default(),
            save: SaveDialog::default(),
            copied: CopyNotice::default(),
            finder: Finder::default(),
            asked: Vec::new(),
            canvas: CanvasState::default(),
            panes: PaneState::default(),
            first_choices: Value::Null,
            names: OnceCell::new(),
            closed_view: None,
            second_view: None,
            pending: Vec::new(),
            applied_theme: None,
            held: Vec::new(),
            clock: (0.0, false),
            was_typing: false,
        }
    }

    /// Opens a recording and closes those open before. `wake` is called from other threads when there is something new
    /// to show.
    pub fn open(&mut self, mut session: Session, wake: &Wake) {
        session.view.theme = self.theme;
        (self.canvas, self.other, self.panes) = (CanvasState::default(), None, PaneState::default());
        self.pending.clear();
        self.held.clear();
        (self.error, self.question) = (None, None);
        (self.names, self.second_view) = (OnceCell::new(), None);
        self.save.close();
        let layouts = self.panels.take().map(|panels| panels.layouts());
        let mut panels = Panels::new(wake);
        layouts.iter().for_each(|layouts| panels.set_choices(layouts));
        self.first_choices = panels.choices();
        self.panels = Some(panels);
        self.session = Some(session);
    }

    /// Closes the open recording and the second one.
    pub fn close(&mut self) {
        self.close_second_recording();
        (self.canvas, self.panes) = (CanvasState::default(), PaneState::default());
        self.pending.clear();
        self.held.clear();
        (self.session, self.error, self.question) = (None, None, None);
        (self.names, self.second_view) = (OnceCell::new(), None);
        self.save.close();
    }

    /// Closes the active recording: the second one, or else the first with everything that is open.
    fn close_recording(&mut self) {
        if self.active() == Pane::B {
            return self.close_second_recording();
        }
        self.closed_view = self.saved_view();
        self.close();
        self.asked.push(AppRequest::Closed);
    }

    /// Sets the height of the table in points.
    pub fn set_table_height(&mut self, height: f32) {
        self.sizes.table = height;
    }

    /// Sets the last frame's time in milliseconds, which is shown on request.
    pub fn set_frame_time(&mut self, ms: f64) {
        self.state.frame_ms = self.state.show_frame_time.then_some(ms);
    }

    /// True if another frame is due: something moves, or commands are pending.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        !self.pending.is_empty() || self.session.as_ref().is_some_and(|session| session.view.is_moving())
    }

    /// True while background work is running.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        let mut sessions = Pane::ALL.into_iter().filter_map(|pane| self.session_of(pane));
        sessions.any(Session::has_background_work) || self.tables_are_busy()
    }

    fn tables_are_busy(&self) -> bool {
        let panels = [self.panels.as_ref(), self.other.as_ref().map(|other| &other.panels)];
        panels.into_iter().flatten().any(Panels::is_busy)
    }

    /// Waits for background work; for rendering and tests.
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
    /// changes the view: the widgets' commands are applied at the beginning of the next frame, which is requested
    /// immediately.
    pub fn show(&mut self, ui: &mut Ui) -> Vec<AppRequest> {
        for command in std::mem::take(&mut self.pending) {
            self.apply(ui, command);
        }
        let input = tracing::trace_span!("input").entered();
        self.handle_input(ui);
        self.advance(ui);
        drop(input);
        self.follow_theme(ui);
        let layout = self.refresh(ui);
        let mut requests = std::mem::take(&mut self.asked);
        requests.extend(self.dropped(ui));
        let tables_were_busy = self.tables_are_busy();
        let widgets = tracing::trace_span!("widgets").entered();
        self.show_widgets(ui, layout, &mut requests);
        drop(widgets);
        // Results that a table received while it was shown may contradict the widgets above it.
        let have_found = tables_were_busy && !self.tables_are_busy();
        if have_found || self.is_moving() {
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
            WindowCommand::Run(command) => self.run(ui, command, None),
            WindowCommand::OpenRecent(path) => self.asked.push(AppRequest::Open(path)),
            WindowCommand::Align(alignment) => self.align(alignment),
            WindowCommand::ShowTable(table) => self.show_table(table),
        }
    }

    /// Shows the save dialog.
    fn ask_where_to_save(&mut self, what: Savable) {
        // The active recording comes first, because data is saved from it.
        let panes = [self.active(), self.active().other()];
        let open = panes.into_iter().filter_map(|pane| self.session_of(pane));
        let recordings: Vec<PathBuf> = open.map(|session| session.path.clone()).collect();
        self.save.open(what, &recordings);
    }

    fn show_table(&mut self, table: Option<TableKind>) {
        self.state.last_table = table.or(self.state.table).unwrap_or(self.state.last_table);
        self.state.table = table;
    }

    fn follow_theme(&mut self, ui: &Ui) {
        let theme = self.theme;
        if self.applied_theme != Some(self.theme) {
            style::apply(ui.ctx(), self.theme);
            ui.ctx().options_mut(|options| {
                // Flowline binds these keys itself, with limits and persistence.
                options.zoom_with_keyboard = false;
                // The first pass measures a tooltip's height, the second finds its position, the third draws it there.
                options.max_passes = std::num::NonZeroUsize::MIN.saturating_add(2);
            });
            self.applied_theme = Some(self.theme);
        }
        for pane in Pane::ALL {
            self.parts(pane).into_iter().for_each(|parts| parts.session.view.theme = theme);
        }
    }

    fn choose_file(&mut self, purpose: Purpose) {
        self.chooser.open(self.session.as_ref().map(|session| session.path.as_path()), purpose, &self.formats);
    }
}
