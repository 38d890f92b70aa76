//! Flow timeline: the run, wait and idle segments of a flow.
//!
//! The segments of a flow partition the time from its start to its end. The flow *runs* while at least one of its
//! intervals is active. It *waits* from a marker that posts something until an interval begins, and is *idle* otherwise:
//! the time between two uses of an object is no wait. A wait is split where a marker of the flow begins: each part
//! belongs to the marker at which it ends, and begins at the previous step.
//!
//! A marker posts something if a rule lists it (`before`, `posts`, `once`), if the trace states a step from it, or if it
//! has no length and the next marker of the flow runs on another thread.
//!
//! Traces record more precisely when something was posted: at a step, inside a slice that continues. The flow waits
//! from that step to the start of the posted slice, even if the posting slice is still active. A step at the very start
//! of its slice, which every `bind_id` produces, does not tell when the slice posted.
//!
//! A rule may list the markers that are the run (`run`), instants included, and those that only announce it (`before`).
//! Without a rule, names that end in `WAIT`, `EXEC` and `DONE` state what the flow does from then on; a slice that
//! contains such an `EXEC` waits until then.

mod facts;
mod posted_from;
mod roles;
mod segment;
mod sweep;
mod timeline;

pub use facts::{FlowFacts, TimelineTotals, type_path};
pub use posted_from::PostedFrom;
pub(crate) use roles::FlowRoles;
pub use segment::{FlowTimeline, SegmentKind, TimelineSegment};
pub(crate) use timeline::timeline_under;
