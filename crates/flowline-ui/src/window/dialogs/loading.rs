//! The progress of a load, and its progress box.

use egui::{Align, Align2, Area, Context, Id, Label, Layout, Margin, Order, RichText, vec2};

use crate::widgets::style::{FACT, color};
use crate::widgets::{palette_of, progress_bar, surface};
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

/// Width of the box in points.
const WIDTH: f32 = 380.0;

impl Loading {
    /// The current phase with the amount, as text.
    fn status(&self) -> String {
        format!("{} {}", self.phase, self.amount).trim_end().to_owned()
    }
}

/// Shows the progress of a load; returns true if the user cancels it.
pub(crate) fn show(context: &Context, loading: &Loading) -> bool {
    // The box must not cover a recording that is already shown.
    let (place, away) = if loading.shown != LoadedPart::Nothing || loading.pane == Pane::B {
        (Align2::RIGHT_BOTTOM, vec2(-16.0, -40.0))
    } else {
        (Align2::CENTER_CENTER, egui::Vec2::ZERO)
    };
    let palette = palette_of(context);
    let mut is_canceled = false;
    let area = Area::new(Id::unique("loading")).order(Order::Middle).accessible_name("Loading");
    area.anchor(place, away).show(context, |ui| {
        surface(context, palette.raised, 8).inner_margin(Margin::same(16)).show(ui, |ui| {
            ui.set_width(WIDTH.min(context.content_rect().width() - 64.0));
            ui.spacing_mut().item_spacing.y = 8.0;
            ui.add(Label::new(RichText::new(format!("Loading {}", loading.name)).size(FACT)).truncate());
            if let Some(sentence) = loading.shown.sentence() {
                ui.label(sentence);
            }
            progress_bar(ui, loading.part);
            ui.horizontal(|ui| {
                ui.label(RichText::new(loading.status()).color(color(palette.text2)));
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    is_canceled = ui.button("Cancel").on_hover_text("Stop loading").clicked();
                });
            });
        });
    });
    is_canceled
}
