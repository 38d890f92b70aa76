//! Facts about requests of a trace that only insights need: ids, frames, response headers, hints, initiators.

mod detail;
mod list;

pub(crate) use detail::{Initiator, RequestDetail};
pub(crate) use list::RequestDetails;
