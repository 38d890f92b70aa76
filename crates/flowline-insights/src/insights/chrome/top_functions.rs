//! The functions with most samples in some time.

use std::collections::BTreeMap;

use super::call_places::place_facts;
use crate::insights::fact::Fact;
use flowline_index::samples::{SampleKind, SampleSelection};
use flowline_profile::{FuncId, Profile, ThreadId, TimeRange};

/// At most this many functions are listed.
const LISTED: usize = 3;
/// Names that V8 gives to the time in which no function ran.
const NO_FUNCTION: [&str; 4] = ["(root)", "(program)", "(idle)", ""];

/// The functions that most samples of a thread belong to, the greatest first: of each sample the nearest one with a script,
/// from the innermost outward, or else the innermost.
pub(super) fn top_functions(profile: &Profile, thread: ThreadId, range: TimeRange) -> Vec<Fact> {
    let mut samples: BTreeMap<FuncId, i64> = BTreeMap::new();
    let threads = [thread];
    let selection = SampleSelection { profile, threads: &threads, kind: SampleKind::Cpu, range: Some(range) };
    selection.each(|_, stack, _| {
        let mut funcs = profile.stacks.walk(stack).map(|stack| profile.stacks.func(stack));
        let func = funcs.find(|func| !profile.stacks.file(*func).is_empty());
        *samples.entry(func.unwrap_or_else(|| profile.stacks.func(stack))).or_default() += 1;
    });
    samples.retain(|func, _| !NO_FUNCTION.contains(&profile.stacks.name(*func)));
    let mut samples: Vec<(FuncId, i64)> = samples.into_iter().collect();
    samples.sort_by_key(|(func, count)| (std::cmp::Reverse(*count), *func));
    let facts = samples.into_iter().take(LISTED).map(|(func, count)| {
        let mut facts = place_facts(profile, func);
        facts.push(("samples", Fact::Count(count)));
        Fact::Group(facts)
    });
    facts.collect()
}
