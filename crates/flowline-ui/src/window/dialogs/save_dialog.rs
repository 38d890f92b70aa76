//! The dialog for saving stacks, images, notes and tables, with fields for path and format.

use std::path::{Path, PathBuf};

use egui::{Context, Key, RichText, Role, Ui, WidgetInfo};

use crate::widget_requests::{NotesFile, RecordingPart, TreeStacks};
use crate::widgets::{Dialog, counted, dialog_buttons, main_button, page_button, select_range, text_field};
use flowline_profile::SourceKind;
use flowline_session::{TableFile, TableFormat};

/// File formats for stacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StackFormat {
    /// JSON for speedscope.
    #[default]
    Speedscope,
    /// One line per stack: its functions and its weight.
    Collapsed,
}

impl StackFormat {
    const ALL: [(Self, &'static str); 2] = [(Self::Speedscope, "speedscope"), (Self::Collapsed, "Collapsed stacks")];

    const fn ending(self) -> &'static str {
        match self {
            Self::Speedscope => ".speedscope.json",
            Self::Collapsed => ".collapsed.txt",
        }
    }
}

/// File formats for notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotesFormat {
    /// A separate JSON file.
    File,
    /// A copy of the trace that contains the notes.
    Trace,
}

impl NotesFormat {
    const fn ending(self) -> &'static str {
        match self {
            Self::File => ".notes.json",
            Self::Trace => "-annotated.json.gz",
        }
    }
}

/// File formats for images of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImageFormat {
    /// Bitmap.
    #[default]
    Png,
    /// Vector graphics.
    Svg,
}

impl ImageFormat {
    const ALL: [(Self, &'static str); 2] = [(Self::Png, "PNG"), (Self::Svg, "SVG")];

    const fn ending(self) -> &'static str {
        match self {
            Self::Png => ".png",
            Self::Svg => ".svg",
        }
    }

    /// The format that matches a file name's extension.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_string_lossy().to_ascii_lowercase();
        Self::ALL.into_iter().map(|(format, _)| format).find(|format| format.ending()[1..] == ending)
    }
}

/// Data to save, with its format.
#[derive(Clone, Debug)]
pub(crate) enum Savable {
    Stacks(TreeStacks, StackFormat),
    Table(TableFile, TableFormat),
    Notes(NotesFile, NotesFormat),
    Part(Box<RecordingPart>),
    Picture(ImageFormat),
}

impl Savable {
    const fn title(&self) -> &'static str {
        match self {
            Self::Stacks(..) => "Save stacks",
            Self::Table(..) => "Export table",
            Self::Part(_) => "Save range as recording",
            Self::Picture(_) => "Save image",
            Self::Notes(_, NotesFormat::File) => "Save notes",
            Self::Notes(_, NotesFormat::Trace) => "Save a copy of the trace with notes",
        }
    }

    /// Description of the saved data.
    fn explanation(&self) -> String {
        match self {
            Self::Stacks(..) => "Stacks of the tree, with its filter and transforms".to_owned(),
            Self::Part(part) => {
                format!("{} of the recording, in its own format. The file opens at this range.", part.length)
            }
            Self::Picture(ImageFormat::Png) => "The window as a bitmap".to_owned(),
            Self::Picture(ImageFormat::Svg) => "The window as vector graphics".to_owned(),
            Self::Notes(notes, NotesFormat::File) => counted(notes.notes.len(), "note"),
            Self::Notes(_, NotesFormat::Trace) => {
                "The original trace plus the notes as DevTools annotations".to_owned()
            }
            Self::Table(table, _) => format!("{}, in table order", counted(table.len(), "row")),
        }
    }

    /// True for a part of a recording with notes.
    fn has_notes(&self) -> bool {
        matches!(self, Self::Part(part) if !part.notes.is_empty())
    }

    /// The formats, their names, and true for the selected one.
    fn formats(&self) -> Vec<(Self, &'static str, bool)> {
        match self {
            Self::Stacks(stacks, chosen) => {
                let entry = |(format, name)| (Self::Stacks(stacks.clone(), format), name, format == *chosen);
                StackFormat::ALL.map(entry).into()
            }
            Self::Table(table, chosen) => {
                let entry =
                    |format: TableFormat| (Self::Table(table.clone(), format), format.name(), format == *chosen);
                TableFormat::ALL.map(entry).into()
            }
            Self::Picture(chosen) => {
                ImageFormat::ALL.map(|(format, name)| (Self::Picture(format), name, format == *chosen)).into()
            }
            Self::Notes(..) | Self::Part(_) => Vec::new(),
        }
    }

    /// Extension of the file name.
    fn ending(&self) -> &'static str {
        match self {
            Self::Part(part) => match part.index.profile().meta.kind {
                SourceKind::PerfettoTrace => "-range.pftrace",
                _ => "-range.json.gz",
            },
            Self::Stacks(_, format) => format.ending(),
            Self::Table(_, format) => format.ending(),
            Self::Notes(_, form) => form.ending(),
            Self::Picture(format) => format.ending(),
        }
    }

    /// True if programs detect the format by the file name's extension.
    const fn is_told_by_ending(&self) -> bool {
        matches!(self, Self::Table(..) | Self::Picture(_))
    }

    /// The proposed file name for a recording.
    fn file_name(&self, stem: Option<&str>) -> String {
        let ending = self.ending();
        match (self, stem) {
            (Self::Stacks(..), stem) => format!("{}{ending}", stem.unwrap_or("stacks")),
            (Self::Picture(_), stem) => format!("{}{ending}", stem.unwrap_or("picture")),
            (Self::Notes(..) | Self::Part(_), stem) => format!("{}{ending}", stem.unwrap_or("recording")),
            (Self::Table(table, _), Some(stem)) => format!("{stem} {}{ending}", table.name),
            (Self::Table(table, _), None) => format!("{}{ending}", table.name),
        }
    }
}

/// The user's decision.
#[derive(Debug)]
pub(crate) struct Save {
    pub(crate) path: PathBuf,
    pub(crate) what: Savable,
}

/// State of the file at the chosen path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    New,
    Exists,
    Recording,
    NoFolder,
    Folder,
}

impl Target {
    fn of(path: &Path, recordings: &[PathBuf]) -> Self {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        match path {
            path if path.is_dir() => Self::Folder,
            path if path.canonicalize().is_ok_and(|path| recordings.contains(&path)) => Self::Recording,
            path if path.exists() => Self::Exists,
            _ if folder.is_some_and(|folder| !folder.is_dir()) => Self::NoFolder,
            _ => Self::New,
        }
    }

    const fn is_allowed(self) -> bool {
        matches!(self, Self::New | Self::Exists)
    }

    const fn warning(self) -> Option<&'static str> {
        match self {
            Self::New => None,
            Self::Exists => Some("The file exists and will be replaced."),
            Self::Recording => Some("This is the recording itself. Choose another file."),
            Self::NoFolder => Some("No such folder."),
            Self::Folder => Some("This is a folder. Add a file name."),
        }
    }
}

/// The save dialog; closed unless there is something to save.
#[derive(Debug, Default)]
pub(crate) struct SaveDialog {
    what: Option<Savable>,
    text: String,
    /// Paths of the open recordings, which must not be overwritten.
    recordings: Vec<PathBuf>,
    fresh: bool,
}

impl SaveDialog {
    /// Opens the dialog. It proposes a file in the folder of the first open recording, or else in the working
    /// directory.
    pub(crate) fn open(&mut self, what: Savable, recordings: &[PathBuf]) {
        let recording = recordings.first().map(PathBuf::as_path);
        let folder = recording.and_then(Path::parent).filter(|folder| folder.is_dir()).map(Path::to_owned);
        let folder = folder.filter(|folder| !folder.as_os_str().is_empty()).or_else(|| std::env::current_dir().ok());
        let name = recording.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let stem = name.as_deref().and_then(|name| name.split('.').next()).filter(|stem| !stem.is_empty());
        self.text = folder.unwrap_or_default().join(what.file_name(stem)).display().to_string();
        self.recordings = recordings.iter().filter_map(|recording| recording.canonicalize().ok()).collect();
        self.what = Some(what);
        self.fresh = true;
    }

    /// True if the dialog is open.
    #[must_use]
    pub(crate) const fn is_open(&self) -> bool {
        self.what.is_some()
    }

    /// Closes the dialog without saving.
    pub(crate) fn close(&mut self) {
        self.what = None;
    }

    /// Selects another format, which changes the file's extension unless the user chose a different one.
    fn set_format(&mut self, before: &Savable, wanted: Savable) {
        if let Some(stem) = self.text.strip_suffix(before.ending()) {
            self.text = format!("{stem}{}", wanted.ending());
        }
        self.what = Some(wanted);
    }

    /// Shows the dialog if it is open. Returns the data to save once.
    pub(crate) fn show(&mut self, context: &Context) -> Option<Save> {
        let mut what = self.what.clone()?;
        // The file name's extension determines the image format.
        if let (Savable::Picture(chosen), Some(format)) = (&mut what, ImageFormat::of(Path::new(self.text.trim()))) {
            *chosen = format;
            self.what = Some(Savable::Picture(format));
        }
        let (mut close, mut save) = (false, false);
        let shown = Dialog::new(what.title(), 560.0).show(context, |ui| {
            let formats = what.formats();
            if !formats.is_empty() {
                ui.horizontal(|ui| {
                    for (wanted, text, is_selected_row) in formats {
                        if ui.radio(is_selected_row, text).clicked() {
                            self.set_format(&what, wanted);
                        }
                    }
                });
            }
            let has_notes = what.has_notes();
            if let Some(Savable::Part(part)) = &mut self.what {
                part_choices(ui, part, has_notes);
            }
            let edit = text_field(&mut self.text, "Path of the file");
            let response = ui.add(edit);
            response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Path of the file"));
            if std::mem::take(&mut self.fresh) {
                response.request_focus();
                select_range(context, response.id, name_range(&self.text));
            }
            let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            let target = Target::of(Path::new(self.text.trim()), &self.recordings);
            match target.warning() {
                Some(text) => ui.label(RichText::new(text).color(ui.visuals().warn_fg_color)),
                None => ui.weak(what.explanation()),
            };
            let name = self.text.trim().to_ascii_lowercase();
            if what.is_told_by_ending() && !name.is_empty() && !name.ends_with(what.ending()) {
                ui.weak(format!("The file name should end in “{}”.", what.ending()));
            }
            dialog_buttons(ui, |ui| {
                let replaces = target == Target::Exists;
                let is_there = matches!(target, Target::Exists | Target::Recording);
                let button = main_button(context, if is_there { "Replace" } else { "Save" });
                let button = ui.add_enabled(target.is_allowed(), button);
                save = button.clicked() || (entered && target == Target::New);
                if entered && replaces {
                    // Enter may have been pressed before the user could read the warning, so a second Enter replaces.
                    button.request_focus();
                } else if entered && !save {
                    response.request_focus();
                }
                close = ui.add(page_button("Cancel")).clicked();
            });
        });
        let path = PathBuf::from(self.text.trim());
        if save && !path.as_os_str().is_empty() {
            return self.what.take().map(|what| Save { path, what });
        }
        if close || shown.is_closed {
            self.close();
        }
        None
    }
}

/// The characters of a path that are the name of its file, without its extension.
fn name_range(path: &str) -> std::ops::Range<usize> {
    let start = path.rfind(std::path::is_separator).map_or(0, |at| at + 1);
    let name = &path[start..];
    let end = start + name.find('.').filter(|at| *at > 0).unwrap_or(name.len());
    path[..start].chars().count()..path[..end].chars().count()
}

/// The choices for a part of a recording.
fn part_choices(ui: &mut Ui, part: &mut RecordingPart, has_notes: bool) {
    if has_notes {
        let hint = "The notes are stored with the view of the file for this user. Those of DevTools stay in a trace";
        ui.checkbox(&mut part.keeps_notes, "Keep the notes").on_hover_text(hint);
    }
    let hint = "Replaces addresses and their hosts by numbers, in all texts of the file. Equal ones stay equal";
    ui.checkbox(&mut part.removes_urls, "Remove URLs").on_hover_text(hint);
    let hint = "Leaves out pictures of the page, and images in texts";
    ui.checkbox(&mut part.removes_screenshots, "Remove screenshots").on_hover_text(hint);
}

#[cfg(test)]
mod tests {
    use super::name_range;

    #[test]
    fn the_name_is_without_folder_and_extension() {
        for (path, name) in
            [("/home/ü/page.json.gz", "page"), ("page", "page"), ("/tmp/.hidden", ".hidden"), ("/tmp/", ""), ("", "")]
        {
            let range = name_range(path);
            let found: String = path.chars().skip(range.start).take(range.len()).collect();
            assert_eq!(found, name, "{path}");
        }
    }
}
