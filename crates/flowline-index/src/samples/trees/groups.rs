//! Groups of functions above the first level of a tree: by category, file, library or third party.

use std::collections::HashMap;

use super::call_tree::{CallTree, larger_first};
use super::cost::{Cost, Measure};
use super::grouping::{Grouping, third_party};
use super::nodes::{CallNodes, NodeId};
use super::stack_view::StackView;
use crate::samples::entries::{EntryList, has_work, work_of};
use flowline_profile::samples::ResourceKind;
use flowline_profile::{FuncId, Profile};

/// The groups of a recording. A group has the same number in all trees.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    grouping: Grouping,
    names: Vec<String>,
    /// Group of each function of a view (see [`crate::samples::func_name`]); empty if groups depend on the category.
    of_func: Vec<u32>,
    /// By function: true for functions with a group, and for scripts without one, to which samples belong.
    is_placed: Vec<bool>,
    /// For trace events and calls.
    of_entries: Option<EntryNodeGroups>,
}

/// The groups of the nodes of trace events and calls.
#[derive(Clone, Debug)]
enum EntryNodeGroups {
    /// By the address that divides the nodes: the group of each subcategory.
    Divided(Vec<u32>),
    /// By root and by function.
    ByFunction([HashMap<u32, u32>; 2]),
}

/// Assigns numbers to groups.
#[derive(Default)]
struct Names {
    names: Vec<String>,
    known: HashMap<String, u32>,
}

impl Names {
    fn number(&mut self, name: String) -> u32 {
        *self.known.entry(name).or_insert_with_key(|name| {
            self.names.push(name.clone());
            u32::try_from(self.names.len() - 1).unwrap_or(u32::MAX)
        })
    }
}

impl Groups {
    /// Groups of all functions of a tree; `None` without grouping.
    ///
    /// Samples are grouped by the innermost frame of their stacks or, by file and third party, by the nearest one that has
    /// such a group. The nodes of the tree must be divided by the same
    /// grouping ([`crate::samples::TreeRequest::nodes`]).
    ///
    /// Trace events and calls are grouped by kind of work, as in DevTools, or by the address that their nodes are divided by.
    #[must_use]
    pub fn new(profile: &Profile, grouping: Grouping, tree: &CallTree) -> Option<Self> {
        match &tree.nodes.entries {
            Some(_) if grouping == Grouping::None => None,
            Some(entries) => Some(Self::of_entries(profile, grouping, tree, entries)),
            None => Self::of_samples(profile, grouping),
        }
    }

    fn of_entries(profile: &Profile, grouping: Grouping, tree: &CallTree, entries: &EntryList) -> Self {
        let mut names = Names::default();
        if let Some(addresses) = entries.addresses() {
            let of_part = addresses.map(|address| names.number(address.to_owned())).collect();
            let of_entries = Some(EntryNodeGroups::Divided(of_part));
            return Self { grouping, names: names.names, of_entries, ..Self::default() };
        }
        let nodes = &tree.nodes;
        let has_work = has_work(profile);
        let group = |func: u32, category: u16, names: &mut Names| {
            let resource = || match profile.stacks.funcs.get(func as usize) {
                Some(_) => profile.stacks.resource(FuncId(func)).unwrap_or((ResourceKind::UNKNOWN, "")),
                None => (ResourceKind::UNKNOWN, ""),
            };
            names.number(match grouping {
                Grouping::None | Grouping::File | Grouping::ThirdParty => String::new(),
                Grouping::Category if has_work => work_of(profile, func).name().to_owned(),
                Grouping::Category => {
                    let category = profile.categories.get(usize::from(category));
                    category.map_or_else(String::new, |category| category.name.clone())
                }
                Grouping::Library => resource().1.to_owned(),
            })
        };
        let of_root = |root: &NodeId| {
            let at = *root as usize;
            (*root, group(nodes.func[at], nodes.category[at][0], &mut names))
        };
        let of_root = nodes.children(None).iter().map(of_root).collect();
        let mut categories: HashMap<u32, u16> = HashMap::new();
        for (func, category) in nodes.func.iter().zip(&nodes.category) {
            categories.entry(*func).or_insert(category[0]);
        }
        let mut categories: Vec<(u32, u16)> = categories.into_iter().collect();
        categories.sort_unstable();
        let of_func = categories.into_iter().map(|(func, category)| (func, group(func, category, &mut names)));
        let of_entries = Some(EntryNodeGroups::ByFunction([of_root, of_func.collect()]));
        Self { grouping, names: names.names, of_entries, ..Self::default() }
    }

    /// Groups of samples; `None` without grouping.
    pub(super) fn of_samples(profile: &Profile, grouping: Grouping) -> Option<Self> {
        let key: fn(&Profile, Option<FuncId>, (ResourceKind, &str)) -> String = match grouping {
            Grouping::None => return None,
            Grouping::Category => {
                let names = profile.categories.iter().map(|category| category.name.clone());
                return Some(Self { grouping, names: names.collect(), ..Self::default() });
            }
            Grouping::File => |profile, func, _| func.map_or("", |func| profile.stacks.file(func)).to_owned(),
            Grouping::Library => |_, _, (_, name)| name.to_owned(),
            Grouping::ThirdParty => {
                |profile, func, resource| third_party(func.map_or("", |func| profile.stacks.file(func)), resource)
            }
        };
        let stacks = &profile.stacks;
        let mut names = Names::default();
        let mut group = |name: String| names.number(name);
        // Most functions share their source and resource with many others.
        let mut of_place: HashMap<(u32, u32), u32> = HashMap::new();
        let of_func = (0..).zip(&stacks.funcs).map(|(at, func)| {
            *of_place.entry((func.source, func.resource)).or_insert_with(|| {
                let resource = stacks.resource(FuncId(at)).unwrap_or((ResourceKind::UNKNOWN, ""));
                group(key(profile, Some(FuncId(at)), resource))
            })
        });
        let mut of_func: Vec<u32> = of_func.collect();
        // Resources whose functions were collapsed into one.
        of_func.extend(stacks.resources.iter().map(|resource| {
            let resource = (resource.kind, stacks.strings.get(resource.name));
            group(key(profile, None, resource))
        }));
        // The code of a site or an add-on is a script, even if its file is unknown.
        let is_script = |kind: ResourceKind| !matches!(kind, ResourceKind::LIBRARY | ResourceKind::UNKNOWN);
        let is_placed = (0..).zip(&of_func).map(|(func, group): (u32, &u32)| {
            let resource = || match stacks.funcs.get(func as usize) {
                Some(_) => stacks.resource(FuncId(func)).map(|(kind, _)| kind),
                None => stacks.resources.get(func as usize - stacks.funcs.len()).map(|resource| resource.kind),
            };
            !names.names[*group as usize].is_empty() || resource().is_some_and(is_script)
        });
        let is_placed = is_placed.collect();
        Some(Self { grouping, names: names.names, of_func, is_placed, of_entries: None })
    }

    /// Group of a root of the call tree.
    #[must_use]
    pub fn of_root(&self, nodes: &CallNodes, root: NodeId) -> u32 {
        match &self.of_entries {
            Some(EntryNodeGroups::Divided(of_part)) => part_of(nodes, root, of_part),
            Some(EntryNodeGroups::ByFunction([of_root, _])) => of_root.get(&root).copied().unwrap_or(u32::MAX),
            None => group_of(nodes, root),
        }
    }

    /// Group of the samples whose stacks end with a stack of a view.
    pub(super) fn of_innermost(&self, view: &StackView, stack: usize) -> u32 {
        let group = |stack: usize| self.of_func.get(view.func[stack] as usize).copied().unwrap_or(u32::MAX);
        match self.grouping {
            Grouping::Category => u32::from(view.category[stack][0]),
            Grouping::File | Grouping::ThirdParty => {
                // Built-in and native functions work for the script that called them.
                let callers =
                    std::iter::successors(Some(stack), |at| view.prefix.get(*at).map(|caller| *caller as usize));
                let mut callers = callers.take_while(|at| *at < view.len());
                let is_placed = |at: &usize| self.is_placed.get(view.func[*at] as usize).copied().unwrap_or(false);
                callers.find(is_placed).map_or_else(|| group(stack), group)
            }
            Grouping::None | Grouping::Library => group(stack),
        }
    }

    /// Group of a node's function, as a root of the bottom-up tree.
    #[must_use]
    pub fn of_leaf(&self, nodes: &CallNodes, node: NodeId) -> u32 {
        match &self.of_entries {
            Some(EntryNodeGroups::Divided(of_part)) => part_of(nodes, node, of_part),
            Some(EntryNodeGroups::ByFunction([_, of_func])) => {
                of_func.get(&nodes.func[node as usize]).copied().unwrap_or(u32::MAX)
            }
            None => group_of(nodes, node),
        }
    }

    /// Name of a group; empty for functions without the property.
    #[must_use]
    #[inline]
    pub fn name(&self, group: u32) -> &str {
        self.names.get(group as usize).map_or("", String::as_str)
    }

    /// Displayed name of a group.
    #[must_use]
    pub fn display_name(&self, group: u32) -> &str {
        match self.name(group) {
            "" => self.grouping.nothing(),
            name => name,
        }
    }
}

/// Group of a node that is divided by group.
fn part_of(nodes: &CallNodes, node: NodeId, of_part: &[u32]) -> u32 {
    of_part.get(usize::from(nodes.category[node as usize][1])).copied().unwrap_or(u32::MAX)
}

/// Group of the samples of a node.
fn group_of(nodes: &CallNodes, node: NodeId) -> u32 {
    nodes.group.get(node as usize).copied().unwrap_or(u32::MAX)
}

/// A group of nodes of the first level of a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Its number in [`Groups`].
    pub group: u32,
    /// Total cost of its nodes, including descendants.
    pub total: Cost,
    /// Self cost of its nodes.
    pub own: Cost,
    /// Its nodes, in the given order.
    pub nodes: Vec<NodeId>,
}

/// Groups nodes, largest group first. Each node is given with its group, its total cost and its self cost.
#[must_use]
pub fn groups_of(nodes: impl Iterator<Item = (NodeId, u32, [Cost; 2])>, measure: Measure) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known: HashMap<u32, usize> = HashMap::new();
    for (node, group, [total, own]) in nodes {
        let at = *known.entry(group).or_insert_with(|| {
            groups.push(Group { group, total: Cost::default(), own: Cost::default(), nodes: Vec::new() });
            groups.len() - 1
        });
        groups[at].total += total;
        groups[at].own += own;
        groups[at].nodes.push(node);
    }
    groups.sort_by(|a, b| larger_first(&a.total, &b.total, measure).then_with(|| a.group.cmp(&b.group)));
    groups
}
