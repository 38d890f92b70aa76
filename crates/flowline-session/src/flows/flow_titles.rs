//! Titles of flows in the tables. They are computed when a row is first shown, then cached.
//! A title requires the payload of the flow's first marker, which is slow to read for a marker in thousands of flows.
//! Therefore titles are not recomputed for every row in every frame.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use flowline_index::Index;
use flowline_index::flows::RuleMatcher;
use flowline_profile::{FlowId, ThreadId};

/// Maximum number of cached titles; beyond it, the cache is cleared.
const MAX_TITLES: usize = 4096;

/// Title of a flow.
#[derive(Clone, Debug)]
pub struct FlowTitle {
    /// Label by the flow rules.
    pub label: String,
    /// The label of the field that contains the flow's id.
    pub field: String,
    /// Id of the flow.
    pub id: String,
    /// Thread of the flow.
    pub thread: ThreadId,
    /// Palette entry.
    pub color: u8,
}

/// Cache of titles under one set of rules.
#[derive(Default)]
pub struct FlowTitleCache {
    rules: Arc<RuleMatcher>,
    known: Mutex<HashMap<FlowId, Arc<FlowTitle>>>,
    /// Other texts of flows, each by number.
    facts: Mutex<HashMap<(FlowId, usize), String>>,
}

impl FlowTitleCache {
    /// Creates an empty cache for a set of rules.
    #[must_use]
    pub fn new(rules: &Arc<RuleMatcher>) -> Self {
        Self { rules: Arc::clone(rules), known: Mutex::default(), facts: Mutex::default() }
    }

    /// True if the cache belongs to these rules.
    pub fn is_for(&self, rules: &Arc<RuleMatcher>) -> bool {
        Arc::ptr_eq(&self.rules, rules)
    }

    /// The title of a flow.
    pub fn get(&self, index: &Index, flow: FlowId) -> Arc<FlowTitle> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(title) = known().get(&flow) {
            return Arc::clone(title);
        }
        let (profile, graph) = (index.profile(), index.flows());
        let appearance = self.rules.appearance(profile, graph, index.source().styles, flow);
        let id = graph.id_text(profile, flow);
        let title = Arc::new(FlowTitle {
            label: appearance.label,
            field: appearance.field,
            id,
            thread: appearance.thread,
            color: appearance.color,
        });
        let mut known = known();
        if known.len() >= MAX_TITLES {
            known.clear();
        }
        known.insert(flow, Arc::clone(&title));
        title
    }

    /// Another text of a flow by number; `read` computes it under the rules of the cache.
    pub fn fact(&self, flow: FlowId, number: usize, read: impl FnOnce(&RuleMatcher) -> String) -> String {
        let known = || self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = known().get(&(flow, number)) {
            return text.clone();
        }
        let text = read(&self.rules);
        let mut known = known();
        if known.len() >= MAX_TITLES {
            known.clear();
        }
        known.insert((flow, number), text.clone());
        text
    }
}

/// The reason why a recording shows no flows.
#[must_use]
pub fn why_no_flows(index: &Index) -> &'static str {
    if index.flows().is_known() { "This recording has no flows." } else { "Flows are not available yet." }
}
