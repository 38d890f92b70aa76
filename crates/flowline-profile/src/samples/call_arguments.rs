//! The arguments of calls that were recorded with the samples of a thread, as JavaScript tracing of Firefox does. The
//! values stay encoded; the index decodes those of a call when they are needed.

use crate::persist::persist;
use crate::strings::Strings;
use crate::{Column, StringId};

/// The recorded arguments of the calls of a thread. Those of a sample belong to its innermost function, which it began.
#[derive(Clone, Debug, Default)]
pub struct CallArguments {
    /// Samples with recorded arguments, ascending.
    pub sample: Column<u32>,
    /// Offset of the arguments of each of these samples in `values`; [`CallArguments::NONE_GIVEN`] for a call without any.
    pub place: Column<u32>,
    /// The encoded values.
    pub values: Column<u8>,
    /// The name of the class and the names of the properties of each shape of objects.
    pub shape: Column<StringId>,
    /// One past the last name of each shape in `shape`.
    pub shape_end: Column<u32>,
    /// The names.
    pub strings: Strings,
}
persist!(CallArguments { sample, place, values, shape, shape_end, strings });

impl CallArguments {
    /// Place of a call without arguments.
    pub const NONE_GIVEN: u32 = u32::MAX - 1;

    /// True if no arguments were recorded.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.sample.is_empty()
    }

    /// The place of the arguments of a sample; `None` if they were not recorded.
    #[must_use]
    pub fn place_of(&self, sample: u32) -> Option<u32> {
        let at = self.sample.binary_search(&sample).ok()?;
        self.place.get(at).copied()
    }

    /// The names of a shape: class first. Empty if it is unknown.
    pub fn shape_names(&self, shape: u32) -> impl Iterator<Item = &str> {
        let end = |shape: usize| self.shape_end.get(shape).map(|end| *end as usize);
        let at = shape as usize;
        let first = at.checked_sub(1).map_or(Some(0), end);
        let names = first.zip(end(at)).and_then(|(first, end)| self.shape.get(first..end));
        names.unwrap_or_default().iter().map(|name| self.strings.get(*name))
    }

    /// Adds a shape.
    pub fn push_shape<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) {
        for name in names {
            let name = self.strings.intern(name);
            self.shape.push(name);
        }
        self.shape_end.push(u32::try_from(self.shape.len()).unwrap_or(u32::MAX));
    }

    /// True if the columns are consistent.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        self.sample.len() == self.place.len() && self.sample.is_sorted() && self.shape_end.is_sorted()
    }

    /// Size of the heap memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.sample.heap_bytes()
            + self.place.heap_bytes()
            + self.values.heap_bytes()
            + self.shape.heap_bytes()
            + self.shape_end.heap_bytes()
            + self.strings.bytes()
    }
}
