//! `flowline dump calltree`: one line per call node of the samples, depth first, highest cost first.

use std::io::Write;
use std::sync::Arc;

use anyhow::{Context, bail};
use serde_json::{Value, json};

use crate::cli::args::{DumpArgs, TreeArgs};
use crate::cli::lookup::find_thread;
use flowline_index::samples::entries::default_entries;
use flowline_index::samples::{
    CallTree, Cost, FunctionList, Grouping, Groups, InvertedTree, NodeId, SampleKind, Transform, TreeRequest,
    func_name, groups_of,
};
use flowline_profile::samples::ANONYMOUS;
use flowline_profile::{Profile, ThreadId, TimeRange};

/// Returns the threads whose samples count: the named one, or all.
fn threads(profile: &Profile, name: Option<&str>) -> anyhow::Result<Vec<ThreadId>> {
    match name {
        Some(name) => Ok(vec![find_thread(profile, name)?]),
        None => Ok((0..profile.threads.len()).map(ThreadId::new).collect()),
    }
}

/// Builds the request for the options.
pub(super) fn request(
    profile: &Profile,
    thread: Option<&str>,
    search: &str,
    options: &TreeArgs,
) -> anyhow::Result<TreeRequest> {
    let zero = profile.time_zero();
    let mut request = TreeRequest {
        threads: threads(profile, thread)?,
        range: options.range.map(|(from, to)| TimeRange::new(zero + from, zero + to)),
        implementation: options.implementation.into(),
        search: search.to_owned(),
        grouping: options.group_by.map_or(Grouping::None, Into::into),
        ..TreeRequest::default()
    };
    // A thread without samples may have allocations.
    let has = |kind: SampleKind| request.threads.iter().any(|thread| kind.is_in(profile, *thread));
    let kinds = [SampleKind::Cpu, SampleKind::NativeAllocations, SampleKind::JsAllocations];
    let first = || kinds.into_iter().find(|kind| has(*kind)).unwrap_or_default();
    request.kind = options.kind.map_or_else(first, Into::into);
    request.entries = match options.entries {
        Some(entries) => entries.set().filter(|_| profile.meta.capabilities.axis.is_time()),
        None => default_entries(profile, &request.threads),
    };
    for text in &options.transform {
        let transform = transform(profile, &request, text)?;
        request.transforms.push(transform);
    }
    Ok(request)
}

/// Parses a transform. If several functions have the name, the one with the highest cost so far is used.
fn transform(profile: &Profile, request: &TreeRequest, text: &str) -> anyhow::Result<Transform> {
    let (kind, argument) =
        text.split_once(':').context("expected a transform as KIND:NAME or KIND:[\"root\", \"function\"]")?;
    let implementation = request.implementation;
    let func = || func(profile, request, argument);
    let resource = |name: &str| {
        let tables = &profile.stacks;
        let found = tables.resources.iter().position(|resource| tables.strings.get(resource.name) == name);
        found.and_then(|at| u32::try_from(at).ok()).with_context(|| format!("no resource \"{name}\""))
    };
    Ok(match kind {
        "focus-function" => Transform::FocusFunction(func()?),
        "focus-self" => Transform::FocusSelf(func()?, implementation),
        "focus-subtree" => Transform::FocusSubtree(path(profile, request, argument, false)?, implementation),
        "focus-inverted-subtree" => {
            Transform::FocusInvertedSubtree(path(profile, request, argument, true)?, implementation)
        }
        "focus-category" => {
            let found = profile.categories.iter().position(|category| category.name == argument);
            let found = found.and_then(|at| u16::try_from(at).ok());
            Transform::FocusCategory(found.with_context(|| format!("no category \"{argument}\""))?)
        }
        "merge-function" => Transform::MergeFunction(func()?),
        "merge-call-node" => Transform::MergeCallNode(path(profile, request, argument, false)?, implementation),
        "drop-function" => Transform::DropFunction(func()?),
        "collapse-function-subtree" => Transform::CollapseFunctionSubtree(func()?),
        "collapse-recursion" => Transform::CollapseRecursion(func()?),
        "collapse-direct-recursion" => Transform::CollapseDirectRecursion(func()?, implementation),
        "collapse-resource" => Transform::CollapseResource(resource(argument)?, implementation),
        "filter-samples" => Transform::FilterSamples(argument.to_owned(), implementation),
        other => bail!("no transform \"{other}\"; `flowline help dump` lists all"),
    })
}

fn tree(profile: &Profile, request: &TreeRequest) -> CallTree {
    request.tree(profile, Arc::new(request.nodes(profile)))
}

fn named(profile: &Profile, func: u32) -> &str {
    let name = func_name(&profile.stacks, func);
    if name.is_empty() { ANONYMOUS } else { name }
}

fn func(profile: &Profile, request: &TreeRequest, name: &str) -> anyhow::Result<u32> {
    let without_search = TreeRequest { search: String::new(), range: None, ..request.clone() };
    let rows = FunctionList::new(&tree(profile, &without_search)).rows;
    let found = rows.iter().find(|row| named(profile, row.func) == name);
    Ok(found.with_context(|| format!("no sampled function \"{name}\""))?.func)
}

/// Resolves a path of names to functions, from the root, or innermost first if `inverted`.
fn path(profile: &Profile, request: &TreeRequest, text: &str, inverted: bool) -> anyhow::Result<Vec<u32>> {
    let names: Vec<String> = serde_json::from_str(text).context("expected a path as [\"root\", \"function\"]")?;
    let missing = |name: &String| format!("the call tree has no \"{name}\" at this point of the path");
    let without_search = TreeRequest { search: String::new(), range: None, ..request.clone() };
    let tree = tree(profile, &without_search);
    let mut path = Vec::with_capacity(names.len());
    if inverted {
        let mut inverted = InvertedTree::new(Arc::new(tree));
        let mut at = None;
        for name in &names {
            let children = inverted.children(at).to_vec();
            let child = children.into_iter().find(|child| named(profile, inverted.func(*child)) == name);
            at = Some(child.with_context(|| missing(name))?);
            path.extend(at.map(|node| inverted.func(node)));
        }
    } else {
        let mut at = None;
        for name in &names {
            let func = |node: &u32| tree.nodes.func[*node as usize];
            let child = tree.children(at).into_iter().find(|child| named(profile, func(child)) == name);
            at = Some(child.with_context(|| missing(name))?);
            path.extend(at.as_ref().map(func));
        }
    }
    if path.is_empty() {
        bail!("a path needs at least one function");
    }
    Ok(path)
}

/// Returns a weight as a JSON number: an integer if it is integral.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "integers that floats represent exactly"
)]
fn number(weight: f64) -> Value {
    let limit = (1_i64 << 53) as f64;
    if weight.fract() == 0.0 && weight.abs() < limit { json!(weight as i64) } else { json!(weight) }
}

/// The tree to write.
enum Tree {
    Calls(Arc<CallTree>),
    Inverted(InvertedTree),
}

impl Tree {
    fn children(&mut self, node: Option<NodeId>) -> Vec<NodeId> {
        match self {
            Self::Calls(tree) => tree.children(node),
            Self::Inverted(tree) => tree.children(node).to_vec(),
        }
    }

    fn func(&self, node: NodeId) -> u32 {
        match self {
            Self::Calls(tree) => tree.nodes.func[node as usize],
            Self::Inverted(tree) => tree.func(node),
        }
    }

    fn costs(&self, node: NodeId) -> [Cost; 2] {
        match self {
            Self::Calls(tree) => [tree.total[node as usize], tree.own[node as usize]],
            Self::Inverted(tree) => [tree.total(node), tree.own(node)],
        }
    }

    /// Returns the cost that a root adds to its group.
    fn group_costs(&self, root: NodeId) -> [Cost; 2] {
        match self {
            Self::Calls(_) => self.costs(root),
            Self::Inverted(tree) => tree.group_costs(root),
        }
    }

    fn group(&self, groups: &Groups, root: NodeId) -> u32 {
        match self {
            Self::Calls(tree) => groups.of_root(&tree.nodes, root),
            Self::Inverted(tree) => tree.group(root),
        }
    }

    /// Name of a node: the title of the calls that it represents, or the name of its function.
    fn name<'a>(&'a self, profile: &'a Profile, node: NodeId) -> &'a str {
        let (nodes, example) = match self {
            Self::Calls(tree) => (&tree.nodes, node),
            Self::Inverted(tree) => (&tree.tree.nodes, tree.example(node)),
        };
        nodes.title(example).unwrap_or_else(|| named(profile, self.func(node)))
    }

    /// Writes some nodes and all their descendants, depth first. `above` is the line of their group.
    fn write_all(
        &mut self,
        lines: &mut Lines<'_, impl Write>,
        profile: &Profile,
        above: Option<Position>,
        nodes: &[NodeId],
    ) -> std::io::Result<()> {
        let mut pending: Vec<(NodeId, Option<Position>)> = nodes.iter().rev().map(|node| (*node, above)).collect();
        while let Some((node, above)) = pending.pop() {
            let own = lines.write(above, self.name(profile, node), self.costs(node))?;
            pending.extend(self.children(Some(node)).into_iter().rev().map(|child| (child, Some(own))));
        }
        Ok(())
    }
}

/// The number of a written line, and its depth.
#[derive(Clone, Copy)]
struct Position {
    node: usize,
    depth: usize,
}

/// The written lines. A line refers to the one of its parent, because paths of names would make the output of a deep tree
/// grow with the square of its depth.
struct Lines<'a, W> {
    out: &'a mut W,
    count: usize,
    has_entries: bool,
    has_time: bool,
}

impl<W: Write> Lines<'_, W> {
    fn write(&mut self, above: Option<Position>, name: &str, [total, own]: [Cost; 2]) -> std::io::Result<Position> {
        let ns = |cost: Cost| if self.has_time { json!(cost.time.0) } else { Value::Null };
        let samples = |cost: Cost| if self.has_entries { Value::Null } else { number(cost.weight) };
        let position = Position { node: self.count, depth: above.map_or(0, |above| above.depth + 1) };
        let line = json!({
            "node": position.node,
            "parent": above.map(|above| above.node),
            "depth": position.depth,
            "name": name,
            "total_ns": ns(total),
            "self_ns": ns(own),
            "total_samples": samples(total),
            "self_samples": samples(own),
            "count": if self.has_entries { own.samples } else { total.samples },
        });
        writeln!(self.out, "{line}")?;
        self.count += 1;
        Ok(position)
    }
}

/// Writes the call tree requested by the options.
pub(super) fn call_tree(out: &mut impl Write, profile: &Profile, options: &DumpArgs) -> anyhow::Result<()> {
    let request = request(profile, options.thread.as_deref(), &options.search, &options.tree)?;
    let tree = Arc::new(tree(profile, &request));
    let has_entries = tree.has_entries();
    let has_time = has_entries || request.selection(profile).has_time();
    let mut lines = Lines { out, count: 0, has_entries, has_time };
    let groups = Groups::new(profile, request.grouping, &tree);
    let mut tree = if options.tree.invert {
        Tree::Inverted(InvertedTree::grouped(tree, groups.as_ref()))
    } else {
        Tree::Calls(tree)
    };
    let roots = tree.children(None);
    let Some(groups) = groups else { return Ok(tree.write_all(&mut lines, profile, None, &roots)?) };
    let nodes = roots.into_iter().map(|root| (root, tree.group(&groups, root), tree.group_costs(root)));
    for group in groups_of(nodes, request.measure) {
        let above = lines.write(None, groups.name(group.group), [group.total, group.own])?;
        tree.write_all(&mut lines, profile, Some(above), &group.nodes)?;
    }
    Ok(())
}
