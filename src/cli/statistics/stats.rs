//! `flowline stats`: statistics of a scope as a table, JSON Lines or CSV. This file handles markers by group;
//! `lists` handles counters and flows, `functions` samples.

use std::io::Write;

use super::functions;
use super::group_text::{json_object, key_fields, key_texts, number_fields, plain};
use super::lists;
use super::memory_check::MemoryCheck;
use super::summary;
use crate::cli::args::{GroupArgs, StatsArgs, StatsOf};
use crate::cli::opening::{Opening, finish, open, origin_for};
use crate::cli::output::{Cell, aligned};
use crate::cli::scope::ScopeChoice;
use flowline_format::{format_count, format_counted, format_fixed};
use flowline_index::statistics::{
    Columns, FieldCount, Group, Grouping, Key, KeyValue, Statistics, Subject, fields, near_fields, run as statistics,
};
use flowline_profile::Profile;
use flowline_session::{CsvLineEnd, CsvWriter};
use flowline_terminal::{self as terminal, table_output};

pub(crate) fn run(options: &StatsArgs, opening: &Opening) -> anyhow::Result<()> {
    lists::check(options)?;
    let loaded = open(&origin_for(&options.file), opening)?;
    let (index, profile) = (&loaded.index, loaded.index.profile());
    let choice = ScopeChoice::new(&options.scope, index)?;
    if options.summary {
        summary::run(options.json, index, choice.overlapping(), &MemoryCheck::new(opening))?;
        return finish(&loaded);
    }
    if options.fields {
        lists::fields(options, &choice.subject(index), &MemoryCheck::new(opening))?;
        finish(&loaded)?;
        return Ok(());
    }
    let of = options.of.unwrap_or(match functions::has_only_samples(profile) {
        true => StatsOf::Functions,
        false => StatsOf::Markers,
    });
    match of {
        StatsOf::Markers => {}
        StatsOf::Counters => lists::counters(options, index, &choice.subject(index))?,
        StatsOf::Flows => lists::flows(options, index, &loaded.setup.rules, &choice.subject(index))?,
        StatsOf::Functions => {
            functions::check(&options.group)?;
            functions::print(options, profile, &choice)?;
        }
    }
    if of != StatsOf::Markers {
        finish(&loaded)?;
        return Ok(());
    }
    let found = compute(&choice.subject(index), &options.group, false, &MemoryCheck::new(opening))?;
    let keys = options.group.keys();
    let mut out = table_output(options.csv);
    if options.json {
        for group in &found.groups {
            let numbers = number_fields(group, found.span).into_iter().map(|(name, value)| (name.to_owned(), value));
            let fields = key_fields(profile, &keys, &group.key).into_iter().chain(numbers);
            writeln!(out, "{}", json_object(fields))?;
        }
    } else if options.csv {
        csv(&mut out, profile, &keys, &found)?;
    } else {
        table(&mut out, profile, &keys, &found, options.scope.range.is_some())?;
    }
    out.flush()?;
    finish(&loaded)?;
    Ok(())
}

/// Computes the statistics of a scope.
///
/// # Errors
/// If no marker has a grouping field, or if there is not enough memory for the groups.
pub(super) fn compute(
    subject: &Subject<'_>,
    group: &GroupArgs,
    as_texts: bool,
    memory: &MemoryCheck,
) -> anyhow::Result<Statistics> {
    let grouping = Grouping { keys: group.keys(), normalize: group.normalize, as_texts };
    // On the command line, only the memory limit can stop a query.
    let found = statistics(subject, &grouping, Columns::ALL, &|| memory.goes_on(), |_| {});
    let Some(found) = found else { return Err(memory.error()) };
    for (place, key) in grouping.keys.iter().enumerate() {
        let is_missing = |group: &Group| group.key.get(place) == Some(&KeyValue::Missing);
        if let Key::Field(name) = key
            && !found.groups.is_empty()
            && found.groups.iter().all(is_missing)
        {
            let occurring = fields(subject, &|| memory.goes_on()).unwrap_or_default();
            let similar: Vec<String> = near_fields(&occurring, name).into_iter().map(named).collect();
            let hint = if similar.is_empty() { String::new() } else { format!("; similar: {}", similar.join(", ")) };
            anyhow::bail!(
                "no matching marker has a field \"{name}\"{hint}; group by name, category, thread, process or a field that `stats --fields` lists"
            );
        }
    }
    Ok(found)
}

/// A field with its label, as in error messages.
fn named(field: &FieldCount) -> String {
    match field.label.as_str() {
        "" => field.path.clone(),
        label => format!("{} ({label})", field.path),
    }
}

fn csv(out: &mut impl Write, profile: &Profile, keys: &[Key], found: &Statistics) -> std::io::Result<()> {
    // The columns have names even if there are no groups.
    let heading = found.groups.first().unwrap_or(&found.totals);
    let mut names: Vec<String> = key_fields(profile, keys, &heading.key).into_iter().map(|(name, _)| name).collect();
    if names.is_empty() {
        names.extend(keys.iter().map(|key| key.name().to_owned()));
    }
    names.extend(number_fields(heading, found.span).into_iter().map(|(name, _)| name.to_owned()));
    let mut csv = CsvWriter::new(out, CsvLineEnd::Lf);
    csv.row(&names)?;
    for group in &found.groups {
        let mut fields: Vec<String> =
            key_fields(profile, keys, &group.key).iter().map(|(_, value)| plain(value)).collect();
        fields.extend(number_fields(group, found.span).iter().map(|(_, value)| plain(value)));
        csv.row(&fields)?;
    }
    Ok(())
}

/// Columns of the text table.
const COLUMNS: [&str; 17] = [
    "count",
    "total",
    "share",
    "self",
    "cpu",
    "mean",
    "stddev",
    "min",
    "p50",
    "p90",
    "p99",
    "p99.9",
    "max",
    "per second",
    "covered",
    "longest gap",
    "incomplete",
];

/// Writes the table; `is_clipped` if a range can clip markers.
fn table(
    out: &mut impl Write,
    profile: &Profile,
    keys: &[Key],
    found: &Statistics,
    is_clipped: bool,
) -> std::io::Result<()> {
    if found.groups.is_empty() && !profile.meta.capabilities.axis.is_time() {
        let total = profile.clock().length(profile.meta.range.len());
        return terminal::line(
            out,
            format_args!("no markers; {total} without times (stats --of functions and dump calltree show their sums)"),
        );
    }
    let mut heading: Vec<Cell> = keys.iter().map(|key| Cell::text(key.name())).collect();
    heading.extend(COLUMNS.map(Cell::number));
    let row = |texts: Vec<String>, group: &Group| {
        let mut cells: Vec<Cell> = texts.into_iter().map(Cell::text).collect();
        cells.extend(numbers(group, found));
        cells
    };
    let rows = found.groups.iter().map(|group| row(key_texts(profile, &group.key), group));
    let all = format!("all {}", format_counted(found.groups.len() as u64, "group"));
    let texts = keys.iter().enumerate().map(|(place, _)| if place == 0 { all.clone() } else { String::new() });
    let totals = row(texts.collect(), &found.totals);
    aligned(out, std::iter::once(heading).chain(rows).chain([totals]))?;
    terminal::line(out, format_args!("{}", profile.clock().span(found.span)))?;
    if is_clipped {
        let clipped = "total, self and covered are clipped to the range; cpu and mean to max are of whole markers";
        terminal::line(out, format_args!("{clipped}"))?;
    }
    Ok(())
}

/// Returns the numbers of a row in the order of [`COLUMNS`].
#[expect(clippy::cast_possible_truncation, reason = "rounded for display")]
fn numbers(group: &Group, found: &Statistics) -> [Cell; 17] {
    let rounded = |length: Option<f64>| Cell::duration(length.map(|length| length.round() as i128));
    let lengths = group.lengths;
    let length = |of: fn(&flowline_index::statistics::DurationStatistics) -> u64| {
        Cell::duration(lengths.as_ref().map(|lengths| i128::from(of(lengths))))
    };
    let share = group.share(found.span).map_or_else(String::new, flowline_format::format_percent);
    [
        Cell::number(format_count(group.count)),
        Cell::duration(Some(group.total)),
        Cell::number(share),
        Cell::duration(group.self_time),
        Cell::duration(group.cpu),
        rounded(group.mean),
        rounded(lengths.map(|lengths| lengths.deviation)),
        length(|lengths| lengths.min),
        length(|lengths| lengths.p50),
        length(|lengths| lengths.p90),
        length(|lengths| lengths.p99),
        length(|lengths| lengths.p999),
        length(|lengths| lengths.max),
        Cell::number(group.rate(found.span).map_or_else(String::new, |rate| format_fixed(rate, 3))),
        Cell::duration(group.covered.map(i128::from)),
        Cell::duration(group.longest_gap.map(i128::from)),
        Cell::number(if group.incomplete == 0 { String::new() } else { format_count(group.incomplete) }),
    ]
}
