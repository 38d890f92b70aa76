//! The contents of a slice: its direct children, grouped by name, and its self time.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::Nesting;
use super::slices::Traversal;
use flowline_profile::{LocalMarker, Ns, StringId};

/// Children with the same name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameGroup {
    /// Common name of the children.
    pub name: StringId,
    /// Number of children.
    pub count: usize,
    /// Sum of the children's durations.
    pub total: Ns,
    /// The first of the children, in start order.
    pub first: Vec<LocalMarker>,
}

/// The contents of a slice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Its direct children by name, longest total first.
    pub groups: Vec<NameGroup>,
    /// Number of its direct children.
    pub children: usize,
    /// Number of all slices below it.
    pub descendants: usize,
    /// Its duration minus the time in which a child is open.
    pub self_time: Ns,
    /// The longest direct child; the first one if several are equally long.
    pub longest: Option<LocalMarker>,
}

impl Nesting<'_> {
    /// The contents of a slice, with the first `kept` children of each name. `keep_going` is called at every step (at
    /// most about children times rows); the result is `None` once it returns `false`.
    #[must_use]
    pub fn contents(&self, marker: LocalMarker, kept: usize, keep_going: &mut dyn FnMut() -> bool) -> Option<Contents> {
        let mut contents = Contents::default();
        let mut places: HashMap<StringId, usize> = HashMap::new();
        let mut children = self.children(marker);
        let (mut covered, mut until, mut most) = (0_i64, self.start(marker), -1_i64);
        loop {
            if !keep_going() {
                return None;
            }
            let child = match children.step() {
                Traversal::Child(child) => child,
                Traversal::Skipped => continue,
                Traversal::Done => break,
            };
            let (start, end) = (self.start(child), self.end(child));
            // Children ascend by start and by end.
            covered = covered.saturating_add(end.saturating_sub(start.max(until)).max(0));
            until = until.max(end);
            let length = end.saturating_sub(start);
            if length > most {
                (most, contents.longest) = (length, Some(child));
            }
            contents.children += 1;
            let name = self.thread.markers.name(child);
            let place = *places.entry(name).or_insert(contents.groups.len());
            if place == contents.groups.len() {
                contents.groups.push(NameGroup { name, count: 0, total: Ns(0), first: Vec::new() });
            }
            let group = &mut contents.groups[place];
            group.count += 1;
            group.total = group.total + Ns(length);
            if group.first.len() < kept {
                group.first.push(child);
            }
        }
        contents.descendants = children.descendants();
        contents.self_time = Ns(self.end(marker).saturating_sub(self.start(marker)).saturating_sub(covered).max(0));
        contents.groups.sort_by_key(|group| Reverse(group.total));
        Some(contents)
    }
}
