//! Which way something is followed.

/// Backward or forward: in time, in a history, or along incoming and outgoing flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To what is earlier: the marker before, incoming flows.
    Back,
    /// To what is later: the marker after, outgoing flows.
    Forward,
}
