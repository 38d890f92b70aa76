//! Progress of files that another thread writes, with a button that cancels.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use egui::{Align, Align2, Area, Context, Id, Layout, Margin, Order, vec2};

use crate::widgets::{palette_of, progress_bar, surface};
use flowline_format::{format_bytes, format_counted};

/// Interval between two frames that show the progress of work.
const INTERVAL: Duration = Duration::from_millis(100);

/// Work with a progress of its own.
pub struct FollowedWork {
    /// Returns the bytes that are done, and all bytes (0: unknown).
    pub progress: Box<dyn Fn() -> (u64, u64) + Send + Sync>,
    /// Cancels the work.
    pub stop: Box<dyn Fn() + Send + Sync>,
}

impl fmt::Debug for FollowedWork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FollowedWork").finish_non_exhaustive()
    }
}

/// A file being written; shared by the writing thread and the window.
#[derive(Debug)]
pub struct SaveProgress {
    name: String,
    total: u64,
    done: AtomicU64,
    is_stopped: AtomicBool,
    is_over: AtomicBool,
    work: Option<FollowedWork>,
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
            work: None,
        }
    }

    /// A file whose size is unknown, shown under `name`, with the progress of the work that writes it.
    #[must_use]
    pub fn following(name: String, work: FollowedWork) -> Self {
        let mut file = Self::new(name, 0);
        file.work = Some(work);
        file
    }

    /// The finished share, and the progress in words.
    #[expect(clippy::cast_precision_loss, reason = "a part of a bar")]
    fn shown(&self) -> (f32, String) {
        let (done, total, words) = match &self.work {
            Some(work) => {
                let (done, total) = (work.progress)();
                (done, total, format_bytes(done as f64))
            }
            None => {
                let done = self.done.load(Ordering::Relaxed);
                (done, self.total, format_counted(done, "row"))
            }
        };
        (done as f32 / total.max(1) as f32, words)
    }

    /// Reports the number of rows written; returns false if writing was canceled.
    pub fn report(&self, done: u64) -> bool {
        self.done.store(done, Ordering::Relaxed);
        !self.is_stopped.load(Ordering::Relaxed)
    }

    /// Cancels writing.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        if let Some(work) = &self.work {
            (work.stop)();
        }
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
    if files.iter().any(|file| file.work.is_some()) {
        context.request_repaint_after(INTERVAL);
    }
    let area = Area::new(Id::unique("saving")).order(Order::Middle).accessible_name("Saving");
    area.anchor(Align2::RIGHT_BOTTOM, vec2(-16.0, -40.0)).show(context, |ui| {
        surface(context, palette_of(context).raised, 6).inner_margin(Margin::same(12)).show(ui, |ui| {
            ui.set_width(320.0);
            for (number, file) in files.iter().enumerate() {
                ui.push_id(number, |ui| {
                    ui.label(format!("Writing {}", file.name));
                    let (part, words) = file.shown();
                    progress_bar(ui, Some(part));
                    ui.horizontal(|ui| {
                        ui.weak(words);
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
