//! Card lines for a marker's network request: data joined from all of its events, and its phases.

use flowline_format::{format_bytes_exact, format_duration_ns};
use flowline_index::Index;
use flowline_index::network::{NetworkRequest, Outcome, PhaseKind};
use flowline_profile::MarkerId;

/// The phases of a request with their durations, each kind once, in time order; then the time outside all phases.
#[must_use]
pub fn phase_lines(request: &NetworkRequest) -> Vec<(&'static str, String)> {
    let lengths = request.lengths().into_iter().filter(|(_, length)| length.0 != 0);
    lengths.map(|(kind, length)| (kind.title(), format_duration_ns(length.0))).collect()
}

/// Phases as text: "12 ms waiting for the first byte, 3 ms receiving"; empty without phases.
#[must_use]
pub fn phases_text(phases: &[(PhaseKind, i64)]) -> String {
    let parts: Vec<String> =
        phases.iter().map(|(kind, ns)| format!("{} {}", format_duration_ns(*ns), kind.activity_text())).collect();
    parts.join(", ")
}

/// The lines of a marker's request that the marker's own fields do not contain. Empty for markers without a request,
/// and until requests have been derived.
pub(super) fn lines(index: &Index, marker: MarkerId) -> Vec<(String, String)> {
    let Some(network) = index.network_if_built() else { return Vec::new() };
    let Some((id, request)) = network.request_of(marker).and_then(|id| Some((id, network.get(id)?))) else {
        return Vec::new();
    };
    let is_joined = !network.are_markers() || network.markers(id).len() > 1;
    let mut lines: Vec<(String, String)> = Vec::new();
    let mut add = |label: &str, value: String| {
        if !value.is_empty() {
            lines.push((label.to_owned(), value));
        }
    };
    // The only marker of a request of Firefox already contains these fields.
    if is_joined {
        add("Request", format!("{} {}", request.method, request.url).trim().to_owned());
        let took = format_duration_ns(request.duration().0);
        let error = if request.error.is_empty() { String::new() } else { format!(": {}", request.error) };
        add("Request duration", format!("{took}, {}{error}", request.outcome.name()));
        add("Status", request.status.map_or_else(String::new, |status| status.to_string()));
        add("Content", [request.resource.as_str(), &request.mime].join(" ").trim().to_owned());
        add("Protocol", request.protocol.clone());
        add("Priority", request.priorities());
        add("Render blocking", request.render_blocking.clone());
        let bytes =
            |bytes: Option<i64>| bytes.map_or_else(String::new, |bytes| format_bytes_exact(bytes.unsigned_abs()));
        add("Received", bytes(request.encoded_bytes));
        add("Content size", bytes(request.decoded_bytes));
        add("From cache", request.cache.clone());
        add("Initiator", request.initiator_location(index.profile()));
        let redirects = request.redirects.iter().map(|redirect| redirect.url.as_str());
        add("Redirected from", redirects.collect::<Vec<_>>().join("\n"));
    } else if request.outcome == Outcome::Failed {
        add("Failed", request.error.clone());
    }
    for (title, length) in phase_lines(request) {
        add(title, length);
    }
    let early: Vec<(PhaseKind, i64)> = request.preconnect.iter().map(|phase| (phase.kind, phase.length().0)).collect();
    add("Before the request", phases_text(&early));
    if request.has_bad_clock {
        add("Clock mismatch", "the times of the phases are inconsistent".to_owned());
    }
    lines
}
