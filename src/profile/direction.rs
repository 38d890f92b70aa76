//! Which way something is followed.

/// Backward or forward: in time, in a history, or along causes and effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To what is earlier: the marker before, the causes.
    Back,
    /// To what is later: the marker after, the effects.
    Forward,
}
