//! Facts of network requests of Chrome that only insights need, and their response headers.

mod facts;
mod headers;

pub(crate) use facts::{RequestFact, RequestFacts};
pub(crate) use headers::{Headers, header};
