//! Shows the selection summary, in the drawer or in the details panel.

use egui::{Label, Layout, RichText, Role, ScrollArea, Ui, WidgetInfo, vec2};

use super::answer::Answer;
use super::sheet::{self, SheetRow};
use super::state::{SelectionTable, offers_reach};
use super::{stacked_bar, text};
use crate::commands::{ViewAction, WindowAction, with_shortcut};
use crate::tables::TableKind;
use crate::widget_requests::{WidgetRequest, post};
use crate::widgets::style::{FACT, SMALL, color};
use crate::widgets::{Segment, segmented};
use flowline_format::AxisUnit;
use flowline_index::statistics::Summary;
use flowline_profile::Kind;
use flowline_scene::Palette;
use flowline_session::{Session, SummaryReach, with_margin};
use flowline_view::Command;

/// The place of the summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The drawer: tables side by side.
    Drawer,
    /// The details panel: tables below each other.
    Details,
}

/// Space at the edges of the details in points.
const PAD: i8 = 12;
/// Rows of a table in the details.
const SHORT: usize = 8;
/// Distance between tables in points.
const GAP: f32 = 24.0;
/// Width in points from which two tables are side by side.
const TWO_COLUMNS: f32 = 560.0;

/// Shows the sums of the scope; returns the user's commands.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    state: &mut SelectionTable,
    place: Place,
    palette: &Palette,
) -> Vec<Command> {
    if place == Place::Details {
        let margin = egui::Frame::new().inner_margin(egui::Margin::same(PAD));
        return margin.show(ui, |ui| contents(ui, session, state, place, palette)).inner;
    }
    contents(ui, session, state, place, palette)
}

fn contents(
    ui: &mut Ui,
    session: &Session,
    state: &mut SelectionTable,
    place: Place,
    palette: &Palette,
) -> Vec<Command> {
    state.follow(session);
    let mut commands = Vec::new();
    let Some(answer) = &state.answer else {
        ui.label(RichText::new("Adding up…").size(SMALL).color(color(palette.text2)));
        return commands;
    };
    let is_current = state.is_current(session);
    heading(ui, session, (answer, is_current), place, palette, &mut commands);
    ui.add_space(6.0);
    if offers_reach(session) {
        reach(ui, &mut state.reach, palette);
        ui.add_space(6.0);
    }
    let Some(answer) = &state.answer else { return commands };
    if answer.summary.self_time > 0 {
        stacked_bar::show(ui, &answer.summary, palette);
        ui.add_space(4.0);
    }
    let tables = |ui: &mut Ui| tables(ui, answer, (place, session.view.clock().unit), palette);
    match place {
        Place::Drawer => ScrollArea::vertical().id_salt("selection").auto_shrink(false).show(ui, tables).inner,
        Place::Details => tables(ui),
    }
    commands
}

/// Shows the first line and the buttons.
fn heading(
    ui: &mut Ui,
    session: &Session,
    (answer, is_current): (&Answer, bool),
    place: Place,
    palette: &Palette,
    commands: &mut Vec<Command>,
) {
    let (title, facts) = (text::title(session, answer), text::facts(session, answer));
    let stale = if is_current { "" } else { ", updating…" };
    let words = |ui: &mut Ui| {
        ui.add(Label::new(RichText::new(&title).size(FACT).color(color(palette.text))).extend());
        let facts = RichText::new(format!("{facts}{stale}")).size(SMALL).color(color(palette.text2));
        let label = Label::new(facts);
        let label = if place == Place::Drawer { label.truncate() } else { label.wrap() };
        let response = ui.add(label);
        response.widget_info(|| {
            WidgetInfo::labeled(
                Role::Label,
                true,
                format!("Selection: {title}, {}", self::text::facts(session, answer)),
            )
        });
    };
    if place == Place::Details {
        words(ui);
        ui.add_space(6.0);
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.horizontal(|ui| buttons(ui, session, answer, commands));
        return;
    }
    ui.allocate_ui_with_layout(vec2(ui.available_width(), 28.0), Layout::right_to_left(egui::Align::Center), |ui| {
        ui.horizontal(|ui| buttons(ui, session, answer, commands));
        ui.with_layout(Layout::left_to_right(egui::Align::Center), words);
    });
}

/// Shows the control of how much the sums cover.
fn reach(ui: &mut Ui, reach: &mut SummaryReach, palette: &Palette) {
    let segments = SummaryReach::ALL.map(|own| Segment {
        text: own.title(),
        hint: match own {
            SummaryReach::Thread => "Sum up the thread under the drag, or else the page's main thread",
            SummaryReach::Process => "Sum up the threads of its process",
            SummaryReach::Everything => "Sum up all threads",
        }
        .to_owned(),
        is_chosen: own == *reach,
        is_enabled: true,
    });
    if let Some(clicked) = segmented(ui, &segments, palette) {
        *reach = SummaryReach::ALL[clicked];
    }
}

fn buttons(ui: &mut Ui, session: &Session, answer: &Answer, commands: &mut Vec<Command>) {
    let hint = with_shortcut(ui.ctx(), "Show the range on the whole axis", ViewAction::ZoomToSelection);
    if let Some(range) = answer.range
        && ui.button("Zoom").on_hover_text(hint).clicked()
    {
        commands.push(Command::ZoomTo(with_margin(range)));
    }
    let hint = with_shortcut(ui.ctx(), "Statistics of the selection", WindowAction::Table(TableKind::Statistics));
    if ui.button("Statistics").on_hover_text(hint).clicked() {
        post(ui.ctx(), WidgetRequest::ShowTable(TableKind::Statistics));
    }
    if ui.button("Copy").on_hover_text("Copy all sums as text").clicked() {
        ui.copy_text(text::copied(session, answer));
    }
}

/// Shows the tables that have rows.
fn tables(ui: &mut Ui, answer: &Answer, (place, axis): (Place, AxisUnit), palette: &Palette) {
    let summary = &answer.summary;
    if summary.markers == 0 && answer.functions.functions.is_empty() && answer.counters.is_empty() {
        ui.label(RichText::new("Nothing in the selection.").size(SMALL).color(color(palette.text2)));
        return;
    }
    let limit = if place == Place::Details { SHORT } else { usize::MAX };
    let (time, own) = (text::kinds_unit(summary).heading("Time"), text::names_unit(summary).heading("Self"));
    let all: [(&[&str], Vec<SheetRow>); 4] = [
        (&["Category", &time, "Share", "Slices"], kind_rows(summary, palette)),
        (&["Longest self time", &own, "Count"], name_rows(summary, limit, palette)),
        (&["Top functions", text::weight_heading(axis), "Share"], function_rows(answer, axis, limit)),
        (&["Counter", "Min", "Max", "Change"], counter_rows(answer, limit)),
    ];
    let all: Vec<_> = all.iter().filter(|(_, rows)| !rows.is_empty()).collect();
    let columns = if ui.available_width() >= TWO_COLUMNS { 2 } else { 1 };
    for line in all.chunks(columns) {
        if columns == 1 {
            line.iter().for_each(|(titles, rows)| sheet::show(ui, titles, rows, palette));
        } else {
            ui.spacing_mut().item_spacing = vec2(GAP, 0.0);
            ui.columns(columns, |columns| {
                for (ui, (titles, rows)) in columns.iter_mut().zip(line) {
                    ui.spacing_mut().item_spacing.y = 0.0;
                    sheet::show(ui, titles, rows, palette);
                }
            });
        }
        ui.add_space(8.0);
    }
    if let Some(also) = text::also(answer) {
        ui.add(Label::new(RichText::new(also).size(SMALL).color(color(palette.text2))).wrap());
    }
}

fn kind_rows(summary: &Summary, palette: &Palette) -> Vec<SheetRow> {
    let unit = text::kinds_unit(summary);
    let row = |kind: &flowline_index::statistics::KindTime| SheetRow {
        colors: Some(stacked_bar::fill(palette, kind.kind)),
        name: kind.title().to_owned(),
        numbers: vec![
            text::time(unit, kind.self_time),
            text::share(kind.self_time, summary.self_time),
            text::count(kind.count),
        ],
    };
    summary.kinds.iter().map(row).collect()
}

fn name_rows(summary: &Summary, limit: usize, palette: &Palette) -> Vec<SheetRow> {
    let unit = text::names_unit(summary);
    let colors = |kind: Option<Kind>| Some(stacked_bar::fill(palette, kind));
    let row = |name: &flowline_index::statistics::NameTime| SheetRow {
        colors: colors(name.kind),
        name: name.name.clone(),
        numbers: vec![text::time(unit, name.self_time), text::count(name.count)],
    };
    summary.names.iter().take(limit).map(row).collect()
}

fn function_rows(answer: &Answer, axis: AxisUnit, limit: usize) -> Vec<SheetRow> {
    let functions = &answer.functions;
    let row = |function: &flowline_index::statistics::FunctionWeight| SheetRow {
        colors: None,
        name: function.name.clone(),
        numbers: vec![text::weight(axis, function.own), text::share_of(function.own, functions.all)],
    };
    functions.functions.iter().take(limit).map(row).collect()
}

fn counter_rows(answer: &Answer, limit: usize) -> Vec<SheetRow> {
    let row = |counter: &super::answer::CounterLine| SheetRow {
        colors: None,
        name: counter.name.clone(),
        numbers: vec![counter.min.clone(), counter.max.clone(), counter.change.clone()],
    };
    answer.counters.iter().take(limit).map(row).collect()
}
