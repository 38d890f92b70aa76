//! The stacks that were captured with markers.

use crate::persist::persist;
use crate::{Column, LocalMarker, StackId};
use flowline_format::Ns;

/// The stacks of markers, ascending by marker.
#[derive(Clone, Debug, Default)]
pub struct MarkerStacks {
    /// Markers with a stack.
    pub marker: Column<LocalMarker>,
    /// The stack of each of these markers.
    pub stack: Column<StackId>,
    /// Time at which each stack was captured, on the recording's clock; `Ns(i64::MIN)` if unknown.
    pub time: Column<Ns>,
}
persist!(MarkerStacks { marker, stack, time });

impl MarkerStacks {
    /// Appends the stack of a marker, which must come after all previous markers.
    #[inline]
    pub fn push(&mut self, marker: LocalMarker, stack: StackId, time: Option<Ns>) {
        self.marker.push(marker);
        self.stack.push(stack);
        self.time.push(time.unwrap_or(Ns(i64::MIN)));
    }

    /// The stack of a marker and the time at which it was captured.
    #[must_use]
    #[inline]
    pub fn get(&self, marker: LocalMarker) -> Option<(StackId, Option<Ns>)> {
        let at = self.marker.binary_search(&marker).ok()?;
        Some((self.stack[at], Some(self.time[at]).filter(|time| *time != Ns(i64::MIN))))
    }

    /// Size of the heap memory in bytes.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> usize {
        self.marker.heap_bytes() + self.stack.heap_bytes() + self.time.heap_bytes()
    }
}
