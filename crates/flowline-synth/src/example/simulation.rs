//! A small simulation of threads that run one task at a time.
//!
//! Tasks are closures that run in order of their due times; a task whose thread is busy waits until the thread is free.
//! A long task therefore delays later tasks, like in a browser, and markers on a thread overlap only if intended.

use super::image::Image;
use super::processes::{THREAD_COUNT, ThreadRole};
use super::recording::{CounterSamples, Flow, LENGTH, Payload, Recording, Value, When};
use crate::firefox::Category;
use crate::json::Nanos;
use crate::random::{Random, mix};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// A task: takes its start time, records its markers, and returns its duration in nanoseconds.
type Task = Box<dyn FnOnce(&mut Simulation, Nanos) -> u64>;

/// Nanoseconds in a microsecond.
pub(super) const US: u64 = 1_000;
/// Nanoseconds in a millisecond.
pub(super) const MS: u64 = 1_000_000;

/// State of the simulation.
pub(super) struct Simulation {
    recording: Recording,
    pub(super) random: Random,
    queue: BinaryHeap<Reverse<(Nanos, u64)>>,
    tasks: HashMap<u64, (ThreadRole, Task)>,
    posted: u64,
    free_at: [Nanos; THREAD_COUNT],
    flows: u64,
    messages: u64,
    /// Images loaded since the last frame.
    pub(super) loaded_images: Vec<Image>,
    /// True if a frame of the page was requested and has not started.
    pub(super) frame_requested: bool,
    pub(super) frames: u64,
    /// True once any part of the page was shown.
    pub(super) is_painted: bool,
    /// True once the frame of the first paint was built.
    pub(super) is_first_built: bool,
    /// Time of a click whose result no frame shows yet.
    pub(super) click: Option<Nanos>,
    /// Received bytes, for the bandwidth counter.
    pub(super) bytes_received: CounterSamples,
    /// Memory use of the page, for the memory counter.
    pub(super) memory: CounterSamples,
}

impl Simulation {
    pub(super) fn new() -> Self {
        Self {
            recording: Recording::new(),
            random: Random::new(2_026),
            queue: BinaryHeap::new(),
            tasks: HashMap::new(),
            posted: 0,
            free_at: [Nanos(0); THREAD_COUNT],
            flows: 0,
            messages: 0,
            loaded_images: Vec::new(),
            frame_requested: false,
            frames: 0,
            is_painted: false,
            is_first_built: false,
            click: None,
            bytes_received: Vec::new(),
            memory: Vec::new(),
        }
    }

    /// Runs all tasks, including posted ones, up to the end of the recording.
    pub(super) fn run(&mut self) {
        while let Some(Reverse((wanted, number))) = self.queue.pop() {
            let Some(thread) = self.tasks.get(&number).map(|task| task.0) else {
                continue;
            };
            let free_at = self.free_at[thread.index()];
            if free_at > wanted {
                self.queue.push(Reverse((free_at, number)));
            } else if wanted < LENGTH
                && let Some((_, task)) = self.tasks.remove(&number)
            {
                let length = task(self, wanted);
                self.free_at[thread.index()] = wanted.plus(length + 2 * US);
            }
        }
    }

    pub(super) fn into_recording(self) -> Recording {
        self.recording
    }

    pub(super) fn counter(&mut self, owner: usize, what: [&'static str; 3], samples: CounterSamples) {
        self.recording.counters.push((owner, what[0], what[1], what[2], samples));
    }

    /// Returns a new flow id.
    pub(super) const fn flow(&mut self) -> Flow {
        self.flows += 1;
        // Firefox's ids are a process prefix followed by an address; these resemble them.
        Flow(0x81b0_7000_0000_0000 | (mix(5, self.flows) & 0x00FF_FFFF_FFF0))
    }

    /// Returns a random time between `from` and `from + spread` microseconds, in nanoseconds.
    pub(super) const fn random_us(&mut self, from: u64, spread: u64) -> u64 {
        (from * 1_000) + self.random.below(spread * 1_000)
    }

    /// Posts `task` to a thread without recording a marker.
    pub(super) fn post(
        &mut self,
        thread: ThreadRole,
        wanted: Nanos,
        task: impl FnOnce(&mut Self, Nanos) -> u64 + 'static,
    ) {
        self.posted += 1;
        self.tasks.insert(self.posted, (thread, Box::new(task)));
        self.queue.push(Reverse((wanted, self.posted)));
    }

    /// Posts a runnable from one thread to another. It has its own flow from the event queue to the runnable, and may
    /// also belong to a request.
    pub(super) fn dispatch(
        &mut self,
        (from, at): (ThreadRole, Nanos),
        (to, wanted): (ThreadRole, Nanos),
        name: &'static str,
        request: Option<Flow>,
        task: impl FnOnce(&mut Self, Nanos, Flow) -> u64 + 'static,
    ) {
        let own = self.flow();
        self.instant(
            from,
            at,
            "EventQueueInternal::PutEvent",
            Category::Other,
            Payload::new("FlowMarker").flow("flow", own),
        );
        self.post(to, wanted, move |sim, start| {
            let length = task(sim, start.plus(4 * US), own) + 9 * US;
            let mut payload = Payload::new("Runnable").text("name", name).flow("runnable", own);
            payload = payload.with("waited", Value::Length(start.0.saturating_sub(at.0)));
            if let Some(request) = request {
                payload = payload.flow("request", request);
            }
            sim.interval(to, start, length, "Runnable", Category::Other, payload);
            length
        });
    }

    pub(super) fn instant(&mut self, thread: ThreadRole, at: Nanos, name: &str, category: Category, payload: Payload) {
        self.recording.mark(thread, name, category, When::Instant(at), Some(payload));
    }

    /// Records an instant without a payload.
    pub(super) fn plain_instant(&mut self, thread: ThreadRole, at: Nanos, name: &str, category: Category) {
        self.recording.mark(thread, name, category, When::Instant(at), None);
    }

    pub(super) fn interval(
        &mut self,
        thread: ThreadRole,
        start: Nanos,
        length: u64,
        name: &str,
        category: Category,
        payload: Payload,
    ) {
        self.recording.mark(thread, name, category, When::Interval(start, start.plus(length)), Some(payload));
    }

    /// Records a stack-based interval without fields as a start and an end.
    pub(super) fn stack_interval(
        &mut self,
        thread: ThreadRole,
        start: Nanos,
        length: u64,
        name: &str,
        category: Category,
    ) {
        let when = When::StartEndPair(start, start.plus(length));
        self.recording.mark(thread, name, category, when, Some(Payload::new("StackMarker")));
    }

    pub(super) fn start_end_pair(
        &mut self,
        thread: ThreadRole,
        start: Nanos,
        length: u64,
        name: &str,
        category: Category,
        payload: Payload,
    ) {
        self.recording.mark(thread, name, category, When::StartEndPair(start, start.plus(length)), Some(payload));
    }

    /// Records a stack-based interval with a text.
    pub(super) fn text_interval(
        &mut self,
        thread: ThreadRole,
        start: Nanos,
        length: u64,
        name: &str,
        category: Category,
        text: &str,
    ) {
        self.interval(thread, start, length, name, category, Payload::new("TextStack").text("name", text));
    }

    /// Records a stack-based interval that belongs to a flow.
    pub(super) fn in_flow(
        &mut self,
        flow: Flow,
        thread: ThreadRole,
        start: Nanos,
        length: u64,
        name: &str,
        category: Category,
    ) {
        self.interval(thread, start, length, name, category, Payload::new("FlowStackMarker").flow("flow", flow));
    }

    /// Records a message between processes: its sender, the threads that carry it, and its receiver.
    pub(super) fn message(
        &mut self,
        (from, sent): (ThreadRole, Nanos),
        (to, received): (ThreadRole, Nanos),
        name: &str,
    ) {
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
        for (thread, at, phase, is_sending) in steps {
            let side = match (phase, thread.process().kind.0) {
                ("endpoint", "default") => "parent",
                ("endpoint", _) => "child",
                _ => "unknown",
            };
            // Messages from a child have negative numbers.
            let sign = if sender.kind.0 == "default" { "" } else { "-" };
            let payload = Payload::new("IPC")
                .with("startTime", Value::Time(at))
                .with("endTime", Value::Time(at))
                .number("otherPid", if is_sending { receiver.pid } else { sender.pid })
                .with("messageSeqno", Value::Json(format!("{sign}{number}")))
                .text("messageType", name)
                .text("side", side)
                .text("direction", if is_sending { "sending" } else { "receiving" })
                .text("phase", phase)
                .with("sync", Value::Flag(false));
            self.instant(thread, at, "IPC", Category::Ipc, payload);
        }
    }
}
