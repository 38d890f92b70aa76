//! Statistics of markers by group: counts, sums, exact percentiles, self and CPU times, covered times, and gaps; the
//! distribution of a group, with examples; counters and flows of the same scope; summaries; and comparisons of two scopes.
//!
//! A [`Subject`] selects markers, and a [`Grouping`] defines groups. The markers are split into pieces by time. A first
//! pass over the markers computes counts and totals, which are reported immediately. A second pass sorts each piece to
//! compute unions and gaps, and lists the durations by group, from which percentiles are selected. Memory is a constant
//! per group and 8 bytes per marker (4 more if the groups depend on payloads).
//!
//! [`RangeRule`] defines the markers that belong to a range. Durations and percentiles refer to whole markers, while
//! sums (totals, self times, covered times, gaps) refer to their parts inside the range. Everything stops when
//! `keep_going` returns `false`.

pub mod compare;
mod counters;
mod distribution;
mod fields;
mod flows;
mod groups;
mod keys;
mod normalize;
mod pieces;
mod ranks;
mod request_sums;
mod self_and_cpu_times;
mod spread;
mod subject;
mod summary;
mod tally;
mod top_functions;

pub use counters::{CounterStatistics, CounterValues, counters};
pub use distribution::{Bin, Distribution, Examples, Scale, distribution, examples, members};
pub use fields::{FieldCount, fields, near_fields};
pub use flows::{FlowKinds, FlowStatistics, TimeStatistics, flows};
pub use groups::{Columns, DurationStatistics, Group, Statistics, run};
pub use keys::{Grouping, Key, KeyValue};
pub use normalize::normalized;
pub use request_sums::{RequestSums, SummedRequests};
pub use self_and_cpu_times::has_cpu_times;
pub(crate) use self_and_cpu_times::may_have_cpu_times;
pub use subject::{RangeRule, Subject, Tracks};
pub use summary::{Also, KindTime, NameTime, SUMMARY_NAMES, Summary, kind_times, summary};
pub use top_functions::{FunctionWeight, TopFunctions, top_functions};
