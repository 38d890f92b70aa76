//! The nodes of a call tree: one for each path of functions.

use std::sync::Arc;

use foldhash::HashMap;

use super::stack_view::StackView;
use crate::samples::entries::EntryList;
use flowline_profile::samples::NONE;
use flowline_profile::{StackId, StackTables};

/// Position of a node in [`CallNodes`].
pub type NodeId = u32;

/// All paths of functions of a view. Callers come before callees.
#[derive(Clone, Debug, Default)]
pub struct CallNodes {
    /// Caller of each node; [`NONE`] at a root.
    pub parent: Vec<NodeId>,
    /// Function of each node; see [`crate::samples::func_name`].
    pub func: Vec<u32>,
    /// Category and subcategory; the default category if the stacks of the node differ.
    pub category: Vec<[u16; 2]>,
    /// Group of the samples of each node; empty without groups of samples.
    pub group: Vec<u32>,
    /// A stack of the recording that ends with the node's own frame.
    pub stack: Vec<StackId>,
    /// Inlining of each node's frames.
    pub inlined: Vec<Inlined>,
    /// Node of each stack of the recording; [`NONE`] if the stack is excluded.
    of_stack: Vec<NodeId>,
    /// Position of each node's first child in `children`, and the end. Children are in the order of their numbers.
    first_child: Vec<u32>,
    children: Vec<NodeId>,
    roots: Vec<NodeId>,
    /// The entries, if the stacks are paths of entries instead of stacks of samples.
    pub entries: Option<Arc<EntryList>>,
}

/// Inlining of a node's frames by the compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inlined {
    /// No frame was inlined.
    #[default]
    No,
    /// All frames were inlined, into one compiled function.
    All,
    /// Some frames were inlined, or all into different functions.
    Some,
}

impl CallNodes {
    /// Nodes of a view; each group of samples has nodes of its own. Nodes whose stacks have different categories get
    /// `default_category`.
    #[must_use]
    #[inline]
    pub fn new(tables: &StackTables, view: &StackView, default_category: u16) -> Self {
        Self::divided(tables, view, default_category, false)
    }

    /// Like [`CallNodes::new`]; with `by_subcategory`, stacks with different subcategories have different nodes.
    #[must_use]
    pub fn divided(tables: &StackTables, view: &StackView, default_category: u16, by_subcategory: bool) -> Self {
        let mut nodes = Self::default();
        let mut known: HashMap<(NodeId, u32, u32), NodeId> = HashMap::default();
        let mut symbols: Vec<u32> = Vec::new();
        let mut of_view: Vec<NodeId> = Vec::with_capacity(view.len());
        for stack in 0..view.len() {
            let parent = of_view.get(view.prefix[stack] as usize).copied().unwrap_or(NONE);
            let (func, category) = (view.func[stack], view.category[stack]);
            let frame = tables.frame(view.origin[stack]);
            let inlined = if frame.inline_depth == 0 { Inlined::No } else { Inlined::All };
            let group = view.group.get(stack).copied();
            let part = group.unwrap_or(if by_subcategory { category[1].into() } else { 0 });
            let node = *known.entry((parent, func, part)).or_insert_with(|| {
                nodes.parent.push(parent);
                nodes.func.push(func);
                nodes.category.push(category);
                nodes.group.extend(group);
                nodes.stack.push(view.origin[stack]);
                nodes.inlined.push(inlined);
                symbols.push(frame.native_symbol);
                u32::try_from(nodes.parent.len() - 1).unwrap_or(NONE)
            });
            let at = node as usize;
            if nodes.category[at][0] != category[0] {
                nodes.category[at] = [default_category, if by_subcategory { category[1] } else { 0 }];
            } else if nodes.category[at][1] != category[1] {
                nodes.category[at][1] = 0;
            }
            if nodes.inlined[at] != inlined || (inlined == Inlined::All && symbols[at] != frame.native_symbol) {
                nodes.inlined[at] = Inlined::Some;
            }
            of_view.push(node);
        }
        let node = |stack: u32| of_view.get(stack as usize).copied().unwrap_or(NONE);
        nodes.of_stack = view.of_stack.iter().map(|stack| node(*stack)).collect();
        nodes.link();
        nodes
    }

    /// Lists the children of each node.
    fn link(&mut self) {
        let mut first = vec![0_u32; self.len() + 1];
        for parent in self.parent.iter().filter(|parent| **parent != NONE) {
            first[*parent as usize + 1] += 1;
        }
        for node in 0..self.len() {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        self.children = vec![NONE; first[self.len()] as usize];
        for (node, &parent) in (0..).zip(&self.parent) {
            if parent == NONE {
                self.roots.push(node);
                continue;
            }
            let place = &mut next[parent as usize];
            self.children[*place as usize] = node;
            *place += 1;
        }
        self.first_child = first;
    }

    /// The title of a node of calls that events stated: `reflow, app.js:14`. `None` for nodes that are titled with their
    /// function or event.
    #[must_use]
    #[inline]
    pub fn title(&self, node: NodeId) -> Option<&str> {
        self.entries.as_ref()?.title(self.category[node as usize][1])
    }

    /// Keys that distinguish nodes of the same function that are titled with different calls.
    pub(super) fn part(&self, node: NodeId) -> u16 {
        let has_titles = self.entries.as_ref().is_some_and(|entries| entries.has_titles());
        if has_titles { self.category[node as usize][1] } else { 0 }
    }

    /// Number of nodes.
    #[must_use]
    #[inline]
    pub const fn len(&self) -> usize {
        self.parent.len()
    }

    /// True if there are no nodes.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.parent.is_empty()
    }

    /// Node of a stack of the recording.
    #[must_use]
    #[inline]
    pub fn of_stack(&self, stack: StackId) -> Option<NodeId> {
        self.of_stack.get(stack.index()).copied().filter(|node| *node != NONE)
    }

    /// Caller of a node.
    #[must_use]
    #[inline]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        Some(self.parent[node as usize]).filter(|parent| *parent != NONE)
    }

    /// Children of a node or, for `None`, the roots, in the order of their numbers.
    #[must_use]
    #[inline]
    pub fn children(&self, node: Option<NodeId>) -> &[NodeId] {
        let Some(node) = node else { return &self.roots };
        let (first, end) = (self.first_child[node as usize], self.first_child[node as usize + 1]);
        &self.children[first as usize..end as usize]
    }

    /// A node and its callers, innermost first.
    #[inline]
    pub fn walk(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(node), |node| self.parent(*node))
    }

    /// Functions of a node's path, root first.
    #[must_use]
    #[inline]
    pub fn path(&self, node: NodeId) -> Vec<u32> {
        let mut path: Vec<u32> = self.walk(node).map(|node| self.func[node as usize]).collect();
        path.reverse();
        path
    }

    /// Approximate heap memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        (self.len() * 26 + self.group.len() * 4)
            + self.of_stack.len() * 4
            + match &self.entries {
                Some(entries) => entries.len() * 28,
                None => 0,
            }
    }
}
