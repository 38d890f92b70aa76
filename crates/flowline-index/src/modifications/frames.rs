//! The frames of a page as DevTools numbers them. Keys `l-N` refer to these numbers.
//!
//! A frame begins when the compositor requests it and ends when the next visible frame begins. A frame is visible if it
//! was drawn and either did not need the main thread or its main-thread work was committed. Frames that were dropped
//! before a drawn frame are counted as well. Source: the way DevTools processes the events `BeginFrame`, `DrawFrame`,
//! `DroppedFrame`, and so on, of the page's layer tree.

use std::collections::{BTreeMap, VecDeque};

use flowline_profile::{LocalMarker, Ns, Profile, ThreadId, TimeRange, Value, payload};

/// Events from which frames are derived.
const NAMES: [&str; 13] = [
    "SetLayerTreeId",
    "BeginFrame",
    "DrawFrame",
    "DroppedFrame",
    "ActivateLayerTree",
    "RequestMainThreadFrame",
    "NeedsBeginFrameChanged",
    "ScheduleStyleRecalculation",
    "InvalidateLayout",
    "BeginMainThreadFrame",
    "ScrollLayer",
    "CompositeLayers",
    "Commit",
];

/// Task events of the main thread. A main-thread frame begins in the last task before its first event.
const TASKS: [&str; 2] = ["RunTask", "ThreadControllerImpl::RunTask"];

/// A pending main-thread frame: the time at which it was triggered.
type Pending = Option<Ns>;

#[derive(Debug, Default)]
struct Frames {
    done: Vec<TimeRange>,
    open: Option<Ns>,
    /// Started frames by number: start, and true if the frame was dropped.
    begun: BTreeMap<i64, (Ns, bool)>,
    queue: VecDeque<i64>,
    layer_tree: Option<i64>,
    pending_commit: Pending,
    pending_activation: Pending,
    is_requested: bool,
    is_committed: bool,
    needs_begin: bool,
    last_task: Option<Ns>,
}

impl Frames {
    fn start(&mut self, time: Ns) {
        if let Some(open) = self.open.replace(time) {
            self.done.push(TimeRange::new(open, time));
        }
    }

    fn begin(&mut self, time: Ns, number: i64, is_dropped: bool) {
        if self.open.is_none() {
            self.start(time);
        }
        let known = self.begun.entry(number).or_insert_with(|| {
            self.queue.push_back(number);
            (time, false)
        });
        known.1 |= is_dropped;
    }

    fn draw(&mut self, time: Ns, number: i64) {
        if self.open.is_none() {
            self.start(time);
            return;
        }
        if self.is_committed || !self.is_requested {
            self.needs_begin = false;
            while self.begun.contains_key(&number) {
                let Some(next) = self.queue.pop_front() else { break };
                let Some((start, is_dropped)) = self.begun.remove(&next) else { continue };
                if next == number || is_dropped {
                    self.start(start);
                }
            }
        }
        self.is_committed = false;
    }

    /// Processes an event of the page's layer tree.
    fn compositor(&mut self, name: &str, time: Ns, args: &Value) {
        let number = || args.get("frameSeqId").and_then(Value::as_i64).unwrap_or(0);
        match name {
            "BeginFrame" => self.begin(time, number(), false),
            "DroppedFrame" => self.begin(time, number(), true),
            "DrawFrame" => self.draw(time, number()),
            "ActivateLayerTree" if self.open.is_some() && !self.needs_begin => self.pending_activation = None,
            "RequestMainThreadFrame" if self.open.is_some() => self.is_requested = true,
            "NeedsBeginFrameChanged" => {
                let needs = args.get("data").and_then(|data| data.get("needsBeginFrame"));
                self.needs_begin |= needs.is_some_and(Value::is_truthy);
            }
            _ => {}
        }
    }

    /// Processes an event of the page's main thread.
    fn main_thread(&mut self, name: &str, time: Ns, is_own_tree: bool) {
        match name {
            "ScheduleStyleRecalculation" | "InvalidateLayout" | "BeginMainThreadFrame" | "ScrollLayer" => {
                self.pending_commit = self.pending_commit.or(self.last_task).or(Some(time));
            }
            "CompositeLayers" | "Commit" if is_own_tree && self.pending_commit.is_some() => {
                self.pending_activation = self.pending_commit.take();
                (self.is_requested, self.is_committed) = (false, true);
            }
            _ => {}
        }
    }
}

/// The main frame of the page and its process id.
fn main_frame(profile: &Profile) -> Option<(String, Option<String>)> {
    let (thread, marker) = named(profile, "TracingStartedInBrowser").next()?;
    let args = payload::decode(&profile.source, profile.thread(thread).markers.payload(marker));
    let Some(Value::List(frames)) = args.get("data").and_then(|data| data.get("frames")) else { return None };
    let is_main = |frame: &&Value| {
        let flag = |key: &str| frame.get(key).map(Value::is_truthy);
        flag("isOutermostMainFrame").unwrap_or_else(|| frame.get("parent").is_none())
            && flag("isInPrimaryMainFrame").unwrap_or(true)
    };
    let frame = frames.iter().find(is_main)?;
    let process = frame.get("processId").and_then(Value::as_i64).map(|pid| pid.to_string());
    Some((frame.get("frame")?.as_str()?.to_owned(), process))
}

/// All markers with a name.
fn named<'a>(profile: &'a Profile, name: &str) -> impl Iterator<Item = (ThreadId, LocalMarker)> + 'a {
    let name = profile.strings.find(name);
    profile.threads_with_ids().flat_map(move |(id, thread)| {
        let is_it = move |marker: &LocalMarker| Some(thread.markers.name(*marker)) == name;
        (0..thread.markers.len()).map(LocalMarker::new).filter(is_it).map(move |marker| (id, marker))
    })
}

/// The frames of the page, in the order of their numbers.
pub(super) fn frames(profile: &Profile) -> Vec<TimeRange> {
    let Some((main_frame, pid)) = main_frame(profile) else { return Vec::new() };
    let is_main = |id: ThreadId| {
        let thread = profile.thread(id);
        thread.name == "CrRendererMain" && pid.as_ref().is_none_or(|pid| profile.process_of(id).pid == *pid)
    };
    let mut events: Vec<(Ns, usize, &str, ThreadId, LocalMarker)> = Vec::new();
    for name in NAMES.into_iter().chain(TASKS) {
        events.extend(named(profile, name).filter_map(|(id, marker)| {
            let markers = &profile.thread(id).markers;
            let place = markers.payload(marker).offset().unwrap_or(0);
            let is_of_it = !TASKS.contains(&name) || is_main(id);
            is_of_it.then(|| (markers.start(marker), place, name, id, marker))
        }));
    }
    events.sort_unstable_by_key(|(time, place, ..)| (*time, *place));
    let mut frames = Frames::default();
    for (time, _, name, id, marker) in events {
        if TASKS.contains(&name) {
            frames.last_task = Some(time);
            continue;
        }
        let args = payload::decode(&profile.source, profile.thread(id).markers.payload(marker));
        let data = args.get("data");
        let member = |key: &str| data.and_then(|data| data.get(key)).or_else(|| args.get(key));
        if name == "SetLayerTreeId" {
            if member("frame").and_then(Value::as_str) == Some(&main_frame) {
                frames.layer_tree = member("layerTreeId").and_then(Value::as_i64).or(frames.layer_tree);
            }
            continue;
        }
        let is_own_tree = args.get("layerTreeId").and_then(Value::as_i64) == frames.layer_tree;
        if is_own_tree {
            frames.compositor(name, time, &args);
        }
        if is_main(id) {
            frames.main_thread(name, time, is_own_tree);
        }
    }
    frames.done
}
