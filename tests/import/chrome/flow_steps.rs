//! Flows: their ids, where each begins and ends, and the slice that each of their events binds to.

use std::collections::BTreeMap;

use super::asyncs::Group;
use super::event::{Event, Id, in_time_order};
use super::reference::{Entry, Flow, Places, Slice, Track, Warnings, warn};

/// Flows by `s` `t` `f`, by `bind_id`, and by the ids of asyncs; in no particular order.
pub(crate) fn flows(
    events: &[Event<'_>],
    groups: &[Group],
    places: &Places,
    tracks: &[Track],
    warnings: &mut Warnings,
) -> Vec<Flow> {
    let mut flows = drawn_by_arrows(events, tracks, warnings);
    flows.extend(drawn_by_bind_id(events, places));
    flows.extend(groups.iter().filter(|group| group.entries.len() > 1 && group.has_id).map(|group| {
        let step = |entry: &Entry| {
            let (track, slice) = places[&entry.event];
            (entry.slice.start_ns, track, slice)
        };
        Flow { id: group.id.clone(), steps: group.entries.iter().map(step).collect(), loose: false }
    }));
    flows.retain(|flow| !flow.steps.is_empty());
    flows
}

/// `s`, `t` and `f`. A flow is everything of one identity from an `s` on until an `f` or another `s`, whether or not that
/// binds to a slice.
fn drawn_by_arrows(events: &[Event<'_>], tracks: &[Track], warnings: &mut Warnings) -> Vec<Flow> {
    let mut flows: Vec<Flow> = Vec::new();
    let mut running: BTreeMap<(&str, &str, Option<&Id>), usize> = BTreeMap::new();
    let is_arrow = |event: &&Event<'_>| ["s", "t", "f"].contains(&event.phase.as_str());
    for event in in_time_order(events.iter().filter(is_arrow)) {
        let identity = (event.cat.as_str(), event.name.as_str(), event.id.as_ref());
        if event.phase == "s" {
            running.remove(&identity);
        }
        let flow = *running.entry(identity).or_insert_with(|| {
            flows.push(Flow { id: event.id.as_ref().map(|id| id.text.clone()).unwrap_or_default(), ..Flow::default() });
            flows.len() - 1
        });
        if event.phase == "f" {
            running.remove(&identity);
        }
        let is_thread = |track: &Track| track.kind == "thread" && track.pid == event.pid && track.tid == event.tid;
        let track = tracks.iter().position(is_thread);
        let Some((track, bound)) = track.and_then(|track| Some((track, bind(event, &tracks[track].slices)?))) else {
            warn(warnings, "unbound_flow");
            continue;
        };
        flows[flow].steps.push((event.ts, track, bound.slice));
        flows[flow].loose |= bound.is_loose;
    }
    flows
}

/// The slice that a flow event takes.
struct Bound {
    slice: usize,
    /// Some of the slices it chose from have no depth.
    is_loose: bool,
}

/// The slice of its thread that an `s`, `t` or `f` binds to.
fn bind(event: &Event<'_>, slices: &[Slice]) -> Option<Bound> {
    let first_later = slices.partition_point(|slice| slice.start_ns <= event.ts);
    let first_at = slices.partition_point(|slice| slice.start_ns < event.ts);
    let exact = (first_at..first_later).filter(|&at| slices[at].cat == event.cat);
    if let Some(bound) = deepest(exact, slices) {
        return Some(bound);
    }
    let is_slice = |at: &usize| slices[*at].end_ns.is_some();
    let is_bound_inside = ["input", "ipc.flow"].iter().any(|part| event.cat.contains(part));
    if event.phase == "f" && !event.binds_enclosing && !is_bound_inside {
        return (first_at..slices.len()).find(is_slice).map(|slice| Bound { slice, is_loose: false });
    }
    // An instant holds what happens at its very time, like a slice of no length.
    let around = (0..first_later).filter(|&at| event.ts <= slices[at].end());
    deepest(around, slices)
}

/// The deepest of some slices, of equally deep ones the last in order.
fn deepest(choice: impl Iterator<Item = usize>, slices: &[Slice]) -> Option<Bound> {
    let choice: Vec<usize> = choice.collect();
    let is_loose = choice.len() > 1 && choice.iter().any(|&at| slices[at].depth.is_none());
    let slice = choice.into_iter().max_by_key(|&at| (slices[at].depth, at))?;
    Some(Bound { slice, is_loose })
}

/// Events with `bind_id` and `flow_in` or `flow_out`: each is a step of that id itself, and the id never ends.
fn drawn_by_bind_id(events: &[Event<'_>], places: &Places) -> Vec<Flow> {
    let mut flows: BTreeMap<&str, Flow> = BTreeMap::new();
    let may_step = |event: &&Event<'_>| ["X", "B", "b", "n"].contains(&event.phase.as_str());
    for event in in_time_order(events.iter().filter(may_step)) {
        let Some(id) = &event.bind_id else { continue };
        let (track, slice) = places[&event.index];
        let flow = flows.entry(id).or_insert_with(|| Flow { id: id.clone(), ..Flow::default() });
        flow.steps.push((event.ts, track, slice));
    }
    flows.into_values().collect()
}
