//! Cost over time: the cost of each row of a tree, in equal parts of the displayed time.
//!
//! The nodes of a tree are numbered depth first, so a subtree is a range of numbers. Each part of the time has a list
//! of the nodes with a self cost, with running sums: the cost of a subtree in a part is the difference of two sums. The
//! same costs are also stored in node order, which is faster for small subtrees and single nodes. So a row takes
//! microseconds, regardless of its number of samples.

use rayon::prelude::*;

use crate::samples::trees::{CallNodes, CallTree, Measure, NodeId, SampleSelection, each_call};
use flowline_profile::samples::NONE;
use flowline_profile::{Ns, TimeRange};

/// Number of parts of the displayed time.
pub const PARTS: usize = 48;

/// Cost of a row in each part of the time: weights or nanoseconds.
pub type Parts = [f64; PARTS];

/// The self costs of nodes in one part of the time.
#[derive(Clone, Debug, Default)]
struct TimeBucket {
    /// Depth-first numbers of nodes, ascending.
    places: Vec<u32>,
    /// Sum of the costs before each node, and of all.
    sums: Vec<f64>,
}

/// The cost of each node of a tree over time.
#[derive(Clone, Debug)]
pub struct Spread {
    /// The divided time.
    pub range: TimeRange,
    /// Depth-first number of each node, and the end of its subtree.
    places: Vec<[u32; 2]>,
    parts: Vec<TimeBucket>,
    /// Start of each node's costs in `own`, by depth-first number, and the end.
    first: Vec<u32>,
    /// Part and cost.
    own: Vec<(u8, f64)>,
}

impl Spread {
    /// Divides the range of a selection or, without one, the time of its samples.
    #[must_use]
    pub fn new(tree: &CallTree, selection: &SampleSelection<'_>) -> Self {
        let nodes = &tree.nodes;
        let extent = || match &nodes.entries {
            Some(entries) => entries.extent(),
            None => selection.extent(),
        };
        let range = selection.range.or_else(extent).unwrap_or_default();
        let places = places(nodes);
        let mut lists: Vec<Vec<(u32, f64)>> = vec![Vec::new(); PARTS];
        let cuts = Cuts::new(range);
        if let Some(entries) = &nodes.entries {
            entries.each_self_piece(range, |stack, time, length| {
                let Some(node) = nodes.of_stack(stack) else { return };
                let place = places[node as usize][0];
                cuts.divide(time, length, |part, length| lists[part].push((place, length)));
            });
            return Self::with_lists(range, places, lists);
        }
        selection.each(|time, stack, cost| {
            let Some(node) = nodes.of_stack(stack) else { return };
            let place = places[node as usize][0];
            match tree.measure {
                Measure::Weight => lists[cuts.part(time)].push((place, cost.weight)),
                Measure::Time => cuts.divide(time, cost.time, |part, length| lists[part].push((place, length))),
            }
        });
        Self::with_lists(range, places, lists)
    }

    /// Builds it from the list of each part: depth-first numbers and costs.
    fn with_lists(range: TimeRange, places: Vec<[u32; 2]>, mut lists: Vec<Vec<(u32, f64)>>) -> Self {
        lists.par_iter_mut().for_each(|list| {
            list.sort_by_key(|(place, _)| *place);
            list.dedup_by(|next, kept| {
                let is_same = next.0 == kept.0;
                kept.1 += if is_same { next.1 } else { 0.0 };
                is_same
            });
        });
        let (first, own) = by_place(&lists, places.len());
        Self { range, places, parts: lists.into_iter().map(TimeBucket::new).collect(), first, own }
    }

    /// Total cost of a node.
    #[must_use]
    #[inline]
    pub fn subtree(&self, node: NodeId) -> Parts {
        let mut parts = [0.0; PARTS];
        self.add_subtree(node, &mut parts);
        parts
    }

    fn add_subtree(&self, node: NodeId, parts: &mut Parts) {
        let [from, to] = self.places[node as usize];
        let (first, end) = (self.first[from as usize] as usize, self.first[to as usize] as usize);
        if end - first <= 8 * PARTS {
            add(&self.own[first..end], parts);
            return;
        }
        for (sum, part) in parts.iter_mut().zip(&self.parts) {
            let before = |place: u32| part.sums[part.places.partition_point(|other| *other < place)];
            *sum += before(to) - before(from);
        }
    }

    /// Self cost of some nodes.
    #[must_use]
    pub fn self_costs(&self, nodes: impl Iterator<Item = NodeId>) -> Parts {
        let mut parts = [0.0; PARTS];
        for node in nodes {
            let place = self.places[node as usize][0] as usize;
            add(&self.own[self.first[place] as usize..self.first[place + 1] as usize], &mut parts);
        }
        parts
    }

    /// Total cost of some nodes, none of which may be a descendant of another.
    #[must_use]
    #[inline]
    pub fn subtrees(&self, nodes: &[NodeId]) -> Parts {
        let mut parts = [0.0; PARTS];
        nodes.iter().for_each(|node| self.add_subtree(*node, &mut parts));
        parts
    }

    /// Time of a part.
    #[must_use]
    #[inline]
    pub fn time(&self, part: usize) -> TimeRange {
        let cuts = Cuts::new(self.range);
        TimeRange::new(Ns(cuts.starts[part]), Ns(cuts.starts[part + 1]))
    }
}

fn add(costs: &[(u8, f64)], parts: &mut Parts) {
    for (part, cost) in costs {
        parts[usize::from(*part)] += cost;
    }
}

impl TimeBucket {
    fn new(list: Vec<(u32, f64)>) -> Self {
        let mut sum = 0.0;
        let mut sums = Vec::with_capacity(list.len() + 1);
        for (_, cost) in &list {
            sums.push(sum);
            sum += cost;
        }
        sums.push(sum);
        Self { places: list.into_iter().map(|(place, _)| place).collect(), sums }
    }
}

/// A time range divided into equal parts, exact to the nanosecond.
struct Cuts {
    /// Start of each part, and the end of the last.
    starts: Vec<i64>,
}

impl Cuts {
    fn new(range: TimeRange) -> Self {
        let (start, parts) = (i128::from(range.start.0), PARTS as i128);
        let length = (i128::from(range.end.0) - start).max(1);
        let cut = |part: i128| i64::try_from(start + (length * part + parts - 1) / parts).unwrap_or(i64::MAX);
        Self { starts: (0..=parts).map(cut).collect() }
    }

    /// Part that contains a time; the first or last one for a time outside.
    fn part(&self, time: Ns) -> usize {
        self.starts[1..PARTS].partition_point(|start| *start <= time.0)
    }

    /// Divides a duration that starts at a time. Time outside the range counts in the first or last part.
    #[expect(clippy::cast_precision_loss, reason = "nanoseconds within 104 days")]
    fn divide(&self, time: Ns, length: Ns, mut each: impl FnMut(usize, f64)) {
        let (mut at, end) = (time.0, time.0.saturating_add(length.0));
        for part in self.part(time)..=self.part(Ns(end)) {
            let next = if part + 1 == PARTS { end } else { self.starts[part + 1].min(end) };
            if next > at {
                each(part, (next - at) as f64);
                at = next;
            }
        }
    }
}

/// Depth-first number of each node, and the end of its subtree.
fn places(nodes: &CallNodes) -> Vec<[u32; 2]> {
    // Callers come before callees, so sizes are summed from last to first and numbers are assigned from first to last.
    let mut sizes = vec![1_u32; nodes.len()];
    for node in (0..nodes.len()).rev() {
        let parent = nodes.parent[node];
        if parent != NONE {
            sizes[parent as usize] += sizes[node];
        }
    }
    let mut next_root = 0;
    let mut places: Vec<[u32; 2]> = Vec::with_capacity(nodes.len());
    // Depth-first number of the next child of each node.
    let mut next: Vec<u32> = Vec::with_capacity(nodes.len());
    for (parent, size) in nodes.parent.iter().zip(sizes) {
        let free = match *parent {
            NONE => &mut next_root,
            parent => &mut next[parent as usize],
        };
        let place = *free;
        *free += size;
        places.push([place, place + size]);
        next.push(place + 1);
    }
    places
}

/// Costs of all parts by depth-first number.
fn by_place(lists: &[Vec<(u32, f64)>], count: usize) -> (Vec<u32>, Vec<(u8, f64)>) {
    let mut first = vec![0_u32; count + 1];
    for (place, _) in lists.iter().flatten() {
        first[*place as usize + 1] += 1;
    }
    for place in 0..count {
        first[place + 1] += first[place];
    }
    let mut next = first.clone();
    let mut own = vec![(0_u8, 0.0); first[count] as usize];
    for (part, list) in (0_u8..).zip(lists) {
        for (place, cost) in list {
            let free = &mut next[*place as usize];
            own[*free as usize] = (part, *cost);
            *free += 1;
        }
    }
    (first, own)
}

/// The outermost calls of every function: the nodes without a caller of the same function.
#[derive(Clone, Debug, Default)]
pub struct OutermostCalls {
    first: Vec<u32>,
    nodes: Vec<NodeId>,
}

impl OutermostCalls {
    /// Finds the outermost calls.
    #[must_use]
    pub fn new(nodes: &CallNodes) -> Self {
        let mut found: Vec<(u32, NodeId)> = Vec::new();
        each_call(nodes, |node, is_outermost| {
            if is_outermost {
                found.push((nodes.func[node as usize], node));
            }
        });
        found.par_sort_unstable();
        let count = found.last().map_or(0, |(func, _)| *func as usize + 1);
        let first = (0..=count).map(|func| found.partition_point(|(other, _)| (*other as usize) < func));
        Self {
            first: first.map(|place| u32::try_from(place).unwrap_or(NONE)).collect(),
            nodes: found.iter().map(|(_, node)| *node).collect(),
        }
    }

    /// Outermost calls of a function.
    #[must_use]
    pub fn of(&self, func: u32) -> &[NodeId] {
        match self.first.get(func as usize..func as usize + 2) {
            Some(&[first, end]) => &self.nodes[first as usize..end as usize],
            _ => &[],
        }
    }
}
