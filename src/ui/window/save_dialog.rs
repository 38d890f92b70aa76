//! A dialog that asks where to write stacks, and in which format.

use std::path::{Path, PathBuf};

use egui::{Context, Key, RichText, Role, TextEdit, WidgetInfo, Window};

use crate::ui::asks::TreeStacks;

/// Formats of stacks that other programs read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StackFormat {
    /// JSON of speedscope.
    #[default]
    Speedscope,
    /// A line for each stack: its functions, and what it costs.
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

/// What the user decided.
#[derive(Debug)]
pub(crate) struct Save {
    pub(crate) path: PathBuf,
    pub(crate) format: StackFormat,
    pub(crate) stacks: TreeStacks,
}

/// The dialog; closed unless there is something to save.
#[derive(Debug, Default)]
pub(crate) struct SaveDialog {
    stacks: Option<TreeStacks>,
    text: String,
    format: StackFormat,
    fresh: bool,
}

impl SaveDialog {
    /// Opens the dialog. It proposes a file in the folder of the recording, or else in the working directory.
    pub(crate) fn open(&mut self, stacks: TreeStacks, recording: Option<&Path>) {
        let folder = recording.and_then(Path::parent).filter(|folder| folder.is_dir()).map(Path::to_owned);
        let folder = folder.filter(|folder| !folder.as_os_str().is_empty()).or_else(|| std::env::current_dir().ok());
        let name = recording.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let stem = name.as_deref().and_then(|name| name.split('.').next()).filter(|stem| !stem.is_empty());
        let file = format!("{}{}", stem.unwrap_or("stacks"), self.format.ending());
        self.text = folder.unwrap_or_default().join(file).display().to_string();
        self.stacks = Some(stacks);
        self.fresh = true;
    }

    /// Whether it is open.
    #[must_use]
    pub(crate) const fn is_open(&self) -> bool {
        self.stacks.is_some()
    }

    /// Closes the dialog without saving.
    pub(crate) fn close(&mut self) {
        self.stacks = None;
    }

    /// Another format changes the ending, unless the user chose another one.
    fn set_format(&mut self, format: StackFormat) {
        if let Some(stem) = self.text.strip_suffix(self.format.ending()) {
            self.text = format!("{stem}{}", format.ending());
        }
        self.format = format;
    }

    /// Shows the dialog if it is open; returns what to save, once.
    pub(crate) fn show(&mut self, context: &Context) -> Option<Save> {
        self.stacks.as_ref()?;
        let (mut open, mut close, mut save) = (true, false, false);
        Window::new("Save stacks").open(&mut open).collapsible(false).default_width(520.0).show(context, |ui| {
            ui.horizontal(|ui| {
                for (format, text) in StackFormat::ALL {
                    if ui.radio(self.format == format, text).clicked() {
                        self.set_format(format);
                    }
                }
            });
            let edit = TextEdit::singleline(&mut self.text).desired_width(f32::INFINITY).hint_text("Path of the file");
            let response = ui.add(edit);
            response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Path of the file"));
            if std::mem::take(&mut self.fresh) {
                response.request_focus();
            }
            save = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            let path = Path::new(self.text.trim());
            let exists = path.is_file();
            if exists {
                ui.label(RichText::new("The file exists and will be replaced.").color(ui.visuals().warn_fg_color));
            } else {
                ui.weak("What the tree shows, with its filter and transforms");
            }
            ui.horizontal(|ui| {
                save |= ui.button(if exists { "Replace" } else { "Save" }).clicked();
                close = ui.button("Cancel").clicked();
            });
        });
        let path = PathBuf::from(self.text.trim());
        if save && !path.as_os_str().is_empty() {
            return self.stacks.take().map(|stacks| Save { path, format: self.format, stacks });
        }
        if close || !open {
            self.close();
        }
        None
    }
}
