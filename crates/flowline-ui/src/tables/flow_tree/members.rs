//! The markers of an expanded flow: their display order, and the gap before each.
//!
//! The gap of a marker is the time from the latest end of the flow's preceding markers, in start order, to its start;
//! it does not depend on the display order. The latest end is stored for every [`BLOCK`]th marker, so computing a gap
//! takes at most one block of steps for a flow of any length.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use super::columns::FlowTreeColumn;
use flowline_index::Index;
use flowline_profile::{FlowId, MarkerId, Ns, Process, Profile, StringId, TimeRange};

/// Markers per stored latest end.
const BLOCK: usize = 64;

/// The sorted column, and true if descending.
pub(super) type SortOrder = (FlowTreeColumn, bool);

/// Order and gaps of a flow's markers.
#[derive(Clone, Debug, Default)]
pub(super) struct Members {
    /// Positions in start order, by displayed number; `None` for start order itself.
    order: Option<Vec<u32>>,
    /// Latest end before each block.
    ends: Vec<Ns>,
}

/// Time from a latest end to a start in nanoseconds; negative if they overlap.
const fn gap(latest_end: Ns, start: Ns) -> i64 {
    start.0.saturating_sub(latest_end.0)
}

/// Latest end before each block.
fn latest_ends(ends: &[Ns]) -> Vec<Ns> {
    let blocks: Vec<Ns> =
        ends.par_chunks(BLOCK).map(|block| block.iter().copied().max().unwrap_or(Ns(i64::MIN))).collect();
    let latest = |before: &mut Ns, block: Ns| {
        let here = *before;
        *before = here.max(block);
        Some(here)
    };
    blocks.into_iter().scan(Ns(i64::MIN), latest).collect()
}

/// Gap before each marker; `i64::MIN` before the first.
fn gaps(times: &[TimeRange], latest: &[Ns]) -> Vec<i64> {
    let block_gaps = |(block, times): (usize, &[TimeRange])| -> Vec<i64> {
        let mut end = latest[block];
        let gap_before = |times: &TimeRange| {
            let gap = if end.0 == i64::MIN { i64::MIN } else { gap(end, times.start) };
            end = end.max(times.end);
            gap
        };
        times.iter().map(gap_before).collect()
    };
    times.par_chunks(BLOCK).enumerate().flat_map_iter(block_gaps).collect()
}

/// Positions sorted by key; equal ones stay in start order.
fn ordered(keys: Vec<i64>, descending: bool) -> Vec<u32> {
    let mut order: Vec<(i64, u32)> = keys.into_iter().zip(0..).collect();
    if descending {
        order.par_sort_unstable_by_key(|(key, position)| (std::cmp::Reverse(*key), *position));
    } else {
        order.par_sort_unstable();
    }
    order.into_iter().map(|(_, position)| position).collect()
}

/// Alphabetical rank of each text; texts that differ only in case share a rank.
fn ranks<'a, K: std::hash::Hash + Eq + Copy>(texts: impl Iterator<Item = (K, &'a str)>) -> HashMap<K, i64> {
    let mut texts: Vec<(String, K)> = texts.map(|(key, text)| (text.to_lowercase(), key)).collect();
    texts.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    let mut ranks = HashMap::with_capacity(texts.len());
    for (rank, run) in (0_i64..).zip(texts.chunk_by(|(one, _), (other, _)| one == other)) {
        ranks.extend(run.iter().map(|(_, key)| (*key, rank)));
    }
    ranks
}

impl Members {
    /// Sorts the markers of a flow.
    pub(super) fn arrange(index: &Index, flow: FlowId, (column, descending): SortOrder) -> Self {
        let profile = index.profile();
        let members = index.flows().members(flow);
        let times: Vec<TimeRange> = members.par_iter().map(|marker| profile.marker_range(*marker)).collect();
        let ends = latest_ends(&times.iter().map(|times| times.end).collect::<Vec<_>>());
        if (column, descending) == (FlowTreeColumn::Start, false) {
            return Self { order: None, ends };
        }
        let keys = match column {
            FlowTreeColumn::Start => times.iter().map(|times| times.start.0).collect(),
            FlowTreeColumn::Duration => times.iter().map(|times| times.len()).collect(),
            FlowTreeColumn::Gap => gaps(&times, &ends),
            FlowTreeColumn::Contents => members.par_iter().map(|marker| flow_count(index, *marker)).collect(),
            FlowTreeColumn::Name => by_name(profile, members),
            FlowTreeColumn::Thread => {
                let names: Vec<_> = profile.threads_with_ids().map(|(id, _)| (id, profile.long_name(id))).collect();
                let ranks = ranks(names.iter().map(|(id, name)| (*id, name.as_ref())));
                let key = |marker: &MarkerId| profile.locate(*marker).map_or(-1, |(thread, _)| ranks[&thread]);
                members.par_iter().map(key).collect()
            }
            FlowTreeColumn::Process => {
                let names: Vec<String> = profile.processes.iter().map(process_text).collect();
                let ranks = ranks(names.iter().map(String::as_str).enumerate());
                let process = |marker: &MarkerId| Some(profile.thread(profile.locate(*marker)?.0).process.index());
                members.par_iter().map(|marker| process(marker).map_or(-1, |process| ranks[&process])).collect()
            }
        };
        Self { order: Some(ordered(keys, descending)), ends }
    }

    /// Position in start order of the marker with a displayed number.
    pub(super) fn position(&self, shown: usize) -> usize {
        let place = self.order.as_ref().and_then(|order| order.get(shown));
        place.map_or(shown, |position| *position as usize)
    }

    /// Displayed number of a marker, by its position in start order. Linear in the flow's length.
    pub(super) fn shown(&self, position: usize) -> usize {
        let Some(order) = &self.order else { return position };
        order.iter().position(|other| *other as usize == position).unwrap_or(position)
    }

    /// Gap before a marker, by its position in start order; `None` for the first.
    pub(super) fn gap(&self, profile: &Profile, members: &[MarkerId], position: usize) -> Option<i64> {
        let block = position / BLOCK;
        let near = members.get(block * BLOCK..position)?.iter().map(|marker| profile.marker_range(*marker).end);
        let latest = near.chain(self.ends.get(block).copied()).max().filter(|end| end.0 > i64::MIN)?;
        Some(gap(latest, profile.marker_range(*members.get(position)?).start))
    }
}

fn flow_count(index: &Index, marker: MarkerId) -> i64 {
    i64::try_from(index.flows().flows_of(marker).len()).unwrap_or(i64::MAX)
}

fn by_name(profile: &Profile, members: &[MarkerId]) -> Vec<i64> {
    let name = |marker: &MarkerId| {
        let (thread, local) = profile.locate(*marker)?;
        Some(profile.thread(thread).markers.name(local))
    };
    let names: Vec<Option<StringId>> = members.par_iter().map(name).collect();
    let distinct: HashSet<StringId> = names.iter().flatten().copied().collect();
    let ranks = ranks(distinct.into_iter().map(|name| (name, profile.strings.get(name))));
    names.into_iter().map(|name| name.map_or(-1, |name| ranks[&name])).collect()
}

/// Name and id of a process.
pub(super) fn process_text(process: &Process) -> String {
    process.title()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(times: &[(i64, i64)]) -> Vec<TimeRange> {
        times.iter().map(|(start, end)| TimeRange { start: Ns(*start), end: Ns(*end) }).collect()
    }

    #[test]
    fn gaps_reach_back_to_the_latest_end() {
        let times = ranges(&[(0, 100), (10, 20), (50, 60), (130, 130), (140, 150)]);
        let latest = latest_ends(&times.iter().map(|times| times.end).collect::<Vec<_>>());
        assert_eq!(gaps(&times, &latest), [i64::MIN, -90, -50, 30, 10]);
    }

    #[test]
    fn gaps_reach_over_blocks() {
        // One long marker comes first: the markers of all blocks overlap it.
        let mut list = vec![(0, 1_000_000)];
        list.extend((1..1_000).map(|number| (number, number)));
        list.push((2_000_000, 2_000_001));
        let times = ranges(&list);
        let latest = latest_ends(&times.iter().map(|times| times.end).collect::<Vec<_>>());
        assert_eq!(latest.len(), list.len().div_ceil(BLOCK));
        let gaps = gaps(&times, &latest);
        assert!(gaps[1..1_000].iter().zip(1..).all(|(gap, start)| *gap == start - 1_000_000));
        assert_eq!(gaps[1_000], 1_000_000);
    }

    #[test]
    fn equal_keys_stay_in_start_order() {
        assert_eq!(ordered(vec![5, 1, 5, 0], false), [3, 1, 0, 2]);
        assert_eq!(ordered(vec![5, 1, 5, 0], true), [0, 2, 1, 3]);
    }

    #[test]
    fn texts_are_ranked_without_case() {
        let ranks = ranks([(0, "beta"), (1, "Alpha"), (2, "BETA"), (3, "")].into_iter());
        assert_eq!([0, 1, 2, 3].map(|key| ranks[&key]), [2, 1, 2, 0]);
    }

    #[test]
    fn displayed_numbers_and_positions_are_inverse() {
        let members = Members { order: Some(vec![2, 0, 1]), ends: Vec::new() };
        for shown in 0..3 {
            assert_eq!(members.shown(members.position(shown)), shown);
        }
        let plain = Members::default();
        assert_eq!((plain.position(7), plain.shown(7)), (7, 7));
    }
}
