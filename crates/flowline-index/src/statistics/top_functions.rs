//! The functions with the most self cost among the CPU samples of a range. Functions without a name, only with an address,
//! count for their library.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::samples::{SampleKind, SampleSelection, func_name};
use flowline_profile::samples::NONE;
use flowline_profile::{FuncId, Profile, StackId, StackTables, ThreadId, TimeRange, parallel_chunk_size};

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

/// The function or library that samples count for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Key {
    /// A function, by number.
    Function(u32),
    /// A library, by number of its resource.
    Library(u32),
}

impl Key {
    fn name(self, stacks: &StackTables) -> String {
        match self {
            Self::Function(func) => func_name(stacks, func).to_owned(),
            Self::Library(resource) => {
                let library = stacks.resources.get(resource as usize).map_or("", |own| stacks.strings.get(own.name));
                format!("{library} (no symbols)")
            }
        }
    }
}

/// The library of a function whose name is only an address, or else the function.
fn key_of(stacks: &StackTables, func: FuncId) -> Key {
    let resource = stacks.funcs.get(func.index()).map(|func| func.resource).filter(|resource| *resource != NONE);
    match resource.filter(|_| is_address(stacks.name(func))) {
        Some(resource) => Key::Library(resource),
        None => Key::Function(func.0),
    }
}

/// True for an address in hexadecimal, which tools write for functions without a symbol.
fn is_address(name: &str) -> bool {
    name.strip_prefix("0x")
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

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
    let stacks = &profile.stacks;
    let idle = profile.categories.iter().position(|category| category.name == "Idle");
    let idle = idle.filter(|_| profile.meta.capabilities.idle_is_sampled);
    let is_idle = |stack: StackId| idle.is_some_and(|idle| usize::from(stacks.category[stack.index()]) == idle);
    let of_thread = |thread: &ThreadId| {
        let mut sums: HashMap<Key, f64> = HashMap::new();
        let threads = std::slice::from_ref(thread);
        let selection = SampleSelection { profile, threads, kind: SampleKind::Cpu, range };
        selection.each(|_, stack, cost| {
            if !is_idle(stack) && keep(stack) {
                *sums.entry(key_of(stacks, stacks.func(stack))).or_default() += cost.weight;
            }
        });
        // Sums of floats depend on their order.
        let mut sums: Vec<(Key, f64)> = sums.into_iter().collect();
        sums.sort_unstable_by_key(|(func, _)| *func);
        keep_going().then_some(sums)
    };
    let job_len = parallel_chunk_size(threads.len());
    let found: Option<Vec<Vec<(Key, f64)>>> = threads.par_iter().with_max_len(job_len).map(of_thread).collect();
    let mut sums: HashMap<Key, f64> = HashMap::new();
    let mut all = 0.0;
    for (func, weight) in found?.into_iter().flatten() {
        *sums.entry(func).or_default() += weight;
        all += weight;
    }
    let mut sums: Vec<(Key, f64)> = sums.into_iter().collect();
    sums.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    sums.truncate(LISTED);
    let named = |(key, own): (Key, f64)| FunctionWeight { name: key.name(stacks), own };
    Some(TopFunctions { all, functions: sums.into_iter().map(named).collect() })
}
