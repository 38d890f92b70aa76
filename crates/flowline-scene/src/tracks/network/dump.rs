//! `flowline dump network`: one line per network request, in start order.

use serde_json::{Map, Value, json};

use crate::tracks::DumpLine;
use flowline_index::Index;
use flowline_index::network::{NetworkRequest, Phase, PhaseKind, Redirect};
use flowline_profile::{Ns, Profile};

/// The requests with all their markers.
pub(super) fn requests(index: &Index) -> impl Iterator<Item = DumpLine> + '_ {
    let (profile, network) = (index.profile(), index.network());
    let line = |(id, request)| DumpLine { markers: network.markers(id).to_vec(), json: line(profile, request) };
    network.iter().map(line)
}

/// Returns a text, or null if it is empty.
fn known(text: &str) -> Value {
    if text.is_empty() { Value::Null } else { text.into() }
}

fn line(profile: &Profile, request: &NetworkRequest) -> Value {
    let lengths = |lengths: Vec<(PhaseKind, Ns)>| -> Map<String, Value> {
        lengths.into_iter().map(|(kind, length)| (kind.name().to_owned(), length.0.into())).collect()
    };
    let segment =
        |segment: Phase| json!({"phase": segment.kind.name(), "start_ns": segment.start.0, "end_ns": segment.end.0});
    let preconnect = request.preconnect.iter().map(|phase| (phase.kind, phase.length())).collect();
    let [initiator_line, initiator_column] = request.initiator_position;
    let redirect =
        |redirect: &Redirect| json!({"url": redirect.url, "start_ns": redirect.start.0, "end_ns": redirect.end.0});
    json!({
        "url": request.url,
        "method": known(&request.method),
        "status": request.status,
        "mime": known(&request.mime),
        "type": known(&request.resource),
        "protocol": known(&request.protocol),
        "priority": known(&request.priority),
        "initial_priority": known(&request.initial_priority),
        "render_blocking": known(&request.render_blocking),
        "initiator": known(&request.initiator),
        "initiator_line": initiator_line,
        "initiator_column": initiator_column,
        "pid": profile.processes[request.process.index()].pid.as_str(),
        "marker": request.marker.0,
        "start_ns": request.start.0,
        "end_ns": request.end.0,
        "outcome": request.outcome.name(),
        "error": known(&request.error),
        "cache": known(&request.cache),
        "phases": lengths(request.lengths()),
        "segments": request.segments().into_iter().map(segment).collect::<Vec<_>>(),
        "preconnect": lengths(preconnect),
        "encoded_bytes": request.encoded_bytes,
        "decoded_bytes": request.decoded_bytes,
        "redirected_to": known(&request.redirected_to),
        "redirects": request.redirects.iter().map(redirect).collect::<Vec<_>>(),
    })
}
