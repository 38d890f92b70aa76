//! The functions with most samples inside a range: of each sample, the innermost frame that has a name.

use std::collections::BTreeMap;

use crate::function_name::function_name;
use crate::insights::fact::Fact;
use flowline_profile::samples::ANONYMOUS;
use flowline_profile::{FuncId, Profile, StackId, ThreadId, TimeRange};

/// Number of functions that are listed.
const LISTED: usize = 3;
/// At most this many samples are read per range.
const MAX_READ: usize = 1_000_000;

/// Number of samples in a range, and the functions with most of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Functions {
    pub(super) samples: usize,
    pub(super) top: Vec<(String, usize)>,
}

impl Functions {
    /// The functions of a thread in a closed range.
    pub(super) fn within(profile: &Profile, thread: ThreadId, range: TimeRange) -> Self {
        let Some(samples) = profile.samples(thread).map(|samples| &samples.cpu) else { return Self::default() };
        let first = samples.time.partition_point(|time| *time < range.start);
        let end = samples.time.partition_point(|time| *time <= range.end).max(first);
        let mut stacks: BTreeMap<StackId, usize> = BTreeMap::new();
        for sample in (first..end).take(MAX_READ) {
            if let Some(stack) = samples.stack(sample) {
                *stacks.entry(stack).or_default() += 1;
            }
        }
        // Functions of one name are different ones, except those without a name.
        let mut functions: BTreeMap<(&str, Option<FuncId>), usize> = BTreeMap::new();
        for (stack, count) in stacks {
            if let Some(func) = innermost_named(profile, stack) {
                let name = function_name(profile, func);
                *functions.entry((name, (name != ANONYMOUS).then_some(func))).or_default() += count;
            }
        }
        let mut top: Vec<(&str, usize)> = functions.into_iter().map(|((name, _), count)| (name, count)).collect();
        // Of functions with as many samples, a name tells more than none.
        top.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name == ANONYMOUS, *name));
        top.truncate(LISTED);
        let top = top.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
        Self { samples: end - first, top }
    }

    /// As facts: the number of samples, and the functions.
    pub(super) fn facts(self) -> [(&'static str, Fact); 2] {
        let function = |(name, samples): (String, usize)| {
            Fact::Group(vec![("name", Fact::Text(name)), ("samples", count(samples))])
        };
        [("samples", count(self.samples)), ("top", Fact::List(self.top.into_iter().map(function).collect()))]
    }
}

/// A number as a fact.
pub(super) fn count(number: usize) -> Fact {
    Fact::Count(i64::try_from(number).unwrap_or(i64::MAX))
}

/// The innermost function that has a name, or that is a script function.
fn innermost_named(profile: &Profile, stack: StackId) -> Option<FuncId> {
    let mut funcs = profile.stacks.walk(stack).map(|stack| profile.stacks.func(stack));
    funcs.find(|func| !is_address(profile.func_name(*func)))
}

/// True if nothing is known about a function except its address.
fn is_address(name: &str) -> bool {
    let digits = name.strip_prefix("0x");
    digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
}
