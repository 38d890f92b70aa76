//! Traces: Chrome trace events and Perfetto packets, with the same names and threads.

mod catalog;
pub(crate) mod chrome;
mod framed;
pub(crate) mod perfetto;
mod protobuf;
mod samples;
mod threads;
