//! Slices that ended with an enclosing slice. End events with equal timestamps come in any order, so their own end
//! events may still follow.

use std::collections::VecDeque;

use foldhash::HashMap;

use super::end_label::EndLabel;
use crate::trace_events::text::event::file_offset;
use crate::trace_events::text::ids::NONE;
use flowline_profile::{Ns, WarningKind, Warnings};

/// Maximum number of slices that are searched linearly.
const MAX_LINEAR: usize = 16;

/// The slices that ended inside others at one timestamp.
#[derive(Default)]
pub(in crate::trace_events) struct ImplicitEnds {
    time: Ns,
    /// The slice, and the offset of the event that ended it, innermost first. The slice is [`NONE`] after its own end
    /// event.
    slices: Vec<(u32, u64)>,
    /// Positions in `slices` by the labels of their end events, if there are more than [`MAX_LINEAR`] slices.
    by_label: HashMap<EndLabel, VecDeque<usize>>,
    /// All slices before this position have received their own end events.
    first: usize,
}

impl ImplicitEnds {
    /// Adds a slice that the event at byte `end` ended at `time`.
    pub(in crate::trace_events) fn push(&mut self, time: Ns, slice: u32, label: EndLabel, end: u64) {
        self.time = time;
        if !self.by_label.is_empty() {
            self.add(label, self.slices.len());
        }
        self.slices.push((slice, end));
    }

    fn add(&mut self, label: EndLabel, at: usize) {
        label.keys().for_each(|key| self.by_label.entry(key).or_default().push_back(at));
    }

    /// Removes and returns the innermost slice that an end event with this label closes. `label_of` returns the label of
    /// a slice.
    #[inline]
    pub(in crate::trace_events) fn take(
        &mut self,
        time: Ns,
        label: EndLabel,
        label_of: impl Fn(u32) -> EndLabel,
    ) -> Option<usize> {
        if self.slices.is_empty() || self.time != time {
            return None;
        }
        let waits = |(slice, _): &(u32, u64)| *slice != NONE;
        self.first += self.slices[self.first..].iter().take_while(|slice| !waits(slice)).count();
        let at = if label.fits_all() {
            self.first
        } else if self.slices.len() - self.first <= MAX_LINEAR {
            let is_closed = |entry: &(u32, u64)| waits(entry) && label.fits(label_of(entry.0));
            self.first + self.slices[self.first..].iter().position(is_closed)?
        } else {
            if self.by_label.is_empty() {
                for at in 0..self.slices.len() {
                    if waits(&self.slices[at]) {
                        self.add(label_of(self.slices[at].0), at);
                    }
                }
            }
            let positions = self.by_label.get_mut(&label)?;
            // Unnamed end events and the linear search may have removed some.
            while positions.pop_front_if(|at| !waits(&self.slices[*at])).is_some() {}
            positions.pop_front()?
        };
        let (slice, _) = self.slices.get_mut(at)?;
        Some(std::mem::replace(slice, NONE) as usize)
    }

    /// Adds warnings for slices without their own end event at their timestamp, and removes them. `now` is the time of
    /// the next end. `ended` is called for each slice with the offset of the event that ended it.
    #[inline]
    pub(in crate::trace_events) fn finish(
        &mut self,
        now: Option<Ns>,
        warnings: &mut Warnings,
        mut ended: impl FnMut(u32, u64),
    ) {
        if self.slices.is_empty() || now == Some(self.time) {
            return;
        }
        for (slice, end) in self.slices.drain(..).filter(|(slice, _)| *slice != NONE) {
            ended(slice, end);
            warnings.add(WarningKind::UnmatchedStart, || {
                format!("inside the slice ended by the event at byte {}", file_offset(end))
            });
        }
        self.by_label.clear();
        self.first = 0;
    }
}
