//! The progress of a load, and its progress box.

use egui::{Align2, Context, ProgressBar, RichText};

use crate::widgets::style::color;
use flowline_scene::Palette;
use flowline_view::Pane;

/// The part of a recording that is shown while the rest loads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoadedPart {
    /// Nothing.
    #[default]
    Nothing,
    /// The beginning.
    Beginning,
    /// Everything except flows.
    AllButFlows,
}

impl LoadedPart {
    /// A status text for the user; `None` if nothing is shown.
    const fn sentence(self) -> Option<&'static str> {
        match self {
            Self::Nothing => None,
            Self::Beginning => Some("Showing the beginning while the rest loads."),
            Self::AllButFlows => Some("Showing all markers while flows are analyzed."),
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
    /// The part that is already shown.
    pub shown: LoadedPart,
    /// The pane that the recording is loaded into.
    pub pane: Pane,
    /// Fraction done, 0 to 1; `None` if unknown.
    pub part: Option<f32>,
    /// Amount loaded, as text.
    pub amount: String,
}

/// Shows the progress of a load; returns true if the user cancels it.
pub(crate) fn show(context: &Context, loading: &Loading, palette: &Palette) -> bool {
    // The box must not cover a recording that is already shown.
    let (place, away) = if loading.shown != LoadedPart::Nothing || loading.pane == Pane::B {
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
