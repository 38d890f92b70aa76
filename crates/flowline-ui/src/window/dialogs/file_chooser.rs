//! A file dialog inside the window: a path field and a list of the recordings in a folder.
//!
//! No file dialog library supports this version of egui, and native dialogs need a desktop portal that plain X servers
//! and containers lack.

use std::path::{Path, PathBuf};

use egui::{Context, FontId, Key, Rect, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::widgets::icon::{Icon, focus_ring};
use crate::widgets::style::{BODY, color};
use crate::widgets::{
    Dialog, body_height, cursor_to_end, dialog_buttons, elide, main_button, page_button, palette_of, text_field,
};
use crate::window::file_formats::FileFormats;

/// Height of an entry in points.
const ROW: f32 = 28.0;

/// A folder's entries, folders first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Listing {
    folders: Vec<String>,
    files: Vec<(String, u64)>,
}

/// Purpose of the chosen file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To open it.
    #[default]
    Open,
    /// To compare it with the open recording.
    Compare,
}

impl Purpose {
    const fn title(self) -> &'static str {
        match self {
            Self::Open => "Open a recording",
            Self::Compare => "Compare with a recording",
        }
    }

    const fn verb(self) -> &'static str {
        match self {
            Self::Open => "Open",
            Self::Compare => "Compare",
        }
    }
}

/// The dialog; closed unless [`FileChooser::open`] was called.
#[derive(Debug, Default)]
pub(crate) struct FileChooser {
    folder: Option<PathBuf>,
    purpose: Purpose,
    /// The formats whose files are listed. Other files can be opened by path.
    formats: FileFormats,
    text: String,
    listing: Listing,
    fresh: bool,
    /// The text in the field when the list was last updated.
    shown: String,
    /// True if the last entered path does not exist.
    missing: bool,
}

/// The path in the field. An absolute path, or one in the home folder, that was typed after a folder replaces it.
fn typed(text: &str) -> String {
    let text = text.trim();
    if let Some((_, absolute)) = text.rsplit_once("//") {
        return format!("/{absolute}");
    }
    let in_home = text.strip_prefix("~/").or_else(|| text.rsplit_once("/~/").map(|(_, rest)| rest));
    match in_home.zip(std::env::home_dir()) {
        Some((rest, home)) => format!("{}/{rest}", home.display().to_string().trim_end_matches('/')),
        None => text.to_owned(),
    }
}

/// The typed text after the listed folder, in lower case. Only names that contain it are listed.
fn filter(folder: &Path, text: &str) -> String {
    let typed = text.rsplit_once('/').map_or(("", text), |(before, name)| (before, name));
    let before = if typed.0.is_empty() { "/" } else { typed.0 };
    let is_here = !text.contains('/') || Path::new(before) == folder;
    if is_here { typed.1.to_lowercase() } else { String::new() }
}

/// Shows an entry of the list; returns true if it was clicked.
fn entry(ui: &mut Ui, icon: Icon, name: &str, size: &str) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let spoken = if size.is_empty() { name.to_owned() } else { format!("{name}, {size}") };
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &spoken));
    let palette = palette_of(ui.ctx());
    if response.hovered() {
        ui.painter().rect_filled(rect, 4.0, color(palette.raised));
    }
    if response.has_focus() {
        focus_ring(ui, rect.shrink(2.0));
    }
    let (text, faint) = (color(palette.text), color(palette.text2));
    let place = Rect::from_min_size(rect.min + vec2(8.0, (ROW - 16.0) / 2.0), vec2(16.0, 16.0));
    icon.paint(ui.painter(), place, faint);
    let font = FontId::proportional(BODY);
    let right = elide(ui, size, 100.0, font.clone(), faint);
    let room = rect.width() - 32.0 - right.size().x - 24.0;
    let shown = elide(ui, name, room, font, text);
    ui.painter().galley(pos2(rect.min.x + 32.0, rect.center().y - shown.size().y / 2.0), shown, text);
    ui.painter().galley(pos2(rect.max.x - 8.0 - right.size().x, rect.center().y - right.size().y / 2.0), right, faint);
    response.clicked()
}

impl Listing {
    /// The folders and files whose names contain a text.
    fn matching(&self, filter: &str) -> (Vec<&String>, Vec<&(String, u64)>) {
        let fits = |name: &str| name.to_lowercase().contains(filter);
        let folders = self.folders.iter().filter(|name| fits(name)).collect();
        (folders, self.files.iter().filter(|(name, _)| fits(name)).collect())
    }
}

fn list(folder: &Path, formats: &FileFormats) -> Listing {
    let mut listing = Listing::default();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Ok(meta) = std::fs::metadata(entry.path()) else { continue };
        if name.starts_with('.') {
            continue;
        } else if meta.is_dir() {
            listing.folders.push(name);
        } else if formats.lists(&name) {
            listing.files.push((name, meta.len()));
        }
    }
    listing.folders.sort_unstable();
    listing.files.sort_unstable();
    listing
}

impl FileChooser {
    /// Opens the dialog in the folder of `near`, or in the working directory.
    pub(crate) fn open(&mut self, near: Option<&Path>, purpose: Purpose, formats: &FileFormats) {
        self.purpose = purpose;
        self.formats.clone_from(formats);
        let folder = near.and_then(Path::parent).filter(|folder| folder.is_dir()).map(Path::to_owned);
        self.enter(folder.or_else(|| std::env::current_dir().ok()).unwrap_or_else(|| PathBuf::from("/")));
        self.fresh = true;
    }

    /// Requests the keyboard focus for the field of the open dialog.
    pub(crate) const fn take_focus(&mut self) {
        self.fresh = true;
    }

    /// True if the dialog is open.
    #[must_use]
    pub(crate) const fn is_open(&self) -> bool {
        self.folder.is_some()
    }

    /// Closes the dialog without choosing a file.
    pub(crate) fn close(&mut self) {
        self.folder = None;
    }

    fn enter(&mut self, folder: PathBuf) {
        let folder = folder.canonicalize().unwrap_or(folder);
        self.missing = false;
        self.listing = list(&folder, &self.formats);
        self.text = format!("{}/", folder.display().to_string().trim_end_matches('/'));
        self.folder = Some(folder);
        self.shown.clone_from(&self.text);
    }

    /// Lists the folder whose path is typed, and clears the error once the text has changed.
    fn follow_typed(&mut self, folder: &Path) {
        if self.shown == self.text {
            return;
        }
        self.shown.clone_from(&self.text);
        self.missing = false;
        let typed = typed(&self.text);
        let before = typed.rsplit_once('/').map(|(before, _)| if before.is_empty() { "/" } else { before });
        let other = before.map(Path::new).filter(|path| path.is_absolute() && *path != folder && path.is_dir());
        if let Some(other) = other {
            self.listing = list(other, &self.formats);
            self.folder = Some(other.to_owned());
        }
    }

    /// Shows the dialog if it is open. Returns the chosen file once, with its purpose.
    pub(crate) fn show(&mut self, context: &Context) -> Option<(PathBuf, Purpose)> {
        let folder = self.folder.clone()?;
        let mut chosen = None;
        let mut go_to = None;
        self.follow_typed(&folder);
        let folder = self.folder.clone().unwrap_or(folder);
        let mut pressed = None;
        let shown = Dialog::new(self.purpose.title(), 640.0).show(context, |ui| {
            let entered = self.field(ui);
            let wanted = filter(&folder, &typed(&self.text));
            let clicked = self.list(ui, &folder, &wanted);
            pressed = dialog_buttons(ui, |ui| {
                let open = ui.add(main_button(context, self.purpose.verb())).clicked();
                let cancel = ui.add(page_button("Cancel")).clicked();
                if open { Some(true) } else { cancel.then_some(false) }
            });
            let entered = entered || pressed == Some(true);
            clicked.or_else(|| entered.then(|| self.entered(&folder, &wanted)).flatten())
        });
        match shown.inner {
            Some(path) if path.is_dir() => go_to = Some(path),
            path => chosen = path,
        }
        let open = !shown.is_closed && pressed != Some(false);
        if let Some(folder) = go_to {
            self.enter(folder);
        }
        if !open || chosen.is_some() {
            self.close();
        }
        chosen.map(|path| (path, self.purpose))
    }

    /// Shows the field for the path; returns true if the user pressed Enter in it.
    fn field(&mut self, ui: &mut Ui) -> bool {
        let response = ui.add(text_field(&mut self.text, "Path of a file or folder"));
        response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Path of a file or folder"));
        if std::mem::take(&mut self.fresh) {
            response.request_focus();
            cursor_to_end(ui.ctx(), response.id, &self.text);
        }
        if self.missing {
            ui.label(RichText::new("No such file or folder.").color(ui.visuals().warn_fg_color));
        }
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if entered {
            // A single-line field loses the focus on Enter.
            response.request_focus();
        }
        entered
    }

    /// Shows the folders and files whose names contain `wanted`; returns the one that was clicked.
    fn list(&self, ui: &mut Ui, folder: &Path, wanted: &str) -> Option<PathBuf> {
        let mut clicked = None;
        let height = (body_height(ui.ctx()) - 150.0).clamp(60.0, 360.0);
        let area = ScrollArea::vertical().auto_shrink(false).min_scrolled_height(height).max_height(height);
        area.show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            if let Some(parent) = folder.parent()
                && entry(ui, Icon::ChevronUp, "Parent folder", "")
            {
                clicked = Some(parent.to_owned());
            }
            let (folders, files) = self.listing.matching(wanted);
            let is_empty = folders.is_empty() && files.is_empty();
            for name in folders {
                if entry(ui, Icon::Folder, name, "") {
                    clicked = Some(folder.join(name));
                }
            }
            for (name, bytes) in files {
                #[expect(clippy::cast_precision_loss, reason = "a size in words")]
                let size = flowline_format::format_bytes(*bytes as f64);
                if entry(ui, Icon::File, name, &size) {
                    clicked = Some(folder.join(name));
                }
            }
            if is_empty {
                let none = "No recordings in this folder.";
                ui.weak(if wanted.is_empty() { none } else { "No matching files." });
            }
        });
        clicked
    }

    /// The path in the field, or the only listed name that matches it. `None` if there is neither.
    fn entered(&mut self, folder: &Path, wanted: &str) -> Option<PathBuf> {
        let (folders, files) = self.listing.matching(wanted);
        let typed = PathBuf::from(typed(&self.text));
        let only = match (folders.as_slice(), files.as_slice()) {
            ([name], []) => Some(folder.join(name)),
            ([], [(name, _)]) => Some(folder.join(name)),
            _ => None,
        };
        let path = if typed.exists() { typed } else { only.unwrap_or(typed) };
        self.missing = !path.exists();
        (!self.missing).then_some(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_and_recordings_are_listed() {
        let folder = std::env::temp_dir().join(format!("flowline-chooser-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("inner")).expect("folder");
        for name in ["b.json.gz", "a.JSON", "notes.txt", ".hidden.json"] {
            std::fs::write(folder.join(name), b"x").expect("file");
        }
        let formats = FileFormats { endings: vec![".json", ".gz"], ..FileFormats::default() };
        let listing = list(&folder, &formats);
        let all = list(&folder, &FileFormats::default());
        std::fs::remove_dir_all(&folder).expect("clean up");
        assert_eq!(all.files.len(), 3, "without endings, all files are listed");
        assert_eq!(listing.folders, ["inner"]);
        let names = |filter: &str| -> Vec<String> {
            let (folders, files) = listing.matching(filter);
            folders.into_iter().cloned().chain(files.into_iter().map(|(name, _)| name.clone())).collect()
        };
        assert_eq!(names(""), ["inner", "a.JSON", "b.json.gz"]);
        assert_eq!(names("b.j"), ["b.json.gz"]);
        assert_eq!(names("zzz"), [] as [&str; 0]);
        assert_eq!(listing.files.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a.JSON", "b.json.gz"]);
    }

    #[test]
    fn an_absolute_path_typed_after_the_folder_replaces_it() {
        assert_eq!(typed("/some/folder//tmp/a.json "), "/tmp/a.json");
        assert_eq!(typed("/some/folder/a.json"), "/some/folder/a.json");
        let home = std::env::home_dir().expect("a home folder").display().to_string();
        for text in ["/some/folder/~/a.json", "~/a.json"] {
            assert_eq!(typed(text), format!("{}/a.json", home.trim_end_matches('/')));
        }
        let folder = Path::new("/tmp");
        assert_eq!(filter(folder, &typed("/some/folder//tmp/Tra")), "tra");
    }

    #[test]
    fn text_after_the_folder_filters() {
        let folder = Path::new("/some/folder");
        assert_eq!(filter(folder, "/some/folder/Tra"), "tra");
        assert_eq!(filter(folder, "/some/folder/"), "");
        assert_eq!(filter(folder, "/other/tra"), "", "another folder");
        assert_eq!(filter(folder, "tra"), "tra", "without a folder, the text is a name");
        assert_eq!(filter(Path::new("/"), "/tra"), "tra");
    }
}
