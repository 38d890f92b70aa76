//! Payload fields of the format `stack`, whose values are indexes into the stack table of their thread.

use crate::firefox::derive::PayloadTypeInfo;
use crate::firefox::threads::marker_stack::RawMarkerStack;
use crate::firefox::threads::raw_thread::RawThread;
use crate::firefox::threads::sentinels::NO_TIME;
use flowline_profile::payload::decode;
use flowline_profile::{LocalMarker, MarkerTable, Source};

/// Adds the stacks in fields to the stacks of markers, which are sorted by marker. A stack that was captured with a
/// marker wins.
pub(super) fn add(
    kinds: &[PayloadTypeInfo],
    markers: &MarkerTable,
    source: &Source,
    raw: &mut RawThread,
    stacks: &mut Vec<(LocalMarker, RawMarkerStack)>,
) {
    if kinds.iter().all(|kind| kind.stack_keys.is_empty()) {
        return;
    }
    let before = stacks.len();
    for marker in (0..markers.len()).map(LocalMarker::new) {
        let kind = markers.kind(marker).and_then(|kind| kinds.get(kind.index()));
        let Some(kind) = kind.filter(|kind| !kind.stack_keys.is_empty()) else { continue };
        let place = markers.payload(marker);
        let payload = decode(source, place);
        let index = |key: &String| payload.get(key)?.as_i64().and_then(|index| u32::try_from(index).ok());
        let stack = kind.stack_keys.iter().find_map(index);
        stacks.extend(stack.map(|stack| (marker, RawMarkerStack { payload: place.0, stack, time: NO_TIME })));
    }
    if stacks.len() > before {
        raw.sampled.get_or_insert_default();
        // The sort is stable, so captured stacks come first.
        stacks.sort_by_key(|(marker, _)| *marker);
        stacks.dedup_by_key(|(marker, _)| *marker);
    }
}
