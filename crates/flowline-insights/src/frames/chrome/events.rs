//! The events from which frames are read.

use rayon::prelude::*;

use super::quick_args::QuickArgs;
use crate::dropped::Dropped;
use crate::markers_by_name::{Named, markers_named};
use flowline_profile::{MarkerId, Ns, ProcessId, Profile, ThreadId, TrackKind, Value};

/// Names of the events.
const NAMES: [&str; 13] = [
    "SetLayerTreeId",
    "BeginFrame",
    "DroppedFrame",
    "DrawFrame",
    "RequestMainThreadFrame",
    "ActivateLayerTree",
    "NeedsBeginFrameChanged",
    "Commit",
    "CompositeLayers",
    "BeginMainThreadFrame",
    "ScheduleStyleRecalculation",
    "InvalidateLayout",
    "ScrollLayer",
];
/// Position of the first event whose arguments do not matter.
const PLAIN: usize = 10;

/// The meaning of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EventKind {
    /// The layer tree of a frame of the page.
    LayerTree { frame: String, tree: i64 },
    /// The compositor begins a frame.
    Begin { tree: i64, sequence: Option<i64> },
    /// The compositor drops a frame.
    Drop { tree: i64, sequence: Option<i64>, is_partial: bool },
    /// The compositor draws a frame.
    Draw { tree: i64, sequence: Option<i64> },
    /// The compositor asks the main thread for changes.
    RequestMain { tree: i64 },
    /// The compositor takes the committed changes over.
    Activate { tree: i64 },
    /// The compositor has something to do from now on, or nothing more.
    NeedsBegin { tree: i64, is_needed: bool },
    /// The main thread has handed its changes over.
    Commit { tree: i64 },
    /// The main thread begins a frame.
    BeginMain { number: Option<i64> },
    /// The main thread has something to change.
    Trigger,
}

/// An event.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) time: Ns,
    pub(super) end: Ns,
    pub(super) process: ProcessId,
    pub(super) thread: ThreadId,
    pub(super) marker: MarkerId,
    pub(super) kind: EventKind,
}

/// True if a recording may have frames. This reads no markers.
pub(in crate::frames) fn may_have(profile: &Profile) -> bool {
    ["BeginFrame", "DrawFrame", "DroppedFrame"].iter().any(|name| profile.strings.find(name).is_some())
}

/// The events by time, and the damaged ones.
pub(super) fn events(profile: &Profile) -> (Vec<Event>, Dropped) {
    // Stages of `PipelineReporter` operations have names of events, too.
    let named = markers_named(profile, &NAMES, |thread| thread.kind != TrackKind::Async);
    let read: Vec<Option<Event>> = named.par_iter().map(|own| read(profile, *own)).collect();
    let mut damaged = Dropped::default();
    for ((_, id, marker), _) in named.iter().zip(&read).filter(|(_, event)| event.is_none()) {
        damaged.add(Some(profile.thread(*id).global(*marker)));
    }
    let mut events: Vec<Event> = read.into_iter().flatten().collect();
    events.par_sort_by_key(|event| (event.time, event.marker));
    (events, damaged)
}

fn read(profile: &Profile, (name, id, marker): Named) -> Option<Event> {
    let thread = profile.thread(id);
    let times = thread.markers.range(marker);
    let kind = if name >= PLAIN {
        EventKind::Trigger
    } else {
        let quick = QuickArgs::read(profile, thread, marker).and_then(|args| quick_kind(NAMES[name], args));
        quick.or_else(|| kind(NAMES[name], &profile.payload_in(thread, marker)))?
    };
    let (process, marker) = (thread.process, thread.global(marker));
    Some(Event { time: times.start, end: times.end, process, thread: id, marker, kind })
}

/// The meaning of an event whose arguments are written as usual; `None` for others.
fn quick_kind(name: &str, args: QuickArgs) -> Option<EventKind> {
    let sequence = args.sequence;
    Some(match name {
        "SetLayerTreeId" => EventKind::LayerTree { frame: args.frame?, tree: args.frame_tree? },
        "BeginMainThreadFrame" => EventKind::BeginMain { number: args.number },
        "BeginFrame" => EventKind::Begin { tree: args.tree?, sequence },
        "DroppedFrame" => EventKind::Drop { tree: args.tree?, sequence, is_partial: args.is_partial.unwrap_or(false) },
        "DrawFrame" => EventKind::Draw { tree: args.tree?, sequence },
        "RequestMainThreadFrame" => EventKind::RequestMain { tree: args.tree? },
        "ActivateLayerTree" => EventKind::Activate { tree: args.tree? },
        "NeedsBeginFrameChanged" => {
            EventKind::NeedsBegin { tree: args.tree?, is_needed: args.is_needed.unwrap_or(false) }
        }
        _ => EventKind::Commit { tree: args.tree? },
    })
}

/// The meaning of an event with arguments; `None` if they lack a layer tree.
fn kind(name: &str, args: &Value) -> Option<EventKind> {
    let data = |key: &str| args.get("data").and_then(|data| data.get(key));
    if name == "BeginMainThreadFrame" {
        return Some(EventKind::BeginMain { number: data("frameId").and_then(Value::as_i64) });
    }
    if name == "SetLayerTreeId" {
        let frame = data("frame").and_then(Value::as_str)?.to_owned();
        return Some(EventKind::LayerTree { frame, tree: data("layerTreeId").and_then(Value::as_i64)? });
    }
    let tree = args.get("layerTreeId").and_then(Value::as_i64)?;
    let sequence = args.get("frameSeqId").and_then(Value::as_i64);
    let is_set = |value: Option<&Value>| match value {
        Some(Value::Bool(is_set)) => *is_set,
        Some(value) => value.as_i64().is_some_and(|number| number != 0),
        None => false,
    };
    Some(match name {
        "BeginFrame" => EventKind::Begin { tree, sequence },
        "DroppedFrame" => EventKind::Drop { tree, sequence, is_partial: is_set(args.get("hasPartialUpdate")) },
        "DrawFrame" => EventKind::Draw { tree, sequence },
        "RequestMainThreadFrame" => EventKind::RequestMain { tree },
        "ActivateLayerTree" => EventKind::Activate { tree },
        "NeedsBeginFrameChanged" => EventKind::NeedsBegin { tree, is_needed: is_set(data("needsBeginFrame")) },
        _ => EventKind::Commit { tree },
    })
}
