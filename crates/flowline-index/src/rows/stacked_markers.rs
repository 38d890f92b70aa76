//! The markers of a thread that are stacked together with its calls.

use flowline_profile::{MarkerFlags, Profile, Thread, TrackKind};

/// Markers of Firefox that run on their thread like a call, although their schema does not state it.
const WORK: [&str; 6] = ["CCSlice", "GCMinor", "GCSlice", "HTMLParserTreeOps", "LongTask", "Styles"];

/// By number of attributes, true for markers that nest like calls.
pub(crate) fn stacked_attributes(profile: &Profile, thread: &Thread) -> Vec<bool> {
    let is_sampled = profile.meta.capabilities.stacks_samples;
    let work: Vec<_> = WORK.iter().filter(|_| is_sampled).filter_map(|name| profile.strings.find(name)).collect();
    let attributes = thread.markers.attributes();
    let nests = |own: &flowline_profile::Attributes| {
        let lasts = !own.flags.has(MarkerFlags::INSTANT);
        own.flags.has(MarkerFlags::STACK_BASED) || (lasts && work.contains(&own.name))
    };
    attributes.items().iter().map(nests).collect()
}

/// True if a thread has both markers that nest and calls or samples, so that they can share a stack.
pub(crate) fn has_stack_of_both(profile: &Profile, thread: &Thread) -> bool {
    let Some(samples) = thread.samples.as_deref() else { return false };
    let has_calls = match &samples.calls {
        Some(calls) => !calls.is_empty(),
        None => profile.meta.capabilities.stacks_samples && !samples.cpu.is_empty(),
    };
    has_calls && thread.kind == TrackKind::Thread && thread.markers.has_slices()
}
