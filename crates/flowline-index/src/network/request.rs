//! A network request and its phases.

use super::phase::{Phase, PhaseKind};
use flowline_profile::samples::NONE;
use flowline_profile::text::short_name;
use flowline_profile::{Kind, MarkerId, Ns, ProcessId, Profile, TimeRange};

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
    /// The priority at the start of the request; empty if the recording contains only one.
    pub initial_priority: String,
    /// Render-blocking status, as reported by the browser.
    pub render_blocking: String,
    /// The cache that the response comes from; empty if it comes from the network.
    pub cache: String,
    /// The error of a failed request.
    pub error: String,
    /// URL of the initiator.
    pub initiator: String,
    /// Line and column of the initiator, as the format counts them.
    pub initiator_position: [Option<u32>; 2],
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
    /// Its phases, in their usual order. Phases of Firefox profiles are parts of [`NetworkRequest::segments`]; those of
    /// traces are as recorded, as in Chrome DevTools: TLS is a part of the connection, and they can overlap or end
    /// before they start.
    pub phases: Vec<Phase>,
    /// The phases of a connection that was begun before the request.
    pub preconnect: Vec<Phase>,
    /// True if the times of the phases contradict each other, as happens if clocks disagree.
    pub has_bad_clock: bool,
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

    /// The time from the start to the end of the request as phases in time order, without gaps or overlaps. Where
    /// phases overlap, the later kind counts; time outside all of them is [`PhaseKind::Unknown`].
    #[must_use]
    pub fn segments(&self) -> Vec<Phase> {
        let inside = |time: Ns| time.clamp(self.start, self.end);
        let phases =
            self.phases.iter().map(|phase| Phase { start: inside(phase.start), end: inside(phase.end), ..*phase });
        let phases: Vec<Phase> = phases.filter(|phase| phase.start < phase.end).collect();
        let edges = phases.iter().flat_map(|phase| [phase.start, phase.end]);
        let mut edges: Vec<Ns> = edges.chain([self.start, self.end]).collect();
        edges.sort_unstable();
        edges.dedup();
        let mut segments: Vec<Phase> = Vec::new();
        for edge in edges.windows(2) {
            let (start, end) = (edge[0], edge[1]);
            let here = phases.iter().filter(|phase| phase.start <= start && end <= phase.end);
            let kind = here.map(|phase| phase.kind).max().unwrap_or(PhaseKind::Unknown);
            match segments.last_mut() {
                Some(last) if last.kind == kind => last.end = end,
                _ => segments.push(Phase { kind, start, end }),
            }
        }
        segments
    }

    /// The total duration of each kind of phase as recorded, in the order in which the kinds first occur, then the time
    /// outside all phases, if there is any.
    #[must_use]
    pub fn lengths(&self) -> Vec<(PhaseKind, Ns)> {
        let unknown = self.segments().into_iter().filter(|segment| segment.kind == PhaseKind::Unknown);
        let mut lengths: Vec<(PhaseKind, Ns)> = Vec::new();
        for phase in self.phases.iter().copied().chain(unknown) {
            match lengths.iter_mut().find(|(kind, _)| *kind == phase.kind) {
                Some((_, sum)) => *sum = *sum + phase.length(),
                None => lengths.push((phase.kind, phase.length())),
            }
        }
        lengths
    }

    /// True if the recording contains the time of a phase within the request.
    #[must_use]
    pub fn has_phases(&self) -> bool {
        self.segments().iter().any(|segment| segment.kind != PhaseKind::Unknown)
    }

    /// The location of the initiator, with line and column if known. Empty without an initiator.
    #[must_use]
    pub fn initiator_location(&self, profile: &Profile) -> String {
        let url = &self.initiator;
        let [line, column] = self.initiator_position.map(|number| number.unwrap_or(NONE));
        match profile.shown_place(line, column).filter(|_| !url.is_empty()) {
            None => url.clone(),
            Some((line, None)) => format!("{url}:{line}"),
            Some((line, Some(column))) => format!("{url}:{line}:{column}"),
        }
    }

    /// Initial and final priority: "Low, then High"; one priority if it did not change.
    #[must_use]
    pub fn priorities(&self) -> String {
        match self.initial_priority.as_str() {
            "" => self.priority.clone(),
            initial if initial == self.priority => self.priority.clone(),
            initial => format!("{initial}, then {}", self.priority),
        }
    }

    /// The phases of the request within a range, each with its duration in the range in nanoseconds, in time order.
    #[must_use]
    pub fn phases_in(&self, range: TimeRange) -> Vec<(PhaseKind, i64)> {
        let mut found: Vec<(PhaseKind, i64)> = Vec::new();
        for phase in self.segments() {
            let common = phase.end.min(range.end).0.saturating_sub(phase.start.max(range.start).0);
            match found.iter_mut().find(|(kind, _)| *kind == phase.kind) {
                _ if common <= 0 => {}
                Some((_, sum)) => *sum += common,
                None => found.push((phase.kind, common)),
            }
        }
        found
    }

    /// True if a phase ends before it starts or extends beyond the request.
    pub(super) fn is_contradictory(&self, phases: &[Phase]) -> bool {
        phases.iter().any(|phase| phase.end < phase.start || phase.start < self.start || phase.end > self.end)
    }

    /// The last segment of the URL's path, otherwise the host, otherwise the URL.
    #[must_use]
    #[inline]
    pub fn short_name(&self) -> &str {
        short_name(&self.url)
    }

    /// Kind of work for the type of its content.
    #[must_use]
    pub fn content_kind(&self) -> Kind {
        let (mime, resource) = (self.mime.as_str(), self.resource.as_str());
        let is = |part: &str| mime.contains(part);
        match () {
            () if resource == "WebSocket" => Kind::Network,
            () if is("html") => Kind::Load,
            () if is("css") => Kind::Layout,
            () if is("javascript") || is("ecmascript") || is("wasm") => Kind::Script,
            () if is("font") => Kind::User,
            () if ["image/", "audio/", "video/"].iter().any(|start| mime.starts_with(start)) => Kind::Paint,
            () if is("json") || is("xml") => Kind::Network,
            () => match resource {
                "Document" => Kind::Load,
                "Stylesheet" => Kind::Layout,
                "Script" => Kind::Script,
                "Font" => Kind::User,
                "Image" | "Media" => Kind::Paint,
                "Fetch" | "XHR" => Kind::Network,
                _ => Kind::System,
            },
        }
    }
}

/// Host and port of a URL, or the whole of one without a host, such as `about:newtab`.
#[must_use]
pub fn short_host(url: &str) -> &str {
    let (_, host, _) = flowline_profile::text::parts_of_url(url);
    if host.is_empty() { url } else { host }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phase(kind: PhaseKind, start: i64, end: i64) -> Phase {
        Phase { kind, start: Ns(start), end: Ns(end) }
    }

    #[test]
    fn segments_partition_the_request() {
        use PhaseKind::{Connect, Download, Sent, Stalled, Tls, Unknown, Waiting};
        let phases = vec![
            phase(Stalled, -5, 40),
            phase(Connect, 20, 40),
            phase(Tls, 30, 40),
            phase(Sent, 42, 43),
            phase(Waiting, 60, 43),
            phase(Download, 90, 130),
        ];
        let request = NetworkRequest { start: Ns(0), end: Ns(100), phases, ..NetworkRequest::default() };
        assert!(request.is_contradictory(&request.phases));
        let segments = [
            phase(Stalled, 0, 20),
            phase(Connect, 20, 30),
            phase(Tls, 30, 40),
            phase(Unknown, 40, 42),
            phase(Sent, 42, 43),
            phase(Unknown, 43, 90),
            phase(Download, 90, 100),
        ];
        assert_eq!(request.segments(), segments);
        assert_eq!(request.lengths().last(), Some(&(Unknown, Ns(49))));
        let within = |start, end| request.phases_in(TimeRange { start: Ns(start), end: Ns(end) });
        assert_eq!(within(10, 35), [(Stalled, 10), (Connect, 10), (Tls, 5)]);
        assert_eq!(within(95, 200), [(Download, 5)]);
        assert_eq!(within(43, 90), [(Unknown, 47)]);
        let nothing = NetworkRequest { start: Ns(5), end: Ns(9), ..NetworkRequest::default() };
        assert_eq!((nothing.segments(), nothing.has_phases()), (vec![phase(Unknown, 5, 9)], false));
        assert_eq!((request.length_of(Waiting), request.length_of(PhaseKind::Dns)), (Some(Ns(-17)), None));
    }
}
