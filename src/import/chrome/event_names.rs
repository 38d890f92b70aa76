//! The names of a sampled thread's slices as functions: trees of events and calls refer to them.

use crate::profile::{CategoryId, LocalMarker, MarkerFlags, Profile, StringId};

/// Adds the names of slices on threads that have calls to the recording's stacks, each once.
pub(super) fn add_to_stacks(profile: &mut Profile) {
    let mut found: Vec<(StringId, CategoryId)> = Vec::new();
    let mut is_known = vec![false; profile.strings.len()];
    let has_calls = |calls: &Option<crate::profile::samples::CallTable>| calls.as_ref().is_some_and(|c| !c.is_empty());
    for thread in profile.threads.iter().filter(|thread| thread.samples.as_ref().is_some_and(|s| has_calls(&s.calls))) {
        let markers = &thread.markers;
        for (at, name) in markers.name.iter().enumerate() {
            let is_slice = markers.flags[at].has(MarkerFlags::STACK_BASED) && markers.end[at] > markers.start[at];
            if is_slice && !std::mem::replace(&mut is_known[name.index()], true) {
                found.push((*name, markers.category(LocalMarker::new(at))));
            }
        }
    }
    for (name, category) in found {
        profile.stacks.push_event(profile.strings.get(name), category);
    }
}
