//! The steps of all tracks, distributed by the first bits of their identity's hash.
//!
//! The steps are stored here until the flows are built. The parts are large, because the allocator returns large blocks
//! to the system when they are freed.

use rayon::prelude::*;

use super::flow_steps::{Step, TrackSteps};

/// Average number of steps per piece.
const PIECE: usize = 1 << 12;
/// Minimum number of steps per part.
const PART: usize = 1 << 20;

/// Steps in pieces. The steps of a piece have the same first bits, and the pieces are in the order of these bits.
pub(in crate::trace_events) struct StepPartitions {
    parts: Vec<StepPartition>,
    bits: FirstBits,
}

impl StepPartitions {
    /// Distributes the steps of all tracks.
    pub(in crate::trace_events) fn new(tracks: &[TrackSteps]) -> Self {
        let count: usize = tracks.iter().map(|steps| steps.list.len()).sum();
        let bits = FirstBits { count: (count / PIECE + 1).ilog2() };
        let parts = segments(tracks, count.div_ceil((count / PART).max(1)));
        Self { parts: parts.par_iter().map(|part| StepPartition::new(part, bits)).collect(), bits }
    }

    /// Returns the number of pieces.
    pub(in crate::trace_events) const fn count(&self) -> usize {
        self.bits.pieces()
    }

    /// Returns the number of steps of a piece.
    pub(in crate::trace_events) fn len(&self, piece: usize) -> usize {
        self.parts.iter().map(|part| part.piece(piece).len()).sum()
    }

    /// Iterates over the steps of a piece.
    pub(in crate::trace_events) fn piece(&self, piece: usize) -> impl Iterator<Item = &Step> {
        self.parts.iter().flat_map(move |part| part.piece(piece))
    }
}

/// The `count` highest bits of a hash.
#[derive(Clone, Copy)]
struct FirstBits {
    count: u32,
}

impl FirstBits {
    const fn pieces(self) -> usize {
        1 << self.count
    }

    /// Returns the piece of a step.
    #[inline]
    fn of(self, step: &Step) -> usize {
        let first = step.identity.hash.checked_shr(u64::BITS - self.count).unwrap_or(0);
        usize::try_from(first).unwrap_or_default()
    }
}

/// Divides the steps of all tracks into lists of about `size` steps, each in segments.
fn segments(tracks: &[TrackSteps], size: usize) -> Vec<Vec<&[Step]>> {
    let mut lists = vec![Vec::new()];
    let mut left = size;
    for track in tracks {
        let mut steps = track.list.as_slice();
        while !steps.is_empty() {
            let (own, others) = steps.split_at(left.min(steps.len()));
            lists.last_mut().into_iter().for_each(|list| list.push(own));
            (steps, left) = (others, left - own.len());
            if left == 0 {
                left = size;
                lists.push(Vec::new());
            }
        }
    }
    lists
}

/// Some of the steps, piece by piece.
struct StepPartition {
    steps: Vec<Step>,
    /// The end of each piece.
    ends: Vec<u32>,
}

impl StepPartition {
    fn new(segments: &[&[Step]], bits: FirstBits) -> Self {
        let steps = || segments.iter().copied().flatten();
        // Counting sort: `ends` initially contains the start of each piece and advances to its end.
        let mut ends = vec![0_u32; bits.pieces()];
        steps().for_each(|step| ends[bits.of(step)] += 1);
        let mut before = 0;
        for end in &mut ends {
            before += std::mem::replace(end, before);
        }
        let mut distributed: Vec<Step> = bytemuck::zeroed_vec(before as usize);
        for step in steps() {
            let end = &mut ends[bits.of(step)];
            distributed[*end as usize] = *step;
            *end += 1;
        }
        Self { steps: distributed, ends }
    }

    fn piece(&self, piece: usize) -> &[Step] {
        let end = |piece: usize| self.ends[piece] as usize;
        &self.steps[piece.checked_sub(1).map_or(0, end)..end(piece)]
    }
}

#[cfg(test)]
mod tests {
    use bytemuck::Zeroable;

    use super::*;
    use flowline_profile::Ns;

    /// Steps of tracks of these lengths, numbered by their times.
    fn tracks(lengths: &[usize]) -> Vec<TrackSteps> {
        let mut random = fastrand::Rng::with_seed(7);
        let mut number = 0;
        let mut step = || {
            let mut step = Step::zeroed();
            step.identity.hash = random.u64(..);
            step.ts = Ns(number);
            number += 1;
            step
        };
        let track = |length: &usize| {
            let mut track = TrackSteps::default();
            track.extend((0..*length).map(|_| step()));
            track
        };
        lengths.iter().map(track).collect()
    }

    #[test]
    fn segments_contain_every_step_once_and_in_order() {
        let tracks = tracks(&[0, 5, 1, 0, 20, 3, 0]);
        for size in 1..40 {
            let lists = segments(&tracks, size);
            let times = lists.iter().flatten().copied().flatten().map(|step| step.ts.0);
            assert!(times.eq(0..29), "{size}");
            let lengths: Vec<usize> = lists.iter().map(|list| list.iter().map(|own| own.len()).sum()).collect();
            assert!(lengths.iter().rev().skip(1).all(|length| *length == size), "{lengths:?}");
        }
    }

    #[test]
    fn a_piece_has_the_steps_of_its_bits_in_the_order_of_the_tracks() {
        for lengths in [&[0][..], &[3, 0, 40], &[PIECE * 3, 1, PIECE * 20, 7]] {
            let tracks = tracks(lengths);
            let count: usize = lengths.iter().sum();
            let mut pieces = StepPartitions::new(&tracks);
            let bits = pieces.bits;
            assert_eq!(pieces.count() > 1, count > PIECE);
            for size in [count.max(1), count / 3 + 1] {
                pieces.parts = segments(&tracks, size).iter().map(|part| StepPartition::new(part, bits)).collect();
                let mut found = 0;
                for piece in 0..pieces.count() {
                    let steps: Vec<&Step> = pieces.piece(piece).collect();
                    assert!(steps.iter().all(|step| bits.of(step) == piece));
                    assert!(steps.is_sorted_by_key(|step| step.ts));
                    found += steps.len();
                }
                assert_eq!(found, count);
            }
        }
    }
}
