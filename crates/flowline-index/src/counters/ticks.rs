//! A search tree over ascending ticks, with blocks of sixteen.
//!
//! A frame searches once per pixel column of every counter on screen, and a binary search over millions of ticks misses
//! the cache at every step. Each level of the tree is a sixteenth of the one below, so all but the two lowest levels
//! stay in the processor's cache, and a block is searched without branches. The levels take a fifteenth of the ticks'
//! memory.

use flowline_profile::Column;
use flowline_profile::persist::{Persist, Reader, Writer};

/// Number of ticks per block, and of blocks per block of the next level.
const FANOUT: usize = 16;

/// Ticks by position, and the first tick of each block.
#[derive(Clone, Debug, Default)]
pub struct TickTree {
    all: Column<u64>,
    /// First ticks of the blocks of the level below, smallest blocks first; the last level is one block.
    levels: Vec<Vec<u64>>,
}

impl Persist for TickTree {
    fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        self.all.write(to)
    }

    // The levels are rebuilt from the ticks.
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Persist::read(from).map(Self::new)
    }
}

impl TickTree {
    /// Builds the tree from ascending ticks.
    pub(crate) fn new(all: Column<u64>) -> Self {
        let mut levels: Vec<Vec<u64>> = Vec::new();
        loop {
            let below: &[u64] = levels.last().map_or(&all, Vec::as_slice);
            if below.len() <= FANOUT {
                return Self { all, levels };
            }
            levels.push(below.iter().step_by(FANOUT).copied().collect());
        }
    }

    /// All ticks.
    #[must_use]
    #[inline]
    pub fn all(&self) -> &[u64] {
        &self.all
    }

    /// Number of ticks below a limit.
    pub(crate) fn before(&self, limit: u64) -> usize {
        let mut block = 0;
        for level in self.levels.iter().rev().map(Vec::as_slice).chain([&*self.all]) {
            let begin = block * FANOUT;
            let found = before_in(&level[begin..(begin + FANOUT).min(level.len())], limit);
            // A block begins with its smallest tick.
            if found == 0 {
                return 0;
            }
            block = begin + found - 1;
        }
        block + 1
    }

    /// Number of ticks below a limit, given that the first `from` ticks are below it; fast if there are few more.
    #[must_use]
    pub fn count_below_from(&self, from: usize, limit: u64) -> usize {
        let near = &self.all[from..(from + FANOUT).min(self.all.len())];
        match before_in(near, limit) {
            FANOUT => self.before(limit),
            found => from + found,
        }
    }

    /// Heap memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let levels: usize = self.levels.iter().map(Vec::capacity).sum();
        self.all.heap_bytes() + levels * size_of::<u64>()
    }
}

/// Number of ticks of a block below a limit. A loop without branches; iterators are not inlined here in every build.
#[inline]
fn before_in(block: &[u64], limit: u64) -> usize {
    let mut found = 0;
    for tick in block {
        found += usize::from(*tick < limit);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_equal_a_linear_search() {
        let mut rng = fastrand::Rng::with_seed(5);
        let mut random = move |below: u64| rng.u64(..below);
        for len in [0, 1, 2, 15, 16, 17, 31, 255, 256, 257, 4095, 4096, 4097, 10_000] {
            for most in [1, 3, 1_000_000] {
                let mut tick = random(4);
                let next = |_| {
                    tick += random(most);
                    tick
                };
                let all: Vec<u64> = (0..len).map(next).collect();
                let ticks = TickTree::new(all.clone().into());
                assert!(ticks.bytes() <= len * 8 * 16 / 15 + 8 * 64, "{len}: {}", ticks.bytes());
                let last = all.last().copied().unwrap_or(0);
                let random_limits: Vec<u64> = (0..200).map(|_| random(last + 2)).collect();
                for limit in [0, 1, last, last + 1, u64::MAX].into_iter().chain(random_limits) {
                    let expected = all.iter().filter(|tick| **tick < limit).count();
                    assert_eq!(ticks.before(limit), expected, "{len} {most} {limit}");
                    let from = usize::try_from(random(expected as u64 + 1)).expect("small");
                    assert_eq!(ticks.count_below_from(from, limit), expected, "{len} {most} {limit} from {from}");
                }
            }
        }
    }
}
