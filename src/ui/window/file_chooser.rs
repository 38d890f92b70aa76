//! A file dialog inside the window: a path to type, and a list of the folder's recordings.
//! No file dialog library supports this version of egui, and native dialogs need a desktop portal that plain X servers
//! and containers lack.

use std::path::{Path, PathBuf};

use egui::{Context, Key, RichText, Role, ScrollArea, TextEdit, WidgetInfo, Window};

/// A folder's entries, folders first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Listing {
    folders: Vec<String>,
    files: Vec<(String, u64)>,
}

/// What the chosen file is for.
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
    text: String,
    listing: Listing,
    fresh: bool,
    /// Whether the path typed last does not exist.
    missing: bool,
}

/// Extensions of files that may be recordings; others are not listed.
const ENDINGS: [&str; 6] = [".json", ".json.gz", ".gz", ".zip", ".jslb", ".profile"];

fn list(folder: &Path) -> Listing {
    let mut listing = Listing::default();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Ok(meta) = std::fs::metadata(entry.path()) else { continue };
        if name.starts_with('.') {
            continue;
        } else if meta.is_dir() {
            listing.folders.push(name);
        } else if ENDINGS.iter().any(|ending| name.to_lowercase().ends_with(ending)) {
            listing.files.push((name, meta.len()));
        }
    }
    listing.folders.sort_unstable();
    listing.files.sort_unstable();
    listing
}

impl FileChooser {
    /// Opens the dialog in the folder of `near`, or in the working directory.
    pub(crate) fn open(&mut self, near: Option<&Path>, purpose: Purpose) {
        self.purpose = purpose;
        let folder = near.and_then(Path::parent).filter(|folder| folder.is_dir()).map(Path::to_owned);
        self.enter(folder.or_else(|| std::env::current_dir().ok()).unwrap_or_else(|| PathBuf::from("/")));
        self.fresh = true;
    }

    /// Whether it is open.
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
        self.listing = list(&folder);
        self.text = format!("{}/", folder.display().to_string().trim_end_matches('/'));
        self.folder = Some(folder);
    }

    /// Shows the dialog if it is open; returns the chosen file once, and what it is for.
    pub(crate) fn show(&mut self, context: &Context) -> Option<(PathBuf, Purpose)> {
        let folder = self.folder.clone()?;
        let mut open = true;
        let mut chosen = None;
        let mut go_to = None;
        Window::new(self.purpose.title()).open(&mut open).collapsible(false).default_size([560.0, 420.0]).show(
            context,
            |ui| {
                let response = ui.add(
                    TextEdit::singleline(&mut self.text)
                        .desired_width(f32::INFINITY)
                        .hint_text("Path of a file or folder"),
                );
                response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Path of a file or folder"));
                if std::mem::take(&mut self.fresh) {
                    response.request_focus();
                }
                if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
                    let path = PathBuf::from(self.text.trim());
                    self.missing = !path.exists();
                    // Enter took the focus from the field.
                    response.request_focus();
                    if path.is_dir() {
                        go_to = Some(path);
                    } else if !self.missing {
                        chosen = Some(path);
                    }
                }
                if self.missing {
                    ui.label(RichText::new("There is no such file or folder.").color(ui.visuals().warn_fg_color));
                }
                ui.separator();
                ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                    if let Some(parent) = folder.parent()
                        && ui.selectable_label(false, "⏶  parent folder").clicked()
                    {
                        go_to = Some(parent.to_owned());
                    }
                    for name in &self.listing.folders {
                        if ui.selectable_label(false, format!("🗀  {name}")).clicked() {
                            go_to = Some(folder.join(name));
                        }
                    }
                    for (name, bytes) in &self.listing.files {
                        #[expect(clippy::cast_precision_loss, reason = "a size in words")]
                        let size = crate::profile::text::format_bytes(*bytes as f64);
                        let text = RichText::new(format!("{name}   {size}"));
                        if ui.selectable_label(false, text).clicked() {
                            chosen = Some(folder.join(name));
                        }
                    }
                    if self.listing.folders.is_empty() && self.listing.files.is_empty() {
                        ui.weak("No recording in this folder.");
                    }
                });
            },
        );
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
    fn folders_and_recordings_are_listed_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("flowline-chooser-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("inner")).expect("folder");
        for name in ["b.json.gz", "a.JSON", "notes.txt", ".hidden.json"] {
            std::fs::write(folder.join(name), b"x").expect("file");
        }
        let listing = list(&folder);
        std::fs::remove_dir_all(&folder).expect("clean up");
        assert_eq!(listing.folders, ["inner"]);
        assert_eq!(listing.files.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a.JSON", "b.json.gz"]);
    }
}
