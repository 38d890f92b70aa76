//! Chrome trace events: the importer against a naive reader, cases per rule, and a real recording.

mod agreement;
mod asyncs;
mod cases;
mod check;
mod compare;
mod damage;
mod event;
mod flow_arrows;
mod flow_steps;
mod form_cases;
mod generator;
mod importer;
mod link_cases;
mod real;
mod reference;
mod text;
mod threads;
mod tracks;

pub(crate) use generator::{nested_threads, recordings};
pub(crate) use importer::{Importer, is_refused};
pub(crate) use real::content as real_content;
pub(crate) use reference::{Read, Reference, Slice};
