//! Receivers of the events of a trace: they become text, the events of an import, or nothing.

use super::event::TraceEvent;
use super::first_pass::Facts;

/// Receives what packets state.
pub(super) trait Output {
    /// True if names of processes, threads and tracks are wanted.
    const NAMES: bool;
    /// True if the events are wanted that single packets state.
    const EVENTS: bool;
    /// True if the events are wanted that need the state of the whole trace: samples, and states of threads.
    const DERIVED: bool;

    /// True if the first uses of tracks, threads and processes are wanted.
    const USES: bool = false;
    /// True if the CPU times of events are wanted.
    const CPU_TIMES: bool = false;
    /// True if the stacks of events are wanted.
    const STACKS: bool = true;

    /// Takes a metadata event as text.
    fn metadata(&mut self, text: &str);

    /// Takes an event with its place: an offset in its packet, different for each event.
    fn event(&mut self, event: &TraceEvent<'_>, facts: &Facts, place: u64);

    /// Takes the number of trace bytes read so far.
    fn advance(&mut self, read: u64);

    /// Returns true if nothing more is wanted.
    fn is_stopped(&self) -> bool {
        false
    }
}
