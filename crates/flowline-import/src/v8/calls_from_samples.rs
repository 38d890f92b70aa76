//! Calls derived from samples alone: a call lasts from the first sample with its node to the first sample without it.
//!
//! Nodes that are not functions become calls too. The garbage collector runs on top of the previous sample's stack.

use super::call_list::CallList;
use super::cpu_profile::CpuProfile;
use super::tree::NodeKind;
use flowline_profile::samples::{CallTable, NONE, StackTablesBuilder};
use flowline_profile::{FrameId, Ns, StackId, WarningKind, Warnings};

/// The calls of a profile. Adds the stacks of garbage collections inside functions to `tables`.
pub(crate) fn calls(profile: &CpuProfile, tables: &mut StackTablesBuilder, warnings: &mut Warnings) -> CallTable {
    let tree = &profile.tree;
    let mut walk = Walk { list: CallList::new(profile.node.len()), open: Vec::new() };
    // The nodes to open, innermost first.
    let mut path: Vec<u32> = Vec::new();
    let mut garbage: Option<usize> = None;
    for (at, (&time, &node)) in (0_u32..).zip(profile.time.iter().zip(&profile.node)) {
        let kind = tree.kind.get(node as usize).copied().unwrap_or(NodeKind::Lost);
        match kind {
            NodeKind::Lost => continue,
            _ if walk.list.is_exhausted() => {
                walk.close(0, time);
                break;
            }
            NodeKind::Garbage => {
                if garbage.is_none() {
                    let caller = walk.open.last().map(|(node, _)| StackId(tree.stack[*node as usize]));
                    let frame: FrameId = tables.tables().frame[tree.stack[node as usize] as usize];
                    let stack = tables.stack(caller, frame);
                    garbage = Some(walk.list.open(time, [stack.0].into_iter(), walk.open.len(), at));
                }
                continue;
            }
            _ => {}
        }
        if let Some(call) = garbage.take() {
            walk.list.close(call, time);
        }
        let mut above = node;
        let mut depth = tree.depth[node as usize] as usize;
        while depth > 0 && walk.open.get(depth - 1).is_none_or(|(open, _)| *open != above) {
            path.push(above);
            above = tree.parent[above as usize];
            depth -= 1;
        }
        walk.close(depth, time);
        if !path.is_empty() {
            let stacks = path.iter().rev().map(|node| tree.stack[*node as usize]);
            let first = walk.list.open(time, stacks, walk.open.len(), at);
            walk.open.extend(path.drain(..).rev().zip(first..));
        }
    }
    if let Some(call) = garbage {
        walk.list.close(call, profile.end);
    }
    walk.close(0, profile.end);
    let omitted = walk.list.omitted;
    warnings.add_many(WarningKind::CpuSamples, omitted, || "calls beyond the limit".into());
    debug_assert!(
        tree.stack
            .iter()
            .zip(&tree.kind)
            .all(|(stack, kind)| (*stack == NONE) == matches!(kind, NodeKind::Lost | NodeKind::Root))
    );
    walk.list.finish()
}

struct Walk {
    list: CallList,
    /// Nodes and their calls, outermost first.
    open: Vec<(u32, usize)>,
}

impl Walk {
    fn close(&mut self, depth: usize, time: Ns) {
        for (_, call) in self.open.drain(depth.min(self.open.len())..) {
            self.list.close(call, time);
        }
    }
}
