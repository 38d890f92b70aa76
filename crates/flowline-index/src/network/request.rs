//! A network request and its phases.

use super::phase::{Phase, PhaseKind};
use flowline_profile::{MarkerId, Ns, ProcessId, TimeRange};

/// A request, by position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(pub u32);

impl RequestId {
    pub(super) fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// The position in [`super::Network::requests`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An address that led to another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The address.
    pub url: String,
    /// When it was asked for.
    pub start: Ns,
    /// When the next address was asked for.
    pub end: Ns,
    /// The marker of its start.
    pub marker: MarkerId,
}

/// How a request ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It finished.
    Finished,
    /// It failed or was cancelled.
    Failed,
    /// The recording has no end of it.
    #[default]
    Unfinished,
}

impl Outcome {
    /// Its name for scripts and people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Failed => "failed",
            Self::Unfinished => "unfinished",
        }
    }
}

/// A network request. Texts are empty where the recording does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The last address asked for.
    pub url: String,
    /// Method, such as `GET`.
    pub method: String,
    /// Status code of the response.
    pub status: Option<i64>,
    /// Type of the content.
    pub mime: String,
    /// What it is for, such as `Script`; `WebSocket` for a connection of that kind.
    pub resource: String,
    /// Protocol, such as `h2`.
    pub protocol: String,
    /// Its last priority.
    pub priority: String,
    /// Whether it keeps the page from being drawn, in the words of the browser.
    pub render_blocking: String,
    /// Where the response comes from if not from the network.
    pub cache: String,
    /// The error that it failed with.
    pub error: String,
    /// Address of what asked for it.
    pub initiator: String,
    /// Where it leads to, of a request that ends with a redirect.
    pub redirected_to: String,
    /// Bytes received.
    pub encoded_bytes: Option<i64>,
    /// Bytes of the content after unpacking.
    pub decoded_bytes: Option<i64>,
    /// The process that asked.
    pub process: ProcessId,
    /// The marker that stands for it.
    pub marker: MarkerId,
    /// Start, of its first redirect if it has any.
    pub start: Ns,
    /// End; that of the recording if it is unfinished. Never before the start.
    pub end: Ns,
    /// How it ended.
    pub outcome: Outcome,
    /// Its phases, in the order in which they usually follow each other.
    pub phases: Vec<Phase>,
    /// The addresses before the last one.
    pub redirects: Vec<Redirect>,
}

impl Request {
    /// Adds a phase if both ends are known.
    pub(super) fn add(&mut self, kind: PhaseKind, start: Option<Ns>, end: Option<Ns>) {
        if let (Some(start), Some(end)) = (start, end) {
            self.phases.push(Phase { kind, start, end });
        }
    }

    /// How long it took, redirects included.
    #[must_use]
    pub fn duration(&self) -> Ns {
        self.end - self.start
    }

    /// When the last address was asked for.
    #[must_use]
    pub fn own_start(&self) -> Ns {
        self.redirects.last().map_or(self.start, |redirect| redirect.end.clamp(self.start, self.end))
    }

    /// The sum of the phases of a kind; `None` if the recording has none.
    #[must_use]
    pub fn length_of(&self, kind: PhaseKind) -> Option<Ns> {
        let lengths = self.phases.iter().filter(|phase| phase.kind == kind).map(Phase::length);
        lengths.reduce(|sum, length| sum + length)
    }

    /// The phases as they are drawn: within the request, in the order of time, without overlap. A phase is left out where a
    /// later kind says more.
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

    /// What the request did within a range: its phases with the nanoseconds they have in common with it, in the order of time.
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

    /// Whether a phase ends before it starts or reaches out of the request, as with clocks that disagree.
    #[must_use]
    pub fn has_bad_clock(&self) -> bool {
        self.phases.iter().any(|phase| phase.end < phase.start || phase.start < self.start || phase.end > self.end)
    }

    /// The last part of the address's path, else the host, else the address.
    #[must_use]
    pub fn short_name(&self) -> &str {
        short_name(&self.url)
    }

    /// Word of the colour that stands for its content.
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

/// Scheme with its slashes, host, and the rest of an address.
#[must_use]
pub fn parts_of_url(url: &str) -> (&str, &str, &str) {
    let Some((scheme, _)) = url.split_once("://") else { return ("", "", url) };
    let (scheme, rest) = url.split_at(scheme.len() + 3);
    let (host, rest) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    (scheme, host, rest)
}

/// The last part of an address's path, else its host, else all of it.
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
    fn drawn_phases_are_inside_in_order_and_apart() {
        use PhaseKind::{Connect, Download, Sent, Stalled, Tls, Waiting};
        let phases = vec![
            phase(Stalled, -5, 40),
            phase(Connect, 20, 40),
            phase(Tls, 30, 40),
            phase(Sent, 42, 43),
            phase(Waiting, 60, 43),
            phase(Download, 90, 130),
        ];
        let request = Request { start: Ns(0), end: Ns(100), phases, ..Request::default() };
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
    fn addresses_have_short_names() {
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
