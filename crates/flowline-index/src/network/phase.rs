//! The phases of a network request.

use flowline_profile::Ns;

/// A phase of a request. If two phases overlap, the later variant is more specific.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PhaseKind {
    /// Time about which the recording contains nothing.
    Unknown,
    /// Redirects before the last URL.
    Redirect,
    /// Waiting for the network service to accept the request.
    Queued,
    /// Waiting for a connection, a proxy, or anything else before the request is sent.
    Stalled,
    /// From the last byte to the end: the program processes the response.
    Processing,
    /// Resolving the host.
    Dns,
    /// Connecting to the host, with [`PhaseKind::Tls`] if the connection is encrypted.
    Connect,
    /// TLS negotiation, at the end of [`PhaseKind::Connect`].
    Tls,
    /// Sending the request.
    Sent,
    /// Waiting for the first byte of the response.
    Waiting,
    /// Receiving the response.
    Download,
    /// An open `WebSocket` connection.
    Open,
}

impl PhaseKind {
    /// Name in machine-readable output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Redirect => "redirect",
            Self::Queued => "queued",
            Self::Stalled => "stalled",
            Self::Processing => "processing",
            Self::Dns => "dns",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Sent => "sent",
            Self::Waiting => "waiting",
            Self::Download => "download",
            Self::Open => "open",
        }
    }

    /// State of a request in this phase, as a sentence fragment.
    #[must_use]
    pub const fn activity_text(self) -> &'static str {
        match self {
            Self::Unknown => "not recorded",
            Self::Redirect => "being redirected",
            Self::Queued => "queued",
            Self::Stalled => "stalled",
            Self::Processing => "being processed",
            Self::Dns => "resolving the host",
            Self::Connect => "connecting",
            Self::Tls => "negotiating TLS",
            Self::Sent => "being sent",
            Self::Waiting => "waiting for the first byte",
            Self::Download => "receiving",
            Self::Open => "open",
        }
    }

    /// Title in the UI.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Unknown => "Not recorded",
            Self::Redirect => "Redirects",
            Self::Queued => "Queued",
            Self::Stalled => "Stalled",
            Self::Processing => "Processing",
            Self::Dns => "DNS",
            Self::Connect => "Connecting",
            Self::Tls => "TLS",
            Self::Sent => "Sending",
            Self::Waiting => "Waiting",
            Self::Download => "Receiving",
            Self::Open => "Open",
        }
    }

    /// Drawing style of the phase.
    #[must_use]
    pub const fn weight(self) -> PhaseWeight {
        match self {
            Self::Unknown | Self::Redirect | Self::Queued | Self::Stalled | Self::Processing => PhaseWeight::Thin,
            Self::Dns | Self::Connect | Self::Tls => PhaseWeight::Outline,
            Self::Sent | Self::Waiting => PhaseWeight::Pale,
            Self::Download | Self::Open => PhaseWeight::Solid,
        }
    }
}

/// Drawing style of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhaseWeight {
    /// Thin: no network activity.
    Thin,
    /// Outline: the connection is set up.
    Outline,
    /// Pale: waiting for the first byte.
    Pale,
    /// Solid: data arrives.
    Solid,
}

/// A phase as recorded. If clocks disagree, it may end before it starts or extend beyond its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Its kind.
    pub kind: PhaseKind,
    /// Start on the recording's clock.
    pub start: Ns,
    /// End.
    pub end: Ns,
}

impl Phase {
    /// Duration; can be negative if clocks disagree.
    #[must_use]
    #[inline]
    pub fn length(&self) -> Ns {
        self.end - self.start
    }
}
