//! The functions with the most self cost among the CPU samples of a range. Functions without a name, only with an address,
//! count for their library.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::samples::{SampleKind, SampleSelection, name_or_library, named_func, sampled_idle};
use flowline_profile::{Profile, StackId, ThreadId, TimeRange, parallel_chunk_size};

/// A function with its samples.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionWeight {
    /// Name of the function.
    pub name: String,
    /// Sum of the weights of the samples in which it is the innermost function; without weights, their number.
    pub own: f64,
}

/// The functions of some samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TopFunctions {
    /// Sum of the weights of all samples with a stack.
    pub all: f64,
    /// The functions with the largest weights.
    pub functions: Vec<FunctionWeight>,
}

/// At most this many functions are listed.
const LISTED: usize = 20;

/// Sums the samples of some threads in a range for which `keep` returns true. Like call trees, it leaves out idle samples
/// of recordings that sample idle threads. `None` if `keep_going` returned `false`.
#[must_use]
pub fn top_functions(
    profile: &Profile,
    threads: &[ThreadId],
    range: Option<TimeRange>,
    keep: &(impl Fn(StackId) -> bool + Sync),
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<TopFunctions> {
    let (stacks, idle) = (&profile.stacks, sampled_idle(profile));
    let of_thread = |thread: &ThreadId| {
        let mut sums: HashMap<u32, f64> = HashMap::new();
        let threads = std::slice::from_ref(thread);
        let selection = SampleSelection { profile, threads, kind: SampleKind::Cpu, range };
        selection.each(|_, stack, cost| {
            if Some(stacks.category_of(stack)) != idle && keep(stack) {
                *sums.entry(named_func(stacks, stacks.func(stack))).or_default() += cost.weight;
            }
        });
        // Sums of floats depend on their order.
        let mut sums: Vec<(u32, f64)> = sums.into_iter().collect();
        sums.sort_unstable_by_key(|(func, _)| *func);
        keep_going().then_some(sums)
    };
    let job_len = parallel_chunk_size(threads.len());
    let found: Option<Vec<Vec<(u32, f64)>>> = threads.par_iter().with_max_len(job_len).map(of_thread).collect();
    let mut sums: HashMap<u32, f64> = HashMap::new();
    let mut all = 0.0;
    for (func, weight) in found?.into_iter().flatten() {
        *sums.entry(func).or_default() += weight;
        all += weight;
    }
    let mut sums: Vec<(u32, f64)> = sums.into_iter().collect();
    sums.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    sums.truncate(LISTED);
    let named = |(func, own): (u32, f64)| FunctionWeight { name: name_or_library(stacks, func), own };
    Some(TopFunctions { all, functions: sums.into_iter().map(named).collect() })
}
