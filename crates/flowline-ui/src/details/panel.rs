//! The details panel: the selected marker, call or counter, else the entered flow, else the recording. The panel is open in all
//! cases, so selecting a marker does not move the chart under the pointer.

use egui::{ScrollArea, Sense, Ui, vec2};

use super::actions::{self, Target};
use super::header::{self, Header};
use super::section::{self, CollapsedSections, Section};
use super::{counter_details, facts, flow_details, flow_section, grid, layout_shift, recording, screenshot, timing};
use crate::tables::selection::{self, has_selection};
use crate::widgets::short_forms;
use crate::widgets::style::color;
use crate::window::panels::Panels;
use flowline_profile::ThreadId;
use flowline_scene::Palette;
use flowline_session::{MarkerCard, MarkerSummary, Session, is_place};
use flowline_view::Command;

/// Shows the panel; returns the user's commands.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    panels: &mut Panels,
    collapsed: &mut CollapsedSections,
    palette: &Palette,
) -> Vec<Command> {
    let mut commands = Vec::new();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
        if session.selected_card().is_some() {
            selected(ui, session, panels, collapsed, palette, &mut commands);
        } else if let Some(card) = session.selected_call_card() {
            selected_call(ui, (session, card), panels, collapsed, palette, &mut commands);
        } else if let Some(counter) = session.view.counter {
            commands.extend(counter_details::show(ui, session, counter, collapsed, palette));
        } else if has_selection(session) {
            commands.extend(selection::show(ui, session, &mut panels.selection, selection::Place::Details, palette));
        } else if let [flow] = session.view.flows.entered.as_slice() {
            commands.extend(flow_details::show(ui, session, *flow, palette));
        } else {
            commands.extend(recording::show(ui, session, palette));
        }
    });
    commands
}

/// Shows the selected marker.
fn selected(
    ui: &mut Ui,
    session: &Session,
    panels: &mut Panels,
    collapsed: &mut CollapsedSections,
    palette: &Palette,
    commands: &mut Vec<Command>,
) {
    let Some((marker, card)) = session.view.selected.zip(session.selected_card()) else { return };
    if session.index.profile().source.is_changed() {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 6.0), Sense::hover());
        ui.painter().hline(rect.x_range(), rect.max.y, (1.0, color(palette.warn)));
        grid::note(ui, "The file has changed. Fields that were not loaded before are missing.", palette);
    }
    let thread = session.index.profile().locate(marker).map(|(thread, _)| thread);
    title(ui, session, (card, thread), palette, commands);
    let empty = MarkerSummary::default();
    let summary = session.selected_summary().unwrap_or(&empty);
    facts::cards(ui, &summary.facts, palette);
    facts::banners(ui, &summary.banners, palette, commands);
    actions::show(ui, session, (Target::Marker(marker), card), panels, commands);
    screenshot::show(ui, session, &mut panels.screens, marker, palette);
    layout_shift::show(ui, session, &mut panels.screens, marker, palette);
    timing::show(ui, summary, collapsed, palette);
    commands.extend(flow_section::show(ui, session, collapsed, palette));
    panels.arguments.show(ui, (session, marker, card), collapsed, palette);
    panels.stack.show(ui, session, collapsed, palette);
    commands.extend(panels.context.show(ui, session, collapsed, palette));
}

/// Shows the selected call of a stack chart.
fn selected_call(
    ui: &mut Ui,
    (session, card): (&Session, &MarkerCard),
    panels: &mut Panels,
    collapsed: &mut CollapsedSections,
    palette: &Palette,
    commands: &mut Vec<Command>,
) {
    let thread = session.view.selected_call.map(|selected| selected.call.thread);
    title(ui, session, (card, thread), palette, commands);
    let summary = MarkerSummary::of_call(card);
    facts::cards(ui, &summary.facts, palette);
    actions::show(ui, session, (Target::Call, card), panels, commands);
    timing::show(ui, &summary, collapsed, palette);
    let places: Vec<&(String, String)> = card.lines.iter().filter(|(label, _)| is_place(label)).collect();
    if !places.is_empty() {
        section::show(ui, (Section::Arguments, ""), collapsed, palette, |ui| {
            for (label, value) in places {
                grid::row(ui, label, value, palette);
            }
        });
    }
    panels.stack.show(ui, session, collapsed, palette);
}

/// Shows the header of a marker or call, with its name if that differs from the title.
fn title(
    ui: &mut Ui,
    session: &Session,
    (card, thread): (&MarkerCard, Option<ThreadId>),
    palette: &Palette,
    commands: &mut Vec<Command>,
) {
    let short = short_forms(&card.heading);
    let header =
        Header { color: Some(card.color), title: &card.heading, short: &short, subtitle: &card.subtitle, thread };
    commands.extend(header::show(ui, session, &header, palette));
    let is_same = |name: &str| {
        let letters = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).collect::<String>();
        letters(name) == letters(&card.heading)
    };
    if let Some(name) = card.name.as_ref().filter(|name| !is_same(name)) {
        ui.add_space(4.0);
        grid::row(ui, "Name", name, palette);
    }
}
