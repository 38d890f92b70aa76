//! Inputs of a call tree: threads, range, transforms and filters.

use std::sync::Arc;

use super::addresses::join_addresses;
use super::call_tree::CallTree;
use super::cost::{Measure, SampleKind};
use super::grouping::Grouping;
use super::groups::Groups;
use super::nodes::CallNodes;
use super::selection::SampleSelection;
use super::stack_view::StackView;
use super::transform::Transform;
use crate::samples::entries::{EntryList, EntrySet};
use flowline_profile::samples::NONE;
use flowline_profile::{Implementation, Profile, StackId, ThreadId, TimeRange};

/// The steps from samples to a tree. The nodes do not depend on the range; a new range only recomputes the costs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TreeRequest {
    /// Threads whose samples count.
    pub threads: Vec<ThreadId>,
    /// Kind of their samples.
    pub kind: SampleKind,
    /// Trace events and calls instead of samples.
    pub entries: Option<EntrySet>,
    /// Range of samples, including its start and excluding its end.
    pub range: Option<TimeRange>,
    /// Functions of which only the address is known are those of their library, and calls between them are one.
    pub by_library: bool,
    /// Transforms, in the order in which they were added.
    pub transforms: Vec<Transform>,
    /// Excludes samples of the category "Idle"; does not affect allocations.
    pub without_idle: bool,
    /// Filter of functions.
    pub implementation: Implementation,
    /// Sort order of nodes.
    pub measure: Measure,
    /// The groups above the first level of trees.
    pub grouping: Grouping,
    /// Search; see [`StackView::filter_by_search`].
    pub search: String,
}

impl TreeRequest {
    /// True if another request has the same nodes.
    #[must_use]
    pub fn has_nodes_of(&self, other: &Self) -> bool {
        let filters = |request: &Self| {
            let Self { kind, entries, by_library, without_idle, implementation, grouping, .. } = *request;
            // Groups of samples divide the nodes; entries are only divided by address.
            let divides = entries.is_none() || grouping.is_by_address();
            let grouping = if divides { grouping } else { Grouping::None };
            (kind, entries, grouping, [by_library, without_idle], implementation, request.search.clone())
        };
        self.threads == other.threads && self.transforms == other.transforms && filters(self) == filters(other)
    }

    /// Selection of samples.
    #[must_use]
    #[inline]
    pub fn selection<'a>(&'a self, profile: &'a Profile) -> SampleSelection<'a> {
        SampleSelection { profile, threads: &self.threads, kind: self.kind, range: self.range }
    }

    /// Stacks after all steps.
    #[must_use]
    pub fn view(&self, profile: &Profile) -> StackView {
        let tables = &profile.stacks;
        let samples = self.threads.iter().filter_map(|thread| self.kind.table(profile, *thread));
        let used = samples.flat_map(|table| table.stack.iter()).filter(|stack| **stack != NONE);
        let mut view = StackView::new(tables, used.map(|stack| StackId(*stack)));
        if self.by_library {
            join_addresses(tables, &mut view);
        }
        self.transform(profile, &mut view);
        let idle = profile.categories.iter().position(|category| category.name == "Idle");
        if let Some(idle) = idle.filter(|_| self.without_idle && self.kind == SampleKind::Cpu) {
            view.drop_category(tables, u16::try_from(idle).unwrap_or(u16::MAX));
        }
        self.filter(profile, &mut view);
        view
    }

    fn transform(&self, profile: &Profile, view: &mut StackView) {
        for transform in &self.transforms {
            transform.apply(&profile.stacks, view);
        }
    }

    fn filter(&self, profile: &Profile, view: &mut StackView) {
        view.filter_by_implementation(&profile.stacks, self.implementation);
        view.filter_by_search(&profile.stacks, &self.search);
    }

    /// Nodes of the tree.
    #[must_use]
    pub fn nodes(&self, profile: &Profile) -> CallNodes {
        let Some(set) = self.entries else {
            let mut view = self.view(profile);
            if let Some(groups) = Groups::of_samples(profile, self.grouping) {
                view.divide(|view, leaf| groups.of_innermost(view, leaf));
            }
            return CallNodes::new(&profile.stacks, &view, default_category(profile));
        };
        let entries = EntryList::titled(profile, &self.threads, set, self.grouping);
        let mut view = entries.view();
        self.transform(profile, &mut view);
        self.filter(profile, &mut view);
        let mut nodes = CallNodes::divided(&profile.stacks, &view, default_category(profile), entries.is_divided());
        nodes.entries = Some(Arc::new(entries));
        nodes
    }

    /// The tree; `nodes` must come from a request for which [`TreeRequest::has_nodes_of`] is true.
    #[must_use]
    #[inline]
    pub fn tree(&self, profile: &Profile, nodes: Arc<CallNodes>) -> CallTree {
        CallTree::new(nodes, &self.selection(profile), self.measure)
    }
}

/// Category of nodes whose stacks have different categories: the first gray one.
#[must_use]
#[inline]
pub fn default_category(profile: &Profile) -> u16 {
    let grey = profile.categories.iter().position(|category| category.color == "grey");
    u16::try_from(grey.unwrap_or(0)).unwrap_or(0)
}
