//! The recording.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use super::category::Category;
use super::meta::Meta;
use super::process::{Page, Process};
use super::thread::Thread;
use crate::persist::persist;
use crate::{
    CategoryId, Counter, ExplicitFlows, Lazy, LocalMarker, MarkerColors, MarkerFlags, MarkerId, PayloadTypes,
    SearchFacts, Source, StackTables, Strings, ThreadId, ThreadSamples, Warnings,
};
use flowline_format::TimeRange;

/// A recording.
#[derive(Clone, Default)]
pub struct Profile {
    /// Global facts about the recording.
    pub meta: Meta,
    /// Processes in file order.
    pub processes: Vec<Process>,
    /// Threads in file order.
    pub threads: Vec<Thread>,
    /// Pages, unique by window id.
    pub pages: Vec<Page>,
    /// Marker categories.
    pub categories: Vec<Category>,
    /// Payload types and their schemas.
    pub types: PayloadTypes,
    /// Interned names.
    pub strings: Strings,
    /// The stacks of samples and markers.
    pub stacks: StackTables,
    /// Counters.
    pub counters: Vec<Counter>,
    /// Markers with an individual color.
    pub marker_colors: MarkerColors,
    /// Flows that the recording lists step by step; empty if flows are derived from payloads. The index requests them
    /// after the first frame is shown.
    pub explicit_flows: Lazy<ExplicitFlows>,
    /// Top-level members and metadata of the input that no importer interprets: name, and byte offset of the value.
    pub parts: Vec<(String, u64)>,
    /// Bytes of the input.
    pub source: Source,
    /// Problems found in the input.
    pub warnings: Warnings,
    /// Facts about the text that searches have collected.
    pub searched: SearchFacts,
}
persist!(Profile {
    meta, processes, threads, pages, categories, types, strings, stacks, counters, marker_colors, explicit_flows, parts, warnings;
    source, searched
});

/// Counts only; a recording has millions of values.
impl fmt::Debug for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Profile")
            .field("meta", &self.meta)
            .field("threads", &self.threads.len())
            .field("markers", &self.marker_count())
            .finish_non_exhaustive()
    }
}

impl Profile {
    /// The thread with an id of this profile.
    #[must_use]
    #[inline]
    pub fn thread(&self, id: ThreadId) -> &Thread {
        &self.threads[id.index()]
    }

    /// All threads with their ids.
    #[inline]
    pub fn threads_with_ids(&self) -> impl Iterator<Item = (ThreadId, &Thread)> {
        self.threads.iter().enumerate().map(|(index, thread)| (ThreadId::new(index), thread))
    }

    /// The process of a thread.
    #[must_use]
    #[inline]
    pub fn process_of(&self, id: ThreadId) -> &Process {
        &self.processes[self.thread(id).process.index()]
    }

    /// Number of markers.
    #[must_use]
    #[inline]
    pub fn marker_count(&self) -> usize {
        self.threads.iter().map(|thread| thread.markers.len()).sum()
    }

    /// Number of markers whose start or end is not in the recording.
    #[must_use]
    #[inline]
    pub fn incomplete_count(&self) -> usize {
        let incomplete = |thread: &Thread| {
            thread.markers.attributes().iter().filter(|own| own.flags.has(MarkerFlags::INCOMPLETE)).count()
        };
        self.threads.iter().map(incomplete).sum()
    }

    /// Thread and row of a marker; `None` if the id is out of range.
    #[must_use]
    pub fn locate(&self, id: MarkerId) -> Option<(ThreadId, LocalMarker)> {
        let after = self.threads.partition_point(|thread| thread.first_marker <= id);
        // A thread without markers has the same first id as the next thread.
        let index = (0..after).rev().find(|&index| !self.threads[index].markers.is_empty())?;
        let local = id.0 - self.threads[index].first_marker.0;
        let inside = (local as usize) < self.threads[index].markers.len();
        inside.then_some((ThreadId::new(index), LocalMarker(local)))
    }

    /// Start and end of a marker; an empty range if there is no such marker.
    #[must_use]
    #[inline]
    pub fn marker_range(&self, id: MarkerId) -> TimeRange {
        self.locate(id).map_or_else(TimeRange::default, |(thread, local)| self.thread(thread).markers.range(local))
    }

    /// Name of a category; empty if unknown.
    #[must_use]
    #[inline]
    pub fn category_name(&self, id: CategoryId) -> &str {
        self.categories.get(id.index()).map_or("", |category| &category.name)
    }

    /// Address of the page that a window showed.
    #[must_use]
    #[inline]
    pub fn page(&self, window: i64) -> Option<&str> {
        self.page_of(window).map(|page| page.url.as_str())
    }

    /// The page of a window.
    #[must_use]
    pub fn page_of(&self, window: i64) -> Option<&Page> {
        let found = self.pages.binary_search_by_key(&window, |page| page.window).ok()?;
        self.pages.get(found)
    }

    /// True if lengths and ids are consistent; checked when a profile is restored from a file.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        let mut next = 0;
        self.threads.iter().all(|thread| {
            let (first, count) = (thread.first_marker.index(), thread.markers.len());
            let in_order = std::mem::replace(&mut next, first + count) == first;
            let groups = thread.groups.is_empty() || thread.groups.len() == count;
            let samples = thread.samples.as_ref();
            let samples = samples.is_none_or(|samples| samples.is_consistent(count, self.stacks.len()));
            let process = thread.process.index() < self.processes.len();
            in_order && groups && samples && process && thread.markers.is_consistent()
        }) && self.stacks.is_consistent()
            && self.has_track_order()
    }

    /// Heap size of markers, strings and tables in bytes, without the input text.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let mut tables = HashSet::new();
        let mut total = self.strings.bytes() + self.stacks.bytes();
        for thread in &self.threads {
            total += thread.markers.bytes() + thread.groups.heap_bytes() + size_of::<Thread>();
            total += thread.samples.as_ref().map_or(0, |samples| samples.bytes() + size_of::<ThreadSamples>());
            if tables.insert(Arc::as_ptr(&thread.strings)) {
                total += thread.strings.bytes();
            }
        }
        total += self.explicit_flows.get_if_built().map_or(0, ExplicitFlows::bytes) + self.marker_colors.bytes();
        total + self.counters.iter().map(Counter::bytes).sum::<usize>()
    }
}
