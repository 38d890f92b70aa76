//! `flowline dump jank`: one line per period, by process and start.

use serde_json::json;

use crate::tracks::DumpLine;
use flowline_index::{Derived, Index};
use flowline_insights::jank::{JankPeriod, JankPeriodList};

/// The periods. They have no markers, so a search prints none.
pub(super) fn periods(index: &Index) -> impl Iterator<Item = DumpLine> + '_ {
    let profile = index.profile();
    let line = move |own: &JankPeriod| {
        json!({
            "pid": profile.process_of(own.thread).pid.as_str(),
            "thread": own.thread.0,
            "start_ns": own.times.start.0,
            "end_ns": own.times.end.0,
            "ran": own.ran.as_ref().map(|ran| ran.name.as_str()),
            "ran_ns": own.ran.as_ref().map(|ran| ran.time.0),
        })
    };
    JankPeriodList::of(index).all().iter().map(move |own| DumpLine { markers: Vec::new(), json: line(own) })
}
