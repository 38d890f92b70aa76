//! Text of a counter for the label column, the tooltip and the status line.

use egui::{RichText, Sense, Ui, vec2};

use crate::widgets::style::color;
use flowline_index::CounterTrack;
use flowline_profile::{Counter, CounterId, Ns};
use flowline_scene::{Palette, counter_extremes, counter_spread, counter_time, counter_total};
use flowline_session::Session;

/// Maximum length of a series name in characters.
const NAME_CHARS: usize = 36;
/// Maximum number of series listed in a tooltip.
const MAX_SERIES: usize = 16;

fn counter_and_track(session: &Session, id: CounterId) -> Option<(&Counter, &CounterTrack)> {
    session.index.profile().counters.get(id.index()).zip(session.index.counters().track(id))
}

/// Name and pid of a counter's process.
pub(crate) fn owner(session: &Session, counter: &Counter) -> String {
    let process = counter.process.and_then(|process| session.index.profile().processes.get(process.index()));
    match process {
        Some(process) if process.pid.is_empty() => process.name.to_string(),
        Some(process) => format!("{} (pid {})", process.name, process.pid),
        None if counter.pid.is_empty() => String::new(),
        None => format!("pid {}", counter.pid),
    }
}

/// Text of a counter for the status line, at pixel column `x`.
pub(crate) fn status_text(session: &Session, id: CounterId, x: f32) -> Option<String> {
    let (counter, track) = counter_and_track(session, id)?;
    let time = counter_time(&session.scene_input(), x);
    let value = value_text(counter, counter_total(counter, track, time));
    let parts = [counter.title().to_owned(), value, owner(session, counter)];
    Some(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · "))
}

fn value_text(counter: &Counter, value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| counter.value_text(value))
}

/// Shows the values of a counter at pixel column `x`: each series, their total, and the range of the total within the
/// column.
pub(crate) fn show(ui: &mut Ui, session: &Session, id: CounterId, x: f32, palette: &Palette) {
    let Some((counter, track)) = counter_and_track(session, id) else { return };
    let input = session.scene_input();
    let time = counter_time(&input, x);
    ui.add(egui::Label::new(RichText::new(counter.title()).size(14.0).strong()).wrap());
    let named = if counter.title() == counter.name { "" } else { &counter.name };
    let place = [named, &counter.category, &owner(session, counter)];
    let place: Vec<&str> = place.into_iter().filter(|part| !part.is_empty()).collect();
    if !place.is_empty() {
        ui.label(RichText::new(place.join(" · ")).weak().small());
    }
    ui.add_space(2.0);
    egui::Grid::new("counter values").num_columns(2).spacing(vec2(14.0, 3.0)).show(ui, |ui| {
        for (number, series) in counter.series.iter().enumerate().take(MAX_SERIES) {
            let name = if series.name.is_empty() { "value" } else { &series.name };
            ui.horizontal(|ui| {
                let (dot, _) = ui.allocate_exact_size(vec2(8.0, 12.0), Sense::hover());
                let fill = palette.fill(track.series_color(number));
                ui.painter().rect_filled(egui::Rect::from_center_size(dot.center(), vec2(8.0, 8.0)), 2.0, color(fill));
                ui.add(egui::Label::new(shortened(name)).extend());
            });
            ui.add(egui::Label::new(value_text(counter, track.value(counter, number, time))).extend());
            ui.end_row();
        }
        if counter.series.len() > MAX_SERIES {
            ui.weak(format!("and {} more", crate::widgets::grouped(counter.series.len() - MAX_SERIES)));
            ui.end_row();
        }
        if counter.series.len() > 1 {
            ui.label(RichText::new("total").strong());
            ui.label(RichText::new(value_text(counter, counter_total(counter, track, time))).strong());
            ui.end_row();
        }
    });
    let mut notes = Vec::new();
    if let Some((least, most)) = counter_spread(&input, id, x) {
        notes.push(format!("{} to {} in this pixel", counter.value_text(least), counter.value_text(most)));
    }
    let (least, most) = counter_extremes(track).unwrap_or(track.range());
    notes.push(format!("{} to {} in the recording", counter.value_text(least), counter.value_text(most)));
    notes.extend(explained(counter).map(str::to_owned));
    notes.push(format!("at {}", time_text(session, time)));
    for note in notes {
        ui.label(RichText::new(note).small().weak());
    }
}

/// Shortens a name to fit a tooltip.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(NAME_CHARS) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

fn time_text(session: &Session, time: Ns) -> String {
    flowline_session::time_text(session.view.clock().show(time))
}

/// A note for values that are easily misread.
fn explained(counter: &Counter) -> Option<&'static str> {
    use flowline_profile::CounterGraph::{Level, Rate, Relative};
    match counter.graph {
        Level => None,
        Relative => Some("relative to the recording's minimum"),
        Rate if counter.unit == "percent" => Some("100% is the recording's maximum"),
        Rate => None,
    }
}
