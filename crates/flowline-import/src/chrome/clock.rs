//! The clock of a part of a trace. A part can look as if it had a main cluster when the whole has none, and the other way
//! round, so `flowline cut` states the main cluster of the whole in a metadata event where that could happen.

use std::fmt::Write as _;

use flowline_profile::{MainCluster, Ns, Profile, TimeRange, Value};

/// The name of the metadata event.
pub(super) const NAME: &str = "flowline_clock";

/// What the event states: the main cluster of the whole trace, in nanoseconds on the trace's clock, or that it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StatedClock(pub(super) Option<TimeRange>);

impl StatedClock {
    /// Reads the event's arguments. None if they state no clock.
    pub(super) fn read(args: &Value) -> Option<Self> {
        let Value::Object(members) = args else { return None };
        if members.is_empty() {
            return Some(Self(None));
        }
        let time = |member: &str| args.get(member).and_then(Value::as_i64).map(Ns);
        let (start, end) = (time("start")?, time("end")?);
        (start <= end).then_some(Self(Some(TimeRange { start, end })))
    }

    /// The event as JSON.
    pub(super) fn event(self) -> String {
        let mut text = format!(r#"{{"ph":"M","name":"{NAME}","pid":0,"tid":0,"args":{{"#);
        if let Some(range) = self.0 {
            let _infallible = write!(text, r#""start":{},"end":{}"#, range.start.0, range.end.0);
        }
        text.push_str("}}");
        text
    }

    /// The main cluster of a part. A range that is not within the recording states nothing, nor does one with all markers.
    pub(super) fn main_cluster(self, profile: &Profile) -> Option<MainCluster> {
        let (range, all) = (self.0?, profile.meta.range);
        if range.start < all.start || all.end < range.end {
            return None;
        }
        let starts = profile.threads.iter().flat_map(|thread| thread.markers.times().ranges());
        let outside = starts.filter(|marker| marker.start < range.start || range.end < marker.start).count();
        (outside > 0).then_some(MainCluster { range, outside: outside as u64 })
    }
}
