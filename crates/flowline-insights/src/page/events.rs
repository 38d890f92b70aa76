//! The events of Chrome from which frames, navigations and milestones are read.

use crate::markers_by_name::markers_named;
use flowline_profile::{MarkerId, Ns, Profile, ThreadId, Value};

/// Names of the events.
const NAMES: [&str; 14] = [
    "TracingStartedInBrowser",
    "FrameCommittedInBrowser",
    "CommitLoad",
    "navigationStart",
    "SoftNavigationStart",
    "firstPaint",
    "firstContentfulPaint",
    "largestContentfulPaint::Candidate",
    "largestContentfulPaint::CandidateForSoftNavigation",
    "MarkDOMContent",
    "MarkLoad",
    "InteractiveTime",
    "ResourceSendRequest",
    "RenderFrameHostImpl::DidCommitSameDocumentNavigation",
];

/// An event.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) name: &'static str,
    pub(crate) time: Ns,
    pub(crate) pid: String,
    pub(crate) thread: ThreadId,
    pub(crate) marker: MarkerId,
    /// Its arguments.
    pub(crate) args: Value,
}

impl Event {
    /// A member of `args.data`.
    pub(crate) fn data(&self, key: &str) -> Option<&Value> {
        self.args.get("data")?.get(key)
    }

    /// A nonempty text of `args.data`.
    pub(crate) fn data_text(&self, key: &str) -> Option<&str> {
        self.data(key).and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    /// A nonempty text of `args`.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.args.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
    }
}

/// The events of a recording, by time.
pub(crate) fn events(profile: &Profile) -> Vec<Event> {
    let found = markers_named(profile, &NAMES, |_| true);
    let event = |(name, id, marker): (usize, ThreadId, _)| {
        let thread = profile.thread(id);
        Event {
            name: NAMES[name],
            time: thread.markers.start(marker),
            pid: profile.process_of(id).pid.to_string(),
            thread: id,
            marker: thread.global(marker),
            args: profile.payload_in(thread, marker),
        }
    };
    let mut events: Vec<Event> = found.into_iter().map(event).collect();
    events.sort_by_key(|event| (event.time, event.marker));
    events
}
