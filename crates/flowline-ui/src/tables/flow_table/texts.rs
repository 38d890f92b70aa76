//! What columns and filters say of a flow in words: where it was posted, where it runs, its type, its resource. Read on
//! demand: for the rows on screen, or for all flows while filtering or sorting by them.

use flowline_index::Index;
use flowline_index::flows::RuleMatcher;
use flowline_profile::{FlowId, ThreadId};

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    PostedFrom,
    RunsOn,
    Type,
    Resource,
}

impl Fact {
    /// The key of a filter.
    pub(super) fn for_key(key: &str) -> Option<Self> {
        Some(match key {
            "posted" => Self::PostedFrom,
            "runs" => Self::RunsOn,
            "type" => Self::Type,
            "resource" => Self::Resource,
            _ => return None,
        })
    }

    /// What it says of a flow; empty if nothing is known.
    pub(super) fn text(self, index: &Index, rules: &RuleMatcher, flow: FlowId) -> String {
        let (profile, graph) = (index.profile(), index.flows());
        let name = |thread: ThreadId| {
            let (data, process) = (profile.thread(thread), profile.process_of(thread));
            format!("{} ({} {})", data.name, process.name, process.pid)
        };
        match self {
            Self::PostedFrom => graph.posted_from(profile, flow).map_or_else(String::new, name),
            Self::RunsOn => {
                let threads = rules.runs_on(profile, graph, flow);
                threads.into_iter().map(name).collect::<Vec<_>>().join(", ")
            }
            Self::Type => rules.type_of(profile, graph, flow),
            Self::Resource => rules.resource(profile, graph, flow).unwrap_or_default(),
        }
    }
}
