//! Facts with the same names as a small table: a column per name, numbers aligned right under headings with units.

use egui::Rangef;

use super::cells::{FactCell, FactContext, fact_cell};
use super::fact_titles::fact_title;
use super::row_target::RowTarget;
use super::shown_facts::shown_facts;
use crate::widgets::table::{Cell, ColumnKind, TableColumn, least_width, spans};
use flowline_format::{DurationUnit, SizeUnit};
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
    /// The column that ranks the rows; `None` if no number does.
    ranking: Option<usize>,
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
        let mut rows: Vec<(Vec<FactCell>, RowTarget)> = groups.iter().map(row).collect();
        let sizes: Vec<Option<SizeUnit>> = (0..keys.len()).map(|at| one_size_unit(&mut rows, at)).collect();
        let columns =
            keys.iter().enumerate().map(|(at, key)| column(key, sizes[at], rows.iter().map(|(cells, _)| &cells[at])));
        let ranking = ranking_column(keys.len(), &rows);
        Self { columns: columns.collect(), rows, ranking }
    }

    /// Horizontal ranges of the columns; `None` for those that do not fit. The first column and the one that ranks the rows
    /// always remain; of the others, the last ones go first.
    pub(super) fn spans(&self, row: Rangef) -> Vec<Option<Rangef>> {
        let mut shown: Vec<usize> = (0..self.columns.len()).collect();
        let layouts = |shown: &[usize]| shown.iter().map(|at| self.columns[*at].layout).collect::<Vec<TableColumn>>();
        while least_width(&layouts(&shown)) > row.span() {
            let can_go = |at: &usize| *at > 0 && Some(*at) != self.ranking;
            let Some(last) = shown.iter().rposition(can_go) else { break };
            shown.remove(last);
        }
        let mut all = vec![None; self.columns.len()];
        for (at, span) in shown.iter().zip(spans(&layouts(&shown), row)) {
            all[*at] = Some(span);
        }
        all
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

/// The first column of numbers by which the rows are in descending order; else the first one of durations, of sizes, or of
/// other numbers.
fn ranking_column(count: usize, rows: &[(Vec<FactCell>, RowTarget)]) -> Option<usize> {
    let amounts = |at: usize| rows.iter().filter_map(move |(cells, _)| amount(&cells[at]));
    let ranks = |at: &usize| {
        let all: Vec<f64> = amounts(*at).collect();
        all.len() == rows.len() && all.is_sorted_by(|one, next| one >= next) && all.first() > all.last()
    };
    let first = |wanted: &dyn Fn(&FactCell) -> bool| {
        (0..count).find(|at| amounts(*at).next().is_some() && rows.iter().any(|(cells, _)| wanted(&cells[*at])))
    };
    let is_length = |cell: &FactCell| matches!(cell.cell, Cell::Length(_));
    let by_kind = || first(&is_length).or_else(|| first(&|cell| cell.bytes.is_some()));
    (0..count).find(ranks).or_else(by_kind).or_else(|| first(&|_| true))
}

/// The amount of a cell; `None` for texts and moments, which rank nothing.
#[expect(clippy::cast_precision_loss, reason = "a duration to compare")]
fn amount(value: &FactCell) -> Option<f64> {
    match &value.cell {
        Cell::Length(ns) => Some(*ns as f64),
        Cell::Value { plain, .. } => plain.parse().ok(),
        _ => None,
    }
}

/// Writes a column of sizes in one unit; `None` for other columns.
fn one_size_unit(rows: &mut [(Vec<FactCell>, RowTarget)], at: usize) -> Option<SizeUnit> {
    let filled = || rows.iter().map(|(cells, _)| &cells[at]).filter(|value| value.cell != Cell::Empty);
    if filled().next().is_none() || filled().any(|value| value.bytes.is_none()) {
        return None;
    }
    let unit = SizeUnit::of_column(filled().filter_map(|value| value.bytes));
    for value in rows.iter_mut().map(|(cells, _)| &mut cells[at]) {
        if let (Cell::Value { shown, .. }, Some(bytes)) = (&mut value.cell, value.bytes) {
            *shown = unit.format(bytes);
        }
    }
    Some(unit)
}

/// The column of some cells.
fn column<'a>(key: &str, sizes: Option<SizeUnit>, cells: impl Iterator<Item = &'a FactCell> + Clone) -> FactColumn {
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
        _ => sizes.map_or(title.clone(), |unit| unit.heading(&title)),
    };
    let narrow = layout(0.0);
    let letters = filled().map(|value| value.cell.shown_in(&narrow).chars().count());
    #[expect(clippy::cast_precision_loss, reason = "letters on a screen")]
    let width = (letters.chain([title.chars().count()]).max().unwrap_or(0) as f32 * LETTER).max(LEAST);
    FactColumn { title, layout: layout(width) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_index::{Arrangement, Index};
    use flowline_insights::insights::Fact;
    use flowline_profile::{Ns, Profile};
    use std::sync::Arc;

    fn table(rows: &[(&str, &str, i64, i64)]) -> FactTable {
        let index = Index::build(Arc::new(Profile::default()), Arrangement::Stack);
        let context = FactContext { index: &index, clock: index.profile().clock() };
        let group = |(name, place, count, ms): &(&str, &str, i64, i64)| {
            Fact::Group(vec![
                ("name", Fact::Text((*name).to_owned())),
                ("place", Fact::Text((*place).to_owned())),
                ("count", Fact::Count(*count)),
                ("total_ns", Fact::Duration(Ns(*ms * 1_000_000))),
            ])
        };
        let items: Vec<Fact> = rows.iter().map(group).collect();
        FactTable::build(context, &items, |_| RowTarget::Fold)
    }

    #[test]
    fn the_column_that_ranks_is_never_cut() {
        let long = "https://shop.example/assets/scripts/application.js";
        let table = table(&[("first", long, 2, 90), ("second", long, 7, 30), ("third", long, 1, 20)]);
        assert_eq!(table.ranking, Some(3), "the rows are in descending order of it");
        for width in [1200.0, 640.0, 400.0, 300.0, 240.0] {
            let row = Rangef::new(10.0, 10.0 + width);
            let spans = table.spans(row);
            let shown: Vec<&Rangef> = spans.iter().flatten().collect();
            assert!(shown.iter().all(|span| span.max <= row.max), "{width}: {spans:?}");
            assert!(spans[0].is_some() && spans[3].is_some(), "{width}: {spans:?}");
        }
        assert!(table.spans(Rangef::new(0.0, 1200.0)).iter().all(Option::is_some));
        assert!(table.spans(Rangef::new(0.0, 200.0))[1..3].contains(&None), "others go");
    }

    #[test]
    fn rows_without_an_order_are_ranked_by_their_durations() {
        assert_eq!(table(&[("a", "b", 1, 20), ("c", "d", 1, 90)]).ranking, Some(3));
        assert_eq!(table(&[("a", "b", 9, 20), ("c", "d", 1, 90)]).ranking, Some(2));
    }

    #[test]
    fn sizes_of_a_column_have_one_unit() {
        let size = |bytes: f64| FactCell {
            cell: Cell::Value { shown: String::new(), plain: bytes.to_string() },
            is_address: false,
            bytes: Some(bytes),
        };
        let empty = || FactCell { cell: Cell::Empty, is_address: false, bytes: None };
        let mut rows: Vec<(Vec<FactCell>, RowTarget)> = vec![
            (vec![size(48_213.0)], RowTarget::Fold),
            (vec![empty()], RowTarget::Fold),
            (vec![size(778.0)], RowTarget::Fold),
        ];
        let unit = one_size_unit(&mut rows, 0);
        assert_eq!(unit, Some(SizeUnit::Kilobytes));
        let shown = |at: usize| rows[at].0[0].cell.shown().into_owned();
        assert_eq!([shown(0), shown(1), shown(2)], ["48.2", "", "0.8"]);
        let own = column("wasted_bytes", unit, rows.iter().map(|(cells, _)| &cells[0]));
        assert_eq!((own.title.as_str(), own.layout.kind), ("Wasted KB", ColumnKind::Numbers));
        let mut mixed =
            vec![(vec![FactCell { bytes: None, ..size(1.0) }], RowTarget::Fold), (vec![size(2.0)], RowTarget::Fold)];
        assert_eq!(one_size_unit(&mut mixed, 0), None, "not only sizes");
    }
}
