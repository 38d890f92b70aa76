//! A file dialog inside the window: a path field and a list of the recordings in a folder.
//!
//! No file dialog library supports this version of egui, and native dialogs need a desktop portal that plain X servers
//! and containers lack.

use std::path::{Path, PathBuf};

use egui::{Context, Key, RichText, Role, ScrollArea, TextEdit, WidgetInfo};

use crate::widgets::{cursor_to_end, dialog, suppress_tooltips};
use crate::window::file_formats::FileFormats;

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

/// The typed text after the listed folder, in lower case. Only names that contain it are listed.
fn filter(folder: &Path, text: &str) -> String {
    let typed = text.rsplit_once('/').map_or(("", text), |(before, name)| (before, name));
    let before = if typed.0.is_empty() { "/" } else { typed.0 };
    let is_here = !text.contains('/') || Path::new(before) == folder;
    if is_here { typed.1.to_lowercase() } else { String::new() }
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
        let typed = self.text.trim();
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
        let mut open = true;
        let mut chosen = None;
        let mut go_to = None;
        self.follow_typed(&folder);
        let folder = self.folder.clone().unwrap_or(folder);
        suppress_tooltips(context);
        dialog(context, self.purpose.title()).open(&mut open).default_size([560.0, 420.0]).show(context, |ui| {
            let response = ui.add(
                TextEdit::singleline(&mut self.text).desired_width(f32::INFINITY).hint_text("Path of a file or folder"),
            );
            response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Path of a file or folder"));
            if std::mem::take(&mut self.fresh) {
                response.request_focus();
                cursor_to_end(ui.ctx(), response.id, &self.text);
            }
            let wanted = filter(&folder, self.text.trim());
            if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
                let (folders, files) = self.listing.matching(&wanted);
                let typed = PathBuf::from(self.text.trim());
                let only = match (folders.as_slice(), files.as_slice()) {
                    ([name], []) => Some(folder.join(name)),
                    ([], [(name, _)]) => Some(folder.join(name)),
                    _ => None,
                };
                let path = if typed.exists() { typed } else { only.unwrap_or(typed) };
                self.missing = !path.exists();
                // A single-line field loses the focus on Enter.
                response.request_focus();
                if path.is_dir() {
                    go_to = Some(path);
                } else if !self.missing {
                    chosen = Some(path);
                }
            }
            if self.missing {
                ui.label(RichText::new("No such file or folder.").color(ui.visuals().warn_fg_color));
            }
            ui.separator();
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                if let Some(parent) = folder.parent()
                    && ui.selectable_label(false, "⏶  parent folder").clicked()
                {
                    go_to = Some(parent.to_owned());
                }
                let (folders, files) = self.listing.matching(&wanted);
                let is_empty = folders.is_empty() && files.is_empty();
                for name in folders {
                    if ui.selectable_label(false, format!("🗀  {name}")).clicked() {
                        go_to = Some(folder.join(name));
                    }
                }
                for (name, bytes) in files {
                    #[expect(clippy::cast_precision_loss, reason = "a size in words")]
                    let size = flowline_format::format_bytes(*bytes as f64);
                    let text = RichText::new(format!("{name}   {size}"));
                    if ui.selectable_label(false, text).clicked() {
                        chosen = Some(folder.join(name));
                    }
                }
                if is_empty {
                    let none = "No recordings in this folder.";
                    ui.weak(if wanted.is_empty() { none } else { "No matching files." });
                }
            });
        });
        if let Some(folder) = go_to {
            self.enter(folder);
        }
        if !open || chosen.is_some() {
            self.close();
        }
        chosen.map(|path| (path, self.purpose))
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
    fn text_after_the_folder_filters() {
        let folder = Path::new("/some/folder");
        assert_eq!(filter(folder, "/some/folder/Tra"), "tra");
        assert_eq!(filter(folder, "/some/folder/"), "");
        assert_eq!(filter(folder, "/other/tra"), "", "another folder");
        assert_eq!(filter(folder, "tra"), "tra", "without a folder, the text is a name");
        assert_eq!(filter(Path::new("/"), "/tra"), "tra");
    }
}
