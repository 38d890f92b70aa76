//! Builds the groups of all async events in parallel.

use foldhash::HashMap;
use rayon::prelude::*;

use super::async_bindings::FlowEventKeys;
use super::async_groups::{AsyncGroup, AsyncGroups};
use super::async_key::AsyncKey;
use super::group_builder::{GroupBuilder, KeyedEvent};
use crate::trace_events::text::event::Event;
use crate::trace_events::text::ids::{NONE, TextId};
use crate::trace_events::text::trace::Trace;

/// Minimum number of events per parallel job.
const JOB: usize = 1 << 12;

/// Splits events, sorted by hash, into jobs. Events with equal hashes stay together.
fn jobs(mut keyed: &[KeyedEvent]) -> Vec<&[KeyedEvent]> {
    let mut jobs = Vec::new();
    while let Some(last) = keyed.get(JOB - 1) {
        let same = keyed[JOB..].iter().take_while(|event| event.0 == last.0).count();
        let (job, rest) = keyed.split_at(JOB + same);
        jobs.push(job);
        keyed = rest;
    }
    jobs.push(keyed);
    jobs
}

impl AsyncGroups {
    /// Builds the groups of all async events. `steps` contains the names of legacy steps by event index, and
    /// `flow_events` the keys of all flow events.
    pub(in crate::trace_events) fn build(
        trace: &Trace,
        events: &[Event],
        steps: &HashMap<u32, TextId>,
        flow_events: &FlowEventKeys,
        wants_links: bool,
    ) -> Self {
        let event = |number: u32| &events[number as usize];
        let numbers = 0..u32::try_from(events.len()).unwrap_or(u32::MAX);
        let mut keyed: Vec<KeyedEvent> = numbers
            .into_par_iter()
            .map(|number| (AsyncKey::new(trace, event(number)).hash(), event(number).ts, number))
            .collect();
        keyed.par_sort_unstable();
        let build = |job: &[KeyedEvent]| -> Self {
            let mut builder = GroupBuilder::new(trace, events, flow_events, wants_links);
            job.chunk_by(|a, b| a.0 == b.0).for_each(|run| builder.run(run, steps));
            builder.into_groups()
        };
        let parts: Vec<Self> = jobs(&keyed).into_par_iter().map(build).collect();
        let mut all = Self::default();
        for part in parts {
            let list = u32::try_from(all.lists.len()).unwrap_or(NONE);
            all.groups.extend(part.groups.into_iter().map(|group| AsyncGroup { list, ..group }));
            all.lists.extend(part.lists);
            all.threads.extend(part.threads);
            all.candidates.extend(part.candidates);
            all.links.merge(part.links);
            all.warnings.merge(part.warnings);
        }
        // The order must not depend on hashes.
        all.groups.par_sort_unstable_by_key(|group| group.order);
        all.threads.par_sort_unstable_by_key(|(offset, _)| *offset);
        all
    }
}
