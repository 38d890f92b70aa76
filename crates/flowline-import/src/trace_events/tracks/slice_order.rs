//! Sorts the slices of a track.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::slice::Slice;
use crate::trace_events::text::ids::NONE;
use flowline_profile::{Ns, StartOrder};

/// The order of the starts of a list of slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::trace_events) enum StartsOrder {
    /// Strictly ascending.
    Strict,
    /// Ascending with equal starts, among which later ends must come first.
    Ties,
    /// Not ascending.
    None,
}

impl StartsOrder {
    /// Returns the order of two starts.
    #[inline]
    pub(in crate::trace_events) fn of(before: Ns, start: Ns) -> Self {
        match before.cmp(&start) {
            Ordering::Less => Self::Strict,
            Ordering::Equal => Self::Ties,
            Ordering::Greater => Self::None,
        }
    }

    /// Sorts slices. Many traces are sorted already; in others, slices appear in the order of their ends, after their
    /// nested slices.
    pub(in crate::trace_events) fn sorted(self, slices: Vec<Slice>) -> Vec<Slice> {
        let is_sorted = match self {
            Self::Strict => true,
            Self::Ties => slices.is_sorted_by_key(Slice::order),
            Self::None => false,
        };
        if is_sorted {
            return slices;
        }
        let order = StartOrder::new(slices.iter().map(|slice| slice.start), |keys| keys.par_sort_unstable());
        let positions = order.positions().map(|position| u32::try_from(position).unwrap_or(NONE)).collect();
        let mut slices = slices;
        permute(&mut slices, positions);
        for ties in slices.chunk_by_mut(|a, b| a.start == b.start).filter(|ties| ties.len() > 1) {
            ties.sort_unstable_by_key(Slice::order);
        }
        slices
    }
}

/// Reorders slices in place, without a second list: the slice at `positions[index]` moves to `index`.
fn permute(slices: &mut [Slice], mut positions: Vec<u32>) {
    for first in 0..slices.len() {
        let displaced = slices[first];
        let mut place = first;
        // Each cycle of moves is followed once; a finished place points to itself.
        loop {
            let from = std::mem::replace(&mut positions[place], u32::try_from(place).unwrap_or(NONE)) as usize;
            if from == first || from == place {
                slices[place] = displaced;
                break;
            }
            slices[place] = slices[from];
            place = from;
        }
    }
}
