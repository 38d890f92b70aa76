//! Rows of facts: a grid of titles and values, small tables for lists, and links to markers.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::cells::{fact_cell, is_plain};
use super::fact_table::FactTable;
use super::fact_titles::fact_title;
use super::row::RowContent;
use super::row_list::RowList;
use super::row_target::RowTarget;
use super::shown_facts::shown_facts;
use crate::widgets::grouped;
use flowline_index::Index;
use flowline_insights::insights::{Fact, Facts};
use flowline_profile::{MarkerId, Ns, TimeRange};
use flowline_scene::entry_name;

/// At most this many markers of an insight are found by their starts.
const FOUND: usize = 20_000;
/// Lists with at most this many rows are unfolded at first.
const FEW: usize = 12;
/// Facts nest at most this deep.
const DEEPEST: usize = 8;

/// Finds what facts refer to.
pub(super) struct Targets {
    by_start: BTreeMap<Ns, MarkerId>,
}

impl Targets {
    /// The targets among the markers of an insight.
    pub(super) fn new(index: &Index, markers: &[MarkerId]) -> Self {
        let profile = index.profile();
        let start = |marker: &MarkerId| {
            let (thread, local) = profile.locate(*marker)?;
            Some((profile.thread(thread).markers.start(local), *marker))
        };
        Self { by_start: markers.iter().take(FOUND).filter_map(start).collect() }
    }

    /// The effect of a press on a fact.
    fn of_fact(&self, fact: &Fact) -> RowTarget {
        match fact {
            Fact::Marker(marker) => RowTarget::Marker(*marker),
            Fact::Url(url) => RowTarget::Url(url.clone()),
            Fact::Moment(time) => self.by_start.get(time).map_or(RowTarget::Fold, |marker| RowTarget::Marker(*marker)),
            Fact::Group(facts) => self.of_group(facts),
            Fact::List(items) if items.len() == 1 => self.of_fact(&items[0]),
            _ => RowTarget::Fold,
        }
    }

    /// The effect of a press on a row of facts: its marker, else the marker with its start, its request, or its range.
    fn of_group(&self, facts: &Facts) -> RowTarget {
        let first = |wanted: fn(&Fact) -> bool| facts.iter().map(|(_, fact)| fact).find(|fact| wanted(fact));
        let moment = |wanted: &[&str]| {
            facts.iter().find_map(|(key, fact)| match fact {
                Fact::Moment(time) if wanted.contains(key) => Some(*time),
                _ => None,
            })
        };
        let marker = first(|fact| matches!(fact, Fact::Marker(_))).map(|fact| self.of_fact(fact));
        let begin = moment(&["start_ns", "t_ns"]);
        let same = || begin.and_then(|begin| self.by_start.get(&begin)).map(|marker| RowTarget::Marker(*marker));
        let url = || first(|fact| matches!(fact, Fact::Url(_))).map(|fact| self.of_fact(fact));
        let range = || {
            let (start, end) = begin.zip(moment(&["end_ns"]))?;
            (start <= end).then_some(RowTarget::Range(TimeRange { start, end }))
        };
        marker.or_else(same).or_else(url).or_else(range).unwrap_or_default()
    }
}

/// Adds rows for facts.
pub(super) fn push_facts(list: &mut RowList<'_>, (parent, level): (&str, usize), facts: &Facts, targets: &Targets) {
    for (name, fact) in facts {
        // The table of the same requests has their addresses.
        if *name == "longest" && facts.iter().any(|(other, _)| *other == "longest_requests") {
            continue;
        }
        let title = fact_title(name).into_owned();
        push_fact(list, (&format!("{parent}/{name}"), level), (title, name, fact), targets);
    }
}

/// Adds the rows of a fact: one, or a heading with what it contains.
fn push_fact(
    list: &mut RowList<'_>,
    (key, level): (&str, usize),
    (title, name, fact): (String, &str, &Fact),
    targets: &Targets,
) {
    let content = |list: &RowList<'_>, title| RowContent::Fact { title, value: fact_cell(list.context, name, fact) };
    match fact {
        _ if level > DEEPEST || is_plain(fact) => {
            let content = content(list, title);
            list.plain(key.to_owned(), level, content, targets.of_fact(fact));
        }
        Fact::List(items) => push_list(list, (key, level), (title, name, items), targets),
        Fact::Group(inner) => {
            let content = content(list, title);
            if list.folding((key, level), inner.len() <= FEW, content, targets.of_group(inner)) {
                push_facts(list, (key, level + 1), &shown_facts(inner), targets);
            }
        }
        _ => {}
    }
}

/// Adds the rows of a list: a table of groups, or the rows of each value.
fn push_list(
    list: &mut RowList<'_>,
    (key, level): (&str, usize),
    (title, name, items): (String, &str, &[Fact]),
    targets: &Targets,
) {
    let content = RowContent::Facts { title, count: items.len() };
    if !list.folding((key, level), items.len() <= FEW, content, RowTarget::Fold) {
        return;
    }
    let shown = list.shown(key, items.len());
    let (visible, all) = (&items[..shown], items.len());
    if visible.iter().all(|item| matches!(item, Fact::Group(_))) {
        push_table(list, (key, level + 1), visible, targets);
    } else {
        for (number, item) in visible.iter().enumerate() {
            let title = grouped(number + 1);
            push_fact(list, (&format!("{key}/{number}"), level + 1), (title, name, item), targets);
        }
    }
    list.more(key, level + 1, (shown, all));
}

/// Adds a table. Rows with nested facts unfold.
fn push_table(list: &mut RowList<'_>, (key, level): (&str, usize), items: &[Fact], targets: &Targets) {
    let table = Arc::new(FactTable::build(list.context, items, |facts| targets.of_group(facts)));
    list.plain(format!("{key}/head"), level, RowContent::TableHead(Arc::clone(&table)), RowTarget::Fold);
    for (number, item) in items.iter().enumerate() {
        let row_key = format!("{key}/{number}");
        let (content, target) = (RowContent::TableRow(Arc::clone(&table), number), table.rows[number].1.clone());
        let Fact::Group(facts) = item else { continue };
        let is_nested = |(_, fact): &&(&'static str, Fact)| !is_plain(fact);
        let nested: Facts = facts.iter().filter(is_nested).cloned().collect();
        if nested.is_empty() {
            list.plain(row_key, level, content, target);
        } else if list.folding((&row_key, level), false, content, target) {
            push_facts(list, (&row_key, level + 1), &nested, targets);
        }
    }
}

/// Adds links to the markers of an insight.
pub(super) fn push_markers(list: &mut RowList<'_>, (parent, level): (&str, usize), markers: &[MarkerId]) {
    let key = format!("{parent}/markers");
    let content = RowContent::Facts { title: "Markers".to_owned(), count: markers.len() };
    if markers.is_empty() || !list.folding((&key, level), false, content, RowTarget::Fold) {
        return;
    }
    let shown = list.shown(&key, markers.len());
    let context = list.context;
    for (number, marker) in markers[..shown].iter().enumerate() {
        let profile = context.index.profile();
        let Some((thread, local)) = profile.locate(*marker) else { continue };
        let time = context.clock.show(profile.thread(thread).markers.start(local));
        let content = RowContent::Marker { name: entry_name(context.index, *marker), time };
        list.plain(format!("{key}/{number}"), level + 1, content, RowTarget::Marker(*marker));
    }
    list.more(&key, level + 1, (shown, markers.len()));
}
