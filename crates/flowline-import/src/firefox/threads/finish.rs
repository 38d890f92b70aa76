//! Completes a thread after all of it has been read.

use super::allocations;
use super::raw_thread::RawThread;
use crate::firefox::dialect::Dialect;
use crate::firefox::stacks::locations;
use flowline_profile::StringTable;

/// Equalizes the column lengths, adds the warnings, and separates allocations from markers.
pub(in crate::firefox) fn finish(mut thread: RawThread, dialect: Dialect, text: &[u8]) -> RawThread {
    thread.finish();
    if let Some(sampled) = &mut thread.sampled {
        sampled.marker_stacks.sort_by_key(|stack| stack.payload);
    }
    if dialect == Dialect::Raw {
        allocations::take(&mut thread, text);
    }
    let Some(sampled) = &mut thread.sampled else { return thread };
    sampled.finish(&thread.name, thread.is_damaged, &mut thread.warnings);
    thread.samples = sampled.cpu.range();
    if dialect == Dialect::Raw {
        sampled.is_raw = true;
        // The table takes the offsets only temporarily, which avoids a copy.
        let strings = StringTable::new(thread.strings.take().unwrap_or_default());
        sampled.locations = locations(&mut sampled.stacks.frames, &strings, text);
        thread.strings = Some(strings.into_offsets());
    }
    thread
}
