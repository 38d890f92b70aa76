//! The sections of a recording: per page load, the figures that rate it and the insights about it.

mod firefox;
mod metric;
mod metric_kind;
mod metrics;
mod section;
mod sections;

pub use metric::{Metric, MetricValue};
pub use metric_kind::MetricKind;
pub use section::{Section, SectionKind};
pub use sections::Sections;
