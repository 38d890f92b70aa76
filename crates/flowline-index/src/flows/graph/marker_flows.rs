//! Flows by marker.
//!
//! One bit per marker is set if the marker is in a flow. The number of set bits before it is its rank: its position in
//! a list of flow markers. Most flow markers are in one flow, which their entry stores inline; other entries point to a
//! list.

use rayon::prelude::*;

use flowline_profile::persist::persist;
use flowline_profile::{Column, FlowId, MarkerId};

/// Bits per rank.
const BLOCK: usize = 512;
/// Markers per part, a multiple of [`BLOCK`].
const PART: usize = 128 * BLOCK;
/// Set in an entry that points to a list.
const IS_LIST: u32 = 1 << 31;

/// The flows of every flow marker.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlowsByMarker {
    bits: Column<u64>,
    /// Number of flow markers before each block.
    ranks: Column<u32>,
    /// By rank: the only flow, or `IS_LIST` and a position in `lists`.
    first: Column<FlowId>,
    /// Concatenated lists, each its length followed by its flows, ascending.
    lists: Column<FlowId>,
}
persist!(FlowsByMarker { bits, ranks, first, lists });

impl FlowsByMarker {
    /// Builds the index from the members of all flows, flow by flow. Memberships are first grouped by parts of the
    /// marker range, which are small enough to be built within a core's cache.
    pub(crate) fn build(marker_count: usize, offsets: &[u32], members: &[MarkerId]) -> Self {
        let parts = marker_count.div_ceil(PART);
        let mut ends = vec![0_usize; parts + 1];
        for marker in members {
            ends[marker.index() / PART + 1] += 1;
        }
        for part in 0..parts {
            ends[part + 1] += ends[part];
        }
        let mut next = ends.clone();
        let mut all = vec![(MarkerId(0), FlowId(0)); members.len()];
        for (flow, range) in offsets.windows(2).enumerate() {
            for marker in &members[range[0] as usize..range[1] as usize] {
                let slot = &mut next[marker.index() / PART];
                all[*slot] = (*marker, FlowId::new(flow));
                *slot += 1;
            }
        }
        let part = |part: usize| {
            let first = part * PART;
            Self::build_part(first, PART.min(marker_count - first), &all[ends[part]..ends[part + 1]])
        };
        let parts: Vec<Self> = (0..parts).into_par_iter().map(part).collect();
        let mut whole = Self::default();
        whole.bits.reserve_exact(parts.iter().map(|part| part.bits.len()).sum());
        whole.ranks.reserve_exact(parts.iter().map(|part| part.ranks.len()).sum());
        whole.first.reserve_exact(parts.iter().map(|part| part.first.len()).sum());
        whole.lists.reserve_exact(parts.iter().map(|part| part.lists.len()).sum());
        parts.iter().for_each(|part| whole.append(part));
        whole
    }

    /// Appends the next markers. The number of markers before them must be a multiple of [`BLOCK`].
    fn append(&mut self, part: &Self) {
        let (markers, lists) = (MarkerId::new(self.first.len()).0, MarkerId::new(self.lists.len()).0);
        self.bits.extend(part.bits.iter().copied());
        self.ranks.extend(part.ranks.iter().map(|rank| rank + markers));
        let moved = |entry: &FlowId| if entry.0 & IS_LIST == 0 { *entry } else { FlowId(entry.0 + lists) };
        self.first.extend(part.first.iter().map(moved));
        self.lists.extend(part.lists.iter().copied());
    }

    /// Index of `count` markers, numbered relative to `first`, from their memberships in flow order.
    fn build_part(first: usize, count: usize, memberships: &[(MarkerId, FlowId)]) -> Self {
        let number = |marker: MarkerId| MarkerId::new(marker.index() - first);
        let mut bits = vec![0_u64; count.div_ceil(BLOCK) * (BLOCK / 64)];
        for (marker, _) in memberships {
            let number = number(*marker).index();
            bits[number / 64] |= 1 << (number % 64);
        }
        // The number of flow markers before each word.
        let mut total = 0;
        let mut add = |word: &u64| {
            total += word.count_ones();
            total - word.count_ones()
        };
        let before: Vec<u32> = bits.iter().map(&mut add).collect();
        let ranks: Vec<u32> = before.iter().copied().step_by(BLOCK / 64).collect();
        let rank = |marker: MarkerId| {
            let (word, bit) = (marker.index() / 64, marker.index() % 64);
            (before[word] + (bits[word] & ((1 << bit) - 1)).count_ones()) as usize
        };
        let numbered: Vec<(usize, FlowId)> =
            memberships.iter().map(|(marker, flow)| (rank(number(*marker)), *flow)).collect();
        drop(before);
        let mut flows = Self { bits: bits.into(), ranks: ranks.into(), ..Self::default() };
        let mut counts = vec![0_u32; total as usize];
        for (rank, _) in &numbered {
            counts[*rank] += 1;
        }
        let (mut first, mut lists) = (vec![FlowId(0); total as usize], Vec::new());
        for (entry, count) in first.iter_mut().zip(&counts).filter(|(_, count)| **count > 1) {
            *entry = FlowId(IS_LIST | u32::try_from(lists.len()).unwrap_or(0));
            lists.push(FlowId(0));
            lists.resize(lists.len() + *count as usize, FlowId(0));
        }
        for (rank, flow) in numbered {
            if counts[rank] == 1 {
                first[rank] = flow;
            } else {
                // The length grows as flows are added, so it is also the position of the next one.
                let list = (first[rank].0 & !IS_LIST) as usize;
                lists[list].0 += 1;
                let slot = list + lists[list].index();
                lists[slot] = flow;
            }
        }
        (flows.first, flows.lists) = (first.into(), lists.into());
        flows
    }

    fn rank(&self, marker: MarkerId) -> Option<usize> {
        let (word, bit) = (marker.index() / 64, marker.index() % 64);
        if self.bits.get(word)? >> bit & 1 == 0 {
            return None;
        }
        let block = marker.index() / BLOCK;
        let words = &self.bits[block * (BLOCK / 64)..word];
        let before: u32 = words.iter().map(|word| word.count_ones()).sum();
        let inside = (self.bits[word] & ((1 << bit) - 1)).count_ones();
        Some((self.ranks[block] + before + inside) as usize)
    }

    /// Flows that contain a marker, ascending.
    pub(crate) fn flows_of(&self, marker: MarkerId) -> &[FlowId] {
        let Some(rank) = self.rank(marker) else { return &[] };
        let entry = &self.first[rank];
        if entry.0 & IS_LIST == 0 {
            return std::slice::from_ref(entry);
        }
        let list = (entry.0 & !IS_LIST) as usize;
        &self.lists[list + 1..=list + self.lists[list].index()]
    }

    /// Flow markers in `first..end`, ascending.
    pub(crate) fn between(&self, first: MarkerId, end: MarkerId) -> impl Iterator<Item = MarkerId> + '_ {
        let words = first.index() / 64..end.index().div_ceil(64).min(self.bits.len());
        let of_word = move |word: usize| {
            let mut left = self.bits[word];
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(MarkerId::new(word * 64 + bit as usize))
            })
        };
        words.flat_map(of_word).filter(move |marker| (first..end).contains(marker))
    }

    /// Number of flow markers.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.first.len()
    }

    /// True if every block of bits has a rank.
    #[inline]
    pub(crate) fn is_consistent(&self) -> bool {
        self.bits.len() == self.ranks.len() * (BLOCK / 64)
    }

    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.bits.heap_bytes() + self.ranks.heap_bytes() + self.first.heap_bytes() + self.lists.heap_bytes()
    }
}
