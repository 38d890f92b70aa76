//! Finds the entry of a marker.

use super::entry::EntryId;
use super::list::EntryList;
use flowline_profile::samples::NONE;
use flowline_profile::{MarkerId, Profile};

impl EntryList {
    /// The entry of a marker; `None` if it is hidden, has no length, or was dropped.
    #[must_use]
    pub fn entry_of(&self, profile: &Profile, marker: MarkerId) -> Option<EntryId> {
        let (thread, local) = profile.locate(marker)?;
        let at = self.threads.iter().position(|(own, _)| *own == thread)?;
        let first = self.threads[at].1 as usize;
        let end = self.threads.get(at + 1).map_or(self.len(), |(_, first)| *first as usize);
        let start = profile.thread(thread).markers.start(local);
        let at_start = first + self.start[first..end].partition_point(|own| *own < start);
        let same = (at_start..end).take_while(|entry| self.start[*entry] == start);
        same.map(|entry| u32::try_from(entry).unwrap_or(NONE)).find(|entry| self.item[*entry as usize] == local.0)
    }
}
