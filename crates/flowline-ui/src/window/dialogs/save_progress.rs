//! Progress of files that another thread writes, with a button that cancels.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use egui::{Align, Align2, Area, Context, Id, Layout, Margin, Order, vec2};

use crate::widgets::{palette_of, progress_bar, surface};
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
    let area = Area::new(Id::unique("saving")).order(Order::Middle).accessible_name("Saving");
    area.anchor(Align2::RIGHT_BOTTOM, vec2(-16.0, -40.0)).show(context, |ui| {
        surface(context, palette_of(context).raised, 6).inner_margin(Margin::same(12)).show(ui, |ui| {
            ui.set_width(320.0);
            for (number, file) in files.iter().enumerate() {
                ui.push_id(number, |ui| {
                    ui.label(format!("Writing {}", file.name));
                    let done = file.done.load(Ordering::Relaxed);
                    #[expect(clippy::cast_precision_loss, reason = "a part of a bar")]
                    let part = done as f32 / file.total.max(1) as f32;
                    progress_bar(ui, Some(part));
                    ui.horizontal(|ui| {
                        ui.weak(format_counted(done, "row"));
                        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                            if ui.button("Cancel").clicked() {
                                file.stop();
                            }
                        });
                    });
                });
            }
        });
    });
}
