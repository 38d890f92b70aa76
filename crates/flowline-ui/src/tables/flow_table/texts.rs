//! Texts of a flow for columns and filters: the thread that posted it, the threads it runs on, its type and its
//! resource. They are read on demand: for visible rows, or for all flows while filtering or sorting by them.

use flowline_index::Index;
use flowline_index::flows::{PostedFrom, RuleMatcher};
use flowline_profile::{FlowId, ThreadId};

/// A text of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    PostedFrom,
    RunsOn,
    Type,
    Resource,
}

impl Fact {
    /// The text that a filter key matches.
    pub(super) fn for_key(key: &str) -> Option<Self> {
        Some(match key {
            "posted" => Self::PostedFrom,
            "runs" => Self::RunsOn,
            "type" => Self::Type,
            "resource" => Self::Resource,
            _ => return None,
        })
    }

    /// The text of a flow; empty if unknown.
    pub(super) fn text(self, index: &Index, rules: &RuleMatcher, flow: FlowId) -> String {
        let (profile, graph) = (index.profile(), index.flows());
        let name = |thread: ThreadId| profile.thread_title(thread);
        match self {
            Self::PostedFrom => match rules.posted_from(profile, graph, flow) {
                PostedFrom::Thread(thread) => name(thread),
                PostedFrom::BeforeRecording => "before the recording".to_owned(),
                PostedFrom::Unknown => String::new(),
            },
            Self::RunsOn => {
                let threads = rules.runs_on(profile, graph, flow);
                threads.into_iter().map(name).collect::<Vec<_>>().join(", ")
            }
            Self::Type => rules.type_of(profile, graph, flow),
            Self::Resource => rules.resource(profile, graph, flow).unwrap_or_default(),
        }
    }
}
