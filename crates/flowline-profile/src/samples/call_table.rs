//! Function calls as columns.

use crate::persist::persist;
use crate::{Column, StackId};
use flowline_format::Ns;

/// Function calls that an importer derived from samples and events together, sorted by start and then by descending
/// length: callers precede callees.
#[derive(Clone, Debug, Default)]
pub struct CallTable {
    /// Starts, ascending.
    pub start: Column<Ns>,
    /// Ends.
    pub end: Column<Ns>,
    /// The stack whose innermost frame is the call.
    pub stack: Column<StackId>,
    /// Number of calls that contain this call.
    pub depth: Column<u32>,
    /// The sample that began the call; [`super::NONE`] if an event began it.
    pub sample: Column<u32>,
}
persist!(CallTable { start, end, stack, depth, sample });

impl CallTable {
    /// Number of calls.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.start.len()
    }

    /// True if there are no calls.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// Appends a call, which must not begin before the previous ones.
    pub fn push(&mut self, [start, end]: [Ns; 2], stack: StackId, depth: u32, sample: u32) {
        self.start.push(start);
        self.end.push(end);
        self.stack.push(stack);
        self.depth.push(depth);
        self.sample.push(sample);
    }

    /// Releases unused capacity.
    pub fn shrink_to_fit(&mut self) {
        self.start.shrink_to_fit();
        self.end.shrink_to_fit();
        self.stack.shrink_to_fit();
        self.depth.shrink_to_fit();
        self.sample.shrink_to_fit();
    }

    /// Size of the heap memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.start.heap_bytes()
            + self.end.heap_bytes()
            + self.stack.heap_bytes()
            + self.depth.heap_bytes()
            + self.sample.heap_bytes()
    }
}
