//! Requests from widgets to the application. A widget posts a request through egui's context, the way it posts text for
//! the clipboard. The shell collects the requests after all widgets of the frame have run and forwards them. The
//! application's capabilities reach the widgets through the same context.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use egui::{Button, Context, Id, Ui};

use crate::commands::{SelectionAction, UiCommand, with_shortcut};
use crate::saved_view::SavedView;
use crate::tables::TableKind;
use crate::tables::query::QueryRequest;
use crate::toast::Toast;
use flowline_index::Index;
use flowline_index::samples::CallTree;
use flowline_profile::notes::Note;
use flowline_profile::samples::WeightUnit;
use flowline_profile::text::FileLocation;
use flowline_profile::{Profile, TimeRange};
use flowline_session::{Session, TableFile};
use flowline_view::Pane;

/// Stacks to write to a file: those of a tree, each with its self weight.
#[derive(Clone)]
pub struct TreeStacks {
    /// The recording, which contains the names.
    pub profile: Arc<Profile>,
    /// The tree.
    pub tree: Arc<CallTree>,
    /// Unit of the weights.
    pub unit: WeightUnit,
    /// Title of the sampled data, for display.
    pub title: String,
}

impl fmt::Debug for TreeStacks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TreeStacks").field("title", &self.title).finish_non_exhaustive()
    }
}

impl PartialEq for TreeStacks {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.tree, &other.tree) && self.unit == other.unit && self.title == other.title
    }
}

impl Eq for TreeStacks {}

/// Notes to write to a file.
#[derive(Clone)]
pub struct NotesFile {
    /// The recording.
    pub index: Arc<Index>,
    /// Path of the recording.
    pub recording: PathBuf,
    /// Its notes.
    pub notes: Arc<Vec<Note>>,
    /// The committed ranges of the view, widest first.
    pub windows: Vec<TimeRange>,
    /// The hidden threads and the order of tracks as JSON, if the user changed them.
    pub arrangement: Option<String>,
}

impl NotesFile {
    pub(crate) fn new(session: &Session) -> Self {
        let notes = Arc::clone(&session.view.notes.list);
        let windows = session.view.breadcrumbs.ranges().to_vec();
        let index = Arc::clone(&session.index);
        Self { index, recording: session.path.clone(), notes, windows, arrangement: None }
    }
}

impl fmt::Debug for NotesFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NotesFile").field("notes", &self.notes).finish_non_exhaustive()
    }
}

impl PartialEq for NotesFile {
    fn eq(&self, other: &Self) -> bool {
        self.index.id() == other.index.id() && self.notes == other.notes && self.windows == other.windows
    }
}

impl Eq for NotesFile {}

/// A part of a recording to write as a recording of its own.
#[derive(Clone)]
pub struct RecordingPart {
    /// The recording.
    pub index: Arc<Index>,
    /// The time range of the part, on the recording's clock.
    pub range: TimeRange,
    /// Its length, for display.
    pub length: String,
    /// The view with which the part opens: the current one, limited to its range.
    pub view: Option<SavedView>,
    /// The notes of the recording.
    pub notes: Arc<Vec<Note>>,
    /// True if the part opens with the notes.
    pub keeps_notes: bool,
    /// True if URLs are replaced in the part.
    pub removes_urls: bool,
    /// True if the part has no screenshots.
    pub removes_screenshots: bool,
}

impl RecordingPart {
    /// The selected range of a recording, or else the visible one. `view` is the current view.
    pub(crate) fn new(session: &Session, view: Option<SavedView>) -> Self {
        let shown = session.view.axis.visible();
        let range = session.scope().selected().unwrap_or_else(|| shown.within(session.index.extent()));
        Self {
            index: Arc::clone(&session.index),
            range,
            length: session.view.clock().length(range.len()),
            view: view.map(|view| view.of_part(range, session.index.extent())),
            notes: Arc::clone(&session.view.notes.list),
            keeps_notes: true,
            removes_urls: false,
            removes_screenshots: false,
        }
    }
}

impl fmt::Debug for RecordingPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordingPart").field("range", &self.range).finish_non_exhaustive()
    }
}

impl PartialEq for RecordingPart {
    fn eq(&self, other: &Self) -> bool {
        let choices = |part: &Self| (part.range, part.keeps_notes, part.removes_urls, part.removes_screenshots);
        self.index.id() == other.index.id() && choices(self) == choices(other)
    }
}

impl Eq for RecordingPart {}

/// A request to the application.
#[derive(Clone, Debug)]
pub(crate) enum WidgetRequest {
    /// Open a source location in the user's editor.
    OpenInEditor(FileLocation),
    /// Search for a name in the source code of the recorded program.
    SearchSource(String),
    /// Show the save dialog for stacks.
    ShowStacksDialog(TreeStacks),
    /// Run a command of the registry.
    RunCommand(UiCommand),
    /// Show a toast.
    ShowToast(Toast),
    /// Show a table in the drawer.
    ShowTable(TableKind),
    /// Show the save dialog for notes.
    ShowNotesDialog(NotesFile),
    /// Show the save dialog for a copy of the trace with notes.
    ShowTraceDialog(NotesFile),
    /// Show the save dialog for a table.
    ShowTableDialog(TableFile),
    /// Start, run or cancel a query of a recording.
    Query(Pane, QueryRequest),
}

fn requests_id() -> Id {
    Id::unique("widget requests")
}

fn opener_id() -> Id {
    Id::unique("opener of places")
}

/// Posts a request.
pub(crate) fn post(context: &Context, request: WidgetRequest) {
    context.data_mut(|data| data.get_temp_mut_or_default::<Vec<WidgetRequest>>(requests_id()).push(request));
    context.request_repaint();
}

/// Posts a command of the registry.
pub(crate) fn run_command(context: &Context, command: impl Into<UiCommand>) {
    post(context, WidgetRequest::RunCommand(command.into()));
}

/// Shows a toast, which reports the result of an action.
pub(crate) fn show_toast(context: &Context, toast: Toast) {
    post(context, WidgetRequest::ShowToast(toast));
}

/// Takes all posted requests.
pub(crate) fn take_requests(context: &Context) -> Vec<WidgetRequest> {
    context.data_mut(|data| data.remove_temp::<Vec<WidgetRequest>>(requests_id())).unwrap_or_default()
}

/// Tells widgets if source locations can be opened. `missing` is `None` if they can, otherwise the advice on how to
/// configure an editor.
pub(crate) fn set_editor_advice(context: &Context, missing: Option<&str>) {
    let missing: Option<Arc<str>> = missing.map(Arc::from);
    context.data_mut(|data| data.insert_temp(opener_id(), missing));
}

fn source_search_id() -> Id {
    Id::unique("source search")
}

/// Tells widgets if names of the open recording can be searched for in source code.
pub(crate) fn set_source_search(context: &Context, is_known: bool) {
    context.data_mut(|data| data.insert_temp(source_search_id(), is_known));
}

/// True if names of the open recording can be searched for in source code.
pub(crate) fn can_search_source(context: &Context) -> bool {
    context.data(|data| data.get_temp(source_search_id())).unwrap_or(false)
}

/// A menu entry or button that searches for the name of a marker or function in the browser's source. Absent for other
/// products. Returns true if it was pressed.
pub(crate) fn source_search_button(ui: &mut Ui, name: &str) -> bool {
    if name.trim().is_empty() || !can_search_source(ui.ctx()) {
        return false;
    }
    let hint = "Search for this name in the browser's code search";
    let hint = with_shortcut(ui.ctx(), hint, SelectionAction::SearchSource);
    let button = ui.button("Search source code").on_hover_text(hint);
    if button.clicked() {
        post(ui.ctx(), WidgetRequest::SearchSource(name.to_owned()));
    }
    button.clicked()
}

/// A menu entry or button that opens a source location. It is disabled if no editor is configured; its tooltip then
/// explains how to configure one.
pub(crate) fn open_in_editor_button(ui: &mut Ui, place: &FileLocation) {
    let missing = ui.data(|data| data.get_temp::<Option<Arc<str>>>(opener_id())).flatten();
    let button = ui.add_enabled(missing.is_none(), Button::new("Open in editor"));
    let button = match &missing {
        Some(advice) => button.on_disabled_hover_text(&**advice),
        None => button.on_hover_text("Show this source location"),
    };
    if button.clicked() {
        post(ui.ctx(), WidgetRequest::OpenInEditor(place.clone()));
    }
}
