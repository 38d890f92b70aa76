//! Search: finds the markers that match a query, on all cores, until a newer query replaces it. (`docs/search.md` describes
//! the language.)
//!
//! Each distinct name, category and type is tested once. Payloads are scanned in place, without decoding, and only for
//! markers that these tests leave open.

mod hits;
mod matcher;
mod number;
mod problem;
mod query;
mod words;

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

pub use hits::{HitLayout, Hits};
pub use matcher::{Matcher, unknown_keys};
pub use number::{NumberRange, parse_duration};
pub use problem::{Problem, ProblemKind};
pub use query::{MarkerTime, Query, Term, Test, flow_query, parts, resource_query, typed_resource, whole_value};

use crate::index::flows::FlowGraph;
use crate::profile::{LocalMarker, Profile, ThreadId, TimeRange};

/// Markers tested between two checks for a newer query.
const BATCH: usize = 1 << 12;

/// A counter that tells searches when a newer one has begun. Each search has the number it began with.
#[derive(Debug, Default)]
pub struct Generation(AtomicU64);

impl Generation {
    /// Starts a new generation, which ends all older searches.
    pub fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// Whether `number` is still the newest.
    #[must_use]
    pub fn is_current(&self, number: u64) -> bool {
        self.0.load(Ordering::Acquire) == number
    }
}

/// Batches of the first round that scans payloads; each round is half as large again as the one before.
const FIRST_ROUND_PAYLOADS: usize = 8;
/// Batches of the first round that tests names, categories and types, which is faster.
const FIRST_ROUND_NAMES: usize = 64;

/// Batches whose payloads are looked into before the whole input is searched.
const UNFILTERED: usize = 32;

/// Splits batches into growing rounds; says which one is the last.
fn rounds(mut rest: &[usize], mut round: usize) -> impl Iterator<Item = (&[usize], bool)> {
    std::iter::from_fn(move || {
        let (now, later) = rest.split_at(round.min(rest.len()));
        (rest, round) = (later, round + round / 2);
        (!now.is_empty()).then_some((now, later.is_empty()))
    })
}

/// Tests a marker of a thread.
type MarkerTest<'a> = &'a (dyn Fn(ThreadId, LocalMarker) -> bool + Sync);

/// The query as this recording answers it: terms that ask for a field that no marker has become text. The second value lists
/// what could not be read as meant. `None` if `keep_going` returned `false` meanwhile.
#[must_use]
pub fn resolve(
    profile: &Profile,
    flows: &FlowGraph,
    query: Query,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<(Query, Vec<Problem>)> {
    let unknown = unknown_keys(profile, &query, keep_going)?;
    let query = query.without_keys(&unknown);
    let mut problems = query.problems.clone();
    problems.extend(Matcher::new(profile, flows, &query).problems());
    Some((query, problems))
}

/// Runs a query over all markers; `None` if `keep_going` returned `false` meanwhile.
#[must_use]
pub fn run(
    profile: &Profile,
    flows: &FlowGraph,
    query: &Query,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<Hits> {
    run_from(profile, flows, query, TimeRange::default(), keep_going, |_| {})
}

/// Like [`run`], beginning with the markers that start in `first`. After each round with hits, `part` is called with a
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
    let jobs: Vec<(ThreadId, usize, usize)> = profile
        .threads_with_ids()
        .flat_map(|(id, thread)| {
            let count = thread.markers.len();
            (0..count).step_by(BATCH).map(move |first| (id, first, (first + BATCH).min(count)))
        })
        .collect();
    let is_first = |job: &usize| {
        let (thread, begin, end) = jobs[*job];
        let times = profile.thread(thread).markers.times();
        begin < end && times.start(begin) <= first.end && times.start(end - 1) >= first.start
    };
    let (mut order, others): (Vec<usize>, Vec<usize>) = (0..jobs.len()).partition(is_first);
    order.extend(others);
    let each = |jobs_now: &[usize], test: MarkerTest<'_>| {
        let batch = |&job: &usize| -> Option<(usize, Vec<LocalMarker>)> {
            let (thread, begin, end) = jobs[job];
            let markers = (begin..end).map(LocalMarker::new);
            keep_going().then(|| (job, markers.filter(|marker| test(thread, *marker)).collect()))
        };
        jobs_now.par_iter().map(batch).collect::<Option<Vec<_>>>()
    };
    let mut found: Vec<Vec<LocalMarker>> = vec![Vec::new(); jobs.len()];
    let mut any = false;
    let mut run = |jobs_now: &[usize], test: MarkerTest<'_>, is_last: bool| -> Option<()> {
        for (job, batch) in each(jobs_now, test)? {
            any |= !batch.is_empty();
            found[job] = batch;
        }
        if any && !is_last {
            part(&|| gather(profile, &jobs, &found));
        }
        Some(())
    };
    let looks_at_payloads = matcher.looks_at_payloads();
    // Names, categories and types are fast to test, so a first pass over all markers tests only these.
    for (now, is_last) in rounds(&order, FIRST_ROUND_NAMES) {
        let test = |thread, marker| matcher.matches_without_payload(thread, marker) == Some(true);
        run(now, &test, is_last && !looks_at_payloads)?;
    }
    if looks_at_payloads {
        // What is in view is there soon; then a look at the whole input saves looking into most other payloads.
        let (soon, later) = order.split_at(order.len().min(UNFILTERED));
        for (now, is_last) in rounds(soon, FIRST_ROUND_PAYLOADS) {
            run(now, &|thread, marker| matcher.matches(thread, marker), is_last && later.is_empty())?;
        }
        if !later.is_empty() {
            matcher.rule_out_payloads(keep_going);
        }
        for (now, is_last) in rounds(later, FIRST_ROUND_NAMES) {
            run(now, &|thread, marker| matcher.matches(thread, marker), is_last)?;
        }
    }
    Some(gather(profile, &jobs, &found))
}

/// Joins batches, which are in marker order, by thread.
fn gather(profile: &Profile, jobs: &[(ThreadId, usize, usize)], found: &[Vec<LocalMarker>]) -> Hits {
    let mut by_thread = vec![Vec::new(); profile.threads.len()];
    for ((thread, _, _), batch) in jobs.iter().zip(found) {
        by_thread[thread.index()].extend_from_slice(batch);
    }
    Hits::new(by_thread)
}
