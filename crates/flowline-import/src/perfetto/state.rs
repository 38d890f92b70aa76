//! The state that packets depend on.

use foldhash::HashMap;

use super::sequences::Sequences;

/// The state that packets depend on. With a copy of it, reading can begin at the packet where it was taken.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) sequences: Sequences,
    /// True for state tracks with an open state.
    pub(super) open_states: HashMap<u64, bool>,
}

impl State {
    /// Returns a copy. Both share everything that does not change.
    pub(super) fn share(&mut self) -> Self {
        Self { sequences: self.sequences.share(), open_states: self.open_states.clone() }
    }

    /// A copy whose values are relative to this point.
    pub(super) fn start_part(&self) -> Self {
        Self { sequences: self.sequences.start_part(), open_states: HashMap::default() }
    }
}
