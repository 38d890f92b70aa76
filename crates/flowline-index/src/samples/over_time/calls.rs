//! Calls derived from samples: the boxes of the stack chart.
//!
//! A call lasts while consecutive samples have the same node at its depth, even across a gap in time. A sample without
//! a stack ends all calls. The last sample lasts one interval.

use crate::samples::trees::{CallNodes, FunctionFilter, NodeId, StackView};
use flowline_profile::samples::{CallTable, NONE};
use flowline_profile::{Implementation, Ns, SampleTable, StackId, StackTables};

/// Calls of a table of samples.
#[must_use]
#[inline]
pub fn from_samples(tables: &StackTables, samples: &SampleTable, interval: Ns) -> CallTable {
    filtered_from_samples(tables, samples, interval, Implementation::All)
}

/// Like [`from_samples`], but only calls of functions that pass the implementation filter.
pub(crate) fn filtered_from_samples(
    tables: &StackTables,
    samples: &SampleTable,
    interval: Ns,
    functions: Implementation,
) -> CallTable {
    let used = samples.stack.iter().filter(|stack| **stack != NONE).map(|stack| StackId(*stack));
    let mut view = StackView::new(tables, used);
    view.filter_by_implementation(tables, functions);
    of_nodes(&CallNodes::new(tables, &view, 0), samples, interval)
}

/// Calls whose functions pass the implementation filter. Callees of removed calls move up.
pub(crate) fn shown(tables: &StackTables, calls: &CallTable, functions: Implementation) -> CallTable {
    let shown = FunctionFilter::new(tables, functions);
    let mut kept = CallTable::default();
    // Original depths of the remaining callers of the current call.
    let mut callers: Vec<u32> = Vec::new();
    for call in 0..calls.len() {
        let (stack, depth) = (calls.stack[call], calls.depth[call]);
        while callers.pop_if(|caller| *caller >= depth).is_some() {}
        if shown.has(tables.func(stack).0) {
            let kept_depth = u32::try_from(callers.len()).unwrap_or(NONE);
            kept.push([calls.start[call], calls.end[call]], stack, kept_depth, calls.sample[call]);
            callers.push(depth);
        }
    }
    kept
}

/// Calls of a table of samples by the nodes of a view. The stack of a call is [`CallNodes::stack`] of its node.
#[must_use]
pub fn of_nodes(nodes: &CallNodes, samples: &SampleTable, interval: Ns) -> CallTable {
    let mut calls = CallTable::default();
    let mut ends: Vec<Ns> = Vec::new();
    // Open calls by depth: node, and position in the table.
    let mut open: Vec<(NodeId, usize)> = Vec::new();
    let mut new: Vec<NodeId> = Vec::new();
    let depths = depths(nodes);
    for (sample, &time) in samples.time.iter().enumerate() {
        let node = samples.stack(sample).and_then(|stack| nodes.of_stack(stack));
        let mut at = node;
        while let Some(node) = at {
            let depth = depths[node as usize] as usize;
            if open.get(depth).is_some_and(|(other, _)| *other == node) {
                break;
            }
            new.push(node);
            at = nodes.parent(node);
        }
        let kept = at.map_or(0, |node| depths[node as usize] as usize + 1);
        for (_, call) in open.drain(kept..) {
            ends[call] = time;
        }
        for node in new.drain(..).rev() {
            let depth = u32::try_from(open.len()).unwrap_or(NONE);
            open.push((node, ends.len()));
            ends.push(time);
            calls.push([time, time], nodes.stack[node as usize], depth, u32::try_from(sample).unwrap_or(NONE));
        }
    }
    let end = samples.time.last().map_or(Ns(0), |last| *last + interval);
    for (_, call) in open {
        ends[call] = end;
    }
    calls.end = ends.into();
    calls
}

/// Number of callers of each node.
#[must_use]
pub fn depths(nodes: &CallNodes) -> Vec<u32> {
    let mut depths: Vec<u32> = Vec::with_capacity(nodes.len());
    for &parent in &nodes.parent {
        depths.push(depths.get(parent as usize).map_or(0, |depth| depth + 1));
    }
    depths
}
