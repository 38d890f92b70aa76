//! Collects the entries of a thread and nests them.

use std::cmp::Reverse;

use super::entry::CALL;
use super::groups::{GroupNumber, NO_GROUP};
use super::list::{EntryList, EventStacks};
use flowline_profile::samples::NONE;
use flowline_profile::{LocalMarker, MarkerFlags, Ns, Profile, StackId, ThreadId, TimeRange, TrackKind};

/// An entry of the thread, visible or not.
struct Candidate {
    start: Ns,
    end: Ns,
    /// Number of a marker or, with [`CALL`], of a call.
    number: u32,
}

/// An entry around the current one.
struct Around {
    end: Ns,
    /// The entry itself or, if it is hidden, the innermost visible entry around it.
    entry: u32,
    /// Path of `entry`.
    path: u32,
    /// Group of the nearest entry that has one, from the innermost outward.
    group: GroupNumber,
}

impl EntryList {
    /// Adds the entries of a thread.
    pub(super) fn add(&mut self, profile: &Profile, thread: ThreadId, events: &EventStacks) {
        let markers = &profile.thread(thread).markers;
        let mut around: Vec<Around> = Vec::new();
        let candidates = candidates(profile, thread);
        let stack = |number: u32| match number & CALL {
            0 => events.shown.get(&markers.name(LocalMarker(number))).copied(),
            _ => call_stack(profile, thread, number & !CALL),
        };
        let groups = self.groups.as_mut().map(|groups| {
            let numbers: Vec<u32> = candidates.iter().map(|candidate| candidate.number).collect();
            groups.of(profile, thread, &numbers, stack)
        });
        for (at, candidate) in candidates.into_iter().enumerate() {
            while around.pop_if(|around| around.end <= candidate.start).is_some() {}
            if around.last().is_some_and(|around| around.end < candidate.end) {
                self.omitted += 1;
                continue;
            }
            let (parent, path, nearest) =
                around.last().map_or((NONE, NONE, NO_GROUP), |around| (around.entry, around.path, around.group));
            let own = groups.as_ref().map_or(NO_GROUP, |groups| groups[at]);
            let nearest = if own == NO_GROUP { nearest } else { own };
            let (entry, path) = match stack(candidate.number) {
                None => (parent, path),
                Some(stack) => {
                    // Built-in functions work for the script that called them.
                    let group = if candidate.number & CALL == 0 { own } else { nearest };
                    let path = self.paths.number(profile, path, stack, group);
                    self.start.push(candidate.start);
                    self.end.push(candidate.end);
                    self.parent.push(parent);
                    self.path.push(path);
                    self.item.push(candidate.number);
                    (u32::try_from(self.start.len() - 1).unwrap_or(NONE), path)
                }
            };
            around.push(Around { end: candidate.end, entry, path, group: nearest });
        }
    }
}

fn call_stack(profile: &Profile, thread: ThreadId, call: u32) -> Option<StackId> {
    profile.samples(thread)?.calls.as_ref()?.stack.get(call as usize).copied()
}

/// All entries of a thread with a nonzero length, in order.
fn candidates(profile: &Profile, thread: ThreadId) -> Vec<Candidate> {
    let owner = profile.thread(thread);
    let mut found: Vec<Candidate> = Vec::new();
    if owner.kind == TrackKind::Thread {
        let markers = &owner.markers;
        for number in (0..markers.len()).map(LocalMarker::new) {
            let (flags, TimeRange { start, end }) = (markers.flags(number), markers.range(number));
            // The end of an incomplete marker is unknown.
            let is_known = flags.has(MarkerFlags::STACK_BASED) && !flags.has(MarkerFlags::INCOMPLETE);
            if is_known && end > start {
                found.push(Candidate { start, end, number: number.0 });
            }
        }
    }
    if let Some(calls) = owner.samples.as_ref().and_then(|samples| samples.calls.as_ref()) {
        for (number, (start, end)) in (0_u32..CALL).zip(calls.start.iter().zip(&calls.end)) {
            if end > start {
                found.push(Candidate { start: *start, end: *end, number: number | CALL });
            }
        }
    }
    // Both lists are nearly sorted, which makes a stable sort fast.
    found.sort_by_key(|entry| (entry.start, Reverse(entry.end), entry.number & CALL == 0, entry.number & !CALL));
    found
}
