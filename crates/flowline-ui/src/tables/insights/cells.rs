//! Facts as cells of the grid and of tables.

use super::fact_titles::fact_title;
use super::shown_facts::shown_facts;
use crate::widgets::counted;
use crate::widgets::table::Cell;
use flowline_format::{format_bytes, format_fixed, format_integer, format_number};
use flowline_index::Index;
use flowline_index::network::short_name;
use flowline_insights::insights::{Fact, Facts, fact};
use flowline_profile::DisplayClock;
use flowline_profile::text::is_id_key;
use flowline_scene::entry_name;
use flowline_session::place_text;

/// At most this many values are joined in a cell.
const JOINED: usize = 4;

/// The recording and the clock of a fact.
#[derive(Clone, Copy)]
pub(super) struct FactContext<'a> {
    pub(super) index: &'a Index,
    pub(super) clock: DisplayClock,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FactCell {
    pub(super) cell: Cell,
    /// True for an address, which is elided in its middle.
    pub(super) is_address: bool,
    /// The number of bytes of a size.
    pub(super) bytes: Option<f64>,
}

impl FactCell {
    const fn new(cell: Cell) -> Self {
        Self { cell, is_address: false, bytes: None }
    }

    fn text(text: impl Into<String>) -> Self {
        Self::new(Cell::Text(text.into()))
    }

    /// True for numbers, which are aligned right.
    pub(super) const fn is_number(&self) -> bool {
        !matches!(self.cell, Cell::Text(_) | Cell::Empty)
    }
}

/// True for a fact that fits one cell without loss.
pub(super) fn is_plain(fact: &Fact) -> bool {
    match fact {
        Fact::Group(_) => false,
        // Addresses are links, and too long to be joined.
        Fact::List(items) if items.len() > 1 => items.len() <= JOINED && !items.iter().any(is_long),
        Fact::List(items) => items.first().is_none_or(is_plain),
        _ => true,
    }
}

/// True for facts that are not joined with others.
const fn is_long(fact: &Fact) -> bool {
    is_nested(fact) || matches!(fact, Fact::Url(_))
}

const fn is_nested(fact: &Fact) -> bool {
    matches!(fact, Fact::Group(_) | Fact::List(_))
}

/// A fact as a cell; lists and groups are described.
pub(super) fn fact_cell(context: FactContext<'_>, key: &str, fact: &Fact) -> FactCell {
    let seconds = key.ends_with("_s");
    match fact {
        Fact::Unknown => FactCell::new(Cell::Empty),
        Fact::Duration(length) => FactCell::new(Cell::Length(length.0)),
        Fact::Moment(time) => FactCell::new(Cell::Time(context.clock.show(*time))),
        Fact::Bytes(bytes) => FactCell { bytes: Some(*bytes), ..number(format_bytes(*bytes), *bytes) },
        // Ids and places in a file are no amounts.
        Fact::Count(count) if is_label(key) => FactCell::text(count.to_string()),
        Fact::Count(count) if seconds => FactCell::new(Cell::Length(count.saturating_mul(1_000_000_000))),
        #[expect(clippy::cast_precision_loss, reason = "a number to order by")]
        Fact::Count(count) => number(format_integer(*count), *count as f64),
        #[expect(clippy::cast_possible_truncation, reason = "saturating on purpose")]
        Fact::Number(value) if seconds => FactCell::new(Cell::Length((value * 1e9) as i64)),
        // Scores of layout shifts, as on the chart.
        Fact::Number(value) if key == "cls" || key.ends_with("score") => number(format_fixed(*value, 3), *value),
        Fact::Number(value) => number(format_number(*value), *value),
        Fact::Flag(true) => FactCell::text("yes"),
        Fact::Flag(false) => FactCell::text("no"),
        Fact::Text(text) => FactCell::text(text),
        Fact::Url(url) => FactCell { is_address: true, ..FactCell::text(url) },
        Fact::Marker(marker) => FactCell::text(entry_name(context.index, *marker)),
        Fact::Thread(thread) => FactCell::text(place_text(context.index.profile(), *thread)),
        Fact::List(items) => list_cell(context, key, items),
        Fact::Group(facts) => group_cell(context, facts),
    }
}

/// True for the key of a number that only identifies something.
fn is_label(key: &str) -> bool {
    is_id_key(key) || matches!(key, "line" | "column" | "window" | "node" | "navigation")
}

fn number(shown: String, value: f64) -> FactCell {
    FactCell::new(Cell::Value { shown, plain: value.to_string() })
}

/// Few plain values, or the number of values.
fn list_cell(context: FactContext<'_>, key: &str, items: &[Fact]) -> FactCell {
    match items {
        [] => FactCell::text("none"),
        [one] => fact_cell(context, key, one),
        items if items.len() <= JOINED && !items.iter().any(is_long) => {
            let texts: Vec<String> =
                items.iter().map(|item| fact_cell(context, key, item).cell.shown().into_owned()).collect();
            FactCell::text(texts.join(", "))
        }
        // The first one is the most important.
        [first @ (Fact::Group(_) | Fact::Url(_)), others @ ..] => {
            let first = fact_cell(context, key, first).cell;
            let others = match others.len() {
                1 => "1 other".to_owned(),
                count => format!("{} others", format_integer(i64::try_from(count).unwrap_or(i64::MAX))),
            };
            FactCell::text(format!("{} and {others}", first.shown()))
        }
        items => FactCell::text(counted(items.len(), "value")),
    }
}

/// Name and place of a function in a few letters: "readBack, app.js:3:18".
fn function_text(facts: &Facts) -> Option<String> {
    let Some(Fact::Text(name)) = fact(facts, "name") else { return None };
    let facts = shown_facts(facts);
    let Some(Fact::Url(location)) = fact(&facts, "location") else { return None };
    let name = if name.is_empty() { "(anonymous)" } else { name };
    Some(format!("{name}, {}", short_name(location)))
}

/// The first texts of a group, or else its first values with their titles.
fn group_cell(context: FactContext<'_>, facts: &Facts) -> FactCell {
    let text = |(key, fact): &(&'static str, Fact)| match fact {
        Fact::Text(_) | Fact::Url(_) => Some(fact_cell(context, key, fact)),
        _ => None,
    };
    if let Some(function) = function_text(facts) {
        return FactCell::text(function);
    }
    if let Some(first) = facts.iter().find_map(text) {
        return first;
    }
    let named = |(key, fact): &(&'static str, Fact)| {
        let cell = fact_cell(context, key, fact).cell;
        (cell != Cell::Empty).then(|| format!("{} {}", fact_title(key), cell.shown()))
    };
    FactCell::text(
        facts.iter().filter(|(_, fact)| !is_nested(fact)).filter_map(named).take(JOINED).collect::<Vec<_>>().join(", "),
    )
}
