//! Begin events of async slices that have no end yet.

use foldhash::HashMap;

use crate::trace_events::tracks::end_label::EndLabel;

/// Open begins, innermost last: the event, its slice, its label. Closed begins are skipped.
#[derive(Default)]
pub(in crate::trace_events) struct OpenBegins {
    all: Vec<(u32, usize, EndLabel)>,
    /// Indexes into `all` by the labels of end events, for begins beyond the first [`FEW`].
    by_label: HashMap<EndLabel, Vec<usize>>,
    /// True for each closed slice.
    closed: Vec<bool>,
}

/// Number of begins that are searched linearly.
const FEW: usize = 32;

impl OpenBegins {
    /// Removes all begins.
    pub(in crate::trace_events) fn clear(&mut self) {
        self.all.clear();
        self.closed.clear();
        if !self.by_label.is_empty() {
            self.by_label.clear();
        }
    }

    /// Adds the begin event of a slice.
    pub(in crate::trace_events) fn push(&mut self, event: u32, slice: usize, label: EndLabel) {
        if self.all.len() >= FEW {
            label.keys().for_each(|key| self.by_label.entry(key).or_default().push(self.all.len()));
        }
        self.all.push((event, slice, label));
        self.closed.resize(slice + 1, false);
    }

    /// Closes the innermost open begin that an end event with a label closes. Returns its slice.
    pub(in crate::trace_events) fn close(&mut self, label: EndLabel) -> Option<usize> {
        let slice = if label.fits_all() { self.innermost()?.1 } else { self.innermost_of(label)? };
        self.closed[slice] = true;
        Some(slice)
    }

    /// Returns the innermost open begin: the event and its slice.
    pub(in crate::trace_events) fn innermost(&mut self) -> Option<(u32, usize)> {
        while self.all.pop_if(|(_, slice, _)| self.closed[*slice]).is_some() {}
        self.all.last().map(|(event, slice, _)| (*event, *slice))
    }

    /// Returns the slice of the innermost open begin that an end event with a label closes.
    fn innermost_of(&mut self, label: EndLabel) -> Option<usize> {
        let Self { all, by_label, closed } = self;
        if let Some(known) = by_label.get_mut(&label) {
            // Indexes of removed begins may refer to begins that replaced them.
            let is_open = |at: &usize| all.get(*at).is_some_and(|begin| label.fits(begin.2) && !closed[begin.1]);
            while known.pop_if(|at| !is_open(at)).is_some() {}
            if let Some(at) = known.last() {
                return Some(all[*at].1);
            }
        }
        let first = &all[..all.len().min(FEW)];
        first.iter().rfind(|(_, slice, begin)| label.fits(*begin) && !closed[*slice]).map(|(_, slice, _)| *slice)
    }

    /// Iterates over the events whose slices were never closed, in order.
    pub(in crate::trace_events) fn left(&self) -> impl Iterator<Item = u32> {
        self.all.iter().filter(|(_, slice, _)| !self.closed[*slice]).map(|(event, ..)| *event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace_events::text::ids::{NONE, TextId};

    #[test]
    fn an_end_closes_the_innermost_begin_of_its_label() {
        let mut random = fastrand::Rng::with_seed(9);
        let (mut found, mut deepest) = (0, 0);
        for names in [1, 3, 40] {
            let mut open = OpenBegins::default();
            // Slice, name and category, and true if closed.
            let mut naive: Vec<(usize, (TextId, TextId), bool)> = Vec::new();
            open.clear();
            for slice in 0..4000 {
                let (name, cat) = (random.u32(0..names), random.u32(0..3));
                // The depth rises and falls.
                if random.usize(0..100) < if slice / 300 % 2 == 0 { 70 } else { 35 } {
                    open.push(slice, slice as usize, EndLabel::new(name, cat));
                    naive.push((slice as usize, (name, cat), false));
                } else {
                    let name = if random.u8(0..6) == 0 { NONE } else { name };
                    let cat = if random.u8(0..3) == 0 { cat } else { NONE };
                    let is_wanted = |(_, begin, closed): &&mut (usize, (TextId, TextId), bool)| {
                        !*closed && (name == NONE || begin.0 == name) && (cat == NONE || begin.1 == cat)
                    };
                    let expected = naive.iter_mut().rev().find(is_wanted).map(|begin| {
                        begin.2 = true;
                        begin.0
                    });
                    assert_eq!(open.close(EndLabel::new(name, cat)), expected);
                    found += usize::from(expected.is_some());
                }
                let left: Vec<usize> = naive.iter().filter(|begin| !begin.2).map(|begin| begin.0).collect();
                assert!(open.left().map(|event| event as usize).eq(left.iter().copied()));
                assert_eq!(open.innermost().map(|(_, slice)| slice), left.last().copied());
                deepest = deepest.max(left.len());
            }
        }
        assert!(found > 3000 && deepest > 3 * FEW, "{found} {deepest}");
    }
}
