//! Network requests of a process: a heading, and rows of bars. A collapsed heading shows all requests on its own line.
//! A bar shows the phases of its request; redirects have their own bars.

mod bars;
mod phases;
mod track;

pub(crate) use bars::NetworkPainter;
pub(super) use bars::has_hit;
pub(crate) use phases::{PhasePainter, PhaseRect};
pub(crate) use track::is_expanded;
