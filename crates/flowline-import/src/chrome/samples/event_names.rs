//! Adds the names of slices on sampled threads as functions, for trees that combine events and calls.

use flowline_profile::{CategoryId, MarkerFlags, Profile, StringId};

/// Adds the names of slices on threads with calls to the recording's stacks, once per name.
pub(in crate::chrome) fn add_to_stacks(profile: &mut Profile) {
    let mut found: Vec<(StringId, CategoryId)> = Vec::new();
    let mut is_known = vec![false; profile.strings.len()];
    let has_calls =
        |calls: &Option<flowline_profile::samples::CallTable>| calls.as_ref().is_some_and(|c| !c.is_empty());
    for thread in profile.threads.iter().filter(|thread| thread.samples.as_ref().is_some_and(|s| has_calls(&s.calls))) {
        let markers = &thread.markers;
        for (own, range) in markers.attributes().iter().zip(markers.times().ranges()) {
            let is_slice = own.flags.has(MarkerFlags::STACK_BASED) && range.end > range.start;
            if is_slice && !std::mem::replace(&mut is_known[own.name.index()], true) {
                found.push((own.name, own.category()));
            }
        }
    }
    for (name, category) in found {
        profile.stacks.push_event(profile.strings.get(name), category);
    }
}
