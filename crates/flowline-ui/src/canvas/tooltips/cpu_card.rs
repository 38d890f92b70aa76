//! Text of a thread's CPU activity at a time, for the tooltip and the status line.

use egui::{RichText, Ui};

use crate::details::marker_card;
use crate::widgets::style::color;
use flowline_format::{format_count, format_counted};
use flowline_index::samples::CpuUseAt;
use flowline_profile::ThreadId;
use flowline_scene::{Palette, counter_time, cpu_spread};
use flowline_session::{Session, place_text, time_text};

/// Width of the labels in points.
const LABELS: f32 = 70.0;

/// The thread's activity at pixel column `x`.
fn at(session: &Session, thread: ThreadId, x: f32) -> Option<CpuUseAt> {
    let time = counter_time(&session.scene_input(), x);
    session.index.cpu().get(thread)?.at(session.index.profile(), thread, time)
}

/// The category of a sample.
fn category(session: &Session, found: &CpuUseAt) -> String {
    let name = found.category.map(|category| session.index.profile().category_name(category));
    name.map_or_else(|| "no stack".to_owned(), str::to_owned)
}

fn percent(found: Option<CpuUseAt>) -> String {
    match found {
        Some(CpuUseAt { percent: Some(percent), .. }) => format!("{percent}%"),
        Some(_) => "not recorded".to_owned(),
        None => "–".to_owned(),
    }
}

/// Text of the activity for the status line.
pub(crate) fn status_text(session: &Session, thread: ThreadId, x: f32) -> String {
    let found = at(session, thread, x);
    let category = found.map(|found| format!(" · {}", category(session, &found))).unwrap_or_default();
    format!("CPU {}{category} · {}", percent(found), place_text(session.index.profile(), thread))
}

/// Shows the activity at pixel column `x`: percentage, category, and the range of values within the column.
pub(crate) fn show(ui: &mut Ui, session: &Session, thread: ThreadId, x: f32, palette: &Palette) {
    let input = session.scene_input();
    let (profile, time) = (session.index.profile(), counter_time(&input, x));
    let found = at(session, thread, x);
    ui.horizontal_top(|ui| {
        let entry = found.and_then(|found| profile.categories.get(found.category?.index()));
        if let Some(category) = entry {
            let (swatch, _) = ui.allocate_exact_size(egui::vec2(4.0, 18.0), egui::Sense::hover());
            let fill = palette.fill(flowline_index::category_entry(category));
            ui.painter().rect_filled(swatch, 2.0, color(fill));
        }
        ui.label(RichText::new("CPU").size(14.0).strong());
    });
    ui.add(egui::Label::new(RichText::new(place_text(profile, thread)).weak().small()).wrap());
    ui.add_space(2.0);
    marker_card::row(ui, "CPU", &percent(found), LABELS, true);
    if let Some(found) = found {
        marker_card::row(ui, "Category", &category(session, &found), LABELS, true);
    }
    let mut notes = Vec::new();
    if let Some((least, most)) = cpu_spread(&input, thread, x) {
        notes.push(format!("{least}% to {most}% in this pixel"));
    }
    if let Some(track) = session.index.cpu().get(thread) {
        let without = match track.without_stack {
            0 => String::new(),
            without => format!(", {} without a stack", format_count(without)),
        };
        notes.push(format!("{}{without}", format_counted(track.samples, "sample")));
    }
    notes.push(format!("at {}", time_text(session.view.clock().show(time))));
    for note in notes {
        ui.label(RichText::new(note).small().weak());
    }
}
