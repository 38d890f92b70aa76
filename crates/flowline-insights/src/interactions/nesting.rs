//! Events of one interaction that the same paint answered: the earliest one stands for all.

use std::collections::BTreeMap;

use super::interaction::{Interaction, InteractionCategory};
use flowline_profile::{Ns, ProcessId};

/// Marks the nested ones among interactions that are sorted by start, longer ones first, and inner ones first among those
/// with the same times. The one that stands for others gets the time of their handlers.
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
        let replaces = is_same && own.processing() > known.processing();
        let first = known.processing_start.min(own.processing_start);
        let last = known.processing_end.max(own.processing_end);
        let known = &mut all[before];
        (known.processing_start, known.processing_end) = (first, last);
        known.drop_misplaced();
        if replaces {
            kept.insert(key, at);
        }
        all[if replaces { before } else { at }].is_nested = true;
    }
}
