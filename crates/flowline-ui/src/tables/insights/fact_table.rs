//! Facts with the same names as a small table: a column per name, numbers aligned right under headings with units.

use egui::Rangef;

use super::cells::{FactCell, FactContext, fact_cell};
use super::fact_titles::fact_title;
use super::row_target::RowTarget;
use super::shown_facts::shown_facts;
use crate::widgets::table::{Cell, ColumnKind, TableColumn, spans};
use flowline_format::DurationUnit;
use flowline_insights::insights::{Fact, Facts, fact};

/// Most columns of a table.
const COLUMNS: usize = 8;
/// Estimated width of a letter in points, and of the widest column before it shares what is left.
const LETTER: f32 = 6.8;
const WIDEST: f32 = 220.0;
/// Least width of a column in points.
const LEAST: f32 = 40.0;

/// A column.
#[derive(Clone, Debug)]
pub(super) struct FactColumn {
    /// Heading, with the unit of its numbers.
    pub(super) title: String,
    pub(super) layout: TableColumn,
}

/// A table.
#[derive(Clone, Debug, Default)]
pub(super) struct FactTable {
    pub(super) columns: Vec<FactColumn>,
    pub(super) rows: Vec<(Vec<FactCell>, RowTarget)>,
}

impl FactTable {
    /// A table of groups of facts; other facts have no row. `target` is the effect of a press on a row.
    pub(super) fn build(context: FactContext<'_>, items: &[Fact], target: impl Fn(&Facts) -> RowTarget) -> Self {
        let of_item = |item: &Fact| match item {
            Fact::Group(facts) => Some((shown_facts(facts), target(facts))),
            _ => None,
        };
        let groups: Vec<(Facts, RowTarget)> = items.iter().filter_map(of_item).collect();
        let mut keys: Vec<&'static str> = Vec::new();
        for (key, _) in groups.iter().flat_map(|(facts, _)| facts.iter()) {
            if keys.len() < COLUMNS && !keys.contains(key) {
                keys.push(key);
            }
        }
        let empty = || fact_cell(context, "", &Fact::Unknown);
        let cell = |facts: &Facts, key: &&'static str| {
            fact(facts, key).map_or_else(empty, |fact| fact_cell(context, key, fact))
        };
        let row = |(facts, target): &(Facts, RowTarget)| {
            (keys.iter().map(|key| cell(facts, key)).collect::<Vec<FactCell>>(), target.clone())
        };
        let rows: Vec<(Vec<FactCell>, RowTarget)> = groups.iter().map(row).collect();
        let columns = keys.iter().enumerate().map(|(at, key)| column(key, rows.iter().map(|(cells, _)| &cells[at])));
        Self { columns: columns.collect(), rows }
    }

    /// Horizontal ranges of the columns.
    pub(super) fn spans(&self, row: Rangef) -> Vec<Rangef> {
        let layouts: Vec<TableColumn> = self.columns.iter().map(|column| column.layout).collect();
        spans(&layouts, row)
    }

    /// The headings as text.
    pub(super) fn heading_line(&self) -> String {
        self.columns.iter().map(|column| column.title.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// A row as text: its values with the titles of numbers.
    pub(super) fn line(&self, row: usize) -> String {
        let Some((cells, _)) = self.rows.get(row) else { return String::new() };
        let filled = self.columns.iter().zip(cells).filter(|(_, value)| value.cell != Cell::Empty);
        let text = |(column, value): (&FactColumn, &FactCell)| match value.is_number() {
            true => format!("{} {}", column.title, value.cell.shown_in(&column.layout)),
            false => value.cell.shown().into_owned(),
        };
        filled.map(text).collect::<Vec<_>>().join(", ")
    }
}

/// The column of some cells.
fn column<'a>(key: &str, cells: impl Iterator<Item = &'a FactCell> + Clone) -> FactColumn {
    let title = fact_title(key).into_owned();
    let filled = || cells.clone().filter(|value| value.cell != Cell::Empty);
    let lengths = || {
        filled().filter_map(|value| match value.cell {
            Cell::Length(ns) => Some(ns),
            _ => None,
        })
    };
    let is_text = filled().any(|value| !value.is_number()) || filled().next().is_none();
    let unit = DurationUnit::of_column(lengths());
    let first = filled().next().map(|value| &value.cell);
    // Long texts share what is left by their lengths.
    let layout = |width: f32| match first {
        _ if is_text => TableColumn::text("", width.min(WIDEST), (width - WIDEST).max(0.0)),
        Some(Cell::Length(_)) => TableColumn::lengths("", width).in_unit(unit),
        Some(Cell::Time(_)) => TableColumn::times("", width),
        _ => TableColumn::numbers("", width),
    };
    let title = match layout(0.0).kind {
        ColumnKind::Lengths => unit.heading(&title),
        ColumnKind::Times => DurationUnit::Milliseconds.heading(&title),
        _ => title,
    };
    let narrow = layout(0.0);
    let letters = filled().map(|value| value.cell.shown_in(&narrow).chars().count());
    #[expect(clippy::cast_precision_loss, reason = "letters on a screen")]
    let width = (letters.chain([title.chars().count()]).max().unwrap_or(0) as f32 * LETTER).max(LEAST);
    FactColumn { title, layout: layout(width) }
}
