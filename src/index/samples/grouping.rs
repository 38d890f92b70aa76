//! Groups of functions above the first level of a tree: by category, file, library or third party.

use std::collections::HashMap;

use super::entries::{EntryId, EntryList, event_address, work_of};
use super::nodes::{CallNodes, NodeId};
use super::selection::{Cost, Measure};
use super::tree::{CallTree, larger_first};
use crate::profile::samples::{NONE, ResourceKind};
use crate::profile::{FuncId, Profile};

/// What the functions of a group have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Grouping {
    /// There are no groups.
    #[default]
    None,
    /// The category of the node.
    Category,
    /// The file that the function is in.
    File,
    /// The library, site or add-on that the function is part of.
    Library,
    /// Who made it: the site of its file, or the add-on.
    ThirdParty,
}

impl Grouping {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::None, Self::Category, Self::File, Self::Library, Self::ThirdParty];

    /// Whether trace events of one name can be in different groups: their arguments decide.
    #[must_use]
    pub const fn is_by_address(self) -> bool {
        matches!(self, Self::File | Self::ThirdParty)
    }

    /// What stands for the functions that have nothing of the kind.
    const fn nothing(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Category => "(no category)",
            Self::File => "(no file)",
            Self::Library => "(no library)",
            Self::ThirdParty => "(no site)",
        }
    }
}

/// The groups of a recording. They have the same numbers in all its trees.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    grouping: Grouping,
    names: Vec<String>,
    /// The group of each function of a view, see [`super::func_name`]; empty if the category decides.
    of_func: Vec<u32>,
    /// Of trace events and calls, the groups of roots and of functions.
    of_entries: Option<[HashMap<u32, u32>; 2]>,
}

/// Gives groups their numbers.
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
    /// The groups of all functions of a tree; `None` without grouping.
    ///
    /// Trace events and calls are in the groups of DevTools: kinds of work, and the addresses that the first entry of a node
    /// names.
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
        let nodes = &tree.nodes;
        let group = |func: u32, entry: EntryId, names: &mut Names| {
            let resource = || match profile.stacks.funcs.get(func as usize) {
                Some(_) => profile.stacks.resource(FuncId(func)).unwrap_or((ResourceKind::UNKNOWN, "")),
                None => (ResourceKind::UNKNOWN, ""),
            };
            let address = || if entry == NONE { String::new() } else { event_address(profile, entries, entry) };
            names.number(match grouping {
                Grouping::None => String::new(),
                Grouping::Category => work_of(profile, func).name().to_owned(),
                Grouping::File => address(),
                Grouping::Library => resource().1.to_owned(),
                Grouping::ThirdParty => third_party(&address(), resource()),
            })
        };
        let first = |node: NodeId| tree.first_entry[node as usize];
        let of_root = |root: &NodeId| {
            if entries.is_grouped() {
                let number = nodes.category[*root as usize][1];
                return (*root, names.number(entries.group_name(number).to_owned()));
            }
            (*root, group(nodes.func[*root as usize], first(*root), &mut names))
        };
        let of_root = nodes.children(None).iter().map(of_root).collect();
        let mut first_of: HashMap<u32, EntryId> = HashMap::new();
        for (func, entry) in nodes.func.iter().zip(&tree.first_entry) {
            let known = first_of.entry(*func).or_insert(NONE);
            *known = (*known).min(*entry);
        }
        let mut first_of: Vec<(u32, EntryId)> = first_of.into_iter().collect();
        first_of.sort_unstable();
        let of_func = first_of.into_iter().map(|(func, entry)| (func, group(func, entry, &mut names))).collect();
        Self { grouping, names: names.names, of_func: Vec::new(), of_entries: Some([of_root, of_func]) }
    }

    fn of_samples(profile: &Profile, grouping: Grouping) -> Option<Self> {
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
        // Most functions share source and resource with many others.
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
        Some(Self { grouping, names: names.names, of_func, of_entries: None })
    }

    /// The group of a root of the call tree.
    #[must_use]
    pub fn of_root(&self, nodes: &CallNodes, root: NodeId) -> u32 {
        match &self.of_entries {
            Some([of_root, _]) => of_root.get(&root).copied().unwrap_or(u32::MAX),
            None => self.group(nodes, root),
        }
    }

    /// The group of the function of a node, as a root of the bottom-up tree.
    #[must_use]
    pub fn of_leaf(&self, nodes: &CallNodes, node: NodeId) -> u32 {
        match &self.of_entries {
            Some([_, of_func]) => of_func.get(&nodes.func[node as usize]).copied().unwrap_or(u32::MAX),
            None => self.group(nodes, node),
        }
    }

    fn group(&self, nodes: &CallNodes, node: NodeId) -> u32 {
        match self.grouping {
            Grouping::Category => u32::from(nodes.category[node as usize][0]),
            _ => self.of_func.get(nodes.func[node as usize] as usize).copied().unwrap_or(u32::MAX),
        }
    }

    /// The name of a group; empty for the functions that have nothing of the kind.
    #[must_use]
    pub fn name(&self, group: u32) -> &str {
        self.names.get(group as usize).map_or("", String::as_str)
    }

    /// The name of a group on screen.
    #[must_use]
    pub fn shown_name(&self, group: u32) -> &str {
        match self.name(group) {
            "" => self.grouping.nothing(),
            name => name,
        }
    }
}

/// A group of nodes of the first level of a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Its number in [`Groups`].
    pub group: u32,
    /// What its nodes cost with everything below them.
    pub total: Cost,
    /// What its nodes cost themselves.
    pub own: Cost,
    /// Its nodes, in the order given.
    pub nodes: Vec<NodeId>,
}

/// Puts nodes into groups, the most costly group first. Each node comes with its group, its total and its own cost.
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

/// Who made a function: its add-on, or the site of its file or resource.
pub(super) fn third_party(file: &str, (kind, resource): (ResourceKind, &str)) -> String {
    match kind {
        ResourceKind::ADDON => resource.to_owned(),
        ResourceKind::LIBRARY => String::new(),
        _ => match site(file) {
            "" => site(resource),
            site => site,
        }
        .to_owned(),
    }
}

/// The site of an address: the last two labels of its host, three if the second one is general, as in `bbc.co.uk`. Hosts
/// without names and those of add-ons are whole. Empty for addresses of other kinds: files, and parts of the browser.
#[must_use]
pub fn site(url: &str) -> &str {
    let Some((scheme, rest)) = url.split_once("://") else { return "" };
    let is_addon = scheme.ends_with("-extension");
    if !is_addon && !["http", "https", "ws", "wss"].contains(&scheme) {
        return "";
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = &rest[..end];
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if is_addon {
        return host;
    }
    if host.starts_with('[') {
        return host.find(']').map_or(host, |end| &host[..=end]);
    }
    let host = host.split_once(':').map_or(host, |(host, _)| host).trim_end_matches('.');
    let is_address = host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let starts = || host.rmatch_indices('.').map(|(dot, _)| dot + 1);
    let Some(second) = starts().nth(1).filter(|_| !is_address) else { return host };
    let mut labels = host[second..].split('.');
    let is_general = labels.next().is_some_and(|label| GENERAL.contains(&label));
    let is_country = labels.next().is_some_and(|label| label.len() == 2);
    if is_general && is_country { starts().nth(2).map_or(host, |third| &host[third..]) } else { &host[second..] }
}

/// Labels below those of countries under which anybody can register a name.
const GENERAL: [&str; 10] = ["ac", "co", "com", "edu", "gov", "ne", "net", "or", "org", "go"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_what_can_be_registered() {
        for (url, expected) in [
            ("https://www.example.com/a.js?b=//c.d", "example.com"),
            ("https://example.com", "example.com"),
            ("http://user@a.b.c.net:8080/x", "c.net"),
            ("https://static.bbc.co.uk/x.js", "bbc.co.uk"),
            ("https://bbc.co.uk/", "bbc.co.uk"),
            ("https://co.uk/", "co.uk"),
            ("http://localhost:3000/main.js", "localhost"),
            ("http://192.168.0.1/x", "192.168.0.1"),
            ("http://[::1]:80/x", "[::1]"),
            ("http://[::1", "[::1"),
            ("https://ends.with.dot./", "with.dot"),
            ("file:///home/x.js", ""),
            ("resource://gre/modules/a.jsm", ""),
            ("moz-extension://1f2e-3d/background.js", "1f2e-3d"),
            ("/usr/lib/libc.so", ""),
            ("", ""),
            ("://", ""),
        ] {
            assert_eq!(site(url), expected, "{url}");
        }
    }

    #[test]
    fn third_parties_are_addons_and_sites() {
        let of = |file, kind, name| third_party(file, (kind, name));
        assert_eq!(of("moz-extension://0-1/a.js", ResourceKind::ADDON, "Blocker"), "Blocker");
        assert_eq!(of("https://cdn.example.com/a.js", ResourceKind::WEBHOST, "https://x.org"), "example.com");
        assert_eq!(of("", ResourceKind::WEBHOST, "https://www.x.org"), "x.org");
        assert_eq!(of("", ResourceKind::LIBRARY, "libxul.so"), "");
        assert_eq!(of("a.js", ResourceKind::UNKNOWN, ""), "");
    }
}
