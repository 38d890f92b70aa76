//! The steps of all tracks, distributed by the first bits of their identity's hash.
//!
//! They wait here until flows are asked for. The parts are large: the allocator gives large blocks back to the system when
//! they are freed.

use rayon::prelude::*;

use super::flow_steps::{Step, TrackSteps};

/// Steps of a piece, on average.
const PIECE: usize = 1 << 12;
/// Steps of a part, at least.
const PART: usize = 1 << 20;

/// Steps in pieces: those of a piece have the same first bits, and the pieces are in the order of these bits.
pub(super) struct StepPieces {
    parts: Vec<Part>,
    bits: FirstBits,
}

impl StepPieces {
    /// Distributes the steps of all tracks.
    pub(super) fn new(tracks: &[TrackSteps]) -> Self {
        let count: usize = tracks.iter().map(|steps| steps.list.len()).sum();
        let bits = FirstBits { count: (count / PIECE + 1).ilog2() };
        let parts = segments(tracks, count.div_ceil((count / PART).max(1)));
        Self { parts: parts.par_iter().map(|part| Part::new(part, bits)).collect(), bits }
    }

    /// Number of pieces.
    pub(super) const fn count(&self) -> usize {
        self.bits.pieces()
    }

    /// The steps of a piece.
    pub(super) fn piece(&self, piece: usize) -> impl Iterator<Item = &Step> {
        self.parts.iter().flat_map(move |part| part.piece(piece))
    }
}

/// So many of the highest bits of a hash.
#[derive(Clone, Copy)]
struct FirstBits {
    count: u32,
}

impl FirstBits {
    const fn pieces(self) -> usize {
        1 << self.count
    }

    /// The piece of a step.
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
struct Part {
    steps: Vec<Step>,
    /// The end of each piece.
    ends: Vec<u32>,
}

impl Part {
    fn new(segments: &[&[Step]], bits: FirstBits) -> Self {
        let steps = || segments.iter().copied().flatten();
        // Counting sort: `ends` first holds the start of each piece, and is advanced to its end.
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
