//! Requests with their facts, and the request of a navigation's document.

use crate::insights::context::{Context, Period};
use crate::page::Navigation;
use crate::requests::{RequestFact, RequestFacts};
use flowline_index::Derived;
use flowline_index::network::{NetworkRequest, NetworkRequestId};
use flowline_profile::{MarkerId, Ns, TimeRange};

/// Reason without the request of the document.
pub(super) const NO_DOCUMENT: &str =
    "the request of the document is not in the recording: record the category devtools.timeline";
/// Reason without the headers of the document's response.
pub(super) const NO_HEADERS: &str = "the headers of the document's response are not in the recording";
/// Reason without the times of the document's response.
pub(super) const NO_TIMING: &str = "the response of the document has no times";

/// A request with its facts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Requested<'a> {
    pub(super) id: NetworkRequestId,
    pub(super) request: &'a NetworkRequest,
    pub(super) fact: &'a RequestFact,
}

impl Requested<'_> {
    /// From its start, with redirects, to its end.
    pub(super) fn times(&self) -> TimeRange {
        TimeRange { start: self.request.start, end: self.request.end }
    }

    /// The marker at which it had arrived; the one that sent it if that is not recorded.
    pub(super) fn arrival(&self) -> MarkerId {
        self.fact.finish.unwrap_or(self.request.marker)
    }

    /// Time at which the first byte arrived. Files have no response headers.
    pub(super) fn first_byte(&self) -> Option<Ns> {
        if self.request.url.starts_with("file:") { Some(self.request.start) } else { self.fact.first_byte }
    }

    /// True if the page could paint nothing before the request had ended.
    pub(super) fn is_render_blocking(&self) -> bool {
        let request = self.request;
        match request.render_blocking.as_str() {
            "" | "non_blocking" | "dynamically_injected_non_blocking" | "potentially_blocking" => false,
            "in_body_parser_blocking" => {
                let is_script = request.resource == "Script";
                request.priority == "VeryHigh" || is_script && request.priority == "High"
            }
            _ => true,
        }
    }
}

/// The requests that begin in a period, with their facts, by start.
pub(super) fn requested<'a>(context: &Context<'a>, period: &Period<'a>) -> impl Iterator<Item = Requested<'a>> {
    let facts = RequestFacts::of(context.index);
    period.numbered_requests(context).filter_map(|(id, request)| Some(Requested { id, request, fact: facts.get(id)? }))
}

/// The request of the document of a period's navigation.
pub(super) fn document<'a>(context: &Context<'a>, period: &Period<'a>) -> Option<Requested<'a>> {
    let facts = RequestFacts::of(context.index);
    let id = facts.find(hard(period)?.id.as_deref()?)?;
    Some(Requested { id, request: context.index.network().get(id)?, fact: facts.get(id)? })
}

/// The navigation of a period, if it loads a new document.
pub(super) fn hard<'a>(period: &Period<'a>) -> Option<&'a Navigation> {
    period.navigation.filter(|own| !own.is_soft)
}

/// The time from the first start to the last end.
pub(super) fn union(ranges: impl Iterator<Item = TimeRange>) -> Option<TimeRange> {
    ranges.reduce(TimeRange::union)
}
