//! The two sides of an IPC message in a Firefox profile: one marker in the sender and one in the receiver. Both markers
//! span the time from sending to receiving and contain the id of the process on the other side.

use flowline_profile::{LocalMarker, MarkerFlags, MarkerId, Ns, Profile, Thread, ThreadId, Value};

/// Marker names of the two sides, sender first.
const SIDES: [[&str; 2]; 2] = [["IPCOut", "IPCIn"], ["SyncIPCOut", "SyncIPCIn"]];

/// The other side of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessagePeer {
    /// Its marker.
    pub marker: MarkerId,
    /// Its thread.
    pub thread: ThreadId,
    /// True if the other side is the sender.
    pub is_sender: bool,
}

/// The other side of a message; `None` if the marker is not a message, or if one side was not recorded. If several
/// messages are indistinguishable, returns the first one.
#[must_use]
pub fn message_peer(profile: &Profile, marker: MarkerId) -> Option<MessagePeer> {
    let (thread, local) = profile.locate(marker)?;
    let markers = &profile.thread(thread).markers;
    if markers.flags(local).has(MarkerFlags::INCOMPLETE) || markers.is_instant(local) {
        return None;
    }
    let name = profile.marker_name(thread, local);
    let (kind, side) = SIDES.iter().find_map(|kind| Some((kind, kind.iter().position(|side| *side == name)?)))?;
    let wanted = profile.strings.find(kind[1 - side])?;
    let own = Message::read(profile, thread, local)?;
    let times = (markers.start(local), markers.end(local));
    let is_same = |other: ThreadId, at: LocalMarker| {
        let others = &profile.thread(other).markers;
        others.name(at) == wanted
            && (others.start(at), others.end(at)) == times
            && Message::read(profile, other, at).is_some_and(|message| message.is_same(&own))
    };
    let threads = profile.threads_with_ids().filter(|(id, _)| profile.process_of(*id).pid == own.other);
    let mut found = threads
        .flat_map(|(id, thread)| starting_at(thread, times.0).map(move |at| (id, at)))
        .filter(|(id, at)| (*id, *at) != (thread, local) && is_same(*id, *at));
    let (thread, at) = found.next()?;
    Some(MessagePeer { marker: profile.thread(thread).global(at), thread, is_sender: side == 1 })
}

/// The markers of a thread that start exactly at `time`.
fn starting_at(thread: &Thread, time: Ns) -> impl Iterator<Item = LocalMarker> {
    let (mut from, mut until) = (0, thread.markers.len());
    // Binary search for the first marker that starts at or after `time`.
    while from < until {
        let middle = usize::midpoint(from, until);
        if thread.markers.start(LocalMarker::new(middle)) < time {
            from = middle + 1;
        } else {
            until = middle;
        }
    }
    let markers = (from..thread.markers.len()).map(LocalMarker::new);
    markers.take_while(move |marker| thread.markers.start(*marker) == time)
}

/// Message data from a payload.
struct Message {
    kind: String,
    number: Option<i64>,
    /// The process on the other side.
    other: String,
}

impl Message {
    fn read(profile: &Profile, thread: ThreadId, marker: LocalMarker) -> Option<Self> {
        let payload = profile.payload(thread, marker);
        let kind = payload.get("messageType")?.display_js();
        let number = payload.get("messageSeqno").and_then(Value::as_i64);
        Some(Self { kind, number, other: payload.get("otherPid")?.display_js() })
    }

    fn is_same(&self, other: &Self) -> bool {
        (&self.kind, self.number) == (&other.kind, other.number)
    }
}
