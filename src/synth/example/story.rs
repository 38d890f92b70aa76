//! A small simulation of threads that run one task at a time.
//!
//! Tasks are closures. They are taken in the order of the times at which they want to run; one whose thread is busy
//! waits until the thread is free. So a long task delays what comes after it, as in a browser, and nothing on a thread
//! overlaps unless it is meant to.

use super::cast::{PLACES, Place};
use super::images::Image;
use super::recording::{CounterSamples, Data, Flow, LENGTH, Recording, Value, When};
use crate::synth::json::Nanos;
use crate::synth::random::{Random, mix};
use crate::synth::schema::Category;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// A task: told when it starts, it records what it does and says how many nanoseconds it takes.
type Task = Box<dyn FnOnce(&mut Story, Nanos) -> u64>;

/// Thousand nanoseconds.
pub(super) const US: u64 = 1_000;
/// A million nanoseconds.
pub(super) const MS: u64 = 1_000_000;

/// The simulation.
pub(super) struct Story {
    recording: Recording,
    pub(super) random: Random,
    queue: BinaryHeap<Reverse<(Nanos, u64)>>,
    tasks: HashMap<u64, (Place, Task)>,
    posted: u64,
    free: [Nanos; PLACES],
    flows: u64,
    messages: u64,
    /// Pictures that were loaded since the last frame.
    pub(super) fresh: Vec<Image>,
    /// A frame of the page was asked for and has not begun.
    pub(super) is_frame_due: bool,
    pub(super) frames: u64,
    /// Something of the page was shown.
    pub(super) is_painted: bool,
    /// Bytes that arrived, for the bandwidth counter.
    pub(super) arrived: CounterSamples,
    /// Memory of the page, for the memory counter.
    pub(super) memory: CounterSamples,
}

impl Story {
    pub(super) fn new() -> Self {
        Self {
            recording: Recording::new(),
            random: Random::new(2_026),
            queue: BinaryHeap::new(),
            tasks: HashMap::new(),
            posted: 0,
            free: [Nanos(0); PLACES],
            flows: 0,
            messages: 0,
            fresh: Vec::new(),
            is_frame_due: false,
            frames: 0,
            is_painted: false,
            arrived: Vec::new(),
            memory: Vec::new(),
        }
    }

    /// Runs all tasks, and those that they post, up to the end of the recording.
    pub(super) fn run(&mut self) {
        while let Some(Reverse((wanted, number))) = self.queue.pop() {
            let Some(place) = self.tasks.get(&number).map(|task| task.0) else {
                continue;
            };
            let free = self.free[place.index()];
            if free > wanted {
                self.queue.push(Reverse((free, number)));
            } else if wanted < LENGTH
                && let Some((_, task)) = self.tasks.remove(&number)
            {
                let length = task(self, wanted);
                self.free[place.index()] = wanted.plus(length + 2 * US);
            }
        }
    }

    pub(super) fn into_recording(self) -> Recording {
        self.recording
    }

    pub(super) fn counter(&mut self, owner: usize, what: [&'static str; 3], samples: CounterSamples) {
        self.recording.counters.push((owner, what[0], what[1], what[2], samples));
    }

    /// A new id.
    pub(super) const fn flow(&mut self) -> Flow {
        self.flows += 1;
        // Firefox's ids are addresses behind a prefix of the process; these look alike.
        Flow(0x81b0_7000_0000_0000 | (mix(5, self.flows) & 0x00FF_FFFF_FFF0))
    }

    /// Between `from` and `from + spread` microseconds, in nanoseconds.
    pub(super) const fn some_us(&mut self, from: u64, spread: u64) -> u64 {
        (from * 1_000) + self.random.below(spread * 1_000)
    }

    /// Lets `task` run on a thread, without a trace of its own.
    pub(super) fn post(&mut self, place: Place, wanted: Nanos, task: impl FnOnce(&mut Self, Nanos) -> u64 + 'static) {
        self.posted += 1;
        self.tasks.insert(self.posted, (place, Box::new(task)));
        self.queue.push(Reverse((wanted, self.posted)));
    }

    /// Posts a runnable from one thread to another: a flow of its own from the event queue to the runnable, which may
    /// also belong to a request.
    pub(super) fn dispatch(
        &mut self,
        (from, at): (Place, Nanos),
        (to, wanted): (Place, Nanos),
        name: &'static str,
        request: Option<Flow>,
        task: impl FnOnce(&mut Self, Nanos, Flow) -> u64 + 'static,
    ) {
        let own = self.flow();
        self.point(
            from,
            at,
            "EventQueueInternal::PutEvent",
            Category::Other,
            Data::new("FlowMarker").flow("flow", own),
        );
        self.post(to, wanted, move |story, start| {
            let length = task(story, start.plus(4 * US), own) + 9 * US;
            let mut data = Data::new("Runnable").text("name", name).flow("runnable", own);
            data = data.with("waited", Value::Length(start.0.saturating_sub(at.0)));
            if let Some(request) = request {
                data = data.flow("request", request);
            }
            story.span(to, start, length, "Runnable", Category::Other, data);
            length
        });
    }

    pub(super) fn point(&mut self, place: Place, at: Nanos, name: &str, category: Category, data: Data) {
        self.recording.mark(place, name, category, When::At(at), Some(data));
    }

    /// A point without a payload.
    pub(super) fn bare(&mut self, place: Place, at: Nanos, name: &str, category: Category) {
        self.recording.mark(place, name, category, When::At(at), None);
    }

    pub(super) fn span(&mut self, place: Place, start: Nanos, length: u64, name: &str, category: Category, data: Data) {
        self.recording.mark(place, name, category, When::Span(start, start.plus(length)), Some(data));
    }

    /// A stack-based interval without fields, recorded as two halves.
    pub(super) fn stack(&mut self, place: Place, start: Nanos, length: u64, name: &str, category: Category) {
        let when = When::Halves(start, start.plus(length));
        self.recording.mark(place, name, category, when, Some(Data::new("StackMarker")));
    }

    pub(super) fn halves(
        &mut self,
        place: Place,
        start: Nanos,
        length: u64,
        name: &str,
        category: Category,
        data: Data,
    ) {
        self.recording.mark(place, name, category, When::Halves(start, start.plus(length)), Some(data));
    }

    /// A stack-based interval with a text.
    pub(super) fn text(&mut self, place: Place, start: Nanos, length: u64, name: &str, category: Category, text: &str) {
        self.span(place, start, length, name, category, Data::new("TextStack").text("name", text));
    }

    /// A stack-based interval that belongs to a flow.
    pub(super) fn along(
        &mut self,
        flow: Flow,
        place: Place,
        start: Nanos,
        length: u64,
        name: &str,
        category: Category,
    ) {
        self.span(place, start, length, name, category, Data::new("FlowStackMarker").flow("flow", flow));
    }

    /// A message between processes: who sent it, the threads that carried it, who got it.
    pub(super) fn message(&mut self, (from, sent): (Place, Nanos), (to, received): (Place, Nanos), name: &str) {
        self.messages += 1;
        let (sender, receiver) = (from.process(), to.process());
        let number = self.messages;
        let middle = Nanos(sent.0.midpoint(received.0));
        let steps = [
            (from, sent, "endpoint", true),
            (from.transport(), sent.plus(3 * US), "transferStart", true),
            (from.transport(), sent.plus(7 * US), "transferEnd", true),
            (to.transport(), middle, "transferEnd", false),
            (to, received, "endpoint", false),
        ];
        for (place, at, phase, is_sending) in steps {
            let side = match (phase, place.process().kind.0) {
                ("endpoint", "default") => "parent",
                ("endpoint", _) => "child",
                _ => "unknown",
            };
            // What a child sends has a negative number.
            let sign = if sender.kind.0 == "default" { "" } else { "-" };
            let data = Data::new("IPC")
                .with("startTime", Value::Time(at))
                .with("endTime", Value::Time(at))
                .number("otherPid", if is_sending { receiver.pid } else { sender.pid })
                .with("messageSeqno", Value::Json(format!("{sign}{number}")))
                .text("messageType", name)
                .text("side", side)
                .text("direction", if is_sending { "sending" } else { "receiving" })
                .text("phase", phase)
                .with("sync", Value::Flag(false));
            self.point(place, at, "IPC", Category::Ipc, data);
        }
    }
}
