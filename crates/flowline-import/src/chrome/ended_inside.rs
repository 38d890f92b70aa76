//! Slices that ended with a slice around them. Ends of one timestamp come in any order, so their own ends may still follow.

use std::collections::VecDeque;

use foldhash::HashMap;

use super::ids::{NONE, TextId};
use flowline_profile::{Ns, WarningKind, Warnings};

/// Slices that are searched linearly.
const MAX_LINEAR: usize = 16;

/// The slices that ended at one time inside others.
#[derive(Default)]
pub(super) struct EndedInside {
    time: Ns,
    /// The slice, and the offset of the event that ended it; innermost first. [`NONE`] where the slice's own end came.
    slices: Vec<(u32, u64)>,
    /// Positions in `slices` by name, of more than [`MAX_LINEAR`] slices.
    by_name: HashMap<TextId, VecDeque<usize>>,
    /// All before this position have got their own ends.
    first: usize,
}

impl EndedInside {
    /// Adds a slice that the event at byte `end` ended at `time`.
    pub(super) fn push(&mut self, time: Ns, slice: u32, name: TextId, end: u64) {
        self.time = time;
        if !self.by_name.is_empty() {
            self.by_name.entry(name).or_default().push_back(self.slices.len());
        }
        self.slices.push((slice, end));
    }

    /// Removes the innermost slice of this name, or of any name if the end has [`NONE`]; `name_of` is the name of a slice.
    #[inline]
    pub(super) fn take(&mut self, time: Ns, name: TextId, name_of: impl Fn(u32) -> TextId) -> Option<usize> {
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
            // An end without a name or the linear search may have taken some.
            while positions.pop_front_if(|at| !waits(&self.slices[*at])).is_some() {}
            positions.pop_front()?
        };
        let (slice, _) = self.slices.get_mut(at)?;
        Some(std::mem::replace(slice, NONE) as usize)
    }

    /// Warns of slices whose own ends did not come at their time, and forgets them; `now` is the time of the next end.
    /// `ended` is called for each with the offset of the event that ended it.
    #[inline]
    pub(super) fn finish(&mut self, now: Option<Ns>, warnings: &mut Warnings, mut ended: impl FnMut(u32, u64)) {
        if self.slices.is_empty() || now == Some(self.time) {
            return;
        }
        for (slice, end) in self.slices.drain(..).filter(|(slice, _)| *slice != NONE) {
            ended(slice, end);
            warnings.add(WarningKind::UnmatchedStart, || format!("inside what ends with the event at byte {end}"));
        }
        self.by_name.clear();
        self.first = 0;
    }
}
