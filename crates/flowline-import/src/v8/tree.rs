//! The tree of a CPU profile's nodes, and the stack of each node.
//!
//! Stacks exclude the root, so the nodes below it are the outermost frames. Nodes whose ancestors do not include the
//! root have no stack.

use foldhash::HashMap;

use super::call_frame::CallFrame;
use super::categories::{GARBAGE, IDLE, JAVASCRIPT, PROGRAM};
use super::profile_part::{Parent, ProfilePart, RawNode};
use super::tree_order::parents_first;
use flowline_json::RawString;
use flowline_profile::samples::{Frame, Func, FuncFlags, NONE, ScriptSource, StackTablesBuilder};
use flowline_profile::{StackId, WarningKind, Warnings};

/// Kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    /// Not a descendant of the root.
    Lost,
    /// The root.
    Root,
    /// `(program)`, below the root.
    Program,
    /// `(idle)`, below the root.
    Idle,
    /// `(garbage collector)`, below the root.
    Garbage,
    /// Internal code of V8, which DevTools does not show among events.
    Runtime,
    /// A function.
    Function,
}

impl NodeKind {
    /// True for program, idle and garbage collector nodes.
    pub(super) const fn is_special(self) -> bool {
        matches!(self, Self::Program | Self::Idle | Self::Garbage)
    }

    const fn category(self) -> u16 {
        match self {
            Self::Program => PROGRAM,
            Self::Idle => IDLE,
            Self::Garbage => GARBAGE,
            _ => JAVASCRIPT,
        }
    }
}

/// The tree.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// Parent of each node; [`NONE`] for the root and lost nodes.
    pub(crate) parent: Vec<u32>,
    /// Stack of each node; [`NONE`] for the root and lost nodes.
    pub(crate) stack: Vec<u32>,
    pub(crate) kind: Vec<NodeKind>,
    /// Number of frames of each node's stack.
    pub(crate) depth: Vec<u32>,
    /// Number of each node's [`Label`], which DevTools compares when it joins samples.
    pub(crate) label: Vec<u32>,
    /// Ancestor of each node directly below the root; the root itself for the root.
    pub(super) outermost: Vec<u32>,
    by_id: NodeIds,
}

/// Nodes by id; the first node with an id wins.
#[derive(Debug, Default)]
struct NodeIds {
    /// For ids that are not much greater than the number of nodes, which is the usual case.
    small: Vec<u32>,
    others: HashMap<u32, u32>,
}

impl NodeIds {
    fn new(nodes: usize) -> Self {
        Self { small: vec![NONE; nodes.saturating_mul(4).saturating_add(64)], others: HashMap::default() }
    }

    /// Adds an id unless it is known; returns its node.
    fn add(&mut self, id: u32, node: u32) -> u32 {
        match self.small.get_mut(id as usize) {
            Some(known) => {
                if *known == NONE {
                    *known = node;
                }
                *known
            }
            None => *self.others.entry(id).or_insert(node),
        }
    }

    fn get(&self, id: u32) -> Option<u32> {
        match self.small.get(id as usize) {
            Some(node) => Some(*node).filter(|node| *node != NONE),
            None => self.others.get(&id).copied(),
        }
    }
}

/// Script, name and line of a function.
type Label<'a> = (&'a [u8], &'a [u8], u32);

impl Tree {
    /// Links the nodes and adds their stacks to `tables`. `place` identifies the profile in warnings.
    pub(super) fn new(
        part: &ProfilePart<'_>,
        tables: &mut StackTablesBuilder,
        warnings: &mut Warnings,
        place: &dyn Fn() -> String,
    ) -> Self {
        let nodes = &part.nodes;
        let count = nodes.len();
        let mut tree = Self {
            parent: vec![NONE; count],
            stack: vec![NONE; count],
            kind: vec![NodeKind::Lost; count],
            depth: vec![0; count],
            label: vec![NONE; count],
            outermost: vec![NONE; count],
            by_id: NodeIds::new(count),
        };
        let mut repeated = 0;
        for (at, node) in (0_u32..).zip(nodes).filter(|(_, node)| node.id != NONE) {
            repeated += u64::from(tree.by_id.add(node.id, at) != at);
        }
        warnings.add_many(WarningKind::CpuSamples, repeated, || format!("nodes of {} share an id", place()));
        let Some(root) = tree.find_parents(part) else { return tree };
        let order = parents_first(&tree.parent, &[root]);
        tree.parent[root as usize] = NONE;
        let lost = (count - order.len()) as u64;
        warnings.add_many(WarningKind::CpuSamples, lost, || format!("nodes of {} without a path to the root", place()));
        let mut labels: HashMap<Label<'_>, u32> = HashMap::default();
        for at in order {
            let RawNode { id, call, .. } = &nodes[at as usize];
            let next = u32::try_from(labels.len()).unwrap_or(NONE);
            tree.label[at as usize] = *labels.entry((call.script, call.name, call.line)).or_insert(next);
            tree.add((at, *id), root, call, tables);
        }
        for at in 0..count {
            if tree.kind[at] == NodeKind::Lost {
                tree.parent[at] = NONE;
            }
        }
        tree
    }

    /// Finds the parents of all nodes; returns the root: the first node without a parent.
    fn find_parents(&mut self, part: &ProfilePart<'_>) -> Option<u32> {
        for &(child, parent) in &part.children {
            if let Some(child) = self.by_id.get(child) {
                self.parent[child as usize] = parent;
            }
        }
        let mut root = None;
        for (at, node) in (0_u32..).zip(&part.nodes) {
            let parent = &mut self.parent[at as usize];
            match node.parent {
                Parent::None if *parent == NONE => root = root.or(Some(at)),
                Parent::None => {}
                Parent::Id(id) => *parent = self.by_id.get(id).unwrap_or(NONE),
                Parent::At(index) => *parent = index,
            }
        }
        root.or(if part.nodes.is_empty() { None } else { Some(0) })
    }

    /// Adds the node with this index and id, after its parent.
    fn add(&mut self, (at, id): (u32, u32), root: u32, call: &CallFrame<'_>, tables: &mut StackTablesBuilder) {
        let node = at as usize;
        if at == root {
            self.kind[node] = NodeKind::Root;
            self.outermost[node] = root;
            return;
        }
        let parent = self.parent[node];
        let is_outermost = parent == root;
        let kind = match call.name {
            b"(program)" if is_outermost => NodeKind::Program,
            b"(idle)" if is_outermost => NodeKind::Idle,
            b"(garbage collector)" if is_outermost => NodeKind::Garbage,
            _ if call.url == b"native V8Runtime" => NodeKind::Runtime,
            _ => NodeKind::Function,
        };
        self.kind[node] = kind;
        self.depth[node] = self.depth[parent as usize] + 1;
        self.outermost[node] = if is_outermost { at } else { self.outermost[parent as usize] };
        let func = function(call, tables);
        let frame = tables.frame(Frame { category: kind.category(), ..Frame::of(func) });
        let caller = self.stack[parent as usize];
        let stack = tables.push_stack((caller != NONE).then_some(StackId(caller)), frame);
        tables.set_node_id(stack, id);
        self.stack[node] = stack.0;
    }

    /// The node with an id.
    pub(crate) fn node(&self, id: u32) -> Option<u32> {
        self.by_id.get(id)
    }
}

/// Adds a function to `tables` and returns its id.
fn function(call: &CallFrame<'_>, tables: &mut StackTablesBuilder) -> flowline_profile::FuncId {
    let mut text = |bytes| tables.text(&RawString { bytes, offset: 0 }.decode());
    let [name, file, id] = [call.name, call.url, call.script].map(&mut text);
    // Functions of the browser itself have no script.
    let is_known = !call.url.is_empty() || !matches!(call.script, b"" | b"0");
    let source = if is_known { tables.source(ScriptSource { file, id }) } else { NONE };
    let flags = FuncFlags::IS_JS;
    tables.func(Func { source, line: call.line, column: call.column, flags, ..Func::named(name) })
}
