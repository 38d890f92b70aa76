//! CPU times between samples: four bytes each, with a list for the few larger values.

use crate::Column;
use crate::persist::persist;

/// An unknown delta.
const UNKNOWN: u32 = u32::MAX;
/// Marks a delta that is in the list.
const WIDE: u32 = u32::MAX - 1;

/// CPU time since the previous sample of a thread, per sample, in the recording's [`super::CpuUnit`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CpuDeltas {
    narrow: Column<u32>,
    /// Deltas that do not fit into 32 bits: sample and delta, ascending.
    wide: Vec<(u32, u64)>,
}
persist!(CpuDeltas { narrow, wide });

impl CpuDeltas {
    /// Number of samples.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.narrow.len()
    }

    /// True if there are no samples.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.narrow.is_empty()
    }

    /// Appends the delta of the next sample; `None` if it is unknown.
    #[inline]
    pub fn push(&mut self, delta: Option<u64>) {
        let narrow = match delta {
            None => UNKNOWN,
            Some(delta) => match u32::try_from(delta) {
                Ok(delta) if delta < WIDE => delta,
                _ => {
                    self.wide.push((u32::try_from(self.narrow.len()).unwrap_or(u32::MAX), delta));
                    WIDE
                }
            },
        };
        self.narrow.push(narrow);
    }

    /// The delta of a sample; `None` if it is unknown.
    #[must_use]
    #[inline]
    pub fn get(&self, sample: usize) -> Option<u64> {
        match *self.narrow.get(sample)? {
            UNKNOWN => None,
            WIDE => {
                let found = self.wide.binary_search_by_key(&sample, |(at, _)| *at as usize).ok()?;
                Some(self.wide[found].1)
            }
            delta => Some(u64::from(delta)),
        }
    }

    /// All deltas in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Option<u64>> {
        (0..self.len()).map(|sample| self.get(sample))
    }

    /// Truncates the column, or fills it with unknown deltas.
    #[inline]
    pub fn resize(&mut self, count: usize) {
        if self.narrow.len() != count {
            self.narrow.make_mut().resize(count, UNKNOWN);
            self.wide.retain(|(at, _)| (*at as usize) < count);
        }
    }

    /// True if no delta is known.
    #[must_use]
    #[inline]
    pub fn are_all_unknown(&self) -> bool {
        self.narrow.iter().all(|delta| *delta == UNKNOWN)
    }

    /// Size of the heap memory in bytes.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> usize {
        self.narrow.heap_bytes() + self.wide.capacity() * size_of::<(u32, u64)>()
    }
}

impl FromIterator<Option<u64>> for CpuDeltas {
    fn from_iter<I: IntoIterator<Item = Option<u64>>>(deltas: I) -> Self {
        let mut all = Self::default();
        deltas.into_iter().for_each(|delta| all.push(delta));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deltas_of_any_size_are_preserved() {
        let all =
            [Some(0), None, Some(u64::from(u32::MAX) - 2), Some(u64::from(u32::MAX) - 1), Some(u64::MAX), Some(7)];
        let mut deltas: CpuDeltas = all.into_iter().collect();
        assert_eq!(deltas.iter().collect::<Vec<_>>(), all);
        deltas.resize(4);
        deltas.resize(5);
        assert_eq!((deltas.get(3), deltas.get(4), deltas.get(5)), (all[3], None, None));
    }
}
