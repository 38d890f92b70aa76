//! `flowline stats --of functions`: self and total costs of the functions in samples. Recordings with samples only are
//! grouped this way unless another subject is named.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use anyhow::ensure;

use super::group_text::{json_number, json_object, json_text, plain};
use crate::cli::args::{GroupArgs, StatsArgs};
use crate::cli::output::{Cell, aligned};
use crate::cli::scope::ScopeChoice;
use flowline_format::{format_counted, format_percent};
use flowline_index::samples::{Cost, FunctionList, SampleKind, TreeRequest, func_name};
use flowline_profile::samples::{ANONYMOUS, WeightUnit};
use flowline_profile::{FuncId, Profile, StackTables, ThreadId};
use flowline_session::{CsvLineEnd, CsvWriter};
use flowline_terminal as terminal;

/// A function by its name, and its file or library.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FunctionKey {
    pub(super) name: String,
    /// File or library; empty if unknown.
    pub(super) place: String,
}

/// The costs of a function in the unit of its samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct FunctionCost {
    /// Cost of the samples in which it is the innermost function.
    pub(super) own: f64,
    /// Cost of the samples with the function on their stack; each counts once.
    pub(super) total: f64,
}

/// The functions of a scope.
#[derive(Debug)]
pub(super) struct Functions {
    pub(super) costs: BTreeMap<FunctionKey, FunctionCost>,
    /// Cost of all samples with a stack.
    pub(super) all: f64,
    pub(super) unit: WeightUnit,
}

/// The kinds of samples that count: the first one that the threads have.
const KINDS: [SampleKind; 3] = [SampleKind::Cpu, SampleKind::NativeAllocations, SampleKind::JsAllocations];

/// True for a recording with samples and without markers.
pub(super) fn has_only_samples(profile: &Profile) -> bool {
    let has_samples = |(id, _): (ThreadId, _)| KINDS.iter().any(|kind| kind.is_in(profile, id));
    profile.marker_count() == 0 && profile.threads_with_ids().any(has_samples)
}

/// Rejects options that do not apply to functions.
///
/// # Errors
/// A message that names the options.
pub(super) fn check(group: &GroupArgs) -> anyhow::Result<()> {
    let is_grouped = !group.by.is_empty() || group.normalize;
    ensure!(!is_grouped, "--by and --normalize apply only to markers; samples are grouped by function");
    Ok(())
}

/// File of a function, else its library.
fn place(tables: &StackTables, func: u32) -> String {
    let func = FuncId(func);
    if func.index() >= tables.funcs.len() {
        return String::new();
    }
    let library = || tables.resource(func).map_or("", |(_, library)| library);
    Some(tables.file(func)).filter(|file| !file.is_empty()).unwrap_or_else(library).to_owned()
}

impl Functions {
    /// Sums the samples of a scope. `search` keeps the samples with a matching function, as in call trees.
    pub(super) fn new(profile: &Profile, choice: &ScopeChoice, search: &str) -> Self {
        let all = || profile.threads_with_ids().map(|(id, _)| id).collect();
        let threads: Vec<ThreadId> = choice.threads().map_or_else(all, <[ThreadId]>::to_vec);
        let kind = KINDS.into_iter().find(|kind| threads.iter().any(|thread| kind.is_in(profile, *thread)));
        let request = TreeRequest {
            threads,
            kind: kind.unwrap_or_default(),
            range: choice.range(),
            without_idle: profile.meta.capabilities.idle_is_sampled,
            search: search.to_owned(),
            ..TreeRequest::default()
        };
        let has_time = request.kind == SampleKind::Cpu && request.selection(profile).has_time();
        let table = request
            .threads
            .iter()
            .find_map(|thread| request.kind.table(profile, *thread).filter(|table| !table.is_empty()));
        let unit = if has_time {
            WeightUnit::Nanoseconds
        } else {
            table.map_or_else(WeightUnit::default, |table| table.weight_unit)
        };
        #[expect(clippy::cast_precision_loss, reason = "exact up to 104 days")]
        let number = |cost: Cost| if has_time { cost.time.0 as f64 } else { cost.weight };
        let tree = request.tree(profile, Arc::new(request.nodes(profile)));
        let tables = &profile.stacks;
        let mut costs: BTreeMap<FunctionKey, FunctionCost> = BTreeMap::new();
        let mut all = 0.0;
        for row in FunctionList::new(&tree).rows {
            let name = match func_name(tables, row.func) {
                "" => ANONYMOUS,
                name => name,
            };
            let key = FunctionKey { name: name.to_owned(), place: place(tables, row.func) };
            let cost = costs.entry(key).or_default();
            cost.own += number(row.own);
            cost.total += number(row.total);
            all += number(row.own);
        }
        Self { costs, all, unit }
    }

    /// The functions by descending self cost, then total cost.
    fn sorted(&self) -> Vec<(&FunctionKey, FunctionCost)> {
        let mut rows: Vec<_> = self.costs.iter().map(|(key, cost)| (key, *cost)).collect();
        rows.sort_by(|(_, a), (_, b)| b.own.total_cmp(&a.own).then_with(|| b.total.total_cmp(&a.total)));
        rows
    }

    /// Share of all samples; `None` if they cost nothing.
    fn share(&self, cost: f64) -> Option<f64> {
        (self.all > 0.0).then(|| cost / self.all)
    }
}

/// The cell of a cost.
#[expect(clippy::cast_possible_truncation, reason = "rounded for display")]
pub(super) fn cost_cell(cost: Option<f64>, unit: WeightUnit) -> Cell {
    match unit {
        WeightUnit::Nanoseconds => Cell::duration(cost.map(|cost| cost.round() as i128)),
        unit => Cell::number(cost.map_or_else(String::new, |cost| unit.text(cost))),
    }
}

/// A file or library, null if it is unknown.
pub(super) fn json_place(place: &str) -> String {
    if place.is_empty() { "null".to_owned() } else { json_text(place) }
}

/// Prints the functions of a scope.
///
/// # Errors
/// Errors of the output.
pub(super) fn print(options: &StatsArgs, profile: &Profile, choice: &ScopeChoice) -> anyhow::Result<()> {
    let found = Functions::new(profile, choice, &options.scope.search);
    let mut out = terminal::table_output(options.csv);
    const NAMES: [&str; 7] = ["function", "place", "unit", "self", "self_share", "total", "total_share"];
    let values = |(key, cost): (&FunctionKey, FunctionCost)| {
        [
            json_text(&key.name),
            json_place(&key.place),
            json_text(found.unit.name()),
            cost.own.to_string(),
            json_number(found.share(cost.own)),
            cost.total.to_string(),
            json_number(found.share(cost.total)),
        ]
    };
    if options.json {
        for row in found.sorted() {
            writeln!(out, "{}", json_object(NAMES.map(str::to_owned).into_iter().zip(values(row))))?;
        }
    } else if options.csv {
        let mut csv = CsvWriter::new(&mut out, CsvLineEnd::Lf);
        csv.row(NAMES)?;
        for row in found.sorted() {
            csv.row(values(row).iter().map(|value| plain(value)))?;
        }
    } else {
        let share = |cost: f64| Cell::number(found.share(cost).map_or_else(String::new, format_percent));
        let row = |name: String, place: String, cost: FunctionCost| {
            let [own, total] = [cost.own, cost.total].map(|cost| cost_cell(Some(cost), found.unit));
            vec![Cell::text(name), own, share(cost.own), total, share(cost.total), Cell::text(place)]
        };
        let numbers = ["self", "self share", "total", "total share"].map(Cell::number);
        let heading = std::iter::once(Cell::text("function")).chain(numbers).chain([Cell::text("file or library")]);
        let rows = found.sorted().into_iter().map(|(key, cost)| row(key.name.clone(), key.place.clone(), cost));
        let all = format!("all {}", format_counted(found.costs.len() as u64, "function"));
        let totals = row(all, String::new(), FunctionCost { own: found.all, total: found.all });
        aligned(&mut out, std::iter::once(heading.collect()).chain(rows).chain([totals]))?;
        let clock = profile.clock();
        let scope = match choice.range() {
            _ if !clock.unit.is_time() => clock.length(profile.meta.range.len()),
            range => clock.span(range.unwrap_or(profile.meta.range)),
        };
        terminal::line(&mut out, format_args!("{scope}"))?;
    }
    Ok(out.flush()?)
}
