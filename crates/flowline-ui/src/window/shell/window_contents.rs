//! The window's contents: recordings, open panels and dialogs.

use std::cell::OnceCell;
use std::sync::Arc;

use egui::Key;

use super::app_request::AppRequest;
use super::message::Message;
use super::pane_state::{FLOW_HEIGHT, PaneState, SecondPane};
use crate::canvas::state::CanvasState;
use crate::commands::KeyMap;
use crate::saved_view::SavedView;
use crate::saved_view::names::StableNames;
use crate::source_search::SourceSearch;
use crate::window::dialogs::copy_notice::CopyNotice;
use crate::window::dialogs::file_chooser::FileChooser;
use crate::window::dialogs::finder::Finder;
use crate::window::dialogs::loading::Loading;
use crate::window::dialogs::question::Question;
use crate::window::dialogs::save_dialog::SaveDialog;
use crate::window::dialogs::save_progress::SaveProgress;
use crate::window::file_formats::FileFormats;
use crate::window::layout::PanelSizes;
use crate::window::panels::Panels;
use crate::window::recent_file::RecentFile;
use crate::window::state::ShellState;
use crate::window::window_command::WindowCommand;
use flowline_profile::Value;
use flowline_session::{Session, Wake};
use flowline_view::{MoveDirection, Pane, Theme};

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
    pub(super) sizes: PanelSizes,
    /// The sizes in the last frame.
    pub(super) shown_sizes: PanelSizes,
    pub(super) chooser: FileChooser,
    pub(super) save: SaveDialog,
    pub(super) copied: CopyNotice,
    pub(super) finder: Finder,
    /// Requests to the application that were triggered by keys.
    pub(super) app_requests: Vec<AppRequest>,
    pub(super) canvas: CanvasState,
    pub(super) panes: PaneState,
    /// State of the tables when the recording was opened.
    pub(super) first_choices: Value,
    /// Stable names of the first recording's items, built on first use.
    pub(super) names: OnceCell<StableNames>,
    /// The view of the recording that was closed last, until the application has saved it.
    pub closed_view: Option<SavedView>,
    /// The part of a link about a second recording, until that recording is open.
    pub(super) second_view: Option<SavedView>,
    /// Commands returned by the widgets of the last frame.
    pub(super) pending: Vec<WindowCommand>,
    pub(super) applied_theme: Option<Theme>,
    /// Motion keys that are down.
    pub(super) held: Vec<(Key, MoveDirection)>,
    /// Time of the last frame in seconds, and true if something moved in it.
    pub(super) clock: (f64, bool),
    /// True if a text box had the keyboard focus at the end of the last frame.
    pub(super) was_typing: bool,
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
            app_requests: Vec::new(),
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
    pub(super) fn close_recording(&mut self) {
        if self.active() == Pane::B {
            return self.close_second_recording();
        }
        self.closed_view = self.saved_view();
        self.close();
        self.app_requests.push(AppRequest::DropRecording);
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

    pub(super) fn tables_are_busy(&self) -> bool {
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
}
