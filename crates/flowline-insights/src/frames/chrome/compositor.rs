//! Frames from the events of the compositor and of the main thread, in one pass by time.
//!
//! A frame lasts from its own begin to the begin of the next one, so frames partition the time from the first to the last
//! begin. The last frame has no end in the recording, so it is none.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::begin_queue::{BeginQueue, Begun};
use super::events::{Event, EventKind, events};
use super::main_frame::{MainFrame, MainFrames};
use crate::frames::budget::Budget;
use crate::frames::list::Frames;
use crate::frames::page_frame::{FrameState, PageFrame};
use crate::markers_by_name::{Named, markers_named};
use crate::page::Page;
use flowline_index::{Derived, Index};
use flowline_profile::{LocalMarker, MarkerId, Ns, ProcessId, Profile, ThreadId, TimeRange, Value};

/// Number of frames between two that still tell the rate of the display.
const MAX_STEP: i64 = 30;
/// The category of the tasks that begin frames.
const TASK_CATEGORY: &str = "disabled-by-default-devtools.timeline";

/// The frames of the page of a trace.
pub(in crate::frames) fn frames(index: &Index) -> Frames {
    let (profile, page) = (index.profile(), Page::of(index));
    let Some(main) = page.frames().main() else {
        return Frames::unknown("the main frame of the page is unknown: record the category devtools.timeline");
    };
    let (events, mut dropped) = events(profile);
    let has_number = |event: &Event| {
        let (EventKind::Begin { sequence, .. } | EventKind::Drop { sequence, .. } | EventKind::Draw { sequence, .. }) =
            event.kind
        else {
            return false;
        };
        sequence.is_some()
    };
    if !events.iter().any(has_number) {
        return Frames::unknown("BeginFrame, DrawFrame and DroppedFrame have no frameSeqId");
    }
    let mut pass = Pass { tasks: TaskStarts::new(profile, &events, main), ..Pass::default() };
    for event in &events {
        pass.read(event, main);
    }
    let budget = Budget::of_intervals(intervals(&events));
    let mut found = pass.done;
    for frame in &mut found {
        let is_drawn = matches!(frame.state, FrameState::Shown | FrameState::Partial);
        frame.is_late = is_drawn && budget.is_exceeded(frame.times.len());
    }
    add_reports(profile, &mut found);
    dropped.add_many(pass.queue.excess, None);
    Frames::new(found, budget, dropped)
}

/// The times between two refreshes according to the frames of each layer tree.
fn intervals(events: &[Event]) -> Vec<i64> {
    let mut last: BTreeMap<(ProcessId, i64), (i64, Ns)> = BTreeMap::new();
    let mut found = Vec::new();
    for event in events {
        if let EventKind::Begin { tree, sequence: Some(sequence) } = event.kind
            && let Some(before) = last.insert((event.process, tree), (sequence, event.time))
        {
            found.extend(interval(before, (sequence, event.time)));
        }
    }
    found
}

/// The time between two refreshes according to two frames in succession.
fn interval((number, time): (i64, Ns), (next, later): (i64, Ns)) -> Option<i64> {
    let step = next.checked_sub(number).filter(|step| (1..=MAX_STEP).contains(step))?;
    Some((later - time).0 / step)
}

/// The starts of the tasks of main threads.
#[derive(Debug, Default)]
struct TaskStarts(BTreeMap<ThreadId, Vec<Ns>>);

impl TaskStarts {
    fn new(profile: &Profile, events: &[Event], main: &str) -> Self {
        let Some(name) = profile.strings.find("RunTask") else { return Self::default() };
        // Other tracing categories have tasks of this name that begin earlier.
        let is_stated: Vec<bool> =
            profile.categories.iter().map(|own| own.name.split(',').any(|part| part == TASK_CATEGORY)).collect();
        let is_main = |event: &&Event| matches!(&event.kind, EventKind::LayerTree { frame, .. } if frame == main);
        // Each frame states the layer tree again.
        let threads: BTreeSet<ThreadId> = events.iter().filter(is_main).map(|event| event.thread).collect();
        let starts = threads.into_iter().map(|id| {
            let thread = profile.thread(id);
            let attributes = thread.markers.attributes();
            let is_task: Vec<bool> = attributes
                .items()
                .iter()
                .map(|own| own.name == name && is_stated.get(own.category().index()) == Some(&true))
                .collect();
            let tasks = attributes.numbers().enumerate().filter(|(_, number)| is_task[*number]);
            (id, tasks.map(|(marker, _)| thread.markers.start(LocalMarker::new(marker))).collect())
        });
        Self(starts.collect())
    }

    /// The start of the last task of a thread at or before a time.
    fn before(&self, thread: ThreadId, time: Ns) -> Option<Ns> {
        let starts = self.0.get(&thread)?;
        starts.get(starts.partition_point(|start| *start <= time).checked_sub(1)?).copied()
    }
}

/// The frame that is on the screen.
#[derive(Debug)]
struct Current {
    begun: Begun,
    page: Option<ProcessId>,
    is_idle: bool,
    is_dropped: bool,
    is_partial: bool,
    main: Option<MainFrame>,
    drawn_by: Option<MarkerId>,
}

/// The state of the pass.
#[derive(Debug, Default)]
struct Pass {
    /// The layer tree of the page, and the main thread that has it. Compositors of other processes that draw a tree of
    /// the same number draw the page, too: the browser shows what the page's process made.
    tree: Option<i64>,
    main_thread: Option<(ProcessId, ThreadId)>,
    tasks: TaskStarts,
    queue: BeginQueue,
    current: Option<Current>,
    last_begin: Option<Ns>,
    /// Time since which the compositor has something to do.
    needs_begin: Option<Ns>,
    is_requested: bool,
    is_committed: bool,
    main: MainFrames,
    done: Vec<PageFrame>,
}

impl Pass {
    fn read(&mut self, event: &Event, main: &str) {
        match &event.kind {
            EventKind::LayerTree { frame, tree } => {
                if frame == main {
                    self.tree = Some(*tree);
                    self.main_thread = Some((event.process, event.thread));
                }
            }
            EventKind::BeginMain { .. } | EventKind::Trigger | EventKind::Commit { .. } => self.read_main(event),
            _ => self.read_compositor(event),
        }
    }

    fn is_of_page(&self, tree: i64) -> bool {
        self.tree == Some(tree)
    }

    fn read_main(&mut self, event: &Event) {
        if self.main_thread.map(|(_, thread)| thread) != Some(event.thread) {
            return;
        }
        if let EventKind::Commit { tree } = event.kind {
            if self.is_of_page(tree) && self.main.commit(event.end, event.marker) {
                (self.is_requested, self.is_committed) = (false, true);
            }
            return;
        }
        let trigger = self.tasks.before(event.thread, event.time).unwrap_or(event.time);
        let open = self.main.begin(event.thread, trigger);
        if let EventKind::BeginMain { number } = event.kind {
            open.number = number.filter(|number| *number != 0).or(open.number);
            open.markers.push(event.marker);
        }
    }

    fn read_compositor(&mut self, event: &Event) {
        let begun = |sequence: i64| Begun {
            sequence,
            time: event.time,
            is_dropped: false,
            is_partial: false,
            thread: event.thread,
            marker: event.marker,
            dropped_by: None,
        };
        match event.kind {
            EventKind::Begin { tree, sequence: Some(sequence) } if self.is_of_page(tree) => {
                self.begin_first(begun(sequence));
                self.last_begin = Some(event.time);
                self.queue.add(begun(sequence));
            }
            EventKind::Drop { tree, sequence: Some(sequence), is_partial } if self.is_of_page(tree) => {
                self.begin_first(begun(sequence));
                self.queue.drop_frame(Begun { is_dropped: true, is_partial, ..begun(sequence) });
            }
            EventKind::Draw { tree, sequence: Some(sequence) } if self.is_of_page(tree) => {
                if self.current.is_none() {
                    self.begin_first(begun(sequence));
                } else {
                    self.draw(sequence, event.marker);
                }
            }
            EventKind::RequestMain { tree } if self.is_of_page(tree) && self.current.is_some() => {
                self.is_requested = true;
            }
            EventKind::NeedsBegin { tree, is_needed: true } if self.is_of_page(tree) => {
                self.needs_begin = Some(event.time);
            }
            EventKind::Activate { tree } if self.is_of_page(tree) && self.needs_begin.is_none() => {
                self.show_main_work();
            }
            _ => {}
        }
    }

    /// Begins a frame, if it is the first one.
    fn begin_first(&mut self, begun: Begun) {
        if self.current.is_none() {
            self.begin(begun, None);
        }
    }

    /// Ends the current frame where the next one begins, never before its own begin: late reports of dropped frames
    /// have later times.
    fn begin(&mut self, mut begun: Begun, drawn_by: Option<MarkerId>) {
        if let Some(current) = self.current.take() {
            begun.time = begun.time.max(current.begun.time);
            if begun.time > current.begun.time {
                self.done.push(current.ended(begun.time));
            }
        }
        let (is_dropped, is_partial) = (begun.is_dropped, begun.is_partial);
        let page = self.main_thread.map(|(process, _)| process);
        self.current = Some(Current { begun, page, is_idle: false, is_dropped, is_partial, main: None, drawn_by });
    }

    fn draw(&mut self, sequence: i64, marker: MarkerId) {
        if self.is_committed || !self.is_requested {
            self.end_idle();
            for begun in self.queue.draw(sequence) {
                let was_idle = self.current.as_ref().is_some_and(|current| current.is_idle);
                self.begin(begun, (begun.sequence == sequence).then_some(marker));
                if was_idle {
                    self.show_main_work();
                }
            }
        }
        self.is_committed = false;
    }

    /// Marks the current frame as idle if nothing was to be done for a part of it.
    fn end_idle(&mut self) {
        let Some(needed) = self.needs_begin.take() else { return };
        let pending = self.main.pending_activation.as_ref().map(|main| main.trigger);
        let until = pending.or(self.last_begin).unwrap_or(needed);
        if let Some(current) = self.current.as_mut().filter(|current| until > current.begun.time) {
            current.is_idle = true;
            self.last_begin = None;
        }
    }

    /// The current frame shows the committed work.
    fn show_main_work(&mut self) {
        if let Some(current) = &mut self.current
            && let Some(main) = self.main.pending_activation.take()
        {
            current.main = Some(main);
        }
    }
}

impl Current {
    fn ended(self, end: Ns) -> PageFrame {
        let state = match (self.is_idle, self.is_dropped, self.is_partial) {
            (true, ..) => FrameState::Idle,
            (_, true, true) => FrameState::Partial,
            (_, true, false) => FrameState::Dropped,
            _ => FrameState::Shown,
        };
        let times = TimeRange { start: self.begun.time, end };
        let mut frame = PageFrame::new(state, times, self.begun.thread, self.begun.marker);
        frame.sequence = Some(self.begun.sequence);
        frame.page = self.page;
        frame.main_frame = self.main.as_ref().and_then(|main| main.number);
        frame.main_work = self.main.as_ref().map(MainFrame::work);
        frame.markers.extend(self.begun.dropped_by);
        frame.markers.extend(self.drawn_by);
        frame.markers.extend(self.main.into_iter().flat_map(|main| main.markers));
        frame.markers.sort_unstable();
        frame.markers.dedup();
        frame
    }
}

/// Time, process and marker of a report.
type Report = (TimeRange, ProcessId, MarkerId);

/// Adds the browser's own reports to the frames of the same number. A report overlaps its frame.
fn add_reports(profile: &Profile, frames: &mut [PageFrame]) {
    let read = |(_, id, marker): Named| {
        let thread = profile.thread(id);
        let payload = profile.payload_in(thread, marker);
        let number = payload.get("frame_reporter")?.get("frame_sequence").and_then(Value::as_i64)?;
        Some((number, (thread.markers.range(marker), thread.process, thread.global(marker))))
    };
    let named = markers_named(profile, &["PipelineReporter"], |_| true);
    let reports: Vec<(i64, Report)> = named.into_par_iter().filter_map(read).collect();
    let mut by_number: BTreeMap<i64, Vec<Report>> = BTreeMap::new();
    for (number, report) in reports {
        by_number.entry(number).or_default().push(report);
    }
    for frame in frames {
        let Some(reports) = frame.sequence.and_then(|number| by_number.get(&number)) else { continue };
        let own = reports
            .iter()
            .filter(|(times, of, _)| Some(*of) == frame.page && frame.times.overlaps(times.start, times.end));
        frame.report = own.map(|(.., marker)| *marker).next();
    }
}
