//! Runs a query in passes over all markers, in batches: fast tests first, and visible markers first.

use rayon::prelude::*;

use super::hits::Hits;
use super::matcher::Matcher;
use super::query::Query;
use crate::flows::FlowGraph;
use flowline_profile::{LocalMarker, Profile, ThreadId, TimeRange};

/// Number of markers tested between two cancellation checks.
const BATCH: usize = 1 << 12;

/// Number of batches in the first round that scans payloads. Each round is 1.5 times as large as the previous one.
const FIRST_ROUND_PAYLOADS: usize = 8;
/// Number of batches in the first round that tests names, categories, and types, which is faster.
const FIRST_ROUND_NAMES: usize = 64;

/// Maximum number of batches whose payloads are read before the whole input is searched; at most half of all batches.
const UNFILTERED: usize = 32;

/// Splits batches into growing rounds, each with a flag that marks the last round.
fn rounds(mut rest: &[usize], mut round: usize) -> impl Iterator<Item = (&[usize], bool)> {
    std::iter::from_fn(move || {
        let (now, later) = rest.split_at(round.min(rest.len()));
        (rest, round) = (later, round + round / 2);
        (!now.is_empty()).then_some((now, later.is_empty()))
    })
}

/// Runs a query over all markers; `None` if `keep_going` returned `false`.
#[must_use]
pub fn run(
    profile: &Profile,
    flows: &FlowGraph,
    query: &Query,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<Hits> {
    run_from(profile, flows, query, TimeRange::default(), keep_going, |_| {})
}

/// Like [`run`], but tests the markers that start in `first` first. After each round with hits, `part` is called with a
/// function that returns the hits so far.
#[must_use]
pub fn run_from(
    profile: &Profile,
    flows: &FlowGraph,
    query: &Query,
    first: TimeRange,
    keep_going: &(impl Fn() -> bool + Sync),
    mut part: impl FnMut(&dyn Fn() -> Hits),
) -> Option<Hits> {
    let mut matcher = Matcher::new(profile, flows, query);
    if let Some(members) = matcher.only_flows() {
        let mut by_thread = vec![Vec::new(); profile.threads.len()];
        for (thread, marker) in members.into_iter().filter_map(|marker| profile.locate(marker)) {
            by_thread[thread.index()].push(marker);
        }
        return keep_going().then(|| Hits::new(by_thread));
    }
    let batches = Batches::new(profile);
    let order = batches.in_order(profile, first);
    let mut found: Vec<Vec<LocalMarker>> = vec![Vec::new(); batches.0.len()];
    let mut any = false;
    let mut run = |now: &[usize], tests: &Tests<'_>, is_last: bool| -> Option<()> {
        let test = |&batch: &usize| keep_going().then(|| (batch, tests.in_batch(batches.0[batch])));
        for (batch, hits) in now.par_iter().map(test).collect::<Option<Vec<_>>>()? {
            any |= !hits.is_empty();
            found[batch] = hits;
        }
        if any && !is_last {
            part(&|| batches.gather(profile, &found));
        }
        Some(())
    };
    let looks_at_payloads = matcher.looks_at_payloads();
    let by_attributes = ByAttributes::new(profile, |thread| matcher.by_attributes(thread));
    let mut tests = Tests { profile, matcher: &matcher, by_attributes: &by_attributes, alone: None, payloads: false };
    // Names, categories, and types are fast to test, so the first pass over all markers tests only these.
    for (now, is_last) in rounds(&order, FIRST_ROUND_NAMES) {
        run(now, &tests, is_last && !looks_at_payloads)?;
    }
    if looks_at_payloads {
        // Visible markers are tested directly for early results. Then one scan of the whole input avoids reading most
        // of the other payloads.
        let (soon, later) = order.split_at(UNFILTERED.min(order.len() / 2));
        tests.payloads = true;
        for (now, is_last) in rounds(soon, FIRST_ROUND_PAYLOADS) {
            run(now, &tests, is_last && later.is_empty())?;
        }
        if !later.is_empty() {
            matcher.rule_out_payloads(keep_going);
            let alone = ByAttributes::new(profile, |thread| matcher.by_attributes_alone(thread));
            let by_attributes = &by_attributes;
            let tests = Tests { profile, matcher: &matcher, by_attributes, alone: Some(&alone), payloads: true };
            for (now, is_last) in rounds(later, FIRST_ROUND_NAMES) {
                run(now, &tests, is_last)?;
            }
        }
    }
    Some(batches.gather(profile, &found))
}

/// Consecutive markers of a thread.
#[derive(Clone, Copy)]
struct Batch {
    thread: ThreadId,
    first: usize,
    end: usize,
}

/// All batches, in marker order.
struct Batches(Vec<Batch>);

impl Batches {
    fn new(profile: &Profile) -> Self {
        let of_thread = |(thread, count): (ThreadId, usize)| {
            (0..count).step_by(BATCH).map(move |first| Batch { thread, first, end: (first + BATCH).min(count) })
        };
        let threads = profile.threads_with_ids().map(|(id, thread)| (id, thread.markers.len()));
        Self(threads.flat_map(of_thread).collect())
    }

    /// The numbers of all batches. Batches that may have markers that start in a range come first.
    fn in_order(&self, profile: &Profile, range: TimeRange) -> Vec<usize> {
        let is_first = |batch: &usize| {
            let Batch { thread, first, end } = self.0[*batch];
            let times = profile.thread(thread).markers.times();
            first < end && times.start(first) <= range.end && times.start(end - 1) >= range.start
        };
        let (mut order, others): (Vec<usize>, Vec<usize>) = (0..self.0.len()).partition(is_first);
        order.extend(others);
        order
    }

    /// Joins the hits of all batches, by thread.
    fn gather(&self, profile: &Profile, found: &[Vec<LocalMarker>]) -> Hits {
        let mut by_thread = vec![Vec::new(); profile.threads.len()];
        for (batch, found) in self.0.iter().zip(found) {
            by_thread[batch.thread.index()].extend_from_slice(found);
        }
        Hits::new(by_thread)
    }
}

/// For each thread and each distinct attribute combination of its markers, the result for these markers, if it is
/// known.
struct ByAttributes(Vec<Vec<Option<bool>>>);

impl ByAttributes {
    fn new(profile: &Profile, of_thread: impl Fn(ThreadId) -> Vec<Option<bool>> + Sync) -> Self {
        Self((0..profile.threads.len()).into_par_iter().map(|thread| of_thread(ThreadId::new(thread))).collect())
    }
}

/// The tests of a pass.
struct Tests<'a> {
    profile: &'a Profile,
    matcher: &'a Matcher<'a>,
    by_attributes: &'a ByAttributes,
    /// The results for markers whose payloads were ruled out, if there is a payload filter.
    alone: Option<&'a ByAttributes>,
    /// True if payloads are read.
    payloads: bool,
}

impl Tests<'_> {
    /// The markers of a batch that match.
    fn in_batch(&self, Batch { thread, first, end }: Batch) -> Vec<LocalMarker> {
        let attributes = self.profile.thread(thread).markers.attributes();
        let known = &self.by_attributes.0[thread.index()];
        let asks_for_markers = self.matcher.asks_for_markers();
        let alone = self.alone.map(|alone| &alone.0[thread.index()]);
        let is_hit = |marker: &LocalMarker| {
            let number = attributes.number(marker.index());
            known[number].unwrap_or_else(|| {
                let without = || alone.filter(|_| self.matcher.is_ruled_out(thread, *marker))?[number];
                match self.payloads {
                    true => without().unwrap_or_else(|| self.matcher.matches(thread, *marker)),
                    false => asks_for_markers && self.matcher.matches_without_payload(thread, *marker) == Some(true),
                }
            })
        };
        (first..end).map(LocalMarker::new).filter(is_hit).collect()
    }
}
