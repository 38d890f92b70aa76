//! Network requests of real recordings, compared with the engine of Chrome DevTools, if available.

use std::collections::BTreeMap;

use flowline::index::network::{Network, NetworkRequest, Outcome, PhaseKind};
use flowline::profile::{Ns, Profile};
use serde_json::Value;

use crate::recording::real::{list, open, shared};

/// A time of the engine, in nanoseconds.
fn us(value: &Value) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "recording times fit")]
    let ns = (value.as_f64().expect("a number") * 1e3).round() as i64;
    ns
}

/// Compares a recording with the facts of a file. Returns the number of requests.
fn agree(profile: &Profile, expected: &Value, name: &str) -> usize {
    const TOLERANCE: i64 = 2000;
    let found = Network::build(profile);
    let mut by_url: BTreeMap<&str, Vec<&NetworkRequest>> = BTreeMap::new();
    found.requests().iter().for_each(|request| by_url.entry(&request.url).or_default().push(request));
    let all = list(expected, "network");
    for fact in all {
        let url = fact["url"].as_str().expect("an address");
        let near = |request: &&&NetworkRequest| (request.start.0 - us(&fact["start_us"])).abs() <= TOLERANCE;
        let candidates = by_url.get(url).into_iter().flatten().filter(near);
        let end = us(&fact["end_us"]);
        let Some(request) = candidates.min_by_key(|request| (request.end.0 - end).abs()) else {
            panic!("{name}: {url} at {} is missing", fact["start_us"]);
        };
        let is_finished = fact["finished"] == true;
        assert!(!is_finished || (request.end.0 - end).abs() <= TOLERANCE, "{name}: end of {url}");
        assert_eq!(request.outcome == Outcome::Unfinished, !is_finished, "{name}: {url}");
        assert_eq!(request.outcome == Outcome::Failed, fact["failed"] == true, "{name}: {url}");
        let process = &profile.processes[request.process.index()];
        assert_eq!(process.pid, fact["pid"].to_string(), "{name}: {url}");
        for (key, mine) in
            [("priority", &request.priority), ("renderBlocking", &request.render_blocking), ("mimeType", &request.mime)]
        {
            assert_eq!(fact[key].as_str().unwrap_or_default(), mine, "{name}: {key} of {url}");
        }
        assert_eq!(list(fact, "redirects").len(), request.redirects.len(), "{name}: {url}");
        let kinds = [
            (PhaseKind::Redirect, "redirection_us"),
            (PhaseKind::Queued, "queueing_us"),
            (PhaseKind::Stalled, "stalled_us"),
            (PhaseKind::Dns, "dns_us"),
            (PhaseKind::Connect, "connect_us"),
            (PhaseKind::Tls, "ssl_us"),
            (PhaseKind::Sent, "requestSent_us"),
            (PhaseKind::Waiting, "waiting_us"),
            (PhaseKind::Download, "download_us"),
        ];
        for (kind, key) in kinds.into_iter().filter(|_| is_finished && fact["hasResponse"] == true) {
            let mine = request.length_of(kind).unwrap_or(Ns(0)).0;
            assert!((mine - us(&fact[key])).abs() <= TOLERANCE, "{name}: {key} of {url}: {mine}, {}", fact[key]);
        }
    }
    all.len()
}

#[test]
fn requests_match_devtools() {
    let mut compared = 0;
    for name in ["chromium-156-2s", "devtools-web-dev", "lighthouse-load", "rec-a-annotated", "chrome-69-simple"] {
        let facts = shared(&format!("cases/real/{name}-devtools.expected.json"));
        let Some((facts, trace)) = facts.zip(shared(&format!("traces/{name}.json.gz"))) else { continue };
        let expected = serde_json::from_slice(&std::fs::read(facts).expect("readable")).expect("JSON");
        compared += agree(&open(&trace).expect("a trace"), &expected, name);
    }
    for name in ["s4-network", "s6-modifications"] {
        let facts = shared(&format!("cases/devtools/{name}-devtools.expected.json"));
        let Some((facts, trace)) = facts.zip(shared(&format!("cases/devtools/{name}.json"))) else { continue };
        let expected = serde_json::from_slice(&std::fs::read(facts).expect("readable")).expect("JSON");
        compared += agree(&open(&trace).expect("a trace"), &expected, name);
    }
    if shared("traces").is_some() {
        assert!(compared > 150, "{compared}");
    }
}
