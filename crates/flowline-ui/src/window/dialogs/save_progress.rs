//! Progress of files that another thread writes, with a button that cancels.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use egui::{Align2, Context, ProgressBar, RichText, Window};

use flowline_format::format_counted;

/// A file being written; shared by the writing thread and the window.
#[derive(Debug)]
pub struct SaveProgress {
    name: String,
    total: u64,
    done: AtomicU64,
    is_stopped: AtomicBool,
    is_over: AtomicBool,
}

impl SaveProgress {
    /// A file of `total` rows, shown under `name`.
    #[must_use]
    pub const fn new(name: String, total: u64) -> Self {
        Self {
            name,
            total,
            done: AtomicU64::new(0),
            is_stopped: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
        }
    }

    /// Reports the number of rows written; returns false if writing was canceled.
    pub fn report(&self, done: u64) -> bool {
        self.done.store(done, Ordering::Relaxed);
        !self.is_stopped.load(Ordering::Relaxed)
    }

    /// Cancels writing.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Reports that writing has ended.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// The file being written, in words.
    pub(crate) fn text(&self) -> String {
        format!("Writing {}", self.name)
    }

    /// True if writing has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

/// Shows the files being written, and removes those that are done.
pub(crate) fn show(context: &Context, files: &mut Vec<Arc<SaveProgress>>) {
    files.retain(|file| !file.is_over());
    if files.is_empty() {
        return;
    }
    let window = Window::new("Saving").title_bar(false).resizable(false);
    window.anchor(Align2::RIGHT_BOTTOM, egui::vec2(-16.0, -40.0)).show(context, |ui| {
        ui.set_width(320.0);
        for (number, file) in files.iter().enumerate() {
            ui.push_id(number, |ui| {
                ui.label(RichText::new(format!("Writing {}", file.name)).strong());
                let done = file.done.load(Ordering::Relaxed);
                #[expect(clippy::cast_precision_loss, reason = "a part of a bar")]
                let part = done as f32 / file.total.max(1) as f32;
                ui.add(ProgressBar::new(part).show_percentage());
                ui.horizontal(|ui| {
                    ui.weak(format_counted(done, "row"));
                    if ui.button("Cancel").clicked() {
                        file.stop();
                    }
                });
            });
        }
    });
}
