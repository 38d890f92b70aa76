//! Collapsed stacks: `main;parse;read_line 12`, sorted by text.
//!
//! Stacks become a tree of names, so that the texts are never in memory all at once.

use std::collections::HashMap;
use std::io::{self, Write};

use super::samples::Export;
use super::text::{escaped, weight_text};
use crate::samples::NONE;

/// A node: a path of names from the root.
#[derive(Debug, Default)]
struct Node {
    /// Rank of the name.
    name: u32,
    /// Total weight of the samples with exactly this stack; `None` without samples.
    weight: Option<f64>,
    children: Vec<u32>,
}

/// The tree of all paths.
#[derive(Debug, Default)]
struct Tree {
    nodes: Vec<Node>,
    roots: Vec<u32>,
    names: Vec<String>,
}

/// A step of the tree traversal.
enum Visit {
    /// Writes the line of a node.
    Line(u32),
    /// Visits the children of a node.
    Enter(u32),
    /// Removes the last name of the path; the value is the path length without it.
    Leave(usize),
}

impl Export<'_> {
    /// Writes the samples of all threads combined as collapsed stacks: equal stacks become one line with their total
    /// weight. Samples without a stack are omitted. `;` in names becomes `:`, as in the original tools of this format;
    /// line breaks and other control characters become spaces.
    ///
    /// # Errors
    /// The first error of the writer.
    pub fn write_collapsed(&self, out: &mut impl Write) -> io::Result<()> {
        let tree = self.tree();
        let mut path = String::new();
        let mut steps = Vec::new();
        tree.push_children(&tree.roots, &mut steps);
        while let Some(step) = steps.pop() {
            match step {
                Visit::Line(node) => {
                    let node = &tree.nodes[node as usize];
                    if let Some(weight) = node.weight {
                        let name = &tree.names[node.name as usize];
                        writeln!(out, "{path}{name} {}", weight_text(weight))?;
                    }
                }
                Visit::Enter(node) => {
                    let node = &tree.nodes[node as usize];
                    steps.push(Visit::Leave(path.len()));
                    path.push_str(&tree.names[node.name as usize]);
                    path.push(';');
                    tree.push_children(&node.children, &mut steps);
                }
                Visit::Leave(length) => path.truncate(length),
            }
        }
        Ok(())
    }

    /// The tree of stack names.
    fn tree(&self) -> Tree {
        let stacks = self.stacks();
        let mut tree = Tree::default();
        let mut ranks: HashMap<String, u32> = HashMap::new();
        let mut of_func: Vec<u32> = vec![NONE; stacks.funcs.len()];
        let mut nodes: HashMap<(u32, u32), u32> = HashMap::new();
        let mut of_stack: Vec<u32> = vec![NONE; stacks.len()];
        for stack in self.used_stacks() {
            let func = stacks.func(stack);
            if of_func[func.index()] == NONE {
                let name = escaped(self.name(func));
                let next = index(ranks.len());
                let rank = *ranks.entry(name).or_insert(next);
                if rank == next {
                    tree.names.push(escaped(self.name(func)));
                }
                of_func[func.index()] = rank;
            }
            let name = of_func[func.index()];
            let caller = stacks.caller(stack).map_or(NONE, |caller| of_stack[caller.index()]);
            let node = *nodes.entry((caller, name)).or_insert_with(|| {
                let node = index(tree.nodes.len());
                tree.nodes.push(Node { name, ..Node::default() });
                match tree.nodes.get_mut(caller as usize) {
                    Some(caller) => caller.children.push(node),
                    None => tree.roots.push(node),
                }
                node
            });
            of_stack[stack.index()] = node;
        }
        for (_, table, part) in self.tables() {
            for (stack, weight) in part.filter_map(|sample| Some((table.stack(sample)?, table.weight(sample)))) {
                *tree.nodes[of_stack[stack.index()] as usize].weight.get_or_insert(0.0) += weight;
            }
        }
        tree
    }
}

impl Tree {
    /// Pushes the steps of siblings so that they are processed in line order: `a` before `a b`, and `a b` before `a;b`.
    fn push_children(&self, children: &[u32], steps: &mut Vec<Visit>) {
        let name = |node: u32| self.names[self.nodes[node as usize].name as usize].bytes();
        let mut lines: Vec<(u32, bool)> = children.iter().flat_map(|child| [(*child, false), (*child, true)]).collect();
        let key = |(node, goes_on): (u32, bool)| name(node).chain(goes_on.then_some(b';'));
        lines.sort_by(|a, b| key(*b).cmp(key(*a)));
        steps.extend(
            lines.into_iter().map(|(node, goes_on)| if goes_on { Visit::Enter(node) } else { Visit::Line(node) }),
        );
    }
}

fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(NONE)
}
