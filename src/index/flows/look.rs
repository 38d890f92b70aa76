//! How a flow is shown: what it is called, the thread it belongs to, its colour, its main interval.

use super::{FlowGraph, times_of};
use crate::index::Styles;
use crate::profile::{FlowId, Ns, Profile, ThreadId, TimeRange};

/// How a flow is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowLook {
    /// What it is, for people: one line, never empty.
    pub label: String,
    /// The label of the field through which its first marker names it, for example `Flow`.
    pub field: String,
    /// The thread it belongs to.
    pub thread: ThreadId,
    /// Palette entry.
    pub color: u8,
    /// Its main interval: the box. Within the flow's range; markers outside are joined to it by a line.
    pub main: TimeRange,
    /// From this time on the box has this opacity (0 to 1).
    pub fade: Option<(Ns, f32)>,
}

/// Rules prepared for a recording.
#[derive(Clone, Debug, Default)]
pub struct RuleBook {}

impl RuleBook {
    /// How a flow is shown under these rules.
    #[must_use]
    pub fn look(&self, profile: &Profile, flows: &FlowGraph, styles: &Styles, flow: FlowId) -> FlowLook {
        let main = flows.range(profile, flow);
        let first = flows.members(flow).first().copied();
        let place = first.and_then(|marker| profile.locate(marker));
        let _ = times_of;
        FlowLook {
            label: place.map_or("", |(thread, local)| profile.marker_name(thread, local)).to_owned(),
            field: "Flow".to_owned(),
            thread: place.map_or_else(ThreadId::default, |(thread, _)| thread),
            color: first.map_or(0, |marker| styles.get(marker).color()),
            main,
            fade: None,
        }
    }
}
