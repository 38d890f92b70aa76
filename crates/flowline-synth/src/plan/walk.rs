//! Lays out the markers of one thread in time, step by step, and passes them to the writer of the format.
//!
//! The markers of a step are divided into tasks, and a task is a tree of nested containers with small markers as
//! leaves. The writer chooses names and payloads; this file determines only time, nesting and flow references. A marker
//! is passed on when it ends, like in real recordings, so the starts of nested markers are not in order.

use super::flows::{Family, Hop, Message, Position, Visit};
use super::hubs::hub;
use super::shape::{Plan, Role, START, Thread};
use crate::json::Nanos;
use crate::random::{Random, mix};

/// Maximum nesting depth of containers.
const MAX_DEPTH: u64 = 6;
/// Maximum number of open requests of a thread.
const MAX_REQUESTS: usize = 24;
/// Number of threads, counted from the first, that have one marker without its other half.
const INCOMPLETE_THREADS: usize = 4;

/// A range of time within the recording.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(crate) start: Nanos,
    pub(crate) end: Nanos,
}

impl Span {
    pub(crate) const fn length(self) -> u64 {
        self.end.0 - self.start.0
    }
}

/// A marker without its name.
#[derive(Debug)]
pub(crate) struct MarkerShape {
    pub(crate) span: Span,
    /// Random bits for the choice of name and payload.
    pub(crate) random_bits: u64,
    pub(crate) hop: Option<Hop>,
    /// A second flow, which starts inside the marker.
    pub(crate) starts: Option<Hop>,
    /// True if the thread waits inside the marker and does other work for many steps.
    pub(crate) is_hub: bool,
}

/// A network request, which may overlap others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request {
    pub(crate) number: u64,
    pub(crate) start: Nanos,
    pub(crate) random_bits: u64,
    due: u64,
}

/// Receives the markers of a thread. Every call except `close` and `stop` adds exactly one marker to the recording.
pub(crate) trait Sink {
    /// Starts a container; everything until `close` is nested in it.
    fn open(&mut self, marker: &MarkerShape);
    fn close(&mut self, marker: &MarkerShape);
    /// Adds a marker without children.
    fn leaf(&mut self, marker: &MarkerShape);
    /// Adds a marker that may overlap any others of the thread.
    fn overlap(&mut self, marker: &MarkerShape);
    fn request(&mut self, request: &Request);
    fn stop(&mut self, request: &Request, end: Nanos);
    fn message(&mut self, message: &Message, at: Nanos);
    /// Adds a start without an end, or an end without a start.
    fn half(&mut self, at: Nanos, is_start: bool);
}

/// The state of a thread between its steps.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    plan: &'a Plan,
    thread: &'a Thread,
    index: usize,
    random: Random,
    visit: Visit,
    /// Number of markers of the current step that are not yet passed on.
    left: u64,
    step: u64,
    time: Nanos,
    requests: Vec<Request>,
    next_request: u64,
    /// The open hub.
    hub: Option<MarkerShape>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(plan: &'a Plan, index: usize) -> Self {
        Self {
            plan,
            thread: &plan.threads[index],
            index,
            random: Random::new(mix(plan.seed, index as u64)),
            visit: Visit::default(),
            left: 0,
            step: 0,
            time: START,
            requests: Vec::new(),
            next_request: 1 + ((index as u64) << 32),
            hub: None,
        }
    }

    /// Passes on the next step; returns false if there is none.
    pub(crate) fn step(&mut self, sink: &mut impl Sink) -> bool {
        if self.step == self.plan.steps {
            return false;
        }
        let span = Span { start: self.time, end: self.time.plus(self.plan.step_length(self.step)) };
        self.left = self.plan.quota(self.thread, self.step);
        self.plan.routing.visit(self.thread.ports.clone(), self.step, &mut self.visit);
        self.visit.messages.retain(|message| {
            self.plan.process_of_port(message.other_port).pid != self.plan.processes[self.thread.process].pid
        });
        self.visit.limit(usize::try_from(self.left).unwrap_or(usize::MAX));
        if self.step == 0 && self.index < INCOMPLETE_THREADS && self.has_room() {
            self.left -= 1;
            sink.half(span.start, self.index.is_multiple_of(2));
        }
        self.hub(span.start, sink);
        self.requests(span, sink);
        self.overlaps(span, sink);
        let busy = self.busy(span);
        self.fill(self.left, busy, 0, sink);
        self.step += 1;
        self.time = span.end;
        true
    }

    /// Returns true while markers are available for purposes other than flow references.
    const fn has_room(&self) -> bool {
        self.left > self.visit.len() as u64
    }

    /// Closes the hub that ends at the start of the step, and opens the hub that starts there.
    fn hub(&mut self, now: Nanos, sink: &mut impl Sink) {
        if let Some(hub) = self.hub.take_if(|hub| hub.span.end <= now) {
            sink.close(&hub);
        }
        let is_main = matches!(self.thread.role, Role::ParentMain | Role::ContentMain);
        if !is_main || self.hub.is_some() {
            return;
        }
        let Some(steps) = hub(self.plan.seed, self.index, self.plan.steps, self.step) else { return };
        // The writer sees the id when the hub ends, many steps later, and must still know it.
        let is_fit =
            |hop: &Hop| hop.lasting && hop.position == Position::Middle && matches!(hop.family, Family::Brief(_));
        let Some(place) = self.visit.incoming.iter().position(is_fit) else { return };
        let end = (self.step..steps.end).fold(now, |time, step| time.plus(self.plan.step_length(step)));
        let marker = MarkerShape {
            span: Span { start: now, end },
            random_bits: self.random.next(),
            hop: Some(self.visit.incoming.remove(place)),
            starts: None,
            is_hub: true,
        };
        self.left -= 1;
        sink.open(&marker);
        self.hub = Some(marker);
    }

    /// Returns the part of a step in which the thread is busy.
    fn busy(&mut self, span: Span) -> Span {
        let percent = match self.thread.role {
            Role::ParentMain | Role::ContentMain => 35 + self.random.below(60),
            _ => 10 + self.random.below(40),
        };
        let length = span.length() / 100 * percent;
        let start = span.start.plus((span.length() - length) / 100 * self.random.below(100));
        Span { start, end: start.plus(length) }
    }

    fn requests(&mut self, span: Span, sink: &mut impl Sink) {
        let last = self.step + 1 == self.plan.steps;
        let step = self.step;
        self.requests.retain(|request| {
            let open = request.due > step && !last;
            if !open {
                sink.stop(request, span.start.plus(1_000));
            }
            open
        });
        let networked = matches!(self.thread.role, Role::ParentMain | Role::ContentMain | Role::Socket);
        while networked && !last && self.has_room() && self.requests.len() < MAX_REQUESTS && self.random.chance(20) {
            let request = Request {
                number: self.next_request,
                start: span.start.plus(2_000 + self.random.below(span.length() / 2)),
                random_bits: self.random.next(),
                due: self.step + 1 + self.random.below(40),
            };
            self.next_request += 1;
            self.left -= 1;
            sink.request(&request);
            self.requests.push(request);
        }
    }

    fn overlaps(&mut self, span: Span, sink: &mut impl Sink) {
        let percent = if self.thread.role == Role::Timer { 60 } else { 25 };
        while self.has_room() && self.random.chance(percent) {
            let end = span.start.plus(self.random.below(span.length()));
            // Most requests are short; a few last a third of a second.
            let length = self.random.below(300_000_000) >> self.random.below(12);
            let marker = MarkerShape {
                span: Span { start: end.minus(length).max(START), end },
                random_bits: self.random.next(),
                hop: None,
                starts: None,
                is_hub: false,
            };
            self.left -= 1;
            sink.overlap(&marker);
        }
    }

    /// Divides `budget` markers into consecutive pieces within `span`.
    fn fill(&mut self, budget: u64, span: Span, depth: u64, sink: &mut impl Sink) {
        let mut remaining = budget;
        let mut cursor = span.start;
        while remaining > 0 {
            let most = if depth == 0 { 24 } else { remaining.div_ceil(2).max(2) };
            let flat = depth >= MAX_DEPTH || !self.has_room() || self.random.chance(35);
            let size = if flat { 1 } else { 1 + self.random.below(most.min(remaining)) };
            let length = span.end.0.saturating_sub(cursor.0) / remaining * size;
            let piece = Span { start: cursor, end: cursor.plus(length / 100 * (55 + self.random.below(40))) };
            if size == 1 {
                self.leaf(piece, sink);
            } else {
                self.container(size, piece, depth, sink);
            }
            cursor = cursor.plus(length);
            remaining -= size;
        }
    }

    fn container(&mut self, size: u64, span: Span, depth: u64, sink: &mut impl Sink) {
        let field_references = !self.visit.incoming.is_empty() && self.random.chance(60);
        let hop = if field_references { self.visit.incoming.pop() } else { None };
        let starts = if hop.is_some() && self.random.chance(15) { self.visit.outgoing.pop() } else { None };
        let marker = MarkerShape { span, random_bits: self.random.next(), hop, starts, is_hub: false };
        self.left -= 1;
        sink.open(&marker);
        let margin = span.length() / 20;
        let inner = Span { start: span.start.plus(margin), end: span.end.minus(margin) };
        self.fill(size - 1, inner, depth + 1, sink);
        sink.close(&marker);
    }

    fn leaf(&mut self, span: Span, sink: &mut impl Sink) {
        let field_references = !self.has_room() || self.random.chance(40);
        let hop = if field_references { self.visit.outgoing.pop().or_else(|| self.visit.incoming.pop()) } else { None };
        let message = if field_references && hop.is_none() { self.visit.messages.pop() } else { None };
        self.left -= 1;
        if let Some(message) = message {
            sink.message(&message, span.start);
            return;
        }
        let random_bits = self.random.next();
        // Most leaves are far shorter than the available time.
        let length = span.length() >> (random_bits >> 60);
        let span = Span { start: span.start, end: span.start.plus(length) };
        sink.leaf(&MarkerShape { span, random_bits, hop, starts: None, is_hub: false });
    }
}
