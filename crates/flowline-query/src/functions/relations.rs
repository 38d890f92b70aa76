//! Functions that return tables: `path`, `ancestors`, `descendants`, `flow_chain`.

use std::collections::HashSet;
use std::sync::Arc;

use datafusion::arrow::array::ArrayRef;
use datafusion::catalog::{TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::{Result, ScalarValue, plan_err};
use datafusion::logical_expr::Expr;
use flowline_profile::{LocalMarker, MarkerId};

use crate::recording::Recording;
use crate::schema::{CRITICAL_PATH, SLICE};
use crate::tables::{Columns, Rows, RowsProvider, Whole, arrows, open_table, push_path};

/// Most slices that a chain of flows lists.
const MAX_CHAIN: usize = 1_000_000;

/// The relation of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Path,
    Ancestors,
    Descendants,
    FlowChain,
}

impl Relation {
    pub(crate) const ALL: [Self; 4] = [Self::Path, Self::Ancestors, Self::Descendants, Self::FlowChain];

    /// Name of the function.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Ancestors => "ancestors",
            Self::Descendants => "descendants",
            Self::FlowChain => "flow_chain",
        }
    }
}

/// A function over one recording.
#[derive(Debug)]
pub(crate) struct RelationFunction {
    pub(crate) relation: Relation,
    pub(crate) recordings: Vec<Arc<Recording>>,
}

fn integer(argument: Option<&Expr>) -> Option<i64> {
    match argument? {
        Expr::Literal(ScalarValue::Int64(value), _) => *value,
        Expr::Literal(ScalarValue::UInt64(value), _) => value.and_then(|value| i64::try_from(value).ok()),
        _ => None,
    }
}

fn text(argument: Option<&Expr>) -> Option<&str> {
    match argument? {
        Expr::Literal(ScalarValue::Utf8(value) | ScalarValue::Utf8View(value), _) => value.as_deref(),
        _ => None,
    }
}

impl TableFunctionImpl for RelationFunction {
    fn call_with_args(&self, args: TableFunctionArgs<'_, '_>) -> Result<Arc<dyn TableProvider>> {
        let name = self.relation.name();
        let [recording] = &self.recordings[..] else { return plan_err!("{name} works with one recording") };
        let arguments = args.exprs();
        let Some(slice) = integer(arguments.first()) else {
            return plan_err!("{name} needs the number of a slice, such as {name}(123); see the column id of slice");
        };
        let wanted = if self.relation == Relation::FlowChain { 2 } else { 1 };
        if arguments.len() != wanted {
            return plan_err!("{name} has {wanted} argument{}", if wanted == 1 { "" } else { "s" });
        }
        if recording.locate(slice).is_none() {
            return plan_err!("{name}: there is no slice {slice}");
        }
        let slices = match self.relation {
            Relation::Path => {
                let mut rows = Columns::new(CRITICAL_PATH);
                push_path(recording, MarkerId(u32::try_from(slice).unwrap_or(u32::MAX)), &mut rows);
                return Ok(Arc::new(RowsProvider::of(Arc::new(Whole::new(CRITICAL_PATH, rows)))));
            }
            Relation::Ancestors => ancestors(recording, slice),
            Relation::Descendants => descendants(recording, slice),
            Relation::FlowChain => match text(arguments.get(1)) {
                Some("outgoing") => flow_chain(recording, slice, true),
                Some("incoming") => flow_chain(recording, slice, false),
                _ => return plan_err!("the second argument of flow_chain is 'outgoing' or 'incoming'"),
            },
        };
        Ok(Arc::new(RowsProvider::of(Arc::new(Chosen { all: open_table(SLICE, recording, &[]), slices }))))
    }
}

fn ancestors(recording: &Recording, slice: i64) -> Vec<u32> {
    let Some((track, local)) = recording.locate(slice) else { return Vec::new() };
    let thread = recording.profile().thread(track);
    let parents = recording.nesting().parents(recording.profile(), track);
    let chain = std::iter::successors(parents[local.index()], |inner| parents[inner.index()]);
    let mut found: Vec<u32> = chain.map(|local| thread.global(local).0).collect();
    found.reverse();
    found
}

fn descendants(recording: &Recording, slice: i64) -> Vec<u32> {
    let Some((track, local)) = recording.locate(slice) else { return Vec::new() };
    let thread = recording.profile().thread(track);
    let parents = recording.nesting().parents(recording.profile(), track);
    // Known for each slice once a slice on its way up is known.
    let mut is_inside: Vec<Option<bool>> = vec![None; parents.len()];
    is_inside[local.index()] = Some(true);
    for at in 0..parents.len() {
        let mut way = Vec::new();
        let mut current = Some(at);
        let answer = loop {
            let Some(here) = current else { break false };
            if let Some(known) = is_inside[here] {
                break known;
            }
            way.push(here);
            current = parents[here].map(LocalMarker::index);
        };
        way.into_iter().for_each(|slice| is_inside[slice] = Some(answer));
    }
    is_inside[local.index()] = None;
    let numbers = is_inside.iter().enumerate().filter(|(_, inside)| **inside == Some(true));
    numbers.map(|(at, _)| thread.first_marker.0 + u32::try_from(at).unwrap_or(u32::MAX)).collect()
}

/// The slices along flows, in the order in which they are found, nearest first.
fn flow_chain(recording: &Recording, slice: i64, is_outgoing: bool) -> Vec<u32> {
    let flows = recording.index().flows();
    let Ok(first) = u32::try_from(slice) else { return Vec::new() };
    let mut seen = HashSet::from([first]);
    let mut found = Vec::new();
    let mut at = 0;
    let mut current = first;
    loop {
        let marker = MarkerId(current);
        for flow in flows.flows_of(marker) {
            for (from, to) in arrows(recording, *flow) {
                let next = if is_outgoing { (from == marker).then_some(to) } else { (to == marker).then_some(from) };
                if let Some(next) = next.filter(|next| seen.insert(next.0)) {
                    found.push(next.0);
                }
            }
        }
        let connected =
            if is_outgoing { flows.children(marker).collect() } else { Vec::from_iter(flows.parent(marker)) };
        found.extend(connected.into_iter().filter(|next| seen.insert(next.0)).map(|next| next.0));
        let Some(next) = found.get(at).filter(|_| found.len() < MAX_CHAIN) else { return found };
        (current, at) = (*next, at + 1);
    }
}

/// Some slices, in their own order.
#[derive(Debug)]
struct Chosen {
    all: Arc<dyn Rows>,
    slices: Vec<u32>,
}

impl Rows for Chosen {
    fn spec(&self) -> &'static crate::schema::TableSpec {
        SLICE
    }

    fn units(&self) -> usize {
        self.slices.len()
    }

    fn is_cheap(&self, column: usize) -> bool {
        self.all.is_cheap(column)
    }

    #[expect(clippy::single_range_in_vec_init, reason = "one range")]
    fn ranges(&self, _bounds: &crate::tables::Bounds) -> Vec<std::ops::Range<usize>> {
        vec![0..self.slices.len()]
    }

    fn read(&self, units: &[u32], columns: &[usize]) -> Result<(Vec<ArrayRef>, usize)> {
        let mut slices: Vec<u32> = units.iter().map(|unit| self.slices[*unit as usize]).collect();
        if slices.is_sorted() {
            return self.all.read(&slices, columns);
        }
        // Columns are read in order and then put into this order.
        let wanted = slices.clone();
        slices.sort_unstable();
        let (read, count) = self.all.read(&slices, columns)?;
        let place = |slice: &u32| u32::try_from(slices.partition_point(|other| other < slice)).unwrap_or(u32::MAX);
        let places = datafusion::arrow::array::UInt32Array::from_iter_values(wanted.iter().map(place));
        let moved = read.iter().map(|column| Ok(datafusion::arrow::compute::take(column, &places, None)?));
        Ok((moved.collect::<Result<_>>()?, count))
    }
}
