//! How quickly the document arrived: redirects, the server, compression.

use super::requested::{NO_DOCUMENT, NO_HEADERS, NO_TIMING, Requested, document, hard, union};
use crate::insights::context::{Context, Period};
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::Rule;
use crate::requests::Headers;
use flowline_format::{format_bytes, format_duration_ns};
use flowline_index::network::{Phase, PhaseKind};
use flowline_profile::{Ns, Profile, TimeRange};

/// A server that takes longer is slow.
const SLOW: Ns = Ns(600_000_000);
/// A server could take this long.
const USUAL: Ns = Ns(100_000_000);
/// Savings below this many bytes do not matter.
const LEAST_BYTES: f64 = 1_400.0;
const MS: i64 = 1_000_000;
/// Headers that state the compression.
const ENCODING_HEADERS: [&str; 3] =
    ["content-encoding", "x-content-encoding-over-network", "x-original-content-encoding"];
/// Types of text, other than HTML, CSS and scripts with their usual type, that become smaller by half.
const TEXTS: [&str; 20] = [
    "application/javascript",
    "application/json",
    "application/manifest+json",
    "application/vnd.api+json",
    "application/xml",
    "application/xhtml+xml",
    "application/rss+xml",
    "application/atom+xml",
    "application/vnd.ms-fontobject",
    "application/x-font-ttf",
    "application/x-font-opentype",
    "application/x-font-truetype",
    "image/svg+xml",
    "image/x-icon",
    "image/vnd.microsoft.icon",
    "font/ttf",
    "font/eot",
    "font/otf",
    "font/opentype",
    "text/x-component",
];

/// See the module.
pub(super) struct DocumentLatencyRule;

/// Facts of the request that the rule judges.
struct Latency {
    server: Ns,
    redirect: Ns,
    /// Bytes that compression would have saved; unknown without the headers or the size.
    wasted: Result<f64, &'static str>,
}

impl Latency {
    fn is_slow(&self) -> bool {
        self.server > SLOW
    }

    /// Time that would be saved without the redirects and with a usual server.
    fn saving(&self) -> Ns {
        let server = if self.is_slow() { self.server - USUAL } else { Ns(0) };
        self.redirect + server
    }
}

impl Rule for DocumentLatencyRule {
    fn name(&self) -> InsightName {
        InsightName::DocumentLatency
    }

    fn evaluate(&self, context: &Context<'_>, period: &Period<'_>) -> Option<Finding> {
        hard(period)?;
        let Some(document) = document(context, period) else { return Some(Finding::unknown(NO_DOCUMENT)) };
        let request = document.request;
        let Some(server) = request.length_of(PhaseKind::Waiting) else { return Some(Finding::unknown(NO_TIMING)) };
        let latency = Latency {
            server: whole_ms(server),
            redirect: request.length_of(PhaseKind::Redirect).unwrap_or(Ns(0)),
            wasted: wasted_bytes(context.profile(), &document),
        };
        let is_direct = latency.redirect <= Ns(0);
        let is_compressed = latency.wasted.map(|wasted| wasted == 0.0);
        let state = match (is_direct && !latency.is_slow(), is_compressed) {
            (false, _) | (_, Ok(false)) => InsightState::Fail,
            (true, Err(_)) => InsightState::Unknown,
            (true, Ok(true)) => InsightState::Pass,
        };
        let failed = [
            (!is_direct, PhaseKind::Redirect),
            (latency.is_slow(), PhaseKind::Waiting),
            (is_compressed == Ok(false), PhaseKind::Download),
        ];
        let parts = request.phases.iter().filter(|phase| failed.contains(&(true, phase.kind)));
        let times = |phase: &Phase| TimeRange::new(phase.start, phase.end);
        let finding = Finding {
            unknown: latency.wasted.err().map(str::to_owned).into_iter().collect(),
            range: union(parts.map(times)),
            late: document.fact.finish.or(Some(request.marker)),
            data: vec![
                ("server_response_ns", Fact::Duration(latency.server)),
                ("redirect_ns", Fact::Duration(latency.redirect)),
                ("wasted_bytes", Fact::known(latency.wasted.ok(), Fact::Bytes)),
                ("saving_ns", Fact::Duration(latency.saving())),
                ("no_redirects", Fact::Flag(is_direct)),
                ("fast", Fact::Flag(!latency.is_slow())),
                ("compressed", Fact::known(is_compressed.ok(), Fact::Flag)),
                ("request", Fact::Url(request.url.clone())),
            ],
            ..Finding::new(state, summary(&latency))
        };
        let markers = request.redirects.iter().map(|redirect| redirect.marker).chain([request.marker]);
        Some(finding.with_markers(markers))
    }
}

/// Reason without the size of the document.
const NO_SIZE: &str = "the size of the document is not in the recording";

/// Rounded to milliseconds, as servers are compared.
fn whole_ms(time: Ns) -> Ns {
    Ns((time.0.saturating_add(MS / 2)).div_euclid(MS) * MS)
}

/// Estimated bytes that compression would have saved; the reason if they are unknown.
fn wasted_bytes(profile: &Profile, document: &Requested<'_>) -> Result<f64, &'static str> {
    let headers = document.fact.response.and_then(|response| Headers::read(profile, response));
    let mut encodings = ENCODING_HEADERS.iter().map(|name| headers.as_ref()?.get(name));
    let is_compression = |name: &str| {
        let names = ["gzip", "br", "deflate", "zstd"];
        names.iter().any(|known| name.trim().eq_ignore_ascii_case(known))
    };
    if encodings.any(|value| value.is_some_and(|value| value.split(',').any(is_compression))) {
        return Ok(0.0);
    }
    let share = match document.request.mime.as_str() {
        "text/css" => 0.8,
        "text/html" | "text/javascript" => 0.67,
        "text/plain" | "text/xml" => 0.5,
        other if TEXTS.contains(&other) => 0.5,
        _ => 0.0,
    };
    if share == 0.0 {
        return Ok(0.0);
    }
    let size = document.request.decoded_bytes.and_then(|bytes| i32::try_from(bytes).ok()).ok_or(NO_SIZE)?;
    let wasted = (f64::from(size) * share).round();
    match headers {
        _ if wasted < LEAST_BYTES => Ok(0.0),
        None => Err(NO_HEADERS),
        Some(_) => Ok(wasted),
    }
}

fn summary(latency: &Latency) -> String {
    let mut parts = vec![format!("The server took {}", format_duration_ns(latency.server.0))];
    if latency.redirect > Ns(0) {
        parts.push(format!("redirects {}", format_duration_ns(latency.redirect.0)));
    }
    match latency.wasted {
        Ok(wasted) if wasted > 0.0 => parts.push(format!("not compressed: about {} too many", format_bytes(wasted))),
        Ok(_) => {}
        Err(_) => parts.push("compression not recorded".to_owned()),
    }
    parts.join(", ")
}
