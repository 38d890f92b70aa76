//! The time axis: what it shows, how it moves, the ranges that are committed on it, and the measuring tool.

mod axis;
mod breadcrumbs;
mod key_motion;
mod measure;
mod motion;
mod time_bounds;
mod zoom;

pub use axis::TimeAxis;
pub use breadcrumbs::Breadcrumbs;
pub use key_motion::{KeyMotion, MoveDirection};
pub use measure::{Measure, MeasureEdge};
pub use motion::Motion;
pub use time_bounds::TimeBounds;
