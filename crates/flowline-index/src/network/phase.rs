//! The phases of a network request.

use flowline_profile::Ns;

/// A part of a request's time. Of two that overlap, the later one says more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PhaseKind {
    /// Redirects before the last address.
    Redirect,
    /// Waiting for the network to take the request.
    Queued,
    /// Waiting for a connection, a proxy or anything else, before anything is sent.
    Stalled,
    /// From the last byte to the end: the program works on what it got.
    Processing,
    /// Looking up the host.
    Dns,
    /// Connecting to the host, with [`PhaseKind::Tls`] if the connection is encrypted.
    Connect,
    /// Agreeing on encryption, at the end of [`PhaseKind::Connect`].
    Tls,
    /// Sending the request.
    Sent,
    /// Waiting for the first byte of the response.
    Waiting,
    /// Receiving the response.
    Download,
    /// A `WebSocket` that is connected.
    Open,
}

impl PhaseKind {
    /// Its name for scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
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

    /// What a request does in it, as a part of a sentence.
    #[must_use]
    pub const fn doing(self) -> &'static str {
        match self {
            Self::Redirect => "being redirected",
            Self::Queued => "queued",
            Self::Stalled => "stalled",
            Self::Processing => "being processed",
            Self::Dns => "looking up the host",
            Self::Connect => "connecting",
            Self::Tls => "agreeing on encryption",
            Self::Sent => "being sent",
            Self::Waiting => "waiting for the first byte",
            Self::Download => "receiving",
            Self::Open => "open",
        }
    }

    /// Its name for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
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

    /// How it is drawn.
    #[must_use]
    pub const fn weight(self) -> PhaseWeight {
        match self {
            Self::Redirect | Self::Queued | Self::Stalled | Self::Processing => PhaseWeight::Thin,
            Self::Dns | Self::Connect | Self::Tls | Self::Sent | Self::Waiting => PhaseWeight::Pale,
            Self::Download | Self::Open => PhaseWeight::Solid,
        }
    }
}

/// How a phase is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhaseWeight {
    /// Thin: the network does not work on the request.
    Thin,
    /// Pale: on the way to the first byte.
    Pale,
    /// Solid: data arrives.
    Solid,
}

/// A phase as the recording states it. With bad clocks it ends before it starts, or reaches out of its request.
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
    /// Its length; negative with bad clocks.
    #[must_use]
    pub fn length(&self) -> Ns {
        self.end - self.start
    }
}
