//! What widgets ask of the application. A widget posts it with egui's context, as it posts text for the clipboard; the shell
//! takes it when all widgets of the frame have been shown, and passes it on. What the application can do is told the same
//! way round.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use egui::{Button, Context, Id, Ui};

use crate::tables::TableKind;
use flowline_index::Index;
use flowline_index::samples::CallTree;
use flowline_profile::notes::Note;
use flowline_profile::samples::WeightUnit;
use flowline_profile::text::FilePlace;
use flowline_profile::{Profile, TimeRange};
use flowline_session::{Session, TableFile};

/// Stacks to be written to a file: those of a tree, with what each costs itself.
#[derive(Clone)]
pub struct TreeStacks {
    /// The recording, which has the names.
    pub profile: Arc<Profile>,
    /// The tree.
    pub tree: Arc<CallTree>,
    /// What its weights count.
    pub unit: WeightUnit,
    /// What was sampled, for people.
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

/// Notes to be written to a file.
#[derive(Clone)]
pub struct NotesFile {
    /// The recording.
    pub index: Arc<Index>,
    /// Where it lies.
    pub recording: PathBuf,
    /// Its notes.
    pub notes: Arc<Vec<Note>>,
    /// The committed ranges of the view, the widest first.
    pub windows: Vec<TimeRange>,
}

impl NotesFile {
    pub(crate) fn new(session: &Session) -> Self {
        let notes = Arc::clone(&session.view.notes.list);
        let windows = session.view.breadcrumbs.ranges().to_vec();
        Self { index: Arc::clone(&session.index), recording: session.path.clone(), notes, windows }
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

/// Something that the application does.
#[derive(Clone, Debug)]
pub(crate) enum Ask {
    /// Show a place in the user's editor.
    OpenPlace(FilePlace),
    /// Look up a name in the source of what was recorded.
    LookUp(String),
    /// Ask for a file, and write stacks there.
    SaveStacks(TreeStacks),
    /// Copy the command that draws what the window shows.
    CopyCommand,
    /// Keep tooltips after clicks, or none.
    ToggleTooltips,
    /// Ask for a file, and write what the window shows there.
    SavePicture,
    /// Copy the command that opens the recording as the window shows it.
    CopyLink,
    /// Show a table in the drawer.
    ShowTable(TableKind),
    /// Compare the statistics of both open recordings.
    CompareRecordings,
    /// Ask for a file, and write notes there.
    SaveNotes(NotesFile),
    /// Ask for a file, and write a copy of the trace with notes there.
    SaveTrace(NotesFile),
    /// Ask for a file, and write a table there.
    SaveTable(TableFile),
}

fn asks_id() -> Id {
    Id::unique("asks")
}

fn opener_id() -> Id {
    Id::unique("opener of places")
}

/// Posts a request.
pub(crate) fn ask(context: &Context, ask: Ask) {
    context.data_mut(|data| data.get_temp_mut_or_default::<Vec<Ask>>(asks_id()).push(ask));
    context.request_repaint();
}

/// Takes all that was asked.
pub(crate) fn take(context: &Context) -> Vec<Ask> {
    context.data_mut(|data| data.remove_temp::<Vec<Ask>>(asks_id())).unwrap_or_default()
}

/// Tells widgets whether places can be opened; otherwise how that is set.
pub(crate) fn set_opener(context: &Context, missing: Option<&str>) {
    let missing: Option<Arc<str>> = missing.map(Arc::from);
    context.data_mut(|data| data.insert_temp(opener_id(), missing));
}

fn source_search_id() -> Id {
    Id::unique("source search")
}

/// Tells widgets whether names of the open recording can be looked up.
pub(crate) fn set_source_search(context: &Context, is_known: bool) {
    context.data_mut(|data| data.insert_temp(source_search_id(), is_known));
}

/// An entry or a button that looks up the name of a marker or function in the source of the browser; absent for other
/// products. Returns whether it was pressed.
pub(crate) fn look_up_button(ui: &mut Ui, name: &str) -> bool {
    if name.trim().is_empty() || !ui.data(|data| data.get_temp(source_search_id()).unwrap_or(false)) {
        return false;
    }
    let button = ui.button("Look it up").on_hover_text("Search for the name in the browser's source (U)");
    if button.clicked() {
        ask(ui.ctx(), Ask::LookUp(name.to_owned()));
    }
    button.clicked()
}

/// An entry or a button that opens a place; without a command to do it with, it says how to set one.
pub(crate) fn open_place_button(ui: &mut Ui, place: &FilePlace) {
    let missing = ui.data(|data| data.get_temp::<Option<Arc<str>>>(opener_id())).flatten();
    let button = ui.add_enabled(missing.is_none(), Button::new("Open place"));
    let button = match &missing {
        Some(advice) => button.on_disabled_hover_text(&**advice),
        None => button.on_hover_text("In your editor"),
    };
    if button.clicked() {
        ask(ui.ctx(), Ask::OpenPlace(place.clone()));
    }
}
