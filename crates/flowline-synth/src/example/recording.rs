//! The recorded data of the example, and its output as a raw Gecko profile.
//!
//! The recording is small, so it is stored in memory until the end. The rows of each thread are sorted by emission
//! time: the time of an instant, or the end of an interval.

use super::fields::SCHEMAS;
use super::processes::{PROCESSES, Process, THREAD_COUNT, THREADS, ThreadRole};
use super::samples::{Activity, ThreadSamples};
use crate::firefox::{self, CATEGORIES, Category};
use crate::json::{Nanos, Output};
use crate::plan::EPOCH;
use std::collections::HashMap;
use std::io::{self, Write};

/// Start of the recording on the parent's clock; later than the start of every process.
const BASE: u64 = 1_180_250_000;
/// Duration of the recording.
pub(super) const LENGTH: Nanos = Nanos(2_400_000_000);
/// Nanoseconds between two samples of a busy thread.
const INTERVAL: u64 = 2_000_000;
/// Nanoseconds between two samples of a thread that mostly waits.
const LONG_INTERVAL: u64 = 100_000_000;

/// An id that connects markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Flow(pub(super) u64);

/// Time of a marker since the start of the recording.
#[derive(Debug, Clone, Copy)]
pub(super) enum When {
    Instant(Nanos),
    Interval(Nanos, Nanos),
    /// Like `Interval`, but recorded as two rows: a start and an end.
    StartEndPair(Nanos, Nanos),
}

/// Value of a field.
#[derive(Debug, Clone)]
pub(super) enum Value {
    Text(String),
    /// A string in the thread's string table.
    Unique(String),
    Flow(Flow),
    Number(u64),
    Flag(bool),
    /// A time since the start of the recording.
    Time(Nanos),
    /// A length in milliseconds.
    Length(u64),
    /// Verbatim JSON.
    Json(String),
}

/// Payload of a marker: the name of its schema, and its fields.
#[derive(Debug, Clone)]
pub(super) struct Payload {
    schema: &'static str,
    fields: Vec<(&'static str, Value)>,
}

impl Payload {
    pub(super) const fn new(schema: &'static str) -> Self {
        Self { schema, fields: Vec::new() }
    }

    pub(super) fn with(mut self, key: &'static str, value: Value) -> Self {
        self.fields.push((key, value));
        self
    }

    pub(super) fn text(self, key: &'static str, text: impl Into<String>) -> Self {
        self.with(key, Value::Text(text.into()))
    }

    pub(super) fn number(self, key: &'static str, number: u64) -> Self {
        self.with(key, Value::Number(number))
    }

    pub(super) fn flow(self, key: &'static str, flow: Flow) -> Self {
        self.with(key, Value::Flow(flow))
    }
}

#[derive(Debug)]
struct Marker {
    name: String,
    category: Category,
    when: When,
    data: Option<Payload>,
}

/// A row of a marker: emission time, start, end, phase.
type Row<'a> = (Nanos, Nanos, Nanos, u64, &'a Marker);

/// Samples of a counter: time, change, and the number of changes that the sample sums up.
pub(super) type CounterSamples = Vec<(Nanos, i64, u64)>;

/// Everything recorded so far.
#[derive(Debug)]
pub(super) struct Recording {
    markers: [Vec<Marker>; THREAD_COUNT],
    /// Process index, name, category, description and samples of each counter.
    pub(super) counters: Vec<(usize, &'static str, &'static str, &'static str, CounterSamples)>,
}

impl Recording {
    pub(super) const fn new() -> Self {
        Self { markers: [const { Vec::new() }; THREAD_COUNT], counters: Vec::new() }
    }

    pub(super) fn mark(
        &mut self,
        thread: ThreadRole,
        name: impl Into<String>,
        category: Category,
        when: When,
        data: Option<Payload>,
    ) {
        let name = name.into();
        self.markers[thread.index()].push(Marker { name, category, when, data });
    }

    /// Writes the profile.
    pub(super) fn write<W: Write>(&self, out: W) -> io::Result<()> {
        let mut output = Output::new(out);
        self.process(&mut output, 0);
        output.raw("\n");
        output.finish()
    }

    fn process<W: Write>(&self, output: &mut Output<W>, index: usize) {
        let process = &PROCESSES[index];
        meta(output, process);
        output.raw(r#","libs":[],"pages":["#);
        if process.site.is_some() {
            output.raw(r#"{"tabID":3,"innerWindowID":15,"url":"https://gallery.example/","embedderInnerWindowID":0,"#);
            output.raw(r#""isPrivateBrowsing":false}"#);
        }
        output.raw(r#"],"counters":["#);
        self.write_counters(output, index);
        output.raw(r#"],"threads":["#);
        let threads = THREADS.iter().zip(&self.markers).filter(|((_, owner, _), _)| *owner == index);
        for (position, ((thread, _, name), markers)) in threads.enumerate() {
            output.raw(if position == 0 { "\n" } else { ",\n" });
            write_thread(output, name, *thread, markers);
        }
        output.raw(r#"],"pausedRanges":[],"processes":["#);
        if index == 0 {
            for child in 1..PROCESSES.len() {
                output.raw(if child == 1 { "\n" } else { ",\n" });
                self.process(output, child);
            }
        }
        output.raw("]}");
    }

    fn write_counters<W: Write>(&self, output: &mut Output<W>, index: usize) {
        let own = self.counters.iter().filter(|counter| counter.0 == index);
        for (position, (_, name, category, description, samples)) in own.enumerate() {
            output.raw(if position == 0 { "\n{" } else { ",\n{" });
            output.raw(r#""name":"#).text(name).raw(r#","category":"#).text(category);
            output.raw(r#","description":"#).text(description);
            output.raw(r#","samples":{"schema":{"time":0,"count":1,"number":2},"data":["#);
            for (position, (time, change, number)) in samples.iter().enumerate() {
                output.raw(if position == 0 { "[" } else { ",[" });
                output.ms(local(*time, &PROCESSES[index])).raw(if *change < 0 { ",-" } else { "," });
                output.int(change.unsigned_abs()).raw(",").int(*number).raw("]");
            }
            output.raw("]}}");
        }
    }
}

/// Converts a time to the clock of a process.
const fn local(time: Nanos, process: &Process) -> Nanos {
    time.plus(BASE).minus(process.offset.0)
}

fn meta<W: Write>(output: &mut Output<W>, process: &Process) {
    output.raw(r#"{"meta":{"version":34,"startTime":"#).ms(EPOCH.plus(process.offset.0));
    output.raw(r#","profilingStartTime":"#).ms(local(Nanos(0), process));
    output.raw(r#","profilingEndTime":"#).ms(local(LENGTH, process));
    output
        .raw(r#","shutdownTime":null,"interval":2,"stackwalk":1,"debug":0,"gcpoison":0,"asyncstack":0,"processType":"#);
    output
        .int(process.kind.1)
        .raw(r#","product":"Firefox","platform":"X11","oscpu":"Linux x86_64","misc":"rv:153.0","#);
    output.raw(r#""appBuildID":"20260801000000","CPUName":"Example","physicalCPUs":4,"logicalCPUs":8,"#);
    output.raw(r#""configuration":{"features":["js","stackwalk","ipcmessages","flows"],"threads":["*"],"interval":2,"#);
    output.raw(r#""capacity":67108864},"sampleUnits":{"time":"ms","eventDelay":"ms","threadCPUDelta":"ns"},"#);
    output.raw(r#""categories":"#).raw(CATEGORIES);
    output.raw(r#","markerSchema":["#).raw(firefox::SCHEMAS);
    // Helper processes have fewer schemas, like in real recordings; readers use the union.
    if matches!(process.kind.0, "default" | "tab") {
        output.raw(",").raw(SCHEMAS);
    }
    output.raw("]}");
}

fn write_thread<W: Write>(output: &mut Output<W>, name: &str, thread: ThreadRole, markers: &[Marker]) {
    let process = thread.process();
    output.raw(r#"{"processType":"#).text(process.kind.0).raw(r#","name":"#).text(name);
    output.raw(r#","processName":"#).text(process.name);
    if let Some(site) = process.site {
        output.raw(r#","eTLD+1":"#).text(site);
    }
    output.raw(r#","registerTime":"#).ms(local(Nanos(0), process)).raw(r#","unregisterTime":null,"pid":"#);
    output.int(process.pid).raw(r#","tid":"#).int(thread.tid());
    let activities: Vec<Activity<'_>> = markers.iter().filter_map(activity).collect();
    let is_main = matches!(thread, ThreadRole::Parent | ThreadRole::Content);
    let interval = if thread.works() { INTERVAL } else { LONG_INTERVAL };
    let samples = ThreadSamples::new(&activities, is_main, interval, LENGTH);
    output.raw(",");
    samples.write_samples(output, |time| local(time, process));
    output.raw(r#","markers":{"schema":{"name":0,"startTime":1,"endTime":2,"phase":3,"category":4,"data":5},"data":["#);
    let mut strings = Strings::default();
    for (position, row) in rows(markers).iter().enumerate() {
        output.raw(if position == 0 { "\n[" } else { ",\n[" });
        write_row(output, &mut strings, process, row);
    }
    output.raw("]},");
    samples.write_tables(output, |text| strings.index(text));
    output.raw(r#","stringTable":["#);
    for (position, text) in strings.list.iter().enumerate() {
        output.raw(if position == 0 { "" } else { "," });
        match text {
            Entry::Text(text) => output.text(text),
            Entry::Flow(flow) => output.flow_id(flow.0),
        };
    }
    output.raw("]}");
}

/// Returns the activity of the thread during a marker; `None` for instants.
fn activity(marker: &Marker) -> Option<Activity<'_>> {
    let (When::Interval(start, end) | When::StartEndPair(start, end)) = marker.when else { return None };
    let data = marker.data.as_ref();
    let text = data.into_iter().flat_map(|data| &data.fields).find_map(|(key, value)| match value {
        Value::Text(text) if matches!(*key, "name" | "eventType") => Some(text.as_str()),
        _ => None,
    });
    let schema = data.map_or("", |data| data.schema);
    Some(Activity { start, end, name: &marker.name, category: marker.category, schema, text: text.unwrap_or_default() })
}

fn rows(markers: &[Marker]) -> Vec<Row<'_>> {
    const NONE: Nanos = Nanos(0);
    let mut rows = Vec::new();
    for marker in markers {
        match marker.when {
            When::Instant(at) => rows.push((at, at, NONE, 0, marker)),
            When::Interval(start, end) => rows.push((end, start, end, 1, marker)),
            When::StartEndPair(start, end) => {
                rows.push((start, start, NONE, 2, marker));
                rows.push((end, NONE, end, 3, marker));
            }
        }
    }
    rows.sort_by_key(|row| row.0);
    rows
}

fn write_row<W: Write>(output: &mut Output<W>, strings: &mut Strings, process: &Process, row: &Row<'_>) {
    let (_, start, end, phase, marker) = *row;
    output.int(strings.index(&marker.name)).raw(",");
    // Firefox writes 0 to the time columns that a phase does not use.
    let start = if phase == 3 { Nanos(0) } else { local(start, process) };
    let end = if phase == 1 || phase == 3 { local(end, process) } else { Nanos(0) };
    output.ms(start).raw(",").ms(end).raw(",").int(phase).raw(",").int(marker.category as u64);
    if let Some(data) = &marker.data {
        output.raw(r#",{"type":"#).text(data.schema);
        for (key, value) in &data.fields {
            output.raw(",").text(key).raw(":");
            match value {
                Value::Text(text) => output.text(text),
                Value::Unique(text) => output.int(strings.index(text)),
                Value::Flow(flow) => output.int(strings.flow(*flow)),
                Value::Number(number) => output.int(*number),
                Value::Flag(flag) => output.raw(if *flag { "true" } else { "false" }),
                Value::Time(time) => output.ms(local(*time, process)),
                Value::Length(length) => output.ms(Nanos(*length)),
                Value::Json(json) => output.raw(json),
            };
        }
        output.raw("}");
    }
    output.raw("]");
}

/// String table of a thread.
#[derive(Debug, Default)]
struct Strings {
    list: Vec<Entry>,
    texts: HashMap<String, u64>,
    flows: HashMap<u64, u64>,
}

#[derive(Debug)]
enum Entry {
    Text(String),
    Flow(Flow),
}

impl Strings {
    fn index(&mut self, text: &str) -> u64 {
        if let Some(&index) = self.texts.get(text) {
            return index;
        }
        let index = self.list.len() as u64;
        self.list.push(Entry::Text(text.to_owned()));
        self.texts.insert(text.to_owned(), index);
        index
    }

    fn flow(&mut self, flow: Flow) -> u64 {
        let next = self.list.len() as u64;
        let index = *self.flows.entry(flow.0).or_insert(next);
        if index == next {
            self.list.push(Entry::Flow(flow));
        }
        index
    }
}
