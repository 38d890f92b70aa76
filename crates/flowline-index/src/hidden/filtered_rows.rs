//! Filtered rows: the rows of threads with hidden entries, as they are drawn. The remaining entries are packed again,
//! so that children move up.
//!
//! Filtered rows are built on the pool, thread by thread; until they are ready, the previous rows are drawn. A row that
//! is unchanged from the index reuses its pyramid, and a thread with unchanged hidden entries is reused as a whole. So
//! undoing a change is as fast as the change itself, and a thread without hidden entries costs nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use super::notes::{HiddenInThread, ThreadHides, hides};
use crate::Index;
use crate::network::NetworkTrack;
use crate::rows::{Overlap, ThreadLayout, ThreadRows};
use crate::samples::{MergedRows, StackChart};
use flowline_profile::notes::Note;
use flowline_profile::{
    Arrangement, CallRef, Implementation, LocalMarker, MarkerId, ProcessId, Profile, ThreadId, get_or_build,
};

/// The requested rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FilteredRowsKey {
    /// The arrangement.
    pub arrangement: Arrangement,
    /// The calls and their colors.
    pub calls: Implementation,
    /// Changes when stack charts are built, if some of their calls are hidden.
    pub charts_built: u64,
}

/// The filtered rows of a thread.
#[derive(Debug)]
struct FilteredThread {
    hides: ThreadHides,
    hidden: HiddenInThread,
    /// By arrangement.
    layouts: [Option<Arc<ThreadLayout>>; 2],
    summary: Option<Arc<ThreadLayout>>,
    chart: Option<Arc<StackChart>>,
    /// The stack of markers and calls, if that of the index was built.
    merged: Option<Arc<MergedRows>>,
    /// True if the calls of the thread were available. Calls derived from samples are available once the chart is
    /// built.
    knows_calls: bool,
    version: u64,
}

/// The filtered rows of all threads with hidden entries.
#[derive(Debug, Default)]
pub struct FilteredRows {
    /// Change counter.
    pub number: u64,
    threads: BTreeMap<ThreadId, Arc<FilteredThread>>,
    /// Threads whose stack contains calls. Other threads do not change when theirs is built, so list and rows always
    /// belong together.
    merged: BTreeSet<ThreadId>,
    /// The network tracks without hidden requests, where there are any; found when first drawn.
    network: OnceLock<BTreeMap<ProcessId, NetworkTrack>>,
}

impl FilteredRows {
    /// Builds the filtered rows for some notes. `before` are earlier rows of the same index. `is_wanted` is called
    /// between threads; if it returns false, the result is incomplete.
    #[must_use]
    pub fn build(
        index: &Index,
        notes: &[Note],
        choice: FilteredRowsKey,
        before: &Self,
        is_wanted: &dyn Fn() -> bool,
    ) -> Self {
        let number = before.number + 1;
        let mut shown = Self { number, merged: before.merged.clone(), ..Self::default() };
        for (thread, hides) in hides(index.profile(), notes) {
            if !is_wanted() {
                break;
            }
            let known = before.threads.get(&thread).filter(|known| known.hides == hides);
            let built = match known {
                Some(known) if known.has(index, thread, choice) => Arc::clone(known),
                known => Arc::new(FilteredThread::new(index, thread, hides, choice, known, number)),
            };
            shown.threads.insert(thread, built);
        }
        shown
    }

    /// The same rows, with calls in the stacks of more threads, as far as they are built.
    #[must_use]
    pub fn with_merged(&self, index: &Index, threads: impl IntoIterator<Item = ThreadId>) -> Self {
        let built = threads.into_iter().filter(|thread| index.charts().merged_if_built(*thread).is_some());
        let merged = self.merged.iter().copied().chain(built).collect();
        Self { number: self.number + 1, threads: self.threads.clone(), merged, network: self.network.clone() }
    }

    /// The same rows after those of `before`, with calls in the stacks of the same threads.
    #[must_use]
    pub fn after(self, before: &Self) -> Self {
        Self { number: before.number.max(self.number - 1) + 1, merged: before.merged.clone(), ..self }
    }

    /// The stack of a thread's markers and calls, if the thread is shown in that way.
    #[must_use]
    pub fn merged<'a>(&'a self, index: &'a Index, thread: ThreadId) -> Option<&'a MergedRows> {
        let of_index = || index.charts().merged_if_built(thread);
        let hidden = self.threads.get(&thread).filter(|shown| shown.hidden.count() > 0);
        let rows = hidden.map_or_else(of_index, |shown| shown.merged.as_deref());
        rows.filter(|_| self.merged.contains(&thread))
    }

    /// Threads whose stack contains calls.
    #[must_use]
    pub const fn merged_threads(&self) -> &BTreeSet<ThreadId> {
        &self.merged
    }

    /// The network track of a process without its hidden requests; `None` if there is none, or requests have not been
    /// derived.
    #[must_use]
    pub fn network_track<'a>(&'a self, index: &'a Index, process: ProcessId) -> Option<&'a NetworkTrack> {
        let network = index.network_if_built()?;
        let track = network.track(process)?;
        if self.threads.is_empty() {
            return Some(track);
        }
        let hides = |marker: MarkerId| index.profile().locate(marker).is_some_and(|(id, own)| self.hides(id, own));
        let filtered = get_or_build(&self.network, || {
            let tracks = network.tracks().filter(|(_, track)| track.bars().iter().any(|bar| hides(bar.marker)));
            tracks.map(|(process, track)| (process, track.filtered(|bar| !hides(bar.marker)))).collect()
        });
        Some(filtered.get(&process).unwrap_or(track))
    }

    /// True if no thread has hidden entries.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.threads.is_empty()
    }

    /// The filtered rows of a thread, or the rows of the index if nothing in it is hidden; `None` if they are not
    /// built.
    #[must_use]
    pub fn layout<'a>(
        &'a self,
        index: &'a Index,
        arrangement: Arrangement,
        thread: ThreadId,
    ) -> Option<&'a ThreadLayout> {
        if arrangement == Arrangement::Stack
            && let Some(merged) = self.merged(index, thread)
        {
            return Some(&merged.layout);
        }
        let own = self.threads.get(&thread).and_then(|shown| shown.layouts[arrangement as usize].as_deref());
        own.or_else(|| index.layout(arrangement).if_built(thread))
    }

    /// The filtered summary rows of a thread.
    #[must_use]
    #[inline]
    pub fn summary<'a>(&'a self, index: &'a Index, thread: ThreadId) -> &'a ThreadLayout {
        let own = self.threads.get(&thread).and_then(|shown| shown.summary.as_deref());
        own.unwrap_or_else(|| index.summary(thread))
    }

    /// The stack chart of a thread, if it is built.
    #[must_use]
    pub fn chart<'a>(
        &'a self,
        index: &'a Index,
        functions: Implementation,
        thread: ThreadId,
    ) -> Option<&'a StackChart> {
        let own = self.threads.get(&thread).and_then(|shown| shown.chart.as_deref());
        own.filter(|chart| chart.functions == functions).or_else(|| index.charts().showing(functions).if_built(thread))
    }

    /// Change counter of a thread's filtered rows.
    #[must_use]
    #[inline]
    pub fn version(&self, thread: ThreadId) -> u64 {
        let of_stack = u64::from(self.merged.contains(&thread)) << 63;
        self.threads.get(&thread).map_or(0, |shown| shown.version) | of_stack
    }

    /// Number of hidden markers and of hidden calls in a thread.
    #[must_use]
    #[inline]
    pub fn counts(&self, thread: ThreadId) -> [usize; 2] {
        let hidden = self.threads.get(&thread).map(|shown| &shown.hidden);
        hidden.map_or([0; 2], |hidden| [hidden.markers.entries.len(), hidden.calls.entries.len()])
    }

    /// The threads with hidden entries, and the number of hidden entries of each.
    #[must_use]
    #[inline]
    pub fn threads(&self) -> Vec<(ThreadId, usize)> {
        let counts = self.threads.iter().map(|(thread, shown)| (*thread, shown.hidden.count()));
        counts.filter(|(_, count)| *count > 0).collect()
    }

    /// Total number of hidden entries.
    #[must_use]
    #[inline]
    pub fn total(&self) -> usize {
        self.threads.values().map(|shown| shown.hidden.count()).sum()
    }

    /// True if a marker is hidden.
    #[must_use]
    #[inline]
    pub fn hides(&self, thread: ThreadId, marker: LocalMarker) -> bool {
        let shown = self.threads.get(&thread);
        shown.is_some_and(|shown| shown.hidden.markers.entries.binary_search(&marker.0).is_ok())
    }

    /// True if a call is hidden.
    #[must_use]
    #[inline]
    pub fn hides_call(&self, call: CallRef) -> bool {
        let shown = self.threads.get(&call.thread).filter(|_| call.functions == Implementation::All);
        shown.is_some_and(|shown| shown.hidden.calls.entries.binary_search(&call.call).is_ok())
    }

    /// Number of hidden entries whose innermost visible parent is this marker.
    #[must_use]
    #[inline]
    pub fn inside(&self, thread: ThreadId, marker: LocalMarker) -> u32 {
        self.threads.get(&thread).map_or(0, |shown| count_of(&shown.hidden.markers.inside, marker.0))
    }

    /// Number of hidden entries whose innermost visible parent is this call.
    #[must_use]
    #[inline]
    pub fn inside_call(&self, call: CallRef) -> u32 {
        let shown = self.threads.get(&call.thread).filter(|_| call.functions == Implementation::All);
        shown.map_or(0, |shown| count_of(&shown.hidden.calls.inside, call.call))
    }

    /// The innermost visible call that contains a hidden one.
    #[must_use]
    #[inline]
    pub fn visible_parent_call(&self, call: CallRef) -> Option<CallRef> {
        let shown = self.threads.get(&call.thread).filter(|_| call.functions == Implementation::All)?;
        shown.hidden.calls.parent(call.call).map(|parent| CallRef { call: parent, ..call })
    }

    /// The innermost visible marker that contains a hidden one.
    #[must_use]
    #[inline]
    pub fn visible_parent(&self, profile: &Profile, marker: MarkerId) -> Option<MarkerId> {
        let (thread, local) = profile.locate(marker)?;
        let parent = self.threads.get(&thread)?.hidden.markers.parent(local.0)?;
        Some(profile.thread(thread).global(LocalMarker(parent)))
    }
}

fn count_of(counts: &[(u32, u32)], entry: u32) -> u32 {
    counts.binary_search_by_key(&entry, |(entry, _)| *entry).map_or(0, |at| counts[at].1)
}

impl FilteredThread {
    fn new(
        index: &Index,
        thread: ThreadId,
        hides: ThreadHides,
        choice: FilteredRowsKey,
        known: Option<&Arc<Self>>,
        version: u64,
    ) -> Self {
        let profile = index.profile();
        let base_chart = index.charts().if_built(thread);
        let calls = index.charts().calls(thread);
        let hidden = known
            .filter(|known| known.knows_calls || calls.is_none())
            .map_or_else(|| HiddenInThread::new(profile, thread, &hides, calls), |known| known.hidden.clone());
        let mut layouts = known.map_or_else(Default::default, |known| known.layouts.clone());
        let mut summary = known.and_then(|known| known.summary.clone());
        let at = choice.arrangement as usize;
        if !hidden.markers.entries.is_empty() && (layouts[at].is_none() || summary.is_none()) {
            let data = profile.thread(thread);
            let mut is_hidden = vec![false; data.markers.len()];
            hidden.markers.entries.iter().for_each(|marker| is_hidden[*marker as usize] = true);
            let is_shown = |marker: &LocalMarker| !is_hidden[marker.index()];
            if layouts[at].is_none() {
                let base = index.layout(choice.arrangement).thread(thread);
                let rows = ThreadRows::build_of(profile, data, choice.arrangement, is_shown);
                layouts[at] = Some(Arc::new(base.rebuilt(index.source(), data, rows)));
            }
            if summary.is_none() {
                let all = (0..data.markers.len()).map(LocalMarker::new).filter(|marker| is_shown(marker));
                let rows = ThreadRows::summary_for(data, index.long(), all);
                summary = Some(Arc::new(ThreadLayout::from_rows(index.source(), data, rows, Overlap::Clipped)));
            }
        }
        let chart = base_chart.filter(|_| !hidden.calls.entries.is_empty()).map(|base| {
            let known = known.and_then(|known| known.chart.clone());
            let chart = known.unwrap_or_else(|| Arc::new(base.without(profile, &hidden.calls.entries)));
            index.charts().build_pyramids(&chart);
            chart
        });
        let merged = Self::merged(index, thread, &hidden, known);
        Self { hides, hidden, layouts, summary, chart, merged, knows_calls: calls.is_some(), version }
    }

    /// The stack of markers and calls without hidden entries.
    fn merged(
        index: &Index,
        thread: ThreadId,
        hidden: &HiddenInThread,
        known: Option<&Arc<Self>>,
    ) -> Option<Arc<MergedRows>> {
        let base = index.charts().merged_if_built(thread).filter(|_| hidden.count() > 0)?;
        let known = known.filter(|known| known.hidden == *hidden).and_then(|known| known.merged.clone());
        let merged = known.unwrap_or_else(|| {
            let is_shown = |marker: LocalMarker| hidden.markers.entries.binary_search(&marker.0).is_err();
            // Folded calls have other numbers, and cannot be hidden.
            let is_all = base.calls.functions == Implementation::All;
            let calls: &[u32] = if is_all { &hidden.calls.entries } else { &[] };
            Arc::new(MergedRows::build(index.source(), thread, &base.calls, &is_shown, calls))
        });
        index.charts().build_pyramids(&merged.calls);
        Some(merged)
    }

    /// True if everything that was requested is present.
    fn has(&self, index: &Index, thread: ThreadId, choice: FilteredRowsKey) -> bool {
        let has_rows = self.hidden.markers.entries.is_empty() || self.layouts[choice.arrangement as usize].is_some();
        let has_chart = self.hides.calls.is_empty()
            || match (&self.chart, index.charts().if_built(thread)) {
                (Some(chart), _) => chart.pyramids().is_some(),
                (None, Some(_)) => self.knows_calls && self.hidden.calls.entries.is_empty(),
                (None, None) => true,
            };
        let has_merged =
            self.hidden.count() == 0 || self.merged.is_some() || index.charts().merged_if_built(thread).is_none();
        has_rows && has_chart && has_merged
    }
}
