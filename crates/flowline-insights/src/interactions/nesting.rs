//! Events of one interaction that the same paint answered: the earliest one stands for all.

use std::collections::BTreeMap;

use super::interaction::{Interaction, InteractionCategory};
use flowline_profile::{Ns, ProcessId};

/// Marks the nested ones among interactions that are sorted by start, longer ones first. The one that stays gets the time of
/// the handlers of all.
pub(super) fn nest(all: &mut [Interaction], process: impl Fn(&Interaction) -> ProcessId) {
    let mut kept: BTreeMap<(ProcessId, InteractionCategory, Option<Ns>), usize> = BTreeMap::new();
    for at in 0..all.len() {
        let key = (process(&all[at]), all[at].category, all[at].end);
        let Some(before) = kept.get(&key).copied() else {
            kept.insert(key, at);
            continue;
        };
        let (known, own) = (&all[before], &all[at]);
        let is_same = (known.start, known.id) == (own.start, own.id);
        let (stays, nested) =
            if is_same && own.processing() > known.processing() { (at, before) } else { (before, at) };
        let first = known.processing_start.min(own.processing_start);
        let last = known.processing_end.max(own.processing_end);
        all[nested].is_nested = true;
        let stays_as = &mut all[stays];
        (stays_as.processing_start, stays_as.processing_end) = (first, last);
        stays_as.drop_misplaced();
        kept.insert(key, stays);
    }
}
