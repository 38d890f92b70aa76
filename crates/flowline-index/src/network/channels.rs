//! Channels of Firefox: a request of a page is recorded by the page's process and, with more detail, by the parent
//! process. Both recordings have the same id, which the browser gives out once; without ids, the same URL and start.
//!
//! The joined request has the phases of the parent process and belongs to the process of the page. It is queued from
//! the page's call until the parent process takes it, and processed until the page has its end.

use std::collections::BTreeMap;

use super::phase::{Phase, PhaseKind};
use super::request::{NetworkRequest, Outcome};
use flowline_profile::{MarkerId, Ns, ProcessId};

/// Starts of two processes that differ by less are the same moment: their clocks are aligned by rounded times.
const SAME_TIME: Ns = Ns(100_000);

/// A request as one process recorded it.
#[derive(Debug)]
pub(super) struct Recorded {
    pub(super) request: NetworkRequest,
    /// Id of its channel.
    pub(super) channel: Option<i64>,
}

/// Joins the recordings of channels. Returns requests with their markers, those of the page's process first.
pub(super) fn join(all: Vec<Recorded>, parent: Option<ProcessId>) -> Vec<(NetworkRequest, Vec<MarkerId>)> {
    let is_parent = |own: &Recorded| Some(own.request.process) == parent;
    let (mut parents, pages): (Vec<Recorded>, Vec<Recorded>) = all.into_iter().partition(is_parent);
    parents.sort_by_key(|own| (own.request.start, own.request.marker));
    let mut open = OpenChannels::new(parents);
    let mut pages = pages;
    pages.sort_by_key(|own| (own.request.start, own.request.marker));
    let mut found: Vec<(NetworkRequest, Vec<MarkerId>)> = Vec::new();
    for page in pages {
        found.push(match open.take(&page) {
            Some(parent) => {
                let markers = vec![page.request.marker, parent.marker];
                (joined(parent, page.request), markers)
            }
            None => alone(page.request),
        });
    }
    found.extend(open.parents.into_iter().flatten().map(|own| alone(own.request)));
    found
}

fn alone(request: NetworkRequest) -> (NetworkRequest, Vec<MarkerId>) {
    let markers = vec![request.marker];
    (request, markers)
}

/// The recordings of the parent process that no page has taken yet.
struct OpenChannels {
    parents: Vec<Option<Recorded>>,
    by_channel: BTreeMap<i64, Vec<usize>>,
    by_url: BTreeMap<String, Vec<usize>>,
}

impl OpenChannels {
    fn new(parents: Vec<Recorded>) -> Self {
        let (mut by_channel, mut by_url) = (BTreeMap::<_, Vec<usize>>::new(), BTreeMap::<_, Vec<usize>>::new());
        for (at, own) in parents.iter().enumerate() {
            match own.channel {
                Some(channel) => by_channel.entry(channel).or_default().push(at),
                None => by_url.entry(own.request.url.clone()).or_default().push(at),
            }
        }
        Self { parents: parents.into_iter().map(Some).collect(), by_channel, by_url }
    }

    /// The parent's recording of a request. A channel that is redirected within the parent process has several: the one
    /// with the same URL is preferred.
    fn take(&mut self, page: &Recorded) -> Option<NetworkRequest> {
        let own = &page.request;
        let same = match page.channel {
            Some(channel) => self.by_channel.get(&channel),
            None => self.by_url.get(&own.url),
        };
        let open = same.into_iter().flatten().filter_map(|at| Some((*at, &self.parents[*at].as_ref()?.request)));
        let fits = |other: &NetworkRequest| match page.channel {
            Some(_) => other.url == own.url || (other.start < own.end && own.start < other.end),
            None => (other.start - own.start).0.abs() < SAME_TIME.0,
        };
        let distance = |other: &NetworkRequest| (other.start - own.start).0.saturating_abs();
        let best = open.filter(|(_, other)| fits(other));
        let (at, _) = best.min_by_key(|(_, other)| (other.url != own.url, distance(other)))?;
        self.parents[at].take().map(|own| own.request)
    }
}

/// One request from the recordings of the parent process and of the page's process.
fn joined(parent: NetworkRequest, page: NetworkRequest) -> NetworkRequest {
    let (process, marker) = (page.process, page.marker);
    if parent.outcome == Outcome::Unfinished && page.outcome != Outcome::Unfinished {
        let start = page.start.min(parent.start);
        return completed(NetworkRequest { start, ..page }, &parent);
    }
    let mut own = completed(NetworkRequest { process, marker, ..parent }, &page);
    if page.start.0.saturating_add(SAME_TIME.0) < own.start.0 {
        own.phases.insert(0, Phase { kind: PhaseKind::Queued, start: page.start, end: own.start });
        own.start = page.start;
    }
    if page.outcome != Outcome::Unfinished {
        own.outcome = page.outcome;
        if page.outcome == Outcome::Failed && own.error.is_empty() {
            own.error = page.error;
        }
        wait_for_page(&mut own, page.end);
    }
    own
}

/// Extends a request to the moment at which the page has its end.
fn wait_for_page(own: &mut NetworkRequest, end: Ns) {
    if end <= own.end {
        return;
    }
    let before = own.end;
    match own.phases.last_mut() {
        Some(last) if last.kind == PhaseKind::Processing && last.end == before => last.end = end,
        // Nothing is known about the end of a request without a response.
        Some(last) if matches!(last.kind, PhaseKind::Download) && last.end == before => {
            own.phases.push(Phase { kind: PhaseKind::Processing, start: before, end });
        }
        _ => {}
    }
    own.end = end;
}

/// Fills in the values that one process did not record.
fn completed(own: NetworkRequest, other: &NetworkRequest) -> NetworkRequest {
    let text = |own: String, other: &String| if own.is_empty() { other.clone() } else { own };
    NetworkRequest {
        method: text(own.method, &other.method),
        mime: text(own.mime, &other.mime),
        protocol: text(own.protocol, &other.protocol),
        priority: text(own.priority, &other.priority),
        cache: text(own.cache, &other.cache),
        redirected_to: text(own.redirected_to, &other.redirected_to),
        status: own.status.or(other.status),
        encoded_bytes: own.encoded_bytes.or(other.encoded_bytes),
        ..own
    }
}
