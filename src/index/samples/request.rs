//! What a tree is asked of: threads, range, transforms and filters.

use std::sync::Arc;

use super::grouping::Grouping;
use super::nodes::CallNodes;
use super::selection::{Measure, SampleKind, SampleSelection};
use super::transform::Transform;
use super::tree::CallTree;
use super::view::StackView;
use crate::profile::samples::NONE;
use crate::profile::{Implementation, Profile, StackId, ThreadId, TimeRange};

/// The steps from samples to a tree. Everything but the range makes the nodes; a new range only counts again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TreeRequest {
    /// Threads whose samples count.
    pub threads: Vec<ThreadId>,
    /// Which of their samples.
    pub kind: SampleKind,
    /// Samples from its start on, and before its end.
    pub range: Option<TimeRange>,
    /// Transforms, in the order in which they were added.
    pub transforms: Vec<Transform>,
    /// Whether samples of the category "Idle" are left out; allocations never are.
    pub without_idle: bool,
    /// The functions that are shown.
    pub implementation: Implementation,
    /// What decides on the order of nodes.
    pub measure: Measure,
    /// The groups above the first level of trees.
    pub grouping: Grouping,
    /// Search; see [`StackView::keep_found`].
    pub search: String,
}

impl TreeRequest {
    /// Whether another request has the same nodes.
    #[must_use]
    pub fn has_nodes_of(&self, other: &Self) -> bool {
        let filters =
            |request: &Self| (request.kind, request.without_idle, request.implementation, request.search.clone());
        self.threads == other.threads && self.transforms == other.transforms && filters(self) == filters(other)
    }

    /// The samples.
    #[must_use]
    pub fn selection<'a>(&'a self, profile: &'a Profile) -> SampleSelection<'a> {
        SampleSelection { profile, threads: &self.threads, kind: self.kind, range: self.range }
    }

    /// The stacks after all steps.
    #[must_use]
    pub fn view(&self, profile: &Profile) -> StackView {
        let tables = &profile.stacks;
        let samples = self.threads.iter().filter_map(|thread| self.kind.table(profile, *thread));
        let used = samples.flat_map(|table| table.stack.iter()).filter(|stack| **stack != NONE);
        let mut view = StackView::new(tables, used.map(|stack| StackId(*stack)));
        for transform in &self.transforms {
            transform.apply(tables, &mut view);
        }
        let idle = profile.categories.iter().position(|category| category.name == "Idle");
        if let Some(idle) = idle.filter(|_| self.without_idle && self.kind == SampleKind::Cpu) {
            view.drop_category(tables, u16::try_from(idle).unwrap_or(u16::MAX));
        }
        view.keep_implementation(tables, self.implementation);
        view.keep_found(tables, &self.search);
        view
    }

    /// The nodes of the tree.
    #[must_use]
    pub fn nodes(&self, profile: &Profile) -> CallNodes {
        CallNodes::new(&profile.stacks, &self.view(profile), default_category(profile))
    }

    /// The tree; `nodes` are those of a request of which [`TreeRequest::has_nodes_of`] holds.
    #[must_use]
    pub fn tree(&self, profile: &Profile, nodes: Arc<CallNodes>) -> CallTree {
        CallTree::new(nodes, &self.selection(profile), self.measure)
    }
}

/// The category of nodes whose stacks have several: the first grey one.
#[must_use]
pub fn default_category(profile: &Profile) -> u16 {
    let grey = profile.categories.iter().position(|category| category.color == "grey");
    u16::try_from(grey.unwrap_or(0)).unwrap_or(0)
}
