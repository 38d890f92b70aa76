//! Sizes of the document, and long style and layout of many elements.

use rayon::prelude::*;

use super::main_threads::main_threads;
use crate::markers_by_name::{Named, all_markers_named_in, markers_named};
use crate::page::Page;
use flowline_index::{Derived, Index};
use flowline_profile::{MarkerId, Ns, ProcessId, Profile, TimeRange, Value};

/// Style and layout of at least this length is long.
const LONG: Ns = Ns(40_000_000);
/// Layout of more objects than this, and style of more elements, is large.
const OBJECTS: i64 = 100;
const ELEMENTS: i64 = 300;

/// What a page states about the size of its document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DomStats {
    pub(crate) time: Ns,
    pub(crate) marker: MarkerId,
    pub(crate) process: ProcessId,
    pub(crate) frame: String,
    pub(crate) elements: i64,
    pub(crate) depth: Option<i64>,
    pub(crate) children: Option<i64>,
}

/// A long slice of style or layout of many elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LargeWork {
    pub(crate) times: TimeRange,
    pub(crate) marker: MarkerId,
    pub(crate) is_layout: bool,
    /// Number of objects or elements.
    pub(crate) size: i64,
}

/// All of them, by time.
#[derive(Clone, Debug, Default)]
pub(crate) struct DocumentSizes {
    stats: Vec<DomStats>,
    large: Vec<LargeWork>,
}

impl DocumentSizes {
    /// True if the recording states none.
    pub(crate) const fn is_empty(&self) -> bool {
        self.stats.is_empty() && self.large.is_empty()
    }

    /// What is stated in a closed range.
    pub(crate) fn stats_in(&self, range: TimeRange) -> &[DomStats] {
        let first = self.stats.partition_point(|stats| stats.time < range.start);
        let end = self.stats.partition_point(|stats| stats.time <= range.end);
        self.stats.get(first..end).unwrap_or_default()
    }

    /// The large work that begins in a closed range.
    pub(crate) fn large_in(&self, range: TimeRange) -> &[LargeWork] {
        let first = self.large.partition_point(|work| work.times.start < range.start);
        let end = self.large.partition_point(|work| work.times.start <= range.end);
        self.large.get(first..end).unwrap_or_default()
    }
}

impl Derived for DocumentSizes {
    fn derive(index: &Index) -> Self {
        let profile = index.profile();
        if !profile.source.holds_events() {
            return Self::default();
        }
        let stated = markers_named(profile, &["DOMStats"], |_| true);
        let mut stats: Vec<DomStats> = stated.into_par_iter().filter_map(|own| dom_stats(profile, own)).collect();
        stats.sort_by_key(|own| (own.time, own.marker));
        let threads = main_threads(profile, Page::of(index));
        let is_long = |times: TimeRange| times.len() >= LONG.0;
        let mut long = all_markers_named_in(profile, &["Layout", "UpdateLayoutTree"], |_| true, is_long);
        long.retain(|(_, thread, _)| threads.contains(thread));
        let mut large: Vec<LargeWork> = long.into_par_iter().filter_map(|own| large_work(profile, own)).collect();
        large.sort_by_key(|own| (own.times.start, own.marker));
        Self { stats, large }
    }
}

fn dom_stats(profile: &Profile, (_, id, marker): Named) -> Option<DomStats> {
    let thread = profile.thread(id);
    let payload = profile.payload_in(thread, marker);
    let data = payload.get("data")?;
    let inside = |key: &str, member: &str| data.get(key)?.get(member).and_then(Value::as_i64);
    Some(DomStats {
        time: thread.markers.start(marker),
        marker: thread.global(marker),
        process: thread.process,
        frame: data.get("frame")?.as_str()?.to_owned(),
        elements: data.get("totalElements").and_then(Value::as_i64)?,
        depth: inside("maxDepth", "depth"),
        children: inside("maxChildren", "numChildren"),
    })
}

fn large_work(profile: &Profile, (name, id, marker): Named) -> Option<LargeWork> {
    let thread = profile.thread(id);
    let payload = profile.payload_in(thread, marker);
    let is_layout = name == 0;
    let size = match is_layout {
        true => payload.get("beginData")?.get("dirtyObjects"),
        false => payload.get("elementCount"),
    };
    let size = size.and_then(Value::as_i64)?;
    let is_large = size > if is_layout { OBJECTS } else { ELEMENTS };
    let (times, marker) = (thread.markers.range(marker), thread.global(marker));
    is_large.then_some(LargeWork { times, marker, is_layout, size })
}
