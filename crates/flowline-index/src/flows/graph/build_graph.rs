//! Builds the flow graph of a recording.

use rayon::prelude::*;

use super::context::Context;
use super::flow_graph::FlowGraph;
use super::marker_flows::FlowsByMarker;
use super::{explicit_flows, field_references, flow_builder};
use crate::flows::ids::{FlowIds, FlowsById};
use crate::flows::rules::{FlowRules, Postings};
use flowline_profile::{Column, Profile, ThreadId, Warnings, largest_first};

impl FlowGraph {
    /// Reads all flow fields and follows the ids, both in parallel. Only terminating fields split flows.
    #[must_use]
    #[inline]
    pub fn build(profile: &Profile) -> Self {
        Self::build_with(profile, &FlowRules::default())
    }

    /// Like [`FlowGraph::build`], but the markers that the rules list as postings begin flows, too.
    #[must_use]
    pub fn build_with(profile: &Profile, rules: &FlowRules) -> Self {
        if !profile.explicit_flows.get().is_empty() {
            return Self { is_known: true, ..explicit_flows::build(profile) };
        }
        let fields = field_references::flow_fields(profile);
        if fields.iter().all(field_references::FlowFields::is_empty) {
            return Self { is_known: true, ..Self::default() };
        }
        let order = largest_first(profile.threads.iter().map(|thread| thread.markers.len()));
        let read = |thread: usize| (thread, field_references::read(profile, ThreadId::new(thread), &fields));
        let mut threads: Vec<_> = order.into_par_iter().with_max_len(1).map(read).collect();
        threads.sort_unstable_by_key(|(thread, _)| *thread);
        let mut threads: Vec<_> = threads.into_iter().map(|(_, field_references)| field_references).collect();
        let mut warnings = Warnings::default();
        for thread in &mut threads {
            warnings.merge(std::mem::take(&mut thread.warnings));
        }
        let (ids, numbers) = FlowIds::join(profile.source.bytes(), &threads);
        let postings = Postings::new(profile, rules);
        let flows = flow_builder::walk(profile, &threads, &numbers, ids.len(), &postings);
        let links = threads.iter_mut().map(|thread| std::mem::take(&mut thread.links)).collect::<Vec<_>>().concat();
        drop(threads);
        let (marker_flows, (context, id_uses)) = rayon::join(
            || FlowsByMarker::build(profile.marker_count(), &flows.offsets, &flows.members),
            || (Context::build(links), FlowsById::build(&flows.id_of, ids.len())),
        );
        let explicit = Column::new();
        Self { ids, flows, marker_flows, context, id_uses, explicit, warnings, is_known: true }
    }
}
