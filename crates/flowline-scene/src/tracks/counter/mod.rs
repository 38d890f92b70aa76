//! Counters: the collapsible heading for the counters of a process, and their areas.

mod areas;
mod track;

pub use areas::{counter_extremes, counter_spread, counter_time, counter_total};
pub(crate) use track::CounterPainter;
