//! Jank: periods in which a thread did not react to events, and what ran meanwhile.

mod list;
mod periods;

pub use list::{JankPeriod, JankPeriodList, Ran};
pub use periods::Jank;
