//! Which places fail.

use std::fmt;

/// A kind of fault; see the preload library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Calls,
    Full,
    Memory,
}

impl Kind {
    pub(crate) const ALL: [Self; 3] = [Self::Calls, Self::Full, Self::Memory];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Full => "full",
            Self::Memory => "memory",
        }
    }

    /// Number of errors per place: two error numbers and a part of a transfer for calls.
    pub(crate) const fn variants(self) -> usize {
        if matches!(self, Self::Calls) { 3 } else { 1 }
    }
}

/// A fault.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub(crate) kind: Kind,
    pub(crate) at: usize,
    pub(crate) variant: usize,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.kind.name(), self.at, self.variant)
    }
}

/// Chooses about `points` numbers from sets of given sizes, and at most a given number from each: all of small sets, and evenly
/// from large ones.
pub(crate) fn chosen<K: Copy>(sets: &[(K, usize, usize)], points: usize) -> Vec<(K, usize)> {
    let mut by_size: Vec<&(K, usize, usize)> = sets.iter().collect();
    by_size.sort_by_key(|(_, size, most)| *size.min(most));
    let (mut left, mut chosen) = (points, Vec::new());
    for (done, (key, size, most)) in by_size.iter().enumerate() {
        let share = (left / (by_size.len() - done)).min(*size).min(*most);
        left -= share;
        chosen.extend((0..share).map(|at| (*key, at * size / share)));
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::chosen;

    #[test]
    fn small_sets_are_complete_and_large_ones_are_sampled_evenly() {
        let found = chosen(&[('a', 1_000, 99), ('b', 3, 99), ('c', 0, 99)], 13);
        let of = |key| found.iter().filter(|(own, _)| *own == key).map(|(_, at)| *at).collect::<Vec<_>>();
        assert_eq!(of('b'), [0, 1, 2]);
        assert_eq!(of('a'), [0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
        assert_eq!(chosen(&[('a', 2, 99)], 100), [('a', 0), ('a', 1)]);
        assert_eq!(chosen(&[('a', 1_000, 2)], 100), [('a', 0), ('a', 500)]);
    }
}
