//! Interactions of a process: a whisker from the input, a box for the handlers, and a whisker to the paint.

mod card;
mod dump;
mod kind;
mod painter;
mod rows;

pub(super) use kind::InteractionTracks;
