//! The clock of a cut trace. A cut can appear to have a main cluster when the whole trace has none, and vice versa, so
//! `flowline cut` writes the main cluster of the whole trace to a metadata event where that could happen.

use std::fmt::Write as _;

use flowline_profile::{MainCluster, Ns, Profile, TimeRange, Value};

/// The name of the metadata event.
pub(in crate::trace_events) const NAME: &str = "flowline_clock";

/// Content of the event: the main cluster of the whole trace, in nanoseconds on the trace's clock, or `None` if it has
/// none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CutClock(pub(crate) Option<TimeRange>);

impl CutClock {
    /// Reads the event's arguments; `None` if they contain no clock.
    pub(in crate::trace_events) fn read(args: &Value) -> Option<Self> {
        let Value::Object(members) = args else { return None };
        if members.is_empty() {
            return Some(Self(None));
        }
        let time = |member: &str| args.get(member).and_then(Value::as_i64).map(Ns);
        let (start, end) = (time("start")?, time("end")?);
        (start <= end).then_some(Self(Some(TimeRange { start, end })))
    }

    /// Returns the event as JSON.
    pub(crate) fn event(self) -> String {
        let mut text = format!(r#"{{"ph":"M","name":"{NAME}","pid":0,"tid":0,"args":{{"#);
        if let Some(range) = self.0 {
            let _infallible = write!(text, r#""start":{},"end":{}"#, range.start.0, range.end.0);
        }
        text.push_str("}}");
        text
    }

    /// Returns the main cluster of a cut. A range outside the recording is ignored, and so is a range with all markers.
    pub(in crate::trace_events) fn main_cluster(self, profile: &Profile) -> Option<MainCluster> {
        let (range, all) = (self.0?, profile.meta.range);
        if range.start < all.start || all.end < range.end {
            return None;
        }
        let starts = profile.threads.iter().flat_map(|thread| thread.markers.times().ranges());
        let outside = starts.filter(|marker| marker.start < range.start || range.end < marker.start).count();
        (outside > 0).then_some(MainCluster { range, outside: outside as u64 })
    }
}
