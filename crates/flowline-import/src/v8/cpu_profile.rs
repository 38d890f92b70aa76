//! A CPU profile: its tree, and its samples in time order.

use foldhash::HashMap;

use super::profile_part::ProfilePart;
use super::tree::{NodeKind, Tree};
use flowline_profile::samples::{Frame, NONE, SampleTable, StackTablesBuilder};
use flowline_profile::{Ns, StackId, WarningKind, Warnings};

/// A CPU profile.
#[derive(Debug)]
pub(crate) struct CpuProfile {
    pub(crate) tree: Tree,
    /// Times of samples, ascending.
    pub(crate) time: Vec<Ns>,
    /// The node of each sample; [`NONE`] if it is unknown.
    pub(crate) node: Vec<u32>,
    /// The stack of each sample with a position in its function ([`NONE`] for the stack of its node); empty if no
    /// sample has a position.
    stack: Vec<u32>,
    /// Nodes by the ids that events refer to.
    pub(crate) trace_ids: HashMap<u64, u32>,
    /// End of the last sample, whose duration is the average duration of the others.
    pub(crate) end: Ns,
}

impl CpuProfile {
    /// Builds the profile from a complete part. `start` overrides the start of the part's clock. Stacks are added to
    /// `tables`. `place` identifies the profile in warnings.
    pub(crate) fn new(
        mut part: ProfilePart<'_>,
        start: Option<Ns>,
        tables: &mut StackTablesBuilder,
        warnings: &mut Warnings,
        place: &dyn Fn() -> String,
    ) -> Self {
        let mut places = [std::mem::take(&mut part.lines), std::mem::take(&mut part.columns)];
        part.annotate();
        let tree = Tree::new(&part, tables, warnings, place);
        let trace_ids = part.trace_ids.iter().filter_map(|(id, node)| Some((*id, tree.node(*node)?))).collect();
        let (samples, mut time) = sample_times(part, start, warnings, place);
        let mut node: Vec<u32> = samples.into_iter().map(|id| tree.node(id).unwrap_or(NONE)).collect();
        let is_unknown = |node: &&u32| tree.kind.get(**node as usize).is_none_or(|kind| *kind == NodeKind::Lost);
        let unknown = node.iter().filter(is_unknown).count();
        let what = || format!("sample nodes of {}", place());
        warnings.add_many(WarningKind::IndexOutOfRange, unknown as u64, what);
        sort(&mut time, &mut node, &mut places);
        let stack = positioned(&tree, &node, &places, tables);
        repair(&tree, &mut node);
        let end = match (time.first(), time.last()) {
            (Some(first), Some(last)) => *last + mean(*first, *last, time.len()),
            _ => Ns(0),
        };
        Self { tree, time, node, stack, trace_ids, end }
    }

    /// The average time between two samples; 0 for fewer than two samples.
    pub(crate) fn interval(&self) -> Ns {
        self.time.first().zip(self.time.last()).map_or(Ns(0), |(first, last)| mean(*first, *last, self.time.len()))
    }

    /// The samples with their stacks.
    pub(crate) fn into_samples(self) -> SampleTable {
        let Self { tree, time, node: mut stack, stack: positioned, .. } = self;
        for (at, stack) in stack.iter_mut().enumerate() {
            let of_node = || tree.stack.get(*stack as usize).copied().unwrap_or(NONE);
            *stack = positioned.get(at).copied().filter(|own| *own != NONE).unwrap_or_else(of_node);
        }
        SampleTable::new(time, stack)
    }
}

fn mean(first: Ns, last: Ns, count: usize) -> Ns {
    let steps = i64::try_from(count).unwrap_or(i64::MAX) - 1;
    if steps > 0 { Ns((last - first).0 / steps) } else { Ns(0) }
}

/// Node ids and times of the samples: from time deltas or timestamps; without either, evenly spaced up to the end.
fn sample_times(
    part: ProfilePart<'_>,
    start: Option<Ns>,
    warnings: &mut Warnings,
    place: &dyn Fn() -> String,
) -> (Vec<u32>, Vec<Ns>) {
    let [own_start, own_end] = part.bounds();
    let start = start.or(own_start).unwrap_or_default();
    let mut samples = part.samples;
    let mut time = if !part.deltas.is_empty() {
        let mut time = part.deltas;
        let mut now = start;
        for delta in &mut time {
            now = (now + *delta).clamp(Ns(-Ns::LIMIT), Ns(Ns::LIMIT));
            *delta = now;
        }
        time
    } else if !part.timestamps.is_empty() {
        part.timestamps
    } else {
        if !samples.is_empty() {
            warnings.add(WarningKind::MissingPart, || format!("sample times of {}", place()));
        }
        let count = i64::try_from(samples.len()).unwrap_or(i64::MAX);
        match own_end.filter(|end| *end >= start && count > 0 && !part.is_cut) {
            Some(end) => (0..count).map(|at| start + Ns((end - start).0 / count * at)).collect(),
            None => {
                samples.clear();
                Vec::new()
            }
        }
    };
    let count = samples.len().min(time.len());
    if samples.len() != time.len() && !samples.is_empty() {
        let (samples, times) = (samples.len(), time.len());
        let what = || format!("{samples} samples and {times} times in {}", place());
        warnings.add(WarningKind::ColumnLength, what);
    }
    samples.truncate(count);
    time.truncate(count);
    (samples, time)
}

/// Sorts samples and their positions by time; equal times keep their order.
fn sort(time: &mut Vec<Ns>, node: &mut Vec<u32>, places: &mut [Vec<u32>; 2]) {
    if time.is_sorted() {
        return;
    }
    let mut order: Vec<u32> = (0..).take(time.len()).collect();
    order.sort_by_key(|at| time[*at as usize]);
    *time = order.iter().map(|at| time[*at as usize]).collect();
    *node = order.iter().map(|at| node[*at as usize]).collect();
    for list in places.iter_mut().filter(|list| !list.is_empty()) {
        *list = order.iter().map(|at| list.get(*at as usize).copied().unwrap_or(0)).collect();
    }
}

/// The stacks of the samples with a position in their innermost function: the node's stack, with the position in its
/// innermost frame. [`NONE`] for other samples; empty if no sample has a position.
fn positioned(
    tree: &Tree,
    node: &[u32],
    [lines, columns]: &[Vec<u32>; 2],
    tables: &mut StackTablesBuilder,
) -> Vec<u32> {
    let count = lines.len().max(columns.len()).min(node.len());
    let mut known: HashMap<(u32, u32, u32), u32> = HashMap::default();
    let mut stack_of = |at: usize| {
        let [line, column] = [lines, columns].map(|list| list.get(at).copied().unwrap_or(0));
        let own = tree.stack.get(node[at] as usize).copied().unwrap_or(NONE);
        let is_function = tree.kind.get(node[at] as usize).is_some_and(|kind| !kind.is_special());
        if (line, column) == (0, 0) || own == NONE || !is_function {
            return NONE;
        }
        *known.entry((node[at], line, column)).or_insert_with(|| {
            let own = StackId(own);
            // Positions of functions count from 0.
            let [line, column] = [line, column].map(|from_one| from_one.checked_sub(1).unwrap_or(NONE));
            let frame = tables.frame(Frame { line, column, ..*tables.tables().frame(own) });
            let (caller, id) = (tables.tables().caller(own), tables.tables().node_id_of(own));
            let stack = tables.push_stack(caller, frame);
            tables.set_node_id(stack, id.unwrap_or(NONE));
            stack.0
        })
    };
    let stacks: Vec<u32> = (0..count).map(&mut stack_of).collect();
    if stacks.iter().all(|stack| *stack == NONE) { Vec::new() } else { stacks }
}

/// Repairs samples for which V8 could not walk the stack and recorded `(program)`. Between two stacks with the same
/// outermost function, a single such sample gets the node of the previous sample.
fn repair(tree: &Tree, node: &mut [u32]) {
    let kind = |node: u32| tree.kind.get(node as usize).copied().unwrap_or(NodeKind::Lost);
    let outermost = |node: u32| match kind(node) {
        NodeKind::Lost => None,
        kind if kind.is_special() => None,
        _ => Some(tree.outermost[node as usize]),
    };
    let mut before = node.first().copied().unwrap_or(NONE);
    for at in 1..node.len().saturating_sub(1) {
        let own = node[at];
        if kind(own) == NodeKind::Program && outermost(before).is_some_and(|top| Some(top) == outermost(node[at + 1])) {
            node[at] = before;
        }
        before = own;
    }
}
