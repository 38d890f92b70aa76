//! The window's contents: recordings, open panels and dialogs.

use std::sync::Arc;

use egui::Key;

use super::app_request::AppRequest;
use super::message::Message;
use super::pane_contents::PaneContents;
use super::pane_state::PaneState;
use crate::commands::KeyMap;
use crate::preferences::Preferences;
use crate::saved_view::SavedView;
use crate::tables::TableKind;
use crate::toast::Toast;
use crate::window::dialogs::about::AboutFacts;
use crate::window::dialogs::file_chooser::FileChooser;
use crate::window::dialogs::finder::Finder;
use crate::window::dialogs::help::Help;
use crate::window::dialogs::loading::Loading;
use crate::window::dialogs::presets::PresetsDialog;
use crate::window::dialogs::question::Question;
use crate::window::dialogs::save_dialog::SaveDialog;
use crate::window::dialogs::save_progress::SaveProgress;
use crate::window::dialogs::settings::SettingsDialog;
use crate::window::dialogs::toasts::Toasts;
use crate::window::file_formats::FileFormats;
use crate::window::layout::PanelSizes;
use crate::window::recent_file::RecentFile;
use crate::window::state::ShellState;
use crate::window::window_command::WindowCommand;
use flowline_profile::Value;
use flowline_session::{LinkedQueries, QueryEngine, Session, Wake};
use flowline_view::{MoveDirection, Pane, Presets, Theme};

/// The window's content: widgets, input handling and the open recording.
pub struct Shell {
    /// The open recordings from top to bottom, on one time axis: the one that was opened, and the one it is compared with.
    pub panes: Vec<PaneContents>,
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
    /// Seconds to add to UTC to get local time.
    pub utc_offset: i64,
    /// Files being written.
    pub saving: Vec<Arc<SaveProgress>>,
    /// Advice on how to configure an editor; `None` if one is configured.
    pub opener_advice: Option<String>,
    /// Settings of the user.
    pub preferences: Preferences,
    /// Path of the settings file.
    pub settings_path: Option<String>,
    /// Facts for the dialog about the program: folders, graphics device.
    pub facts: AboutFacts,
    /// The formats that can be opened.
    pub formats: FileFormats,
    /// Key bindings.
    pub keys: KeyMap,
    /// Colors.
    pub theme: Theme,
    /// Open panels and dialogs.
    pub state: ShellState,
    /// The sizes set by the user.
    pub(super) sizes: PanelSizes,
    /// The sizes in the last frame.
    pub(super) shown_sizes: PanelSizes,
    pub(super) chooser: FileChooser,
    pub(super) save: SaveDialog,
    pub(super) toasts: Toasts,
    pub(super) finder: Finder,
    pub(super) help: Help,
    pub(super) settings: SettingsDialog,
    /// Presets of the user.
    pub presets: Presets,
    pub(super) presets_dialog: PresetsDialog,
    /// Requests to the application that were triggered by keys.
    pub(super) app_requests: Vec<AppRequest>,
    pub(super) pane_state: PaneState,
    /// Columns of the tables of the recording that was closed last, for the next one.
    pub(super) table_layouts: Option<Value>,
    /// Height of the flow panel of the next recording in points, header included; `None` until the user sets one.
    pub(super) flow_height: Option<f32>,
    /// The view of the recording that was closed last, until the application has saved it.
    pub closed_view: Option<SavedView>,
    /// The part of a link about a second recording, until that recording is open.
    pub(super) second_view: Option<SavedView>,
    /// The engine of queries; `None` if there are none.
    pub(super) query_engine: Option<Arc<dyn QueryEngine>>,
    /// The rule for queries of links in recordings that are opened from now on.
    pub linked_queries: LinkedQueries,
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
            panes: Vec::new(),
            loading: None,
            error: None,
            question: None,
            message: None,
            recent: Vec::new(),
            utc_offset: 0,
            saving: Vec::new(),
            opener_advice: None,
            preferences: Preferences::default(),
            settings_path: None,
            facts: AboutFacts::default(),
            formats: FileFormats::default(),
            keys,
            theme,
            state: ShellState::default(),
            sizes: PanelSizes::default(),
            shown_sizes: PanelSizes::default(),
            chooser: FileChooser::default(),
            save: SaveDialog::default(),
            toasts: Toasts::default(),
            finder: Finder::default(),
            help: Help::default(),
            settings: SettingsDialog::default(),
            presets: Presets::default(),
            presets_dialog: PresetsDialog::default(),
            app_requests: Vec::new(),
            pane_state: PaneState::default(),
            table_layouts: None,
            flow_height: None,
            closed_view: None,
            second_view: None,
            query_engine: None,
            linked_queries: LinkedQueries::default(),
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
        session.set_compact_at_first(self.preferences.compact);
        session.set_query_engine(self.query_engine.clone());
        session.set_linked_queries(self.linked_queries);
        self.close();
        let layouts = self.table_layouts.take();
        self.state.table = self.state.table.or_else(|| table_of(&session));
        self.panes.push(PaneContents::new(session, layouts.as_ref(), self.flow_height, wake));
    }

    /// Closes all recordings. Columns of tables and the height of the flow panel are kept for the next one.
    pub fn close(&mut self) {
        if let Some(first) = self.panes.first() {
            (self.table_layouts, self.flow_height) = (Some(first.panels.layouts()), first.flow_height);
        }
        self.panes.clear();
        self.pane_state = PaneState::default();
        self.pending.clear();
        self.held.clear();
        (self.error, self.question) = (None, None);
        self.second_view = None;
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

    /// Shows a toast.
    pub fn toast(&mut self, toast: Toast) {
        self.toasts.push(toast);
    }

    /// Hides the reports; failures stay.
    pub fn clear_reports(&mut self) {
        self.toasts.clear_reports();
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
        !self.pending.is_empty() || self.session().is_some_and(|session| session.view.is_moving())
    }

    /// True while background work is running.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.panes.iter().any(|pane| pane.session.has_background_work()) || self.tables_are_busy()
    }

    /// True while background work other than queries is running, which ends by itself.
    #[must_use]
    pub fn has_background_work(&self) -> bool {
        self.panes.iter().any(|pane| pane.session.has_work_besides_queries()) || self.tables_are_busy()
    }

    pub(super) fn tables_are_busy(&self) -> bool {
        self.panes.iter().any(|pane| pane.panels.is_busy())
    }

    /// Waits for background work; for rendering and tests.
    pub fn wait(&mut self) {
        self.follow_first();
        for pane in &mut self.panes {
            pane.session.refresh_and_wait();
            pane.panels.wait(&pane.session);
        }
    }
}

/// The table that is open at first: sums of a recording that contains only samples. Samples without times have an order,
/// but no time.
fn table_of(session: &Session) -> Option<TableKind> {
    let profile = session.index.profile();
    let has_only_samples = profile.marker_count() == 0 && !session.index.cpu().is_empty();
    match profile.meta.capabilities.axis.is_time() {
        false => Some(TableKind::Flame),
        true => has_only_samples.then_some(TableKind::CallTree),
    }
}
