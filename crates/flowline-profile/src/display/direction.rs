//! The direction of navigation.

/// Backward or forward: in time, in a history, or along incoming and outgoing flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Earlier: the previous marker, incoming flows.
    Back,
    /// Later: the next marker, outgoing flows.
    Forward,
}
