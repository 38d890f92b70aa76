//! Finds the entries of a list by a key, so that reading the payloads of a type with thousands of fields takes no time per
//! field.

use std::cmp::Ordering;

/// Shorter lists are searched one by one, which is faster.
const FEW: usize = 16;

/// The positions of a list, ordered by a key of its entries and then by position; empty for short lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyOrder {
    positions: Box<[u32]>,
    count: usize,
}

impl KeyOrder {
    /// Orders the entries of a list of `count` entries.
    pub fn new<K: Ord>(count: usize, key: impl Fn(usize) -> K) -> Self {
        let last = u32::try_from(count).unwrap_or(u32::MAX);
        let mut positions: Vec<u32> = if count > FEW { (0..last).collect() } else { Vec::new() };
        positions.sort_by_cached_key(|position| key(*position as usize));
        Self { positions: positions.into(), count }
    }

    /// The positions of the entries whose key is equal to a wanted one, in ascending order. `compare` compares the key of
    /// an entry with the wanted one.
    pub fn find<'a>(&'a self, compare: impl Fn(usize) -> Ordering + 'a) -> impl Iterator<Item = usize> + 'a {
        let is_ordered = !self.positions.is_empty();
        let from = self.positions.partition_point(|position| compare(*position as usize).is_lt());
        let few = if is_ordered { 0..0 } else { 0..self.count };
        let positions = self.positions[from..].iter().map(|position| *position as usize).chain(few);
        let equal = positions.map_while(move |position| match compare(position) {
            Ordering::Equal => Some(Some(position)),
            _ if is_ordered => None,
            _ => Some(None),
        });
        equal.flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::KeyOrder;

    #[test]
    fn finds_what_a_search_of_all_finds() {
        for count in [0, 1, 16, 17, 300] {
            let keys: Vec<String> = (0..count).map(|at| format!("k{}", at * 7 % 40)).collect();
            let order = KeyOrder::new(keys.len(), |at| keys[at].as_str());
            for wanted in (0..41).map(|at| format!("k{at}")) {
                let found: Vec<usize> = order.find(|at| keys[at].cmp(&wanted)).collect();
                let expected: Vec<usize> = (0..keys.len()).filter(|at| keys[*at] == wanted).collect();
                assert_eq!(found, expected, "{wanted} among {count}");
            }
        }
    }
}
