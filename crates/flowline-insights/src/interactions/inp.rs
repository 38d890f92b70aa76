//! Interaction to next paint: the interaction that stands for all of a page. With few interactions it is the longest one;
//! of many, some outliers are skipped.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::interaction::Interaction;

/// One of so many interactions is skipped.
const SKIPPED_OF: usize = 50;
/// At most this many are skipped.
const MOST_SKIPPED: usize = 9;

/// The interaction that stands for those given, of which the longest for each key counts. Those without a known paint do
/// not count.
pub(super) fn inp<'a, K: Ord>(all: impl Iterator<Item = (K, &'a Interaction)>) -> Option<&'a Interaction> {
    let mut longest: BTreeMap<K, &Interaction> = BTreeMap::new();
    for (key, own) in all.filter(|(_, own)| own.end.is_some()) {
        let known = longest.entry(key).or_insert(own);
        if own.length() > known.length() {
            *known = own;
        }
    }
    let mut sorted: Vec<&Interaction> = longest.into_values().collect();
    sorted.sort_by_key(|own| (Reverse(own.length()), own.start, own.marker));
    sorted.get((sorted.len() / SKIPPED_OF).min(MOST_SKIPPED)).copied()
}
