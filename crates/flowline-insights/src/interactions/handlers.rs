//! The handlers of an interaction: the functions that took its processing time.
//!
//! Chrome states the calls of handlers (`FunctionCall`). Without them, and in profiles of Firefox, samples tell: the outermost
//! script function of each.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::interaction::Interaction;
use crate::function_name::function_name;
use crate::page_script::page_scripts;
use flowline_index::network::short_name;
use flowline_index::samples::{SampleKind, SampleSelection};
use flowline_profile::{FuncId, LocalMarker, MarkerId, Ns, Profile, StackId, ThreadId, TimeRange, Value};

/// Name of the events that state calls of functions.
const CALL: &str = "FunctionCall";
/// Name of the events around the handlers of an event.
const DISPATCH: &str = "EventDispatch";
/// At most this many events are read within an interaction.
const MAX_READ: usize = 100_000;
/// The name of functions without one.
const ANONYMOUS: &str = "(anonymous)";

/// A function that handled an interaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handler {
    /// Its name.
    pub name: String,
    /// The address of its script; empty if it is unknown.
    pub url: String,
    /// Its line, counted from 1.
    pub line: Option<i64>,
    /// Its column, counted from 1.
    pub column: Option<i64>,
    /// Its part of the processing time. That of samples is their share of it.
    pub time: Ns,
    /// Number of stated calls; 0 if samples tell.
    pub calls: usize,
    /// Number of samples; 0 if calls are stated.
    pub samples: usize,
    /// Its longest call, or else the longest event that it may have handled.
    pub marker: MarkerId,
}

impl Handler {
    /// The handlers of an interaction, the longest first. Empty if neither calls nor samples of scripts are recorded.
    #[must_use]
    pub fn of(profile: &Profile, own: &Interaction) -> Vec<Self> {
        let range = TimeRange { start: own.processing_start, end: own.processing_end };
        if range.is_empty() {
            return Vec::new();
        }
        let mut found = match profile.source.holds_events() {
            true => {
                let calls = stated_calls(profile, own.thread, range);
                if calls.is_empty() { sampled(profile, own, range, outermost_of_chrome) } else { calls }
            }
            false => sampled(profile, own, range, |profile, stack| page_scripts(profile, stack).last()),
        };
        found.sort_by(|one, other| {
            (Reverse(one.time), &one.name, &one.url, one.line).cmp(&(
                Reverse(other.time),
                &other.name,
                &other.url,
                other.line,
            ))
        });
        found
    }

    /// Name and place in a few letters: "save, app.js:3:18".
    #[must_use]
    pub fn short_text(&self) -> String {
        if self.url.is_empty() {
            return self.name.clone();
        }
        let numbers = [self.line, self.column].into_iter().map_while(|number| number);
        let place = numbers.fold(short_name(&self.url).to_owned(), |text, number| format!("{text}:{number}"));
        format!("{}, {place}", self.name)
    }
}

/// The slices of a thread with a name that begin within a range, without those inside another one.
fn outermost<'a>(
    profile: &'a Profile,
    id: ThreadId,
    name: &str,
    range: TimeRange,
) -> impl Iterator<Item = (LocalMarker, TimeRange)> + use<'a> {
    let (thread, name) = (profile.thread(id), profile.strings.find(name));
    let times = thread.markers.times();
    let first = times.partition_point(|start| start < range.start);
    let end = times.partition_point(|start| start < range.end).max(first);
    let markers = (first..end).take(if name.is_some() { MAX_READ } else { 0 }).map(LocalMarker::new);
    let named = markers.filter(move |marker| Some(thread.markers.name(*marker)) == name);
    let mut until = Ns(i64::MIN);
    named.filter_map(move |marker| {
        let own = thread.markers.range(marker);
        let is_outermost = own.start >= until;
        until = until.max(own.end);
        let inside = TimeRange { start: own.start, end: own.end.min(range.end).max(own.start) };
        is_outermost.then_some((marker, inside))
    })
}

/// Place of a function: name, address, line, column.
type Place = (String, String, Option<i64>, Option<i64>);

/// The functions whose calls are stated.
fn stated_calls(profile: &Profile, id: ThreadId, range: TimeRange) -> Vec<Handler> {
    let thread = profile.thread(id);
    let mut handlers: BTreeMap<Place, (Handler, i64)> = BTreeMap::new();
    for (local, times) in outermost(profile, id, CALL, range) {
        let payload = profile.payload_in(thread, local);
        let Some(data) = payload.get("data") else { continue };
        let text = |key: &str| data.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let number = |key: &str| data.get(key).and_then(Value::as_i64);
        let place = (text("functionName"), text("url"), number("lineNumber"), number("columnNumber"));
        if place.0.is_empty() && place.1.is_empty() {
            continue;
        }
        let marker = thread.global(local);
        let (handler, longest) = handlers.entry(place).or_insert_with_key(|(name, url, line, column)| {
            let name = if name.is_empty() { ANONYMOUS.to_owned() } else { name.clone() };
            let (line, column) = (*line, *column);
            (Handler { name, url: url.clone(), line, column, time: Ns(0), calls: 0, samples: 0, marker }, -1)
        });
        handler.time = Ns(handler.time.0.saturating_add(times.len()));
        handler.calls += 1;
        if times.len() > *longest {
            (handler.marker, *longest) = (marker, times.len());
        }
    }
    handlers.into_values().map(|(handler, _)| handler).collect()
}

/// The functions that samples find.
fn sampled(
    profile: &Profile,
    own: &Interaction,
    range: TimeRange,
    outermost: impl Fn(&Profile, StackId) -> Option<FuncId>,
) -> Vec<Handler> {
    let (mut counts, mut all): (BTreeMap<FuncId, usize>, usize) = (BTreeMap::new(), 0);
    let threads = [own.thread];
    let selection = SampleSelection { profile, threads: &threads, kind: SampleKind::Cpu, range: Some(range) };
    selection.each(|_, stack, _| {
        all += 1;
        if let Some(func) = outermost(profile, stack) {
            *counts.entry(func).or_default() += 1;
        }
    });
    let marker = event_of(profile, own, range);
    let handler = |(func, samples): (FuncId, usize)| {
        let stated = &profile.stacks.funcs[func.index()];
        let place = profile.shown_place(stated.line, stated.column);
        let share = i128::from(range.len()) * samples as i128 / (all.max(1) as i128);
        Handler {
            name: function_name(profile, func).to_owned(),
            url: profile.stacks.file(func).to_owned(),
            line: place.map(|(line, _)| i64::from(line)),
            column: place.and_then(|(_, column)| column).map(i64::from),
            time: Ns(i64::try_from(share).unwrap_or(i64::MAX)),
            calls: 0,
            samples,
            marker,
        }
    };
    counts.into_iter().map(handler).collect()
}

/// The outermost function of a stack that belongs to a script.
fn outermost_of_chrome(profile: &Profile, stack: StackId) -> Option<FuncId> {
    let funcs = profile.stacks.walk(stack).map(|stack| profile.stacks.func(stack));
    funcs.filter(|func| !profile.stacks.file(*func).is_empty()).last()
}

/// The longest event that handlers of an interaction may have handled.
fn event_of(profile: &Profile, own: &Interaction, range: TimeRange) -> MarkerId {
    let dispatched = outermost(profile, own.thread, DISPATCH, range);
    let dispatched = dispatched.map(|(local, times)| (profile.thread(own.thread).global(local), times.len()));
    let stated = own.markers.iter().filter_map(|marker| {
        let (thread, local) = profile.locate(*marker)?;
        let is_handled = thread == own.thread;
        is_handled.then(|| (*marker, profile.thread(thread).markers.range(local).len()))
    });
    let longest = dispatched.chain(stated).max_by_key(|(marker, length)| (*length, Reverse(*marker)));
    longest.map_or(own.marker, |(marker, _)| marker)
}
