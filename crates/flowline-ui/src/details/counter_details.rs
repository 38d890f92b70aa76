//! The details of a counter at the moment that was clicked.

use egui::{Rect, Sense, Ui, UiBuilder, pos2, vec2};

use super::grid;
use super::header::{self, Header};
use super::metrics::PAD;
use super::section::{self, CollapsedSections, Section};
use super::{facts, text};
use crate::canvas::tooltips::counter_card::{counter_and_track, explained, owner, value_text};
use crate::widgets::icon::{Icon, labeled_icon_button};
use crate::widgets::style::{SMALL, color};
use flowline_profile::{CounterId, Ns};
use flowline_scene::{Palette, counter_extremes, counter_total};
use flowline_session::{KeyFact, Session};
use flowline_view::Command;

/// Maximum number of listed series.
const MAX_SERIES: usize = 64;

/// Shows the counter; returns the user's commands.
pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    (id, time): (CounterId, Ns),
    collapsed: &mut CollapsedSections,
    palette: &Palette,
) -> Vec<Command> {
    let Some((counter, track)) = counter_and_track(session, id) else { return Vec::new() };
    let place = [counter.category.as_str(), &owner(session, counter)].map(str::to_owned);
    let subtitle = place.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    let header = Header {
        color: Some(track.series_color(0)),
        title: counter.title(),
        short: &[],
        subtitle: &subtitle,
        thread: None,
    };
    let mut commands = header::show(ui, session, &header, palette);
    let (least, most) = counter_extremes(track).unwrap_or(track.range());
    let fact = |value: String, caption: &str| KeyFact {
        value,
        caption: caption.to_owned(),
        share: None,
        exact: String::new(),
    };
    let total = value_text(counter, counter_total(counter, track, time));
    let found = [
        fact(total.clone(), "Value"),
        fact(counter.value_text(least), "Minimum"),
        fact(counter.value_text(most), "Maximum"),
    ];
    facts::cards(ui, &found, palette);
    actions(ui, (id, time), &format!("{}: {total}", counter.title()), &mut commands);
    section::show(ui, (Section::Timing, ""), collapsed, palette, |ui| {
        grid::row(ui, "Time", &session.view.clock().position(time), palette);
        if counter.title() != counter.name {
            grid::row(ui, "Name", &counter.name, palette);
        }
        if let Some(note) = explained(counter) {
            grid::row(ui, "Unit", note, palette);
        }
        if counter.series.len() > 1 {
            for (number, series) in counter.series.iter().enumerate().take(MAX_SERIES) {
                let name = if series.name.is_empty() { "value" } else { series.name.as_str() };
                let value = value_text(counter, track.value(counter, number, time));
                series_row(ui, (number, track.series_color(number)), (name, &value), palette);
            }
            if counter.series.len() > MAX_SERIES {
                let more = crate::widgets::grouped(counter.series.len() - MAX_SERIES);
                grid::note(ui, &format!("and {more} more"), palette);
            }
        }
    });
    commands
}

fn series_row(ui: &mut Ui, (number, entry): (usize, u8), (name, value): (&str, &str), palette: &Palette) {
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), super::metrics::ROW), Sense::hover());
    let area = Rect::from_min_max(pos2(row.min.x + super::metrics::TEXT, row.min.y), pos2(row.max.x - PAD, row.max.y));
    text::square(ui, area, entry, palette);
    let taken = text::draw_right(ui, area, value, SMALL, color(palette.text));
    let name_area = Rect::from_min_max(pos2(area.min.x + 14.0, area.min.y), pos2(area.max.x - taken - 8.0, area.max.y));
    text::draw(ui, name_area, name, SMALL, color(palette.text2));
    text::announce(ui, ui.scope_id().with(("series", number)), area, &format!("{name}: {value}"));
}

fn actions(ui: &mut Ui, (id, time): (CounterId, Ns), copied: &str, commands: &mut Vec<Command>) {
    ui.add_space(8.0);
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    let area = Rect::from_min_max(pos2(row.min.x + PAD, row.min.y), row.max);
    let strip = &mut ui.new_child(
        UiBuilder::new().max_rect(area).layout(egui::Layout::left_to_right(egui::Align::Center)).id_salt("actions"),
    );
    strip.spacing_mut().item_spacing.x = 7.0;
    let hint = "Scroll to the counter and to this moment";
    if labeled_icon_button(strip, Icon::ZoomTo, "Show in chart").on_hover_text(hint).clicked() {
        commands.push(Command::RevealCounter(id, time));
    }
    if labeled_icon_button(strip, Icon::Copy, "Copy").on_hover_text("Copy name and value").clicked() {
        strip.copy_text(copied.to_owned());
    }
    ui.add_space(10.0);
}
