//! The calls that threads of a synthetic recording execute: a tree of calls from an infinite call graph.
//!
//! The callees of a function depend only on its number, so calls recur like in real programs. A walk descends some
//! calls, backtracks a few, and descends elsewhere; its end points are the stacks of samples. Stacks therefore share
//! callers, and consecutive samples have similar stacks.

use super::random::{Random, mix};
use std::collections::HashMap;

/// Number of functions of a program.
const FUNCTIONS: u64 = 1_500;
/// Maximum number of callees of a function.
const CALLEES: u64 = 6;
/// Maximum number of frames of a stack.
pub(super) const MAX_DEPTH: usize = 60;
/// Maximum number of calls of a tree, which bounds the memory of the generator.
const MAX_CALLS: u64 = 20_000;

/// Kind of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FunctionKind {
    Script,
    Native,
    /// A label frame that the browser adds to its own code.
    Label,
}

/// A function, identified by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Function(u64);

impl Function {
    pub(super) const fn number(self) -> u64 {
        self.0
    }

    pub(super) const fn kind(self) -> FunctionKind {
        match mix(0xF0C1, self.0) % 100 {
            0..45 => FunctionKind::Script,
            45..85 => FunctionKind::Native,
            _ => FunctionKind::Label,
        }
    }

    const fn callee(self, seed: u64, branch: u64) -> Self {
        Self(mix(seed ^ 0xCA11, self.0 * CALLEES + branch) % FUNCTIONS)
    }
}

/// A call: the index of its caller in the tree (`None` at the root), and the function.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call {
    pub(super) caller: Option<usize>,
    pub(super) function: Function,
}

/// The calls of a thread, callers first.
#[derive(Debug)]
pub(super) struct CallTree {
    pub(super) calls: Vec<Call>,
    /// Innermost calls of a walk, in order.
    ends: Vec<usize>,
    at: usize,
}

impl CallTree {
    /// Creates a tree for a number of samples. The depth includes `outer` frames outside the tree.
    pub(super) fn new(
        seed: u64,
        random: &mut Random,
        samples: u64,
        outer: usize,
        wanted: Option<FunctionKind>,
    ) -> Self {
        let most = usize::try_from((samples / 3).clamp(40, MAX_CALLS)).unwrap_or(0);
        let mut calls: Vec<Call> = Vec::new();
        let mut known: HashMap<(Option<usize>, u64), usize> = HashMap::new();
        let mut ends = Vec::new();
        let mut path: Vec<usize> = Vec::new();
        while calls.len() < most {
            let kept = random.below(path.len() as u64 + 1);
            path.truncate(usize::try_from(kept).unwrap_or(0));
            let deep = if random.chance(20) { random.below(40) } else { 0 };
            let depth =
                usize::try_from(5 + random.below(19) + deep).unwrap_or(0).min(MAX_DEPTH).saturating_sub(outer).max(1);
            while path.len() < depth {
                let caller = path.last().copied();
                // Call some callees far more often than others.
                let branch = random.below(CALLEES).min(random.below(CALLEES));
                let from = caller.map_or(Function(0), |caller| calls[caller].function);
                let mut function = from.callee(seed, branch);
                while wanted.is_some_and(|wanted| function.kind() != wanted) {
                    function = Function((function.0 + 1) % FUNCTIONS);
                }
                let next = calls.len();
                let call = *known.entry((caller, function.0)).or_insert(next);
                if call == next {
                    calls.push(Call { caller, function });
                }
                path.push(call);
            }
            ends.extend(path.last());
        }
        Self { calls, ends, at: 0 }
    }

    /// Returns the innermost call of the next sample: often that of the previous sample, mostly one near it.
    pub(super) fn next(&mut self, random: &mut Random) -> usize {
        let count = self.ends.len();
        self.at = match random.below(100) {
            0..50 => self.at,
            50..85 => self.at + 1,
            // A loop repeats.
            85..99 => self.at + count - usize::try_from(random.below(12)).unwrap_or(0).min(count),
            _ => usize::try_from(random.below(count as u64)).unwrap_or(0),
        } % count;
        self.ends[self.at]
    }
}

/// Returns the name of a script function, the URL of the script, and the line and column where the function starts.
pub(super) fn script_function(function: Function) -> (String, &'static str, u64, u64) {
    const VERBS: [&str; 12] = [
        "update", "render", "parse", "flush", "measure", "apply", "collect", "diff", "visit", "sort", "emit", "resolve",
    ];
    const NOUNS: [&str; 12] =
        ["Items", "Node", "Queue", "State", "Layout", "Props", "Rows", "Text", "Cache", "Effects", "Path", "Style"];
    const FILES: [&str; 4] = [
        "https://shop.example/assets/app.js",
        "https://shop.example/assets/vendor.js",
        "https://news.example/static/live.js",
        "resource://gre/modules/AppConstants.sys.mjs",
    ];
    let bits = mix(0x5C21, function.0);
    // A tenth of all functions have no name.
    let name = if bits.is_multiple_of(10) {
        String::new()
    } else {
        format!(
            "{}{}{}",
            super::random::pick(&VERBS, bits >> 8),
            super::random::pick(&NOUNS, bits >> 16),
            function.0 % 7
        )
    };
    (name, super::random::pick(&FILES, bits >> 24), 1 + (bits >> 32) % 4_000, 1 + (bits >> 50) % 80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_have_every_depth_and_share_callers() {
        let mut random = Random::new(3);
        let mut tree = CallTree::new(1, &mut random, 30_000, 4, None);
        assert!((10_000..10_100).contains(&tree.calls.len()), "{}", tree.calls.len());
        let depth = |mut call: usize| {
            let mut depth = 5;
            while let Some(caller) = tree.calls[call].caller {
                assert!(caller < call);
                (call, depth) = (caller, depth + 1);
            }
            depth
        };
        let depths: Vec<usize> = tree.ends.iter().map(|end| depth(*end)).collect();
        assert!(depths.iter().all(|depth| (5..=MAX_DEPTH).contains(depth)));
        assert!(depths.iter().any(|depth| *depth >= 55) && depths.iter().any(|depth| *depth <= 9));
        let sampled: Vec<usize> = (0..1000).map(|_| tree.next(&mut random)).collect();
        let same = sampled.windows(2).filter(|pair| pair[0] == pair[1]).count();
        assert!((400..700).contains(&same), "{same} samples have the same stack as the previous one");
    }
}
