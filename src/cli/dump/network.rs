//! `flowline dump network`: one line per network request.

use std::io::Write;

use serde_json::{Map, Value, json};

use flowline_index::Index;
use flowline_index::network::{NetworkRequest, Redirect};
use flowline_index::search::Hits;
use flowline_profile::Profile;

/// Writes the requests in start order; with a search, only requests with a matching marker.
pub(super) fn requests(out: &mut impl Write, index: &Index, hits: Option<&Hits>) -> std::io::Result<()> {
    let (profile, network) = (index.profile(), index.network());
    for (id, request) in network.iter() {
        let is_hit =
            |hits: &Hits, marker| profile.locate(marker).is_some_and(|(thread, local)| hits.contains(thread, local));
        let is_found = |hits: &Hits| network.markers(id).iter().any(|marker| is_hit(hits, *marker));
        if hits.is_none_or(is_found) {
            writeln!(out, "{}", line(profile, request))?;
        }
    }
    Ok(())
}

/// Returns a text, or null if it is empty.
fn known(text: &str) -> Value {
    if text.is_empty() { Value::Null } else { text.into() }
}

fn line(profile: &Profile, request: &NetworkRequest) -> Value {
    let mut phases = Map::new();
    for phase in &request.phases {
        let length = request.length_of(phase.kind).map_or(0, |length| length.0);
        phases.insert(phase.kind.name().to_owned(), length.into());
    }
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
        "render_blocking": known(&request.render_blocking),
        "initiator": known(&request.initiator),
        "pid": profile.processes[request.process.index()].pid.as_str(),
        "marker": request.marker.0,
        "start_ns": request.start.0,
        "end_ns": request.end.0,
        "outcome": request.outcome.name(),
        "error": known(&request.error),
        "cache": known(&request.cache),
        "phases": phases,
        "encoded_bytes": request.encoded_bytes,
        "decoded_bytes": request.decoded_bytes,
        "redirected_to": known(&request.redirected_to),
        "redirects": request.redirects.iter().map(redirect).collect::<Vec<_>>(),
    })
}
