//! The progress of a load, and the box that shows it.

use egui::{Align2, Context, ProgressBar, RichText};

use crate::widgets::style::color;
use flowline_scene::Palette;
use flowline_view::Pane;

/// What of a recording is shown while the rest is loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShownSoFar {
    /// Nothing.
    #[default]
    Nothing,
    /// Its beginning.
    Beginning,
    /// Everything but its flows.
    AllButFlows,
}

impl ShownSoFar {
    /// A sentence for the user; `None` if nothing is shown.
    const fn sentence(self) -> Option<&'static str> {
        match self {
            Self::Nothing => None,
            Self::Beginning => Some("Its beginning is shown; the rest follows."),
            Self::AllButFlows => Some("All markers are shown; the flows follow."),
        }
    }
}

/// Progress of a load.
#[derive(Clone, Debug, PartialEq)]
pub struct Loading {
    /// File name.
    pub name: String,
    /// Current phase.
    pub phase: &'static str,
    /// What of it is already shown.
    pub shown: ShownSoFar,
    /// Which recording of the window it becomes.
    pub pane: Pane,
    /// Fraction done, 0 to 1; `None` if unknown.
    pub part: Option<f32>,
    /// Amount done, as text.
    pub amount: String,
}

/// Shows the progress of a load; returns whether the user cancels it.
pub(crate) fn show(context: &Context, loading: &Loading, palette: &Palette) -> bool {
    // The box must not cover a recording that is already shown.
    let (place, away) = if loading.shown != ShownSoFar::Nothing || loading.pane == Pane::B {
        (Align2::RIGHT_BOTTOM, egui::vec2(-16.0, -40.0))
    } else {
        (Align2::CENTER_CENTER, egui::Vec2::ZERO)
    };
    let mut is_cancelled = false;
    egui::Window::new("Loading").title_bar(false).resizable(false).anchor(place, away).show(context, |ui| {
        ui.set_width(380.0);
        ui.label(RichText::new(format!("Loading {}", loading.name)).strong());
        if let Some(sentence) = loading.shown.sentence() {
            ui.label(sentence);
        }
        let bar = ProgressBar::new(loading.part.unwrap_or(0.0)).fill(color(palette.accent));
        ui.add(if loading.part.is_some() { bar.show_percentage() } else { bar });
        ui.horizontal(|ui| {
            ui.weak(format!("{} {}", loading.phase, loading.amount));
            is_cancelled = ui.button("Cancel").clicked();
        });
    });
    is_cancelled
}
