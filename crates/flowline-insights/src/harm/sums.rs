//! Sums of the harm of each thread.

use std::collections::BTreeMap;

use super::list::Harm;
use super::long_tasks::LONG_TASK;
use super::slices::{HarmfulSlice, HarmfulSlices};
use flowline_index::{Derived, Index};
use flowline_profile::{Ns, ThreadId};

/// The harm of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HarmSum {
    /// Number of long tasks.
    pub long: u64,
    /// Sum of what exceeds 50 ms in each long task.
    pub blocking: Ns,
    /// Number of slices of forced style and layout.
    pub forced: u64,
    /// Their time.
    pub forced_time: Ns,
}

/// The sums of all threads with harm.
#[derive(Clone, Debug, Default)]
pub struct HarmSums(BTreeMap<ThreadId, HarmSum>);

impl HarmSums {
    /// The sum of a thread.
    #[must_use]
    pub fn thread(&self, thread: ThreadId) -> HarmSum {
        self.0.get(&thread).copied().unwrap_or_default()
    }
}

impl Derived for HarmSums {
    fn derive(index: &Index) -> Self {
        let (harm, profile) = (Harm::of(index), index.profile());
        let mut sums: BTreeMap<ThreadId, HarmSum> = BTreeMap::new();
        let mut add = |slices: &HarmfulSlices, add: &dyn Fn(&mut HarmSum, &HarmfulSlice)| {
            for slice in slices.all() {
                if let Some((thread, _)) = profile.locate(slice.marker) {
                    add(sums.entry(thread).or_default(), slice);
                }
            }
        };
        add(harm.long(), &|sum, slice| {
            sum.long += 1;
            sum.blocking = Ns(sum.blocking.0.saturating_add(slice.times.len() - LONG_TASK.0));
        });
        add(harm.forced(), &|sum, slice| {
            sum.forced += 1;
            sum.forced_time = Ns(sum.forced_time.0.saturating_add(slice.times.len()));
        });
        Self(sums)
    }
}
