//! Interactions of Firefox: `DOMEvent` markers of the main threads. Events with one event time are one input; down, up and
//! click are one press. The compositor states when a click or a key press was presented; of other inputs, the paint is
//! unknown.

use std::collections::BTreeMap;

use super::interaction::{Interaction, InteractionCategory};
use crate::dropped::Dropped;
use crate::markers_by_name::{Named, markers_named};
use crate::page_load::PageId;
use flowline_profile::text::WINDOW_KEY;
use flowline_profile::{MarkerFlags, MarkerId, Ns, ProcessId, Profile, ThreadId, TimeRange, Value};

/// Name of the threads that handle events.
const MAIN_THREAD: &str = "GeckoMain";
/// Start of the name of the process that passes events on to the processes of pages.
const PARENT: &str = "Parent";
/// Event times of one input differ by at most this.
const SAME_INPUT: Ns = Ns(50_000);
/// The presentation of an input begins at most this far from its event time.
const SAME_PRESENTATION: Ns = Ns(100_000);

const POINTER: [&str; 10] = [
    "click",
    "pointerdown",
    "mousedown",
    "pointerup",
    "mouseup",
    "touchstart",
    "touchend",
    "auxclick",
    "contextmenu",
    "dblclick",
];
const KEYBOARD: [&str; 3] = ["keydown", "keypress", "keyup"];
const DOWN: [&str; 4] = ["pointerdown", "mousedown", "touchstart", "keydown"];
const UP: [&str; 4] = ["pointerup", "mouseup", "touchend", "keyup"];

/// Markers of the compositor: from the event time to the presentation.
const PRESENTED: [(&str, InteractionCategory); 2] = [
    ("MouseUpFollowedByClick Payload Presented", InteractionCategory::Pointer),
    ("KeyPress Payload Presented", InteractionCategory::Keyboard),
];

/// An event of an input.
struct Event {
    name: &'static str,
    category: InteractionCategory,
    /// The time at which the system reported it.
    time: Ns,
    handled: TimeRange,
    window: Option<i64>,
    thread: ThreadId,
    marker: MarkerId,
}

/// Events with one event time.
struct Input {
    time: Ns,
    handled: TimeRange,
    events: Vec<Event>,
    process: ProcessId,
    category: InteractionCategory,
    press: u32,
}

impl Input {
    fn has(&self, names: &[&str]) -> bool {
        self.events.iter().any(|event| names.contains(&event.name))
    }
}

/// The interactions of a profile by start, and the events that were left out.
pub(super) fn read(profile: &Profile) -> (Vec<Interaction>, Dropped) {
    let (mut inputs, dropped) = inputs(profile);
    if inputs.is_empty() {
        return (Vec::new(), dropped);
    }
    drop_passed_on(profile, &mut inputs);
    number_presses(&mut inputs);
    let presented = Presented::new(profile);
    let mut all: Vec<Interaction> = inputs.into_iter().filter_map(|input| interaction(input, &presented)).collect();
    all.sort_by_key(|own| (own.start, own.marker));
    (all, dropped)
}

fn event(profile: &Profile, (_, id, marker): Named) -> Option<Result<Event, ()>> {
    let thread = profile.thread(id);
    let payload = profile.payload_in(thread, marker);
    let name = payload.get("eventType").and_then(Value::as_str)?;
    let known = |names: &[&'static str]| names.iter().find(|known| **known == name).copied();
    let of = |names, category| known(names).map(|name| (name, category));
    let (name, category) =
        of(&POINTER, InteractionCategory::Pointer).or_else(|| of(&KEYBOARD, InteractionCategory::Keyboard))?;
    let handled = thread.markers.range(marker);
    let latency = payload.get("latency").and_then(Value::as_f64).and_then(Ns::from_ms);
    let is_whole = !thread.markers.flags(marker).has(MarkerFlags::INCOMPLETE);
    let Some(latency) = latency.filter(|latency| is_whole && *latency >= Ns(0)) else { return Some(Err(())) };
    Some(Ok(Event {
        name,
        category,
        time: handled.start - latency,
        handled,
        window: payload.get(WINDOW_KEY).and_then(Value::as_i64),
        thread: id,
        marker: thread.global(marker),
    }))
}

/// The inputs of all processes, and the damaged events.
fn inputs(profile: &Profile) -> (Vec<Input>, Dropped) {
    let (mut inputs, mut dropped): (Vec<Input>, Dropped) = (Vec::new(), Dropped::default());
    let mut by_time: BTreeMap<(ProcessId, InteractionCategory), BTreeMap<Ns, usize>> = BTreeMap::new();
    for named in markers_named(profile, &["DOMEvent"], |thread| thread.name == MAIN_THREAD) {
        let Some(event) = event(profile, named) else { continue };
        let Ok(event) = event else {
            dropped.add(Some(profile.thread(named.1).global(named.2)));
            continue;
        };
        let process = profile.thread(event.thread).process;
        let known = by_time.entry((process, event.category)).or_default();
        let near = known.range(event.time - SAME_INPUT..=event.time + SAME_INPUT).next_back();
        match near.map(|(_, at)| *at) {
            Some(at) => {
                let input = &mut inputs[at];
                input.handled = input.handled.union(event.handled);
                input.events.push(event);
            }
            None => {
                known.insert(event.time, inputs.len());
                let (time, handled, category) = (event.time, event.handled, event.category);
                inputs.push(Input { time, handled, events: vec![event], process, category, press: 0 });
            }
        }
    }
    (inputs, dropped)
}

/// Removes the inputs that the parent process passed on.
fn drop_passed_on(profile: &Profile, inputs: &mut Vec<Input>) {
    let is_parent = |input: &Input| profile.processes[input.process.index()].name.starts_with(PARENT);
    let mut content: Vec<Ns> = inputs.iter().filter(|input| !is_parent(input)).map(|input| input.time).collect();
    content.sort_unstable();
    let is_passed_on = |time: Ns| {
        let first = content.partition_point(|other| *other < time - SAME_INPUT);
        content.get(first).is_some_and(|other| *other <= time + SAME_INPUT)
    };
    inputs.retain(|input| !is_parent(input) || !is_passed_on(input.time));
}

/// Joins the inputs of a press: a new one begins with a down after an up.
fn number_presses(inputs: &mut [Input]) {
    inputs.sort_by_key(|input| (input.handled.start, input.time));
    let mut open: BTreeMap<(ProcessId, InteractionCategory), (u32, bool)> = BTreeMap::new();
    let mut next = 0;
    for input in inputs {
        let press = open.entry((input.process, input.category)).or_insert((u32::MAX, true));
        if press.0 == u32::MAX || (press.1 && input.has(&DOWN)) {
            *press = (next, false);
            next += 1;
        }
        input.press = press.0;
        press.1 |= input.has(&UP);
    }
}

/// The presentations of clicks and key presses, by start.
struct Presented(Vec<(Ns, InteractionCategory, Ns, MarkerId)>);

impl Presented {
    fn new(profile: &Profile) -> Self {
        let names = PRESENTED.map(|(name, _)| name);
        let found = markers_named(profile, &names, |_| true).into_iter();
        let whole =
            found.filter(|(_, id, marker)| !profile.thread(*id).markers.flags(*marker).has(MarkerFlags::INCOMPLETE));
        let mut all: Vec<_> = whole
            .map(|(name, id, marker)| {
                let thread = profile.thread(id);
                let times = thread.markers.range(marker);
                (times.start, PRESENTED[name].1, times.end, thread.global(marker))
            })
            .collect();
        all.sort_unstable();
        Self(all)
    }

    fn of(&self, time: Ns, category: InteractionCategory) -> Option<(Ns, MarkerId)> {
        let first = self.0.partition_point(|own| own.0 < time - SAME_PRESENTATION);
        let near = self.0[first..].iter().take_while(|own| own.0 <= time + SAME_PRESENTATION);
        near.into_iter().find(|own| own.1 == category).map(|own| (own.2, own.3))
    }
}

fn interaction(input: Input, presented: &Presented) -> Option<Interaction> {
    let main = input.events.iter().find(|event| event.name == POINTER[0]).or(input.events.first())?;
    // Handlers that began after the paint of their input have no known paint.
    let paint = presented.of(input.time, input.category).filter(|(end, _)| *end >= input.handled.start);
    let end = paint.map(|(end, _)| end);
    let mut markers: Vec<MarkerId> = input.events.iter().map(|event| event.marker).collect();
    markers.sort_unstable();
    Some(Interaction {
        event: main.name.to_owned(),
        category: input.category,
        start: input.time,
        processing_start: input.handled.start,
        processing_end: end.map_or(input.handled.end, |end| input.handled.end.min(end)),
        end,
        queued: None,
        committed: None,
        id: None,
        press: Some(input.press),
        is_nested: false,
        navigation: None,
        page: main.window.map_or(PageId::None, PageId::Window),
        presented_by: paint.map(|(_, marker)| marker),
        thread: main.thread,
        marker: main.marker,
        markers,
    })
}
