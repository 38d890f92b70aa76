//! Requests that waited for long: for a connection, or for the first byte of the response.

use super::functions::count;
use super::quiet::quiet;
use crate::insights::context::Context;
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::ThreadRule;
use flowline_format::{format_counted, format_duration_ns};
use flowline_index::network::{NetworkRequest, PhaseKind};
use flowline_profile::{Ns, ThreadId, TimeRange};

/// A longer way to the connection is listed.
const SLOW_CONNECTION: Ns = Ns(100_000_000);
/// A longer wait for the first byte is listed.
const SLOW_SERVER: Ns = Ns(600_000_000);
/// The phases before a request is sent, with the names of their facts.
const BEFORE: [(PhaseKind, &str); 5] = [
    (PhaseKind::Queued, "queued_ns"),
    (PhaseKind::Stalled, "blocked_ns"),
    (PhaseKind::Dns, "dns_ns"),
    (PhaseKind::Connect, "connect_ns"),
    (PhaseKind::Tls, "tls_ns"),
];

/// See the module.
pub(super) struct NetworkWaitsRule;

/// The waits of a request.
struct Waits<'a> {
    request: &'a NetworkRequest,
    before: [Ns; BEFORE.len()],
    server: Ns,
}

impl<'a> Waits<'a> {
    fn new(request: &'a NetworkRequest) -> Self {
        let segments = request.segments();
        let length = |kind: PhaseKind| {
            let own = segments.iter().filter(|segment| segment.kind == kind);
            Ns(own.fold(0_i64, |sum, segment| sum.saturating_add((segment.end - segment.start).0)))
        };
        Self { request, before: BEFORE.map(|(kind, _)| length(kind)), server: length(PhaseKind::Waiting) }
    }

    fn connection(&self) -> Ns {
        self.before.iter().fold(Ns(0), |sum, own| sum + *own)
    }

    fn is_slow(&self) -> bool {
        self.connection() > SLOW_CONNECTION || self.server > SLOW_SERVER
    }

    fn longest(&self) -> Ns {
        self.connection().max(self.server)
    }

    fn fact(&self) -> Fact {
        let mut facts = vec![
            ("url", Fact::Url(self.request.url.clone())),
            ("start_ns", Fact::Moment(self.request.start)),
            ("end_ns", Fact::Moment(self.request.end)),
        ];
        facts.extend(BEFORE.iter().zip(self.before).map(|((_, name), length)| (*name, Fact::Duration(length))));
        facts.push(("waiting_ns", Fact::Duration(self.server)));
        facts.push(("marker", Fact::Marker(self.request.marker)));
        Fact::Group(facts)
    }
}

impl ThreadRule for NetworkWaitsRule {
    fn name(&self) -> InsightName {
        InsightName::NetworkWaits
    }

    fn evaluate(&self, context: &Context<'_>, id: ThreadId) -> Option<Finding> {
        let process = context.profile().thread(id).process;
        let requests = context.index.network().requests().iter().filter(|request| request.process == process);
        let all: Vec<Waits<'_>> = requests.map(Waits::new).collect();
        if all.is_empty() {
            return quiet(context, id, Finding::unknown("no requests in the recording"));
        }
        let slow: Vec<&Waits<'_>> = all.iter().filter(|waits| waits.is_slow()).collect();
        let Some(longest) = slow.iter().max_by_key(|waits| waits.longest()) else {
            return quiet(context, id, Finding::new(InsightState::Pass, "No request waited for long"));
        };
        let data = vec![
            ("count", count(slow.len())),
            ("requests", Fact::List(slow.iter().map(|waits| waits.fact()).collect())),
        ];
        let number = format_counted(slow.len() as u64, "request");
        let (length, name) = (format_duration_ns(longest.longest().0), longest.request.short_name());
        let summary = format!("{number} waited for long, {name} for {length}");
        let times = slow.iter().map(|waits| TimeRange::new(waits.request.start, waits.request.end));
        let (range, late) = (times.reduce(TimeRange::union), Some(longest.request.marker));
        let finding = Finding { range, late, data, ..Finding::new(InsightState::Informative, summary) };
        Some(finding.with_markers(slow.iter().map(|waits| waits.request.marker)))
    }
}
