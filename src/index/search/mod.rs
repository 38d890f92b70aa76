//! Search: which markers a query matches, on all cores, abandoned as soon as a newer query comes.
//!
//! Names, categories and types are few and tested once each; payloads are scanned in place, without decoding, and only
//! for markers that those tests leave open.

mod hits;
mod matcher;
mod query;

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

pub use hits::{HitLayout, Hits};
pub use matcher::Matcher;
pub use query::{Query, Term, Test, flow_query, parse_duration};

use crate::index::flows::FlowGraph;
use crate::profile::{LocalMarker, Profile, ThreadId, TimeRange};

/// Markers examined between two looks at the generation.
const BATCH: usize = 1 << 12;

/// Tells searches that a newer one has begun: each holds the number it began with.
#[derive(Debug, Default)]
pub struct Generation(AtomicU64);

impl Generation {
    /// Starts a new generation; all older searches are abandoned.
    pub fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// Whether `number` is still the newest.
    #[must_use]
    pub fn is_current(&self, number: u64) -> bool {
        self.0.load(Ordering::Acquire) == number
    }
}

/// Batches of the first round of payloads; each round has half as many again.
const FIRST_ROUND: usize = 8;
/// The same of names and the like, which are quicker to look at.
const FIRST_GLANCE: usize = 64;

/// Batches in rounds that grow.
fn rounds(mut rest: &[usize], mut round: usize) -> impl Iterator<Item = &[usize]> {
    std::iter::from_fn(move || {
        let (now, later) = rest.split_at(round.min(rest.len()));
        (rest, round) = (later, round + round / 2);
        (!now.is_empty()).then_some(now)
    })
}

/// Whether a marker of a thread is found.
type Looks<'a> = &'a (dyn Fn(ThreadId, LocalMarker) -> bool + Sync);

/// Runs a query over all markers; `None` when `keep_going` turned false on the way.
#[must_use]
pub fn run(
    profile: &Profile,
    flows: &FlowGraph,
    query: &Query,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<Hits> {
    run_from(profile, flows, query, TimeRange::default(), keep_going, |_| {})
}

/// As [`run`], beginning with markers that start about `first`. Between rounds `part` may look at what was found so far,
/// which it gets for calling what it is given.
#[must_use]
pub fn run_from(
    profile: &Profile,
    flows: &FlowGraph,
    query: &Query,
    first: TimeRange,
    keep_going: &(impl Fn() -> bool + Sync),
    mut part: impl FnMut(&dyn Fn() -> Hits),
) -> Option<Hits> {
    let matcher = Matcher::new(profile, flows, query);
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
        let starts = &profile.thread(thread).markers.start[begin..end];
        starts.first().is_some_and(|start| *start <= first.end)
            && starts.last().is_some_and(|last| *last >= first.start)
    };
    let (mut order, others): (Vec<usize>, Vec<usize>) = (0..jobs.len()).partition(is_first);
    order.extend(others);
    let each = |jobs_now: &[usize], test: Looks<'_>| {
        let batch = |&job: &usize| -> Option<(usize, Vec<LocalMarker>)> {
            let (thread, begin, end) = jobs[job];
            let markers = (begin..end).map(LocalMarker::new);
            keep_going().then(|| (job, markers.filter(|marker| test(thread, *marker)).collect()))
        };
        jobs_now.par_iter().map(batch).collect::<Option<Vec<_>>>()
    };
    let mut found: Vec<Vec<LocalMarker>> = vec![Vec::new(); jobs.len()];
    let mut any = false;
    // Names and the like are quick to look at, payloads are not: what they say comes first.
    let at_sight = |thread, marker| matcher.matches_at_sight(thread, marker);
    let closely = |thread, marker| matcher.matches(thread, marker);
    let glances = rounds(&order, FIRST_GLANCE).map(|now| (now, &at_sight as Looks<'_>));
    let looks = rounds(&order, FIRST_ROUND).map(|now| (now, &closely as Looks<'_>));
    let mut steps = glances.chain(looks).peekable();
    while let Some((now, test)) = steps.next() {
        for (job, batch) in each(now, test)? {
            any |= !batch.is_empty();
            found[job] = batch;
        }
        if any && steps.peek().is_some() {
            part(&|| gather(profile, &jobs, &found));
        }
    }
    Some(gather(profile, &jobs, &found))
}

/// Puts batches together by thread; they are in the order of the markers.
fn gather(profile: &Profile, jobs: &[(ThreadId, usize, usize)], found: &[Vec<LocalMarker>]) -> Hits {
    let mut by_thread = vec![Vec::new(); profile.threads.len()];
    for ((thread, _, _), batch) in jobs.iter().zip(found) {
        by_thread[thread.index()].extend_from_slice(batch);
    }
    Hits::new(by_thread)
}
