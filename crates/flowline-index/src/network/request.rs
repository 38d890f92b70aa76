//! A network request and its phases.

use super::phase::{Phase, PhaseKind};
use flowline_profile::{MarkerId, Ns, ProcessId, TimeRange};

/// The position of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NetworkRequestId(pub u32);

impl NetworkRequestId {
    pub(super) fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// The position in [`super::Network::requests`].
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A redirect: a URL that led to another URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The URL.
    pub url: String,
    /// Time at which this URL was requested.
    pub start: Ns,
    /// Time at which the next URL was requested.
    pub end: Ns,
    /// The marker of its start.
    pub marker: MarkerId,
}

/// The outcome of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The request finished.
    Finished,
    /// The request failed or was canceled.
    Failed,
    /// The recording does not contain the end of the request.
    #[default]
    Unfinished,
}

impl Outcome {
    /// Name in machine-readable output and in the UI.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Failed => "failed",
            Self::Unfinished => "unfinished",
        }
    }
}

/// A network request. Strings are empty if the recording does not contain the value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NetworkRequest {
    /// The last requested URL.
    pub url: String,
    /// Method, such as `GET`.
    pub method: String,
    /// Status code of the response.
    pub status: Option<i64>,
    /// MIME type of the content.
    pub mime: String,
    /// Resource type, such as `Script`; `WebSocket` for a `WebSocket` connection.
    pub resource: String,
    /// Protocol, such as `h2`.
    pub protocol: String,
    /// The final priority.
    pub priority: String,
    /// Render-blocking status, as reported by the browser.
    pub render_blocking: String,
    /// The cache that the response comes from; empty if it comes from the network.
    pub cache: String,
    /// The error of a failed request.
    pub error: String,
    /// URL of the initiator.
    pub initiator: String,
    /// Target URL of a request that ends with a redirect.
    pub redirected_to: String,
    /// Bytes received.
    pub encoded_bytes: Option<i64>,
    /// Bytes of the content after decoding.
    pub decoded_bytes: Option<i64>,
    /// The process that sent the request.
    pub process: ProcessId,
    /// The marker that represents the request.
    pub marker: MarkerId,
    /// Start, including redirects.
    pub start: Ns,
    /// End; the end of the recording for an unfinished request. Never before the start.
    pub end: Ns,
    /// The outcome.
    pub outcome: Outcome,
    /// Its phases, in their usual order.
    pub phases: Vec<Phase>,
    /// The URLs before the last one.
    pub redirects: Vec<Redirect>,
}

impl NetworkRequest {
    /// Adds a phase if both ends are known.
    pub(super) fn add(&mut self, kind: PhaseKind, start: Option<Ns>, end: Option<Ns>) {
        if let (Some(start), Some(end)) = (start, end) {
            self.phases.push(Phase { kind, start, end });
        }
    }

    /// Duration, including redirects.
    #[must_use]
    #[inline]
    pub fn duration(&self) -> Ns {
        self.end - self.start
    }

    /// Time at which the last URL was requested.
    #[must_use]
    #[inline]
    pub fn own_start(&self) -> Ns {
        self.redirects.last().map_or(self.start, |redirect| redirect.end.clamp(self.start, self.end))
    }

    /// Total duration of the phases of a kind; `None` if there are none.
    #[must_use]
    #[inline]
    pub fn length_of(&self, kind: PhaseKind) -> Option<Ns> {
        let lengths = self.phases.iter().filter(|phase| phase.kind == kind).map(Phase::length);
        lengths.reduce(|sum, length| sum + length)
    }

    /// The phases as they are drawn: within the request, in time order, without overlap. If phases overlap, the later
    /// kind is drawn.
    #[must_use]
    pub fn drawn_phases(&self) -> Vec<Phase> {
        let inside = |time: Ns| time.clamp(self.start, self.end);
        let phases =
            self.phases.iter().map(|phase| Phase { start: inside(phase.start), end: inside(phase.end), ..*phase });
        let phases: Vec<Phase> = phases.filter(|phase| phase.start < phase.end).collect();
        let mut edges: Vec<Ns> = phases.iter().flat_map(|phase| [phase.start, phase.end]).collect();
        edges.sort_unstable();
        edges.dedup();
        let mut drawn: Vec<Phase> = Vec::new();
        for edge in edges.windows(2) {
            let (start, end) = (edge[0], edge[1]);
            let here = phases.iter().filter(|phase| phase.start <= start && end <= phase.end);
            let Some(kind) = here.map(|phase| phase.kind).max() else { continue };
            match drawn.last_mut() {
                Some(last) if last.kind == kind && last.end == start => last.end = end,
                _ => drawn.push(Phase { kind, start, end }),
            }
        }
        drawn
    }

    /// The phases of the request within a range, each with its duration in the range in nanoseconds, in time order.
    #[must_use]
    pub fn phases_in(&self, range: TimeRange) -> Vec<(PhaseKind, i64)> {
        let mut found: Vec<(PhaseKind, i64)> = Vec::new();
        for phase in self.drawn_phases() {
            let common = phase.end.min(range.end).0.saturating_sub(phase.start.max(range.start).0);
            match found.iter_mut().find(|(kind, _)| *kind == phase.kind) {
                _ if common <= 0 => {}
                Some((_, sum)) => *sum += common,
                None => found.push((phase.kind, common)),
            }
        }
        found
    }

    /// True if a phase ends before it starts or extends beyond the request, as happens if clocks disagree.
    #[must_use]
    #[inline]
    pub fn has_bad_clock(&self) -> bool {
        self.phases.iter().any(|phase| phase.end < phase.start || phase.start < self.start || phase.end > self.end)
    }

    /// The last segment of the URL's path, otherwise the host, otherwise the URL.
    #[must_use]
    #[inline]
    pub fn short_name(&self) -> &str {
        short_name(&self.url)
    }

    /// Color word for the type of its content.
    #[must_use]
    pub fn color(&self) -> &'static str {
        if self.outcome == Outcome::Failed {
            return "red";
        }
        let (mime, resource) = (self.mime.as_str(), self.resource.as_str());
        let is = |part: &str| mime.contains(part);
        match () {
            () if resource == "WebSocket" => "magenta",
            () if is("html") => "blue",
            () if is("css") => "purple",
            () if is("javascript") || is("ecmascript") || is("wasm") => "yellow",
            () if is("font") => "teal",
            () if mime.starts_with("image/") => "green",
            () if mime.starts_with("audio/") || mime.starts_with("video/") => "orange",
            () if is("json") || is("xml") => "lightblue",
            () => match resource {
                "Document" => "blue",
                "Stylesheet" => "purple",
                "Script" => "yellow",
                "Font" => "teal",
                "Image" => "green",
                "Media" => "orange",
                "Fetch" | "XHR" => "lightblue",
                _ => "grey",
            },
        }
    }
}

/// Splits a URL into the scheme with its slashes, the host, and the rest.
#[must_use]
pub fn parts_of_url(url: &str) -> (&str, &str, &str) {
    let Some((scheme, _)) = url.split_once("://") else { return ("", "", url) };
    let (scheme, rest) = url.split_at(scheme.len() + 3);
    let (host, rest) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    (scheme, host, rest)
}

/// The last segment of a URL's path, otherwise its host, otherwise the whole URL.
#[must_use]
pub fn short_name(url: &str) -> &str {
    let (_, host, rest) = parts_of_url(url);
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    [name, host, url].into_iter().find(|text| !text.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phase(kind: PhaseKind, start: i64, end: i64) -> Phase {
        Phase { kind, start: Ns(start), end: Ns(end) }
    }

    #[test]
    fn drawn_phases_are_clamped_ordered_and_disjoint() {
        use PhaseKind::{Connect, Download, Sent, Stalled, Tls, Waiting};
        let phases = vec![
            phase(Stalled, -5, 40),
            phase(Connect, 20, 40),
            phase(Tls, 30, 40),
            phase(Sent, 42, 43),
            phase(Waiting, 60, 43),
            phase(Download, 90, 130),
        ];
        let request = NetworkRequest { start: Ns(0), end: Ns(100), phases, ..NetworkRequest::default() };
        assert!(request.has_bad_clock());
        let drawn = [
            phase(Stalled, 0, 20),
            phase(Connect, 20, 30),
            phase(Tls, 30, 40),
            phase(Sent, 42, 43),
            phase(Download, 90, 100),
        ];
        assert_eq!(request.drawn_phases(), drawn);
        let within = |start, end| request.phases_in(TimeRange { start: Ns(start), end: Ns(end) });
        assert_eq!(within(10, 35), [(Stalled, 10), (Connect, 10), (Tls, 5)]);
        assert_eq!(within(95, 200), [(Download, 5)]);
        assert_eq!(within(43, 90), []);
        assert_eq!((request.length_of(Waiting), request.length_of(PhaseKind::Dns)), (Some(Ns(-17)), None));
    }

    #[test]
    fn urls_have_short_names() {
        for (url, short) in [
            ("https://a.test/x/one.js?v=1", "one.js"),
            ("https://a.test/x/", "x"),
            ("https://a.test/", "a.test"),
            ("https://a.test?q=/", "a.test"),
            ("blob:https://a.test/9", "9"),
            ("about:blank", "about:blank"),
            ("", ""),
        ] {
            assert_eq!(short_name(url), short, "{url}");
        }
    }
}
