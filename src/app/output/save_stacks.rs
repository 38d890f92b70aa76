//! Writes the stacks of a call tree to a file.

use std::path::Path;

use super::guard::OutputGuard;
use flowline_index::samples::{Measure, func_name};
use flowline_profile::samples::{ANONYMOUS, ListedStacks, WeightUnit};
use flowline_ui::{StackFormat, TreeStacks};

/// Writes the stacks that have self cost; returns their number.
///
/// # Errors
/// Errors of the file.
pub fn save_stacks(
    guard: &OutputGuard,
    stacks: &TreeStacks,
    path: &Path,
    format: StackFormat,
) -> std::io::Result<usize> {
    let (profile, tree) = (&*stacks.profile, &stacks.tree);
    let name = |func: u32| match func_name(&profile.stacks, func) {
        "" => ANONYMOUS,
        name => name,
    };
    #[expect(clippy::cast_precision_loss, reason = "nanoseconds as weights")]
    let cost = |node: u32| {
        let own = tree.own[node as usize];
        if tree.measure == Measure::Time { own.time.0 as f64 } else { own.weight }
    };
    let costly = (0_u32..).take(tree.nodes.len()).filter(|node| cost(*node) != 0.0);
    let list = ListedStacks {
        profile,
        title: if stacks.title.is_empty() { "samples" } else { &stacks.title },
        unit: if tree.measure == Measure::Time { WeightUnit::Nanoseconds } else { stacks.unit },
        name: &name,
        stacks: costly.clone().map(|node| (tree.nodes.path(node), cost(node))),
    };
    let guard = guard.clone().reading(&profile.source);
    guard.write_file(path, |mut out| match format {
        StackFormat::Speedscope => list.write_speedscope(&mut out).map(Some),
        StackFormat::Collapsed => list.write_collapsed(&mut out).map(Some),
    })?;
    Ok(costly.count())
}
