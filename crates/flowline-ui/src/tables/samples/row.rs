//! Columns and cells of the sample trees and of the function list.

use super::sample_result::SampleResult;
use super::summary;
use crate::widget_requests::{open_in_editor_button, source_search_button};
use crate::widgets::table::{Cell, TableColumn};
use flowline_format::{DurationUnit, format_counted};
use flowline_index::samples::{Cost, Inlined, Measure, NodeId, PARTS, func_name};
use flowline_index::{category_entry, color_of_name, kind_of_event};
use flowline_profile::samples::{ANONYMOUS, FuncFlags};
use flowline_profile::{FuncId, Profile};
use flowline_scene::{Palette, Rgba};

/// Distribution of the samples over time.
const WHEN: TableColumn = TableColumn::picture("Over time", 2.0 * PARTS as f32);

/// Columns for costs by weight.
const BY_WEIGHT: [TableColumn; SHOWN] = [
    TableColumn::numbers("Total", 76.0),
    TableColumn::shares("%"),
    TableColumn::numbers("Self", 76.0),
    TableColumn::lengths("Time", 76.0),
    TableColumn::text("Function", 260.0, 3.0),
    TableColumn::text("Location", 130.0, 1.0),
    WHEN,
];

/// Columns for weights.
const OF_WEIGHTS: [TableColumn; SHOWN] = {
    let mut columns = BY_WEIGHT;
    columns[3] = TableColumn::numbers("Samples", 76.0);
    columns
};

/// Columns for samples without times. A stack may count as many samples.
const WITHOUT_TIMES: [TableColumn; SHOWN] = {
    let mut columns = BY_WEIGHT;
    columns[3] = TableColumn::numbers("Stacks", 76.0);
    columns[6] = TableColumn::picture("In order", 2.0 * PARTS as f32);
    columns
};

/// Columns for costs by time.
const BY_TIME: [TableColumn; SHOWN] = [
    TableColumn::lengths("Total", 76.0),
    TableColumn::shares("%"),
    TableColumn::lengths("Self", 76.0),
    TableColumn::numbers("Samples", 76.0),
    TableColumn::text("Function", 260.0, 3.0),
    TableColumn::text("Location", 130.0, 1.0),
    WHEN,
];

/// Columns for trace events and calls.
const OF_ENTRIES: [TableColumn; SHOWN] = [
    TableColumn::lengths("Total", 76.0),
    TableColumn::shares("%"),
    TableColumn::lengths("Self", 76.0),
    TableColumn::numbers("Count", 76.0),
    TableColumn::text("Event or function", 260.0, 3.0),
    TableColumn::text("Location", 130.0, 1.0),
    WHEN,
];

/// Number of columns of text.
pub(super) const COLUMNS: usize = 6;
/// Number of columns on screen; the last one is a drawing.
const SHOWN: usize = COLUMNS + 1;

/// Columns on screen, in the unit of the whole tree.
pub(super) fn shown(built: &SampleResult) -> [TableColumn; SHOWN] {
    let unit = DurationUnit::of_longest(built.tree.whole.time.0);
    layout(built).map(|column| column.in_unit(unit))
}

fn layout(built: &SampleResult) -> &'static [TableColumn; SHOWN] {
    match built.tree.measure {
        _ if built.tree.has_entries() => &OF_ENTRIES,
        Measure::Time => &BY_TIME,
        Measure::Weight if built.has_time => &BY_WEIGHT,
        Measure::Weight if built.clock.unit.is_time() => &OF_WEIGHTS,
        Measure::Weight => &WITHOUT_TIMES,
    }
}

/// Columns for copying and export.
pub(super) fn copied(built: &SampleResult) -> &'static [TableColumn] {
    &layout(built)[..COLUMNS]
}

/// Number of the function column.
pub(super) const FUNCTION: usize = 4;

/// Name of a function.
pub(super) fn name(profile: &Profile, func: u32) -> &str {
    match func_name(&profile.stacks, func) {
        "" => ANONYMOUS,
        name => name,
    }
}

/// Location of a function: its file, or its library or site.
pub(super) fn place(profile: &Profile, func: u32) -> String {
    let is_known = (func as usize) < profile.stacks.funcs.len();
    if is_known { profile.func_location(FuncId(func)) } else { String::new() }
}

/// Name of a node: the title of the calls that it represents, or the name of its function.
pub(super) fn node_name<'a>(profile: &'a Profile, built: &'a SampleResult, node: NodeId) -> &'a str {
    let nodes = &built.tree.nodes;
    nodes.title(node).unwrap_or_else(|| name(profile, nodes.func[node as usize]))
}

/// Cells of a node of the call tree, or of one that it is an example of, with its costs.
pub(super) fn node_cells(profile: &Profile, built: &SampleResult, node: NodeId, costs: [Cost; 2]) -> [Cell; COLUMNS] {
    let mut cells = cells(profile, built, built.tree.nodes.func[node as usize], costs);
    if let Some(title) = built.tree.nodes.title(node) {
        cells[FUNCTION] = Cell::Text(title.to_owned());
    }
    cells
}

/// Share of the whole tree, as a percentage.
pub(super) fn share(built: &SampleResult, cost: Cost) -> f64 {
    let (measure, whole) = (built.tree.measure, built.tree.whole);
    let whole = whole.size(measure);
    let sign = if cost.weight < 0.0 { -1.0 } else { 1.0 };
    if whole == 0.0 { 0.0 } else { sign * cost.size(measure) / whole * 100.0 }
}

/// A cost in a measure as a cell.
fn cost_cell(built: &SampleResult, cost: Cost, measure: Measure) -> Cell {
    match measure {
        _ if cost.is_zero() => Cell::Empty,
        Measure::Time if built.has_time => Cell::Length(cost.time.0),
        Measure::Time => Cell::Empty,
        Measure::Weight => Cell::Text(built.unit.text(cost.weight)),
    }
}

/// Cells of a function with its costs.
pub(super) fn cells(profile: &Profile, built: &SampleResult, func: u32, [total, own]: [Cost; 2]) -> [Cell; COLUMNS] {
    let measure = built.tree.measure;
    [
        cost_cell(built, total, measure),
        Cell::Text(flowline_format::format_fixed(share(built, total), 1)),
        cost_cell(built, own, measure),
        if built.tree.has_entries() && own.samples == 0 {
            // Its own entries are filtered out; it is shown only as an ancestor.
            Cell::Empty
        } else if built.tree.has_entries() {
            Cell::Count(usize::try_from(own.samples).unwrap_or(usize::MAX))
        } else if !built.has_time && measure == Measure::Weight {
            Cell::Count(usize::try_from(total.samples).unwrap_or(usize::MAX))
        } else {
            cost_cell(built, total, measure.other())
        },
        Cell::Text(name(profile, func).to_owned()),
        Cell::Text(place(profile, func)),
    ]
}

/// Number of executions or samples as text, or the cost in the other measure. Without times, the cost is all there is.
pub(super) fn other_text(built: &SampleResult, cells: &[Cell; COLUMNS]) -> String {
    match &cells[FUNCTION - 1] {
        Cell::Count(_) if !built.clock.unit.is_time() && !built.tree.has_entries() => String::new(),
        Cell::Count(count) if !built.tree.has_entries() => format_counted(*count as u64, "sample"),
        Cell::Count(1) => "once".to_owned(),
        cell @ Cell::Count(_) => format!("{} times", cell.shown()),
        cell => cell.shown().into_owned(),
    }
}

/// Total and self cost with their units, as alone outside a column.
pub(super) fn costs_with_units(built: &SampleResult, costs: [Cost; 2]) -> [String; 2] {
    let measure = built.tree.measure;
    costs.map(|cost| match measure {
        Measure::Weight if !built.has_time && !built.tree.has_entries() && !cost.is_zero() => {
            built.unit.text_with_unit(cost.weight, built.clock.unit)
        }
        _ => cost_cell(built, cost, measure).shown().into_owned(),
    })
}

/// A function as screen readers announce it.
pub(super) fn sentence(built: &SampleResult, cells: &[Cell; COLUMNS], costs: [Cost; 2]) -> String {
    let [_, share, _, _, name, place] = cells.each_ref().map(Cell::shown);
    let [total, own] = costs_with_units(built, costs);
    let other = other_text(built, cells);
    let mut text = format!("{name}, {share} percent, total {total}");
    if !own.is_empty() {
        text += &format!(", self {own}");
    }
    if !other.is_empty() {
        text += &format!(", {other}");
    }
    if !place.is_empty() {
        text += &format!(", {place}");
    }
    text
}

/// Text and explanation of a node's badge, if it has one.
pub(super) fn badge(built: &SampleResult, node: NodeId) -> Option<(&'static str, &'static str)> {
    match built.tree.nodes.inlined[node as usize] {
        Inlined::No => None,
        Inlined::All => Some(("inl", "The compiler inlined all these calls into their caller")),
        Inlined::Some => Some(("inl?", "The compiler inlined some of these calls")),
    }
}

/// Color of a node. Events and calls have the color of their kind of work; samples that of their category or, in
/// recordings without categories, of their name.
pub(super) fn fill(profile: &Profile, built: &SampleResult, node: NodeId, palette: &Palette) -> Rgba {
    let nodes = &built.tree.nodes;
    let func = nodes.func[node as usize];
    if built.has_work {
        return summary::fill_of(profile, func, palette);
    }
    fill_of(profile, func, nodes.category[node as usize][0], palette)
}

/// Color of a category.
pub(super) fn fill_of_category(profile: &Profile, category: u32, palette: &Palette) -> Rgba {
    palette.fill(profile.categories.get(category as usize).map_or(0, category_entry))
}

/// Color of a function or event of a category.
fn fill_of(profile: &Profile, func: u32, category: u16, palette: &Palette) -> Rgba {
    let funcs = &profile.stacks.funcs;
    let is_event = funcs.get(func as usize).is_some_and(|func| func.flags.has(FuncFlags::IS_EVENT));
    let name = func_name(&profile.stacks, func);
    let color = if is_event {
        kind_of_event(name).map_or(0, |kind| kind as u8)
    } else if profile.categories.len() > 1 {
        profile.categories.get(usize::from(category)).map_or(0, category_entry)
    } else {
        color_of_name(name)
    };
    palette.fill(color)
}

/// Menu entries that copy the name and the location of a function, and open its source.
pub(super) fn copy_entries(ui: &mut egui::Ui, profile: &Profile, func: u32) {
    let place = place(profile, func);
    if ui.button("Copy name").clicked() {
        ui.copy_text(name(profile, func).to_owned());
    }
    if !place.is_empty() && ui.button("Copy location").on_hover_text(&place).clicked() {
        ui.copy_text(place);
    }
    if source_search_button(ui, name(profile, func)) {
        ui.close();
    }
    let is_known = (func as usize) < profile.stacks.funcs.len();
    if let Some(place) = is_known.then(|| profile.func_file_location(FuncId(func))).flatten() {
        open_in_editor_button(ui, &place);
    }
}
