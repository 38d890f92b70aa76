//! Slices that ended with an enclosing slice. End events with equal timestamps come in any order, so their own end
//! events may still follow.

use std::collections::VecDeque;

use foldhash::HashMap;

use crate::chrome::text::ids::{NONE, TextId};
use flowline_profile::{Ns, WarningKind, Warnings};

/// Maximum number of slices that are searched linearly.
const MAX_LINEAR: usize = 16;

/// The slices that ended inside others at one timestamp.
#[derive(Default)]
pub(in crate::chrome) struct ImplicitEnds {
    time: Ns,
    /// The slice, and the offset of the event that ended it, innermost first. The slice is [`NONE`] after its own end
    /// event.
    slices: Vec<(u32, u64)>,
    /// Positions in `slices` by name, if there are more than [`MAX_LINEAR`] slices.
    by_name: HashMap<TextId, VecDeque<usize>>,
    /// All slices before this position have received their own end events.
    first: usize,
}

impl ImplicitEnds {
    /// Adds a slice that the event at byte `end` ended at `time`.
    pub(in crate::chrome) fn push(&mut self, time: Ns, slice: u32, name: TextId, end: u64) {
        self.time = time;
        if !self.by_name.is_empty() {
            self.by_name.entry(name).or_default().push_back(self.slices.len());
        }
        self.slices.push((slice, end));
    }

    /// Removes and returns the innermost slice with this name, or with any name if `name` is [`NONE`]. `name_of`
    /// returns the name of a slice.
    #[inline]
    pub(in crate::chrome) fn take(&mut self, time: Ns, name: TextId, name_of: impl Fn(u32) -> TextId) -> Option<usize> {
        if self.slices.is_empty() || self.time != time {
            return None;
        }
        let waits = |(slice, _): &(u32, u64)| *slice != NONE;
        self.first += self.slices[self.first..].iter().take_while(|slice| !waits(slice)).count();
        let at = if name == NONE {
            self.first
        } else if self.slices.len() - self.first <= MAX_LINEAR {
            let is_named = |entry: &(u32, u64)| waits(entry) && name_of(entry.0) == name;
            self.first + self.slices[self.first..].iter().position(is_named)?
        } else {
            if self.by_name.is_empty() {
                for (at, (slice, _)) in self.slices.iter().enumerate().filter(|(_, slice)| waits(slice)) {
                    self.by_name.entry(name_of(*slice)).or_default().push_back(at);
                }
            }
            let positions = self.by_name.get_mut(&name)?;
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
    pub(in crate::chrome) fn finish(
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
            warnings.add(WarningKind::UnmatchedStart, || format!("inside the slice ended by the event at byte {end}"));
        }
        self.by_name.clear();
        self.first = 0;
    }
}
