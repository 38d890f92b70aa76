//! The markers selected by the options of `stats`, `compare` and `export`.

use super::args::ScopeArgs;
use super::lookup::{find_tab, find_thread, found};
use flowline_index::Index;
use flowline_index::search::Hits;
use flowline_index::statistics::{RangeRule, Subject, Tracks};
use flowline_profile::{ThreadId, TimeRange};

/// The options, resolved for a recording.
#[derive(Debug)]
pub(super) struct ScopeChoice {
    threads: Option<Vec<ThreadId>>,
    range: Option<TimeRange>,
    rule: RangeRule,
    hits: Option<Hits>,
}

impl ScopeChoice {
    /// Resolves the options and runs the search.
    ///
    /// # Errors
    /// If a thread or tab is not found or its name is ambiguous.
    pub(super) fn new(options: &ScopeArgs, index: &Index) -> anyhow::Result<Self> {
        let profile = index.profile();
        let zero = profile.time_zero();
        let threads: Vec<ThreadId> =
            options.thread.iter().map(|text| find_thread(profile, text)).collect::<anyhow::Result<_>>()?;
        let mut threads = (!threads.is_empty()).then_some(threads);
        if let Some(text) = &options.tab {
            let tab = find_tab(index, text)?;
            let is_own = |thread: &ThreadId| tab.processes.contains(&profile.thread(*thread).process);
            let all = threads.unwrap_or_else(|| profile.threads_with_ids().map(|(id, _)| id).collect());
            threads = Some(all.into_iter().filter(is_own).collect());
        }
        Ok(Self {
            threads,
            range: options.range.map(|(from, to)| TimeRange::new(zero + from, zero + to)),
            rule: if options.overlap { RangeRule::Overlaps } else { RangeRule::StartsInside },
            hits: found(index, &options.search),
        })
    }

    /// Returns the time range.
    pub(super) const fn range(&self) -> Option<TimeRange> {
        self.range
    }

    /// Returns the selected threads; `None` for all.
    pub(super) fn threads(&self) -> Option<&[ThreadId]> {
        self.threads.as_deref()
    }

    /// Returns the same scope with all markers that overlap the range.
    pub(super) fn overlapping(self) -> Self {
        Self { rule: RangeRule::Overlaps, ..self }
    }

    /// Returns the markers of the scope.
    pub(super) fn subject<'a>(&'a self, index: &'a Index) -> Subject<'a> {
        let tracks = self.threads.as_deref().map_or(Tracks::All, Tracks::Threads);
        Subject::new(index, tracks, self.range, self.rule, self.hits.as_ref())
    }
}
