//! Query tracks: the rows of a query with times and names, drawn like custom tracks. They exist as long as the view has them.

mod kind;
mod painter;
mod source;
mod sql_excerpt;
mod state_text;

pub(super) use kind::QueryTrackKind;
