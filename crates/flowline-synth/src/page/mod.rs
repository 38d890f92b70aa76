//! A Chrome trace of a page that a user visits: navigations, requests, frames, interactions, long tasks, layout shifts.

mod events;
mod frames;
mod interactions;
mod navigations;
mod samples;
mod visit;

pub(crate) use visit::write;
