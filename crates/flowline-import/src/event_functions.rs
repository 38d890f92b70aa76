//! Adds the names of slices as functions, for trees of slices and for trees that combine them with calls.

use flowline_profile::{CategoryId, MarkerFlags, Profile, StringId, TrackKind};

/// Adds the names of the slices of all threads to the recording's stacks, once per name.
pub(crate) fn add(profile: &mut Profile) {
    let mut found: Vec<(StringId, CategoryId)> = Vec::new();
    let mut is_known = vec![false; profile.strings.len()];
    for thread in profile.threads.iter().filter(|thread| thread.kind == TrackKind::Thread) {
        for own in thread.markers.attributes().items() {
            let is_slice = own.flags.has(MarkerFlags::STACK_BASED) && !own.flags.has(MarkerFlags::INSTANT);
            let known = is_known.get_mut(own.name.index()).filter(|known| is_slice && !**known);
            if let Some(known) = known {
                *known = true;
                found.push((own.name, own.category()));
            }
        }
    }
    for (name, category) in found {
        profile.stacks.push_event(profile.strings.get(name), category);
    }
}
