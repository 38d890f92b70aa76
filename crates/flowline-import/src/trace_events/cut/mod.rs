//! Writes a cut of a trace: the unchanged text of each kept event in file order, and all other top-level members.
//!
//! If necessary, an event with the clock of the whole trace precedes them, so that previews contain it, too.
//!
//! `selection` selects the events. `flow_starts` ensures that no flow continues another one because its start is
//! missing, `enclosing` that flow events bind to the same slices as in the whole trace, and `notes` that notes refer to
//! the same events.

mod clock;
mod copy;
mod enclosing;
mod flow_starts;
mod notes;
mod selection;

pub(crate) use copy::cut;
pub(crate) use selection::kept_events;
