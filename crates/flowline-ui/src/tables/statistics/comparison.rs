//! Comparison of the statistics of the scope with stored ones or with those of the second recording: differences, new
//! groups, and the significance of changes in length.

use egui::{RichText, Ui, UiBuilder};

use super::comparison_rows::{Order, exported, ordered, shown};
use super::comparison_state::ComparisonState;
use super::group_table::key_titles;
use super::page_figures::PageFigures;
use super::rows::{self, Rows};
use super::side::Side;
use super::state::StatisticsTable;
use crate::tables::active_filters::track_filter_texts;
use crate::widgets::table::{self, Cell, CopyRequest, TableColumn};
use flowline_index::statistics::compare::Row;
use flowline_scene::Palette;
use flowline_session::{Session, TableFile, time_text};
use flowline_view::Command;

/// Title that describes a scope.
fn title(session: &Session) -> String {
    let (scope, zero) = (session.scope(), session.view.clock().origin);
    let time = scope.range().map_or_else(
        || "whole recording".to_owned(),
        |range| format!("{} to {}", time_text(range.start - zero), time_text(range.end - zero)),
    );
    let search = Some(session.view.search.trim()).filter(|search| !search.is_empty());
    let search = search.map(|search| format!("\"{search}\""));
    [Some(time), search].into_iter().flatten().chain(track_filter_texts(session)).collect::<Vec<_>>().join(", ")
}

/// Stores the statistics of the scope as A.
pub(super) fn keep(state: &mut StatisticsTable, session: &Session) {
    let kept = Side::of(state.answer.as_ref(), || title(session));
    kept.into_iter().for_each(|side| state.compared.keep(side));
}

/// Both sides, once computed.
fn sides(state: &StatisticsTable, session: &Session, other: Option<&Session>) -> Option<[Side; 2]> {
    let named = |session: &Session| format!("{}, {}", session.name(), title(session));
    let own_title = || if state.compared.is_of_recordings() { named(session) } else { title(session) };
    let own = Side::of(state.answer.as_ref(), own_title)?;
    state.compared.sides(own, || other.map(named).unwrap_or_default())
}

/// The comparison as a file, once computed.
pub(super) fn file(state: &StatisticsTable, session: &Session, other: Option<&Session>) -> Option<TableFile> {
    let sides = sides(state, session, other)?;
    let rows = state.compared.known(&sides[0], &sides[1])?;
    let order = ordered(&sides, &rows, state.compared.sort);
    Some(exported(sides, rows, order, &key_titles(state)))
}

/// Shows a message if a side has no markers.
fn nothing_there(ui: &mut Ui, [a, b]: &[Side; 2]) {
    let text = match [a, b].map(|side| side.full.groups.is_empty()) {
        [true, true] => "No matching markers in A or B.",
        [true, false] => "No matching markers in A.",
        [false, true] => "No matching markers in B.",
        [false, false] => return,
    };
    ui.label(RichText::new(text).small());
}

/// Shows the comparison.
pub(super) fn show(
    ui: &mut Ui,
    (session, other): (&Session, Option<&Session>),
    state: &mut StatisticsTable,
    copying: Option<CopyRequest>,
    palette: &Palette,
) -> Vec<Command> {
    let titles = key_titles(state);
    let sides = sides(state, session, other);
    let compared = &mut state.compared;
    let rows = sides.as_ref().and_then(|sides| compared.follow(sides));
    let Some((sides, rows)) = sides.zip(rows) else {
        ui.weak("Comparing…");
        return Vec::new();
    };
    let mut text = format!("A: {}   B: {}", sides[0].title, sides[1].title);
    if sides[0].title == sides[1].title {
        text += "   Select another range or thread, or search, to change B.";
    }
    ui.horizontal(|ui| {
        ui.add_space(8.0);
        ui.label(RichText::new(text).small().weak());
    });
    nothing_there(ui, &sides);
    let (is_of_recordings, all) = (compared.is_of_recordings(), ui.available_rect_before_wrap());
    let figures = other.filter(|_| is_of_recordings).and_then(|other| PageFigures::of(session, other));
    let Some(figures) = figures else { return groups(ui, (compared, &titles), (&sides, &rows), copying, palette) };
    // The figures of the pages come first, beside the groups, so that both are read without scrolling.
    let split = all.min.x + (all.width() * FIGURES_PART).min(FIGURES_WIDTH);
    let mut first = ui.new_child(UiBuilder::new().max_rect(all.with_max_x(split)).id_salt("figures"));
    first.shrink_clip_rect(all.with_max_x(split));
    figures.show(&mut first, palette);
    let mut rest = ui.new_child(UiBuilder::new().max_rect(all.with_min_x(split + 8.0)).id_salt("groups"));
    rest.shrink_clip_rect(all.with_min_x(split));
    groups(&mut rest, (compared, &titles), (&sides, &rows), copying, palette)
}

/// Part of the width for the figures of the pages, and their greatest width in points.
const FIGURES_PART: f32 = 0.42;
const FIGURES_WIDTH: f32 = 400.0;

/// Shows the groups of both sides.
fn groups(
    ui: &mut Ui,
    (compared, titles): (&mut ComparisonState, &[&'static str]),
    (sides, rows): (&[Side; 2], &[Row]),
    copying: Option<CopyRequest>,
    palette: &Palette,
) -> Vec<Command> {
    let keys = titles.iter().map(|title| TableColumn::text(title, 170.0, 1.0));
    let chosen = compared.shown.clone();
    let numbers = chosen.iter().map(|column| column.column().in_unit(column.unit(sides, rows)));
    let columns: Vec<TableColumn> = keys.chain(numbers).collect();
    let columns = compared.widths.apply(&columns);
    let sorts: Vec<Order> =
        (0..titles.len()).map(Order::Key).chain(compared.shown.iter().copied().map(Order::Column)).collect();
    let sorted = sorts.iter().position(|by| *by == compared.sort.0).unwrap_or(usize::MAX);
    table::wide(ui, &columns, |ui| {
        if let Some(pressed) = table::resizable_header(ui, &columns, (sorted, compared.sort.1), &mut compared.widths) {
            compared.sort = table::pressed(compared.sort, sorts[pressed], matches!(sorts[pressed], Order::Column(_)));
        }
        let order = compared.ordered(sides, rows);
        let cells = |row: u32| -> Vec<Cell> { shown(sides, &rows[row as usize], titles.len(), &chosen) };
        let count = rows.len();
        let cursor = count.checked_sub(1).map(|last| compared.cursor.min(last));
        let name = format!("Comparison, {}", table::counted(count, "group"));
        let listed = Rows {
            name: &name,
            columns: &columns,
            count,
            has_totals: false,
            cursor,
            swatch: &|_| None,
            copying,
            opens: false,
        };
        let done = rows::show(ui, &listed, &mut compared.scroll, palette, |row| cells(order[row]), |_, _| {});
        if let Some(row) = done.moved {
            compared.cursor = row;
        }
        Vec::new()
    })
}
