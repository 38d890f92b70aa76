//! Status line.

use egui::{Align, Layout, RichText, Ui};

use super::state::ShellState;
use crate::profile::text::{format_duration_ms, format_duration_ns};
use crate::session::{Session, duration_text, place_text, time_text};
use crate::ui::canvas::{counter_card, cpu_card, measure};

/// Shows the status line of the recording under the pointer; what is selected in it, only if the details show it, too.
pub(crate) fn show(ui: &mut Ui, session: &Session, is_active: bool, state: &ShellState) {
    let profile = session.index.profile();
    ui.horizontal_centered(|ui| {
        let scale = session.canvas.scale;
        let chart = session.canvas.regions.chart;
        let at = session.canvas.pointer.map(|(x, _)| session.view.axis.time(f64::from(x - chart.x)));
        let time = at.map_or_else(String::new, |time| time_text(profile.displayed(time)));
        ui.add_sized([150.0, 16.0], egui::Label::new(RichText::new(time).monospace().size(11.0)));
        let selected = session.view.selected.filter(|_| is_active);
        let marker = session.view.hovered.or(selected).and_then(|marker| profile.locate(marker));
        let over = session.canvas.pointer.zip(session.pointer_hits().counter);
        let counter = over.and_then(|((x, _), counter)| counter_card::status_text(session, counter, x));
        let activity = session.canvas.pointer.zip(session.pointer_hits().cpu);
        let activity = activity.map(|((x, _), thread)| cpu_card::status_text(session, thread, x));
        if session.view.notes.link_from.is_some() {
            ui.add(egui::Label::new(RichText::new("Link: click the other marker (Esc: no link)").small()).truncate());
        } else if let Some(text) = counter.or(activity) {
            ui.add(egui::Label::new(RichText::new(format!("hover: {text}")).small().weak()).truncate());
        } else if let Some((thread, local)) = marker {
            let what = if session.view.hovered.is_some() { "hover" } else { "selected" };
            let text = format!(
                "{what}: {} · {} · {}",
                profile.marker_name(thread, local),
                duration_text(profile, thread, local),
                place_text(profile, thread)
            );
            ui.add(egui::Label::new(RichText::new(text).small().weak()).truncate());
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let Some(ms) = state.frame_ms {
                ui.label(RichText::new(format!("frame {ms:.2} ms")).small());
            }
            let pixel = format_duration_ms(session.view.axis.ns_per_pixel() * f64::from(scale) / 1e6);
            ui.label(RichText::new(format!("1 px = {pixel}")).small().weak());
            if let Some((thread, local)) = session.view.zero.and_then(|marker| profile.locate(marker)) {
                let text = format!("times from {}", profile.marker_name(thread, local));
                ui.label(RichText::new(text).small()).on_hover_text("Shift+Z: from the beginning again");
            }
            if let Some(measured) = measure::text(session) {
                ui.label(RichText::new(measured).small());
            }
            if let Some(range) = session.view.range {
                ui.label(RichText::new(format!("range {}", format_duration_ns(range.len()))).small());
            }
        });
    });
}
