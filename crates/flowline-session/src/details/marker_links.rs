//! Links from the selected marker to the threads and flows that its payload refers to.

use super::flow_cards::FlowCards;
use super::marker_card::place_text;
use flowline_format::format_duration_ns;
use flowline_index::Index;
use flowline_index::references::{ReferenceTarget, references};
use flowline_profile::{MarkerId, may_block};

/// A link to a thread or a flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkerLink {
    /// How the marker is related to the target, such as "Woken by".
    pub relation: String,
    /// Name of the link, such as "Go to thread Socket Thread".
    pub title: String,
    /// Thread and process of the target.
    pub place: String,
    /// The target.
    pub target: ReferenceTarget,
}

impl MarkerLink {
    /// The links of a marker, without flows that its flow cards show. Flows of network requests are missing if the
    /// thread must not block.
    pub(super) fn of_marker(index: &Index, marker: MarkerId, cards: &FlowCards) -> Vec<Self> {
        let (profile, flows) = (index.profile(), index.flows());
        let link = |reference: flowline_index::references::Reference| {
            let (title, place) = match reference.target {
                ReferenceTarget::Thread(thread) => {
                    (format!("Go to thread {}", profile.long_name(thread)), place_text(profile, thread))
                }
                ReferenceTarget::Flow(flow) if cards.flows.iter().any(|shown| shown.flow == flow) => return None,
                ReferenceTarget::Flow(flow) => {
                    let first = flows.members(flow).first().and_then(|first| profile.locate(*first));
                    let place = first.map_or_else(String::new, |(thread, _)| place_text(profile, thread));
                    (format!("Go to flow {}", flows.id_text(profile, flow)), place)
                }
            };
            let relation = match reference.ns {
                Some(ns) => format!("{} ({})", reference.relation, format_duration_ns(ns)),
                None => reference.relation,
            };
            Some(Self { relation, title, place, target: reference.target })
        };
        references(index, marker, may_block()).into_iter().filter_map(link).collect()
    }
}
