//! Network requests of a process: a heading, and rows of bars. A collapsed heading shows all requests on its own line.
//! A bar shows the phases of its request; redirects have their own bars.

mod bars;
mod card;
mod dump;
mod kind;
mod phases;
mod selected;

pub use card::{phase_lines, phases_text};
pub(super) use kind::NetworkTracks;
pub(crate) use phases::{PhasePainter, PhaseRect};
pub use selected::selected_requests;
