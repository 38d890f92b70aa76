//! Hits under the pointer: in the chart, in the flow panel, on a counter, in a stack chart, on the activity of a
//! thread.

use flowline_profile::{CallRef, CounterId, FlowId, MarkerId, StringId, ThreadId};
use flowline_view::FlowSection;

/// Everything under the pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointerHits {
    /// Marker in the chart.
    pub chart: Option<Hit>,
    /// Flow in the flow panel, or on a flow track of the chart.
    pub flow: Option<FlowHit>,
    /// The counter whose track is under the pointer.
    pub counter: Option<CounterId>,
    /// Call in a stack chart.
    pub call: Option<CallHit>,
    /// The thread whose activity is under the pointer.
    pub cpu: Option<ThreadId>,
    /// The segment of the critical path under the pointer.
    pub segment: Option<usize>,
    /// The entry of a query track or of jank under the pointer; its marker, if it has one, is in the chart, too.
    pub entry: Option<EntryHit>,
}

impl PointerHits {
    /// The marker under the pointer, and the number of markers drawn as one with it.
    #[must_use]
    pub fn marker(&self) -> Option<(MarkerId, u32)> {
        if let Some(FlowHit::Flow { target, .. }) = self.flow {
            return match target {
                FlowTarget::Dot { marker, count } | FlowTarget::Run { marker, count } => Some((marker, count)),
                FlowTarget::Interval(marker) => Some((marker, 1)),
                FlowTarget::Wait { .. } | FlowTarget::Box | FlowTarget::Row => None,
            };
        }
        self.chart.map(|hit| (hit.marker, hit.count))
    }

    /// The flow under the pointer.
    #[must_use]
    pub const fn flow(&self) -> Option<FlowId> {
        match self.flow {
            Some(FlowHit::Flow { flow, .. }) => Some(flow),
            _ => None,
        }
    }
}

/// An entry that may have no marker, under the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryHit {
    /// Key of the kind of track.
    pub kind: &'static str,
    /// Number of the track.
    pub track: u32,
    /// Number of the entry in the track.
    pub entry: u32,
    /// Number of entries drawn as one with it.
    pub count: u32,
}

/// A marker under the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Thread of the row.
    pub thread: ThreadId,
    /// The marker; the longest one of several merged markers.
    pub marker: MarkerId,
    /// Number of markers merged into the drawn span.
    pub count: u32,
}

/// A call under the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallHit {
    /// The call; the longest one of several merged calls.
    pub call: CallRef,
    /// Number of calls merged into the drawn span.
    pub count: u32,
}

/// The part of a flow's row that is under the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowTarget {
    /// The start of a marker; the first one if several are drawn as one.
    Dot {
        /// The marker.
        marker: MarkerId,
        /// Number of markers merged into the drawn dot.
        count: u32,
    },
    /// The interval of a marker.
    Interval(MarkerId),
    /// A run on a flow lane; the longest one if several are drawn as one.
    Run {
        /// The marker that runs.
        marker: MarkerId,
        /// Number of runs merged into the drawn span.
        count: u32,
    },
    /// A wait on a flow lane; the longest one if several are drawn as one.
    Wait {
        /// The marker that ends the wait.
        marker: MarkerId,
        /// Number of waits merged into the drawn span.
        count: u32,
    },
    /// The box, or the line that shows the flow's extent outside the box.
    Box,
    /// The part of the row before or after the flow.
    Row,
}

/// A hit in the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowHit {
    /// On a flow's row.
    Flow {
        /// The flow.
        flow: FlowId,
        /// The part of the flow.
        target: FlowTarget,
    },
    /// On the row of a group.
    Group(FlowSection, StringId),
}
