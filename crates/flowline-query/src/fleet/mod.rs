//! Questions about many recordings.

mod regressions;
mod views;

pub use regressions::{Regression, regressions};
pub(crate) use views::register_views;
