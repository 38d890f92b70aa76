//! Flows by id. An id that is a memory address has one flow for each object that was allocated there.

use flowline_profile::Column;
use flowline_profile::FlowId;
use flowline_profile::persist::persist;

/// The flows of each id, in start order.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlowsById {
    /// The first flow of each id.
    first: Column<FlowId>,
    /// Ids with several flows, ascending.
    reused: Column<u32>,
    /// End of the flows of each reused id in `flows`.
    ends: Column<u32>,
    /// Flows of the reused ids, id by id.
    flows: Column<FlowId>,
}
persist!(FlowsById { first, reused, ends, flows });

/// Entry in `first` of an id without flows.
const NONE: FlowId = FlowId(u32::MAX);

impl FlowsById {
    /// Builds the index from the id of each flow.
    pub(crate) fn build(id_of: &[u32], id_count: usize) -> Self {
        let mut first = vec![NONE; id_count];
        let mut counts = vec![0_u32; id_count];
        for (flow, &id) in id_of.iter().enumerate() {
            counts[id as usize] += 1;
            if first[id as usize] == NONE {
                first[id as usize] = FlowId::new(flow);
            }
        }
        let (mut reused, mut ends, mut end) = (Vec::new(), Vec::new(), 0_u32);
        // From here on, the position of the next flow of each id.
        let mut next = counts;
        for (id, next) in (0_u32..).zip(&mut next) {
            let count = std::mem::replace(next, u32::MAX);
            if count > 1 {
                *next = end;
                end += count;
                reused.push(id);
                ends.push(end);
            }
        }
        let mut flows = vec![NONE; end as usize];
        for (flow, &id) in id_of.iter().enumerate() {
            let next = &mut next[id as usize];
            if *next != u32::MAX {
                flows[*next as usize] = FlowId::new(flow);
                *next += 1;
            }
        }
        Self { first: first.into(), reused: reused.into(), ends: ends.into(), flows: flows.into() }
    }

    /// Flows of an id.
    pub(crate) fn of(&self, id: u32) -> &[FlowId] {
        if let Ok(at) = self.reused.binary_search(&id) {
            let begin = at.checked_sub(1).map_or(0, |before| self.ends[before]);
            return &self.flows[begin as usize..self.ends[at] as usize];
        }
        self.first.get(id as usize).filter(|flow| **flow != NONE).map_or(&[], std::slice::from_ref)
    }

    /// True if the columns are consistent with each other.
    #[inline]
    pub(crate) fn is_consistent(&self) -> bool {
        let end = self.ends.last().map_or(0, |end| *end as usize);
        self.reused.len() == self.ends.len() && self.ends.is_sorted() && end == self.flows.len()
    }

    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.first.heap_bytes() + self.reused.heap_bytes() + self.ends.heap_bytes() + self.flows.heap_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_has_its_flows_in_order() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..200 {
            let count = random.u32(1..9);
            let id_of: Vec<u32> = (0..random.usize(..20)).map(|_| random.u32(..count)).collect();
            let uses = FlowsById::build(&id_of, count as usize);
            assert!(uses.is_consistent());
            for id in 0..count + 1 {
                let expected: Vec<FlowId> =
                    id_of.iter().enumerate().filter(|(_, of)| **of == id).map(|(flow, _)| FlowId::new(flow)).collect();
                assert_eq!(uses.of(id), expected, "{id} of {id_of:?}");
            }
        }
    }
}
