//! Initial expansion of tracks: the page's main thread or else the busiest thread, then others by work as long as they fit
//! without scrolling, members of groups included. If the chart has room left, what is still folded is opened until it is full.
//! Threads and tracks that only contain tracks are always expanded.

mod candidates;
mod choice;
mod fill;
mod input;

pub(crate) use self::choice::InitialExpansion;
pub(crate) use self::fill::MANY_THREADS;
pub(crate) use self::input::{ExpansionInput, initial_stack_charts};
