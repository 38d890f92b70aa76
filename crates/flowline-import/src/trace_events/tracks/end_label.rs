//! The name and the category by which an end event finds its begin event.
//!
//! An end event without a name closes the innermost begin. In Perfetto traces, an end event that states a category closes
//! the innermost begin of that category, because tracks contain slices of several sources
//! (`src/trace_processor/importers/common/slice_tracker.cc`). In JSON traces, categories of end events mean nothing.

use super::slice::Slice;
use crate::trace_events::text::event::Event;
use crate::trace_events::text::ids::{NONE, TextId};
use crate::trace_events::text::trace::Trace;

/// Name and category of a begin event, or those that an end event states; [`NONE`] without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::trace_events) struct EndLabel {
    pub(in crate::trace_events) name: TextId,
    cat: TextId,
}

impl EndLabel {
    /// Returns the label of a begin event or an end event.
    #[inline]
    pub(in crate::trace_events) fn of(trace: &Trace, event: &Event) -> Self {
        let (name, cat) = trace.labels.get(event.label);
        Self { name, cat: if trace.ends_have_categories { cat } else { NONE } }
    }

    /// Returns the label of a slice's begin event.
    #[inline]
    pub(in crate::trace_events) fn of_slice(trace: &Trace, slice: &Slice) -> Self {
        Self { name: slice.name, cat: if trace.ends_have_categories { slice.cat } else { NONE } }
    }

    /// Returns true if an end event with this label closes any begin.
    #[inline]
    pub(in crate::trace_events) const fn fits_all(self) -> bool {
        self.name == NONE && self.cat == NONE
    }

    /// Returns true if an end event with this label closes a begin with the given label.
    #[inline]
    pub(in crate::trace_events) const fn fits(self, begin: Self) -> bool {
        (self.name == NONE || self.name == begin.name) && (self.cat == NONE || self.cat == begin.cat)
    }

    /// Iterates over the labels of all end events that close a begin with this label, except those that close any begin.
    /// They are the keys for finding a begin without a search.
    pub(in crate::trace_events) fn keys(self) -> impl Iterator<Item = Self> {
        let Self { name, cat } = self;
        let of_category = (cat != NONE).then_some([Self { name: NONE, cat }, self]).into_iter().flatten();
        let of_name = Self { name, cat: NONE };
        std::iter::once(of_name).chain(of_category).filter(|key| !key.fits_all())
    }

    #[cfg(test)]
    pub(in crate::trace_events) const fn new(name: TextId, cat: TextId) -> Self {
        Self { name, cat }
    }
}
