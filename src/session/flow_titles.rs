//! What flows are called in the tables: found when a row is first shown, and kept while it may be shown again.
//!
//! Finding it takes the payload of the flow's first marker, which is long for a marker in thousands of flows, so it
//! must not be done for all rows in every frame.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::index::Index;
use crate::index::flows::RuleMatcher;
use crate::profile::{FlowId, ThreadId};

/// Flows that are kept; when there are more, all are forgotten.
const MAX_TITLES: usize = 4096;

/// What a flow is called.
#[derive(Clone, Debug)]
pub struct FlowTitle {
    /// What it is, for people.
    pub label: String,
    /// The label of the field that names it.
    pub field: String,
    /// Its id.
    pub id: String,
    /// The thread it belongs to.
    pub thread: ThreadId,
    /// Palette entry.
    pub color: u8,
}

/// What flows are called under some rules.
#[derive(Default)]
pub struct FlowTitleCache {
    rules: Arc<RuleMatcher>,
    known: Mutex<HashMap<FlowId, Arc<FlowTitle>>>,
}

impl FlowTitleCache {
    /// No titles yet, under some rules.
    #[must_use]
    pub fn new(rules: &Arc<RuleMatcher>) -> Self {
        Self { rules: Arc::clone(rules), known: Mutex::default() }
    }

    /// Whether these are the rules.
    pub fn is_for(&self, rules: &Arc<RuleMatcher>) -> bool {
        Arc::ptr_eq(&self.rules, rules)
    }

    /// What a flow is called.
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
}
