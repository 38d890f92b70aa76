//! Questions about many recordings.

mod regressions;

pub use regressions::{Regression, regressions};
