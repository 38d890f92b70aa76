//! Flows: ids, boundaries between flows, and the slice that each flow event binds to.

use std::collections::{BTreeMap, BTreeSet};

use super::asyncs::Group;
use super::event::{Event, Id};
use super::reference::{Entry, Flow, Places, Slice, Track, Warnings, warn};

/// Flows from `s` `t` `f`, from `bind_id`, and from the ids of asyncs, in no particular order.
pub(crate) fn flows(
    events: &[Event<'_>],
    groups: &[Group],
    places: &Places,
    tracks: &[Track],
    warnings: &mut Warnings,
) -> Vec<Flow> {
    let on_asyncs = AsyncPlaces::new(events, groups, places);
    let mut flows = flows_from_phases(events, &on_asyncs, tracks, warnings);
    flows.extend(flows_from_bind_id(events, places));
    let is_constant = constant_ids(groups);
    let is_flow = |group: &&Group| group.entries.len() > 1 && group.has_id && !is_constant(group);
    flows.extend(groups.iter().filter(is_flow).map(|group| {
        let step = |entry: &Entry| {
            let (track, slice) = places[&entry.event];
            (entry.slice.start_ns, track, slice)
        };
        Flow { id: group.id.clone(), steps: group.entries.iter().map(step).collect(), ..Flow::default() }
    }));
    flows.retain(|flow| !flow.steps.is_empty());
    flows
}

/// Tells operations whose id distinguishes nothing: it is used at least three times, and all operations of their name in
/// their process have it.
fn constant_ids(groups: &[Group]) -> impl Fn(&Group) -> bool {
    let key = |group: &Group| group.entries[0].slice.key.clone();
    let name = |group: &Group| (group.pid.clone(), group.entries[0].slice.name.clone());
    let mut uses: BTreeMap<Option<String>, usize> = BTreeMap::new();
    let mut ids: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for group in groups {
        *uses.entry(key(group)).or_default() += 1;
        ids.entry(name(group)).or_default().insert(group.id.clone());
    }
    move |group| uses[&key(group)] >= 3 && ids[&name(group)].len() == 1
}

/// Role of a step, in the order in which simultaneous steps count.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Kind {
    Begins,
    GoesOn,
    IsReached,
}

/// A step with an identity that is not yet assigned to a flow. An unbound step has no place.
struct Loose<'a> {
    kind: Kind,
    event: &'a Event<'a>,
    place: Option<(usize, usize)>,
    is_loose: bool,
}

/// The flows of one identity. Only a beginning step starts a new flow. An arrow comes from the last beginning or
/// continuing step.
fn divide(id: &str, mut steps: Vec<Loose<'_>>) -> Vec<Flow> {
    let order = |a: &Loose<'_>, b: &Loose<'_>| {
        let key = |step: &Loose<'_>| (step.event.ts, step.kind as u8, step.event.index);
        key(a).cmp(&key(b))
    };
    steps.sort_by(order);
    let mut flows = vec![Flow { id: id.to_owned(), ..Flow::default() }];
    let mut source = None;
    for step in steps {
        if step.kind == Kind::Begins {
            flows.push(Flow { id: id.to_owned(), ..Flow::default() });
            source = None;
        }
        let (Some((track, slice)), Some(flow)) = (step.place, flows.last_mut()) else { continue };
        let here = flow.steps.len();
        flow.steps.push((step.event.ts, track, slice));
        flow.loose |= step.is_loose;
        flow.arrows.extend(source.map(|source| (source, here)));
        if step.kind != Kind::IsReached {
            source = Some(here);
        }
    }
    flows
}

/// Flows from `s`, `t` and `f`.
fn flows_from_phases(
    events: &[Event<'_>],
    on_asyncs: &AsyncPlaces<'_>,
    tracks: &[Track],
    warnings: &mut Warnings,
) -> Vec<Flow> {
    let mut by_identity: BTreeMap<(&str, &str, Option<&Id>), Vec<Loose<'_>>> = BTreeMap::new();
    for event in events {
        let kind = match event.phase.as_str() {
            "s" => Kind::Begins,
            "t" => Kind::GoesOn,
            "f" => Kind::IsReached,
            _ => continue,
        };
        let is_thread = |track: &Track| track.kind == "thread" && track.pid == event.pid && track.tid == event.tid;
        let track = tracks.iter().position(is_thread);
        let bound = track.and_then(|track| Some((track, bind(event, &tracks[track].slices)?)));
        let is_exact = bound.as_ref().is_some_and(|(_, bound)| bound.is_exact);
        let has_name =
            bound.as_ref().is_some_and(|(track, bound)| tracks[*track].slices[bound.slice].name == event.name);
        let on_async = on_asyncs.find(event).filter(|(_, same_name)| !is_exact || (*same_name && !has_name));
        let is_loose = bound.as_ref().is_some_and(|(_, bound)| bound.is_loose);
        let place = on_async.map(|(place, _)| place).or_else(|| bound.map(|(track, bound)| (track, bound.slice)));
        if place.is_none() {
            warn(warnings, "unbound_flow");
        }
        let identity = (event.cat.as_str(), event.name.as_str(), event.id.as_ref());
        by_identity.entry(identity).or_default().push(Loose { kind, event, place, is_loose });
    }
    let text = |id: Option<&Id>| id.map(|id| id.text.clone()).unwrap_or_default();
    by_identity.into_iter().flat_map(|((_, _, id), steps)| divide(&text(id), steps)).collect()
}

/// An event that began or ended an async: true for an end, the event, and the location of the async.
type AsyncEnd<'a> = (bool, &'a Event<'a>, (usize, usize));

/// Asyncs by the times of their begin and end events.
struct AsyncPlaces<'a>(BTreeMap<i64, Vec<AsyncEnd<'a>>>);

impl<'a> AsyncPlaces<'a> {
    fn new(events: &'a [Event<'a>], groups: &[Group], places: &Places) -> Self {
        let by_index: BTreeMap<usize, &Event<'_>> = events.iter().map(|event| (event.index, event)).collect();
        let mut by_time: BTreeMap<i64, Vec<AsyncEnd<'_>>> = BTreeMap::new();
        for entry in groups.iter().flat_map(|group| &group.entries) {
            let place = places[&entry.event];
            for (ends, index) in [(false, Some(entry.event)), (true, entry.end_event)] {
                let Some(event) = index.map(|index| by_index[&index]) else { continue };
                by_time.entry(event.ts).or_default().push((ends, event, place));
            }
        }
        for ends in by_time.values_mut() {
            ends.sort_by_key(|(_, event, _)| event.index);
        }
        Self(by_time)
    }

    /// The async whose begin or end event has the flow event's time, thread and category, and a flag for an equal name.
    /// Begins take precedence over ends, then equal names.
    fn find(&self, flow: &Event<'_>) -> Option<((usize, usize), bool)> {
        let same =
            |(_, event, _): &&AsyncEnd<'_>| (&event.pid, &event.tid, &event.cat) == (&flow.pid, &flow.tid, &flow.cat);
        let found = self.0.get(&flow.ts)?.iter().filter(same);
        let (_, event, place) = found.min_by_key(|(ends, event, _)| (*ends, event.name != flow.name))?;
        Some((*place, event.name == flow.name))
    }
}

/// The slice that a flow event binds to.
struct Bound {
    slice: usize,
    /// True if the slice starts at the event's time and has its category.
    is_exact: bool,
    /// True if some candidate slices have no depth.
    is_loose: bool,
}

/// The thread slice that an `s`, `t` or `f` binds to.
fn bind(event: &Event<'_>, slices: &[Slice]) -> Option<Bound> {
    let first_later = slices.partition_point(|slice| slice.start_ns <= event.ts);
    let first_at = slices.partition_point(|slice| slice.start_ns < event.ts);
    let exact = (first_at..first_later).filter(|&at| slices[at].cat == event.cat);
    if let Some(bound) = deepest(exact, slices) {
        return Some(Bound { is_exact: true, ..bound });
    }
    let is_slice = |at: &usize| slices[*at].end_ns.is_some();
    let is_bound_inside = ["input", "ipc.flow"].iter().any(|part| event.cat.contains(part));
    if event.phase == "f" && !event.binds_enclosing && !is_bound_inside {
        return (first_at..slices.len()).find(is_slice).map(|slice| Bound { slice, is_exact: false, is_loose: false });
    }
    // An instant contains events at its exact time, like a slice without length.
    let around = (0..first_later).filter(|&at| event.ts <= slices[at].end());
    deepest(around, slices)
}

/// The deepest slice; among equally deep ones, the last in order.
fn deepest(choice: impl Iterator<Item = usize>, slices: &[Slice]) -> Option<Bound> {
    let choice: Vec<usize> = choice.collect();
    let is_loose = choice.len() > 1 && choice.iter().any(|&at| slices[at].depth.is_none());
    let slice = choice.into_iter().max_by_key(|&at| (slices[at].depth, at))?;
    Some(Bound { slice, is_exact: false, is_loose })
}

/// Events with `bind_id` and `flow_in` or `flow_out`: each one's own slice is a step of that id.
fn flows_from_bind_id(events: &[Event<'_>], places: &Places) -> Vec<Flow> {
    let mut by_id: BTreeMap<&str, Vec<Loose<'_>>> = BTreeMap::new();
    for event in events.iter().filter(|event| ["X", "B", "b", "n"].contains(&event.phase.as_str())) {
        let Some(id) = &event.bind_id else { continue };
        let kind = match (event.flow_in, event.flow_out) {
            (false, _) => Kind::Begins,
            (true, true) => Kind::GoesOn,
            (true, false) => Kind::IsReached,
        };
        by_id.entry(id).or_default().push(Loose { kind, event, place: Some(places[&event.index]), is_loose: false });
    }
    by_id.into_iter().flat_map(|(id, steps)| divide(id, steps)).collect()
}
