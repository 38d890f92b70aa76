//! One profile of a speedscope file, which becomes a thread.
//!
//! A `sampled` profile has stacks, listed from the root, and their weights. It has no times: a sample begins where the
//! preceding weights end, counted from `startValue`. Weights in a time unit are durations; other weights are amounts, and
//! the axis counts them. Without weights, each sample counts as one.
//!
//! An `evented` profile has an event for the begin and the end of each call. The calls are kept unchanged. The samples
//! are derived from them: one stack from each event to the next, with that duration as its weight.

use std::cmp::Reverse;

use super::elements::for_each;
use crate::sampled::{ChunkStacks, SampledThread, WeightClock, global, number, time_unit, warn_json};
use flowline_json::{Cursor, JsonError, Kind};
use flowline_profile::samples::{CallTable, NONE, WeightUnit};
use flowline_profile::{
    Ns, SampleTable, StackId, ThreadSamples, TimeRange, Unit, WarningKind, Warnings, parse_decimal,
};

/// A call: start, end, stack, depth.
type Call = (Ns, Ns, u32, u32);

/// A thread as read; its stacks have thread-local numbers.
#[derive(Debug, Default)]
pub(super) struct RawThread {
    name: String,
    unit: WeightUnit,
    pub(super) stacks: ChunkStacks,
    times: Vec<Ns>,
    samples: Vec<u32>,
    weights: Vec<f64>,
    calls: Option<Vec<Call>>,
    range: TimeRange,
    pub(super) warnings: Warnings,
}

/// The members of a profile: cursors and texts.
#[derive(Default)]
struct Members<'a> {
    samples: Option<Cursor<'a>>,
    weights: Option<Cursor<'a>>,
    events: Option<Cursor<'a>>,
    start: Option<&'a [u8]>,
    end: Option<&'a [u8]>,
}

impl RawThread {
    /// Reads the profile at the cursor; valid frame numbers are below `frames`.
    pub(super) fn read(mut cursor: Cursor<'_>, position: usize, frames: usize) -> Self {
        let mut thread = Self { unit: WeightUnit::Plain, ..Self::default() };
        let mut members = Members::default();
        let damage = thread.members(&mut cursor, &mut members).err();
        let unit = time_unit(thread.unit);
        let time = |text: Option<&[u8]>| text.and_then(|text| parse_decimal(text, unit));
        let (start, end) = (time(members.start).unwrap_or_default(), time(members.end));
        let read = match members.events {
            Some(events) => thread.events(events, frames, (unit, end)),
            None => thread.sampled(&members, frames, start),
        };
        let first = if members.start.is_some() { start } else { thread.times.first().copied().unwrap_or_default() };
        thread.range.start = first.min(thread.times.first().copied().unwrap_or(first));
        thread.range.end = thread.range.end.max(end.unwrap_or(first)).max(thread.range.start);
        let is_same = |error: &JsonError| read.as_ref().err().is_some_and(|other| other.offset == error.offset);
        for error in damage.filter(|error| !is_same(error)).into_iter().chain(read.err()) {
            warn_json(&mut thread.warnings, error, || format!("profile {position}"));
        }
        thread
    }

    /// Finds the members.
    fn members<'a>(&mut self, cursor: &mut Cursor<'a>, members: &mut Members<'a>) -> Result<(), JsonError> {
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            let kind = cursor.peek()?;
            match (key.bytes, kind) {
                (b"name", Kind::String) => self.name = cursor.string()?.decode(),
                (b"unit", Kind::String) => self.unit = self.unit(cursor.string()?.known().bytes),
                (b"startValue", Kind::Number) => members.start = Some(cursor.scalar()?),
                (b"endValue", Kind::Number) => members.end = Some(cursor.scalar()?),
                (name @ (b"samples" | b"weights" | b"events"), Kind::Array) => {
                    let place = match name {
                        b"samples" => &mut members.samples,
                        b"weights" => &mut members.weights,
                        _ => &mut members.events,
                    };
                    *place = Some(*cursor);
                    cursor.skip_value()?;
                }
                _ => cursor.skip_value()?,
            }
        }
        Ok(())
    }

    fn unit(&mut self, name: &[u8]) -> WeightUnit {
        match name {
            b"none" => WeightUnit::Plain,
            b"nanoseconds" => WeightUnit::Nanoseconds,
            b"microseconds" => WeightUnit::Microseconds,
            b"milliseconds" => WeightUnit::Milliseconds,
            b"seconds" => WeightUnit::Seconds,
            b"bytes" => WeightUnit::Bytes,
            _ => {
                let what = || format!("unknown unit \"{}\"", name.escape_ascii());
                self.warnings.add(WarningKind::WrongType, what);
                WeightUnit::Plain
            }
        }
    }

    /// Reads stacks and weights.
    fn sampled(&mut self, members: &Members<'_>, frames: usize, start: Ns) -> Result<(), JsonError> {
        let mut clock = WeightClock::new(self.unit, start);
        self.range.end = start;
        let Some(mut samples) = members.samples else {
            self.warnings.add(WarningKind::MissingPart, || "a profile without samples or events".to_owned());
            return Ok(());
        };
        let (list, stacks) = (&mut self.samples, &mut self.stacks);
        let read = for_each(&mut samples, &mut self.warnings, "samples", |cursor, warnings| {
            let mut stack = NONE;
            let frame = |cursor: &mut Cursor<'_>, warnings: &mut Warnings| {
                let offset = cursor.offset();
                match frame_number(cursor.scalar()?, frames) {
                    Some(frame) => stack = stacks.child(stack, frame),
                    None => warnings.add(WarningKind::IndexOutOfRange, || format!("a frame at byte {offset}")),
                }
                Ok(())
            };
            let read = for_each(cursor, warnings, "a stack", frame);
            // An invalid stack keeps its index, so that it still matches its weight.
            list.push(stack);
            read
        });
        let Some(mut weights) = members.weights else {
            self.warnings.add(WarningKind::MissingPart, || "a profile without weights".to_owned());
            if !self.unit.axis().is_time() {
                self.unit = WeightUnit::Samples;
            }
            for _ in 0..self.samples.len() {
                self.times.push(clock.advance(clock.length(b"1")));
            }
            self.range.end = clock.now;
            return read;
        };
        let (list, times) = (&mut self.weights, &mut self.times);
        let count = self.samples.len();
        let also = for_each(&mut weights, &mut self.warnings, "weights", |cursor, warnings| {
            let offset = cursor.offset();
            let text = if matches!(cursor.peek()?, Kind::Number | Kind::Word | Kind::Null) {
                cursor.scalar()?
            } else {
                cursor.skip_value()?;
                b"null"
            };
            let weight = number(text);
            if weight.is_some_and(|weight| weight < 0.0) {
                warnings.add(WarningKind::NegativeWeight, || format!("a weight at byte {offset}"));
            }
            if weight.is_none() {
                warnings.add(WarningKind::WrongType, || format!("a weight at byte {offset}"));
            }
            if list.len() < count {
                list.push(weight.unwrap_or(0.0));
                times.push(clock.advance(clock.length(text)));
            } else {
                warnings.add(WarningKind::ColumnLength, || "more weights than samples".to_owned());
            }
            Ok(())
        });
        self.range.end = clock.now;
        let without = self.samples.len() - self.weights.len();
        if without > 0 && read.is_ok() && also.is_ok() {
            self.warnings
                .add_many(WarningKind::ColumnLength, without as u64, || "fewer weights than samples".to_owned());
        }
        self.samples.truncate(self.weights.len());
        read.and(also)
    }

    /// Reads the begin and end events of calls. Calls without an end last until the profile ends.
    fn events(
        &mut self,
        mut events: Cursor<'_>,
        frames: usize,
        (unit, end): (Unit, Option<Ns>),
    ) -> Result<(), JsonError> {
        let mut open = OpenCalls { occurrences: vec![0; frames], ..OpenCalls::default() };
        let mut warnings = std::mem::take(&mut self.warnings);
        let read = for_each(&mut events, &mut warnings, "events", |cursor, warnings| {
            let offset = cursor.offset();
            let event = Event::read(cursor, unit)?;
            let (Some(begins), Some(at)) = (event.begins, event.at) else {
                warnings.add(WarningKind::MissingPart, || format!("an event at byte {offset}"));
                return Ok(());
            };
            let Some(frame) = event.frame.and_then(|frame| frame_number(frame, frames)) else {
                warnings.add(WarningKind::IndexOutOfRange, || format!("the frame of an event at byte {offset}"));
                return Ok(());
            };
            if open.now.is_some_and(|now| at < now) {
                warnings
                    .add(WarningKind::BadTime, || format!("an event at byte {offset} is earlier than its predecessor"));
            }
            self.go_on(&mut open, at);
            if begins {
                open.begin(frame, &mut self.stacks);
            } else {
                open.end(frame, offset, warnings);
            }
            Ok(())
        });
        let left = open.calls.len() as u64;
        warnings.add_many(WarningKind::UnmatchedStart, left, || "calls without an end".to_owned());
        if let Some(end) = end.filter(|_| left > 0) {
            self.go_on(&mut open, end);
        }
        self.range.end = open.now.unwrap_or_default();
        while !open.calls.is_empty() {
            open.end_innermost();
        }
        // Calls with equal starts are sorted by length; callers stay before their callees.
        open.done.sort_by_key(|(start, end, ..)| (*start, Reverse(*end)));
        self.calls = Some(open.done);
        self.warnings = warnings;
        read
    }

    /// Adds the sample between the previous event and this one.
    fn go_on(&mut self, open: &mut OpenCalls, at: Ns) {
        let now = open.now.unwrap_or(at);
        if at > now {
            let per_unit = parse_decimal(b"1", time_unit(self.unit)).map_or(1.0, |ns| ns.0 as f64);
            self.times.push(now);
            self.samples.push(open.calls.last().map_or(NONE, |call| open.done[*call].2));
            self.weights.push((at - now).0 as f64 / per_unit);
        }
        open.now = Some(now.max(at));
    }

    /// Converts to a thread; `stacks` contains the recording-wide number of each stack.
    pub(super) fn finish(self, position: usize, stacks: &[u32]) -> SampledThread {
        let samples = self.samples.iter().map(|stack| global(stacks, *stack)).collect();
        let calls = self.calls.map(|list| {
            let mut calls = CallTable::default();
            for (start, end, stack, depth) in list {
                calls.push([start, end], StackId(global(stacks, stack)), depth, NONE);
            }
            calls
        });
        let cpu = SampleTable::with_columns(self.times, samples, Vec::new(), self.weights, self.unit);
        SampledThread {
            process: 0,
            tid: (position + 1).to_string(),
            name: if self.name.is_empty() { format!("Profile {}", position + 1) } else { self.name },
            is_main: position == 0,
            range: self.range,
            samples: ThreadSamples { cpu, calls, ..ThreadSamples::default() },
        }
    }
}

/// Parses a frame number; `None` if that frame does not exist.
fn frame_number(text: &[u8], frames: usize) -> Option<u32> {
    let number: u32 = std::str::from_utf8(text).ok()?.parse().ok()?;
    ((number as usize) < frames).then_some(number)
}

/// An event as read.
#[derive(Default)]
struct Event<'a> {
    begins: Option<bool>,
    at: Option<Ns>,
    frame: Option<&'a [u8]>,
}

impl<'a> Event<'a> {
    fn read(cursor: &mut Cursor<'a>, unit: Unit) -> Result<Self, JsonError> {
        let mut event = Self::default();
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            let kind = cursor.peek()?;
            match (key.bytes, kind) {
                (b"type", Kind::String) => {
                    event.begins = match cursor.string()?.known().bytes {
                        b"O" => Some(true),
                        b"C" => Some(false),
                        _ => None,
                    }
                }
                (b"at", Kind::Number) => event.at = parse_decimal(cursor.scalar()?, unit),
                (b"frame", Kind::Number) => event.frame = Some(cursor.scalar()?),
                _ => cursor.skip_value()?,
            }
        }
        Ok(event)
    }
}

/// The calls of a thread while its events are read.
#[derive(Debug, Default)]
struct OpenCalls {
    /// All calls in the order of their begin events.
    done: Vec<Call>,
    /// Open calls as indexes into `done`, and their frames.
    calls: Vec<usize>,
    frames: Vec<u32>,
    /// Number of open calls of each frame, which detects an end without a begin without a search.
    occurrences: Vec<u32>,
    /// The time of the last event.
    now: Option<Ns>,
}

impl OpenCalls {
    fn begin(&mut self, frame: u32, stacks: &mut ChunkStacks) {
        let now = self.now.unwrap_or_default();
        let caller = self.calls.last().map_or(NONE, |call| self.done[*call].2);
        let depth = u32::try_from(self.calls.len()).unwrap_or(NONE);
        self.calls.push(self.done.len());
        self.frames.push(frame);
        self.occurrences[frame as usize] += 1;
        self.done.push((now, now, stacks.child(caller, frame), depth));
    }

    /// Ends the innermost call of a frame and all open calls inside it.
    fn end(&mut self, frame: u32, offset: usize, warnings: &mut Warnings) {
        if self.occurrences[frame as usize] == 0 {
            warnings
                .add(WarningKind::UnmatchedEnd, || format!("an event at byte {offset} ends a call that did not begin"));
            return;
        }
        while self.frames.last().is_some_and(|innermost| *innermost != frame) {
            warnings.add(WarningKind::UnmatchedStart, || format!("an event at byte {offset} ends an outer call"));
            self.end_innermost();
        }
        self.end_innermost();
    }

    fn end_innermost(&mut self) {
        let now = self.now.unwrap_or_default();
        if let (Some(call), Some(frame)) = (self.calls.pop(), self.frames.pop()) {
            self.done[call].1 = now;
            self.occurrences[frame as usize] -= 1;
        }
    }
}
