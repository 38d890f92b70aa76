//! The tree of critical requests below a document.
//!
//! The parent of a request is the latest of the requests that its initiator names, if their address is unambiguous;
//! otherwise it is the document. A request hangs in the tree if all requests above it are critical.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::requested::Requested;
use flowline_format::format_count;

/// At most this many links of chains are listed.
const MAX_LINKS: usize = 20_000;

/// Paths from the document to the leaves of the tree: positions of requests.
#[derive(Clone, Debug, Default)]
pub(super) struct Chains {
    pub(super) list: Vec<Vec<usize>>,
    /// The chain whose last request ended last. It need not end at a leaf.
    pub(super) longest: Vec<usize>,
    left_out: usize,
}

impl Chains {
    /// Says that some chains are not listed.
    pub(super) fn left_out(&self) -> Option<String> {
        (self.left_out > 0).then(|| format!("chains that are not listed: {}", format_count(self.left_out as u64)))
    }
}

/// True if the page could not be shown without a request.
fn is_critical(own: &Requested<'_>, main_frame: &str) -> bool {
    let (request, fact) = (own.request, own.fact);
    let is_frame = request.resource == "Document" && fact.frame != main_frame;
    let is_fetch = ["fetch", "xmlhttprequest"].contains(&fact.fetch_kind.as_str());
    let is_other = ["Image", "EventSource", "XHR", "Fetch"].contains(&request.resource.as_str());
    let has_initiator = !request.initiator.is_empty() || !fact.callers.is_empty();
    let is_urgent = ["Medium", "High", "VeryHigh"].contains(&request.priority.as_str());
    let is_picture = request.mime.starts_with("image/");
    !(fact.is_link_preload || is_frame || is_fetch || is_other || is_picture)
        && has_initiator
        && (is_urgent || own.is_render_blocking())
}

/// The chains of requests; the document is the first one, the others follow by start.
pub(super) fn chains(all: &[Requested<'_>], main_frame: &str) -> Chains {
    let tree = Tree::new(all, main_frame);
    let inside = || (0..all.len()).filter(|at| tree.is_inside[*at]);
    let last = inside().max_by_key(|at| (all[*at].request.end, Reverse(*at)));
    let mut found = Chains { longest: last.map(|at| tree.path(at)).unwrap_or_default(), ..Chains::default() };
    let mut links = 0;
    for end in inside().filter(|at| !tree.has_children[*at]) {
        if links >= MAX_LINKS {
            found.left_out += 1;
            continue;
        }
        let chain = tree.path(end);
        links += chain.len();
        found.list.push(chain);
    }
    found
}

/// The tree, by position of the requests.
struct Tree {
    parents: Vec<Option<usize>>,
    is_inside: Vec<bool>,
    has_children: Vec<bool>,
}

impl Tree {
    fn new(all: &[Requested<'_>], main_frame: &str) -> Self {
        let mut by_url: BTreeMap<&str, Option<usize>> = BTreeMap::new();
        for (at, own) in all.iter().enumerate() {
            by_url.entry(&own.request.url).and_modify(|known| *known = None).or_insert(Some(at));
        }
        let nothing = || vec![false; all.len()];
        let mut tree = Self { parents: vec![None; all.len()], is_inside: nothing(), has_children: nothing() };
        // Parents come first, so one pass decides which requests hang in the tree.
        for (at, own) in all.iter().enumerate() {
            let parent = (at > 0).then(|| parent(at, own, &by_url));
            tree.is_inside[at] = parent.is_none_or(|parent| tree.is_inside[parent] && is_critical(own, main_frame));
            if let Some(parent) = parent.filter(|_| tree.is_inside[at]) {
                tree.parents[at] = Some(parent);
                tree.has_children[parent] = true;
            }
        }
        tree
    }

    /// From the document to a request.
    fn path(&self, end: usize) -> Vec<usize> {
        let mut path: Vec<usize> = std::iter::successors(Some(end), |at| self.parents[*at]).collect();
        path.reverse();
        path
    }
}

/// The latest of the requests that a request's initiator names and that began before it; otherwise the document.
fn parent(at: usize, own: &Requested<'_>, by_url: &BTreeMap<&str, Option<usize>>) -> usize {
    let (initiator, fact) = (own.request.initiator.as_str(), own.fact);
    let callers: &[String] = if fact.initiator_kind == "script" { &fact.callers } else { &[] };
    let find = |url: &str| by_url.get(url).copied().flatten().filter(|parent| *parent < at);
    let found = match initiator {
        "" => callers.iter().filter_map(|url| find(url)).max(),
        url => find(url),
    };
    found.unwrap_or(0)
}
