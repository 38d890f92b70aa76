//! Chrome trace events, thread by thread in one array, so the file is not sorted by time.
//!
//! Times are microseconds with nanosecond decimals. A flow event is at the start of its slice and binds to it, because
//! no other slice starts or is nested there. A flow that does not end its id has only steps (`t`) after its start.

use super::catalog::{ASYNC, Args, FLOWS, Form, HOPS, Kind, LONG, Palette, palette};
use super::samples::Samples;
use super::threads::{CLOCK, thread_name};
use crate::json::{Nanos, Output};
use crate::plan::{Family, Hop, MarkerShape, Message, Plan, Position, Process, Request, START, Sink, Thread, Walk};
use crate::random::{mix, pick};
use std::io::{self, Write};

/// Number of steps between two samples of a counter.
const COUNTER_STEPS: u64 = 8;

/// Writes the recording of `plan`.
pub(crate) fn write<W: Write>(plan: &Plan, out: W) -> io::Result<()> {
    let mut output = Output::new(out);
    output.raw(
        r#"{"displayTimeUnit":"ms","metadata":{"product-version":"Synthetic/156.0","num-cpus":8},"traceEvents":["#,
    );
    for (index, process) in plan.processes.iter().enumerate() {
        output.raw(if index == 0 { "\n" } else { ",\n" });
        metadata(&mut output, "process_name", process.pid, process.pid).raw(r#""name":"#);
        output.text(if index == 0 { "Browser" } else { "Renderer" }).raw("}},\n");
        metadata(&mut output, "process_sort_index", process.pid, process.pid).raw(r#""sort_index":"#);
        output.int(index as u64).raw("}}");
    }
    for index in 0..plan.threads.len() {
        thread(&mut output, plan, index)?;
    }
    output.raw("\n]}\n");
    output.finish()
}

fn metadata<'a, W: Write>(output: &'a mut Output<W>, name: &str, pid: u64, tid: u64) -> &'a mut Output<W> {
    output.raw(r#"{"ph":"M","cat":"__metadata","name":""#).raw(name).raw(r#"","pid":"#).int(pid);
    output.raw(r#","tid":"#).int(tid).raw(r#","ts":0,"args":{"#)
}

fn thread<W: Write>(output: &mut Output<W>, plan: &Plan, index: usize) -> io::Result<()> {
    let thread = &plan.threads[index];
    let process = &plan.processes[thread.process];
    output.raw(",\n");
    metadata(output, "thread_name", process.pid, thread.tid).raw(r#""name":"#).text(thread_name(thread)).raw("}},\n");
    metadata(output, "thread_sort_index", process.pid, thread.tid).raw(r#""sort_index":"#).int(index as u64).raw("}}");
    let samples = Samples::new(plan, index);
    if let Some(samples) = &samples {
        samples.head(output);
    }
    let next_id = (index as u64) << 32;
    let mut events = Events { output, thread, process, palette: palette(thread.role), next_id, samples };
    let mut walk = Walk::new(plan, index);
    let mut time = START;
    let mut step = 0;
    while walk.step(&mut events) {
        if step % COUNTER_STEPS == 0 && thread.tid == process.pid {
            events.counters(time, mix(plan.seed, step));
        }
        time = time.plus(plan.step_length(step));
        step += 1;
        if let Some(samples) = &mut events.samples {
            samples.chunk(events.output, time, step == plan.steps);
        }
        events.output.check()?;
    }
    Ok(())
}

/// Writes the events of a thread.
struct Events<'a, W: Write> {
    output: &'a mut Output<W>,
    thread: &'a Thread,
    process: &'a Process,
    palette: &'static Palette,
    /// Next id of an asynchronous operation; ids are local to the process.
    next_id: u64,
    samples: Option<Samples>,
}

impl<W: Write> Events<'_, W> {
    /// Writes an event up to its time. The caller appends the rest and closes the object.
    fn event(&mut self, phase: &str, name: &str, category: &str, at: Nanos) -> &mut Output<W> {
        self.output.raw(",\n{\"ph\":\"").raw(phase).raw(r#"","cat":""#).raw(category).raw(r#"","name":""#).raw(name);
        self.output.raw(r#"","pid":"#).int(self.process.pid).raw(r#","tid":"#).int(self.thread.tid);
        self.output.raw(r#","ts":"#).us(at.plus(CLOCK))
    }

    fn complete(&mut self, name: &str, category: &str, marker: &MarkerShape) -> &mut Output<W> {
        let length = Nanos(marker.span.length());
        let on_cpu = Nanos(length.0 - length.0 / 8);
        self.event("X", name, category, marker.span.start);
        self.output.raw(r#","dur":"#).us(length).raw(r#","tdur":"#).us(on_cpu)
    }

    fn plain(&mut self, kind: &Kind, marker: &MarkerShape) {
        match kind.form {
            Form::Instant => self.event("I", kind.name, kind.category, marker.span.start).raw(r#","s":"t""#),
            Form::Complete => self.complete(kind.name, kind.category, marker),
            Form::Ends => {
                self.event("B", kind.name, kind.category, marker.span.start);
                self.args(kind.args, marker.random_bits);
                self.event("E", kind.name, kind.category, marker.span.end)
            }
        };
        self.args(kind.args, marker.random_bits);
    }

    /// Appends `args` and closes the event.
    fn args(&mut self, args: Args, random_bits: u64) {
        const SOURCES: [(&str, &str); 3] = [
            ("mojo/public/cpp/system/simple_watcher.cc", "ArmOrNotify"),
            ("base/task/sequence_manager/task_queue.cc", "PostDelayedTask"),
            ("net/socket/socket_posix.cc", "Connect"),
        ];
        let small = (random_bits >> 24) % 4_000;
        self.output.raw(r#","args":{"#);
        match args {
            Args::None => {}
            Args::Source => {
                let (file, function) = pick(&SOURCES, random_bits >> 24);
                self.output.raw(r#""src_file":"#).text(file).raw(r#","src_func":"#).text(function);
                self.output.raw(r#","src_line":"#).int(small);
            }
            Args::Url => {
                self.output.raw(r#""data":{"url":"https://shop.example/item/"#).int(small).raw(r#"","requestId":""#);
                self.output.int(random_bits >> 44).raw(r#".1","encodedDataLength":"#).int(small * 7).raw("}");
            }
            Args::Function => {
                self.output.raw(r#""data":{"functionName":"update","lineNumber":"#).int(small);
                self.output.raw(r#","scriptId":"3","url":"https://shop.example/assets/app.js"}"#);
            }
            Args::Layout => {
                self.output
                    .raw(r#""beginData":{"dirtyObjects":"#)
                    .int(small / 9)
                    .raw(r#","totalObjects":"#)
                    .int(small)
                    .raw("}");
            }
        }
        self.output.raw("}}");
    }

    /// Writes a slice that belongs to a flow, with the flow event; a second flow may start there.
    fn write_flow_marker(&mut self, hop: &Hop, marker: &MarkerShape) {
        let (name, category) = match hop.family {
            _ if marker.is_hub => ("RunLoop::Run", "toplevel"),
            Family::Brief(family) => (HOPS[family][hop.index], "toplevel"),
            Family::Long(level) => LONG[level],
        };
        self.complete(name, category, marker);
        self.args(Args::Source, marker.random_bits);
        for hop in std::iter::once(hop).chain(&marker.starts) {
            let (name, category) = match hop.family {
                Family::Brief(family) => FLOWS[family],
                Family::Long(level) => LONG[level],
            };
            let (phase, binding) = match hop.position {
                Position::First => ("s", ""),
                Position::Middle | Position::Last => ("t", ""),
                Position::End => ("f", r#","bp":"e""#),
            };
            self.event(phase, name, category, marker.span.start).raw(r#","id":"#).int(hop.number).raw(binding).raw("}");
        }
    }

    fn asynchronous(&mut self, phase: &str, (name, category): (&str, &str), id: u64, at: Nanos) {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        self.event(phase, name, category, at).raw(r#","id2":{"local":"0x"#);
        let digits: String = (0..10).rev().map(|place| char::from(pick(HEX, id >> (4 * place)))).collect();
        self.output.raw(&digits).raw(r#""},"args":{}}"#);
    }

    fn counters(&mut self, at: Nanos, random_bits: u64) {
        self.event("C", "Memory.ResidentSet", "memory", at);
        self.output.raw(r#","args":{"bytes":"#).int(80_000_000 + random_bits % 40_000_000).raw("}}");
        self.event("C", "Nodes", "devtools.timeline", at);
        self.output
            .raw(r#","args":{"documents":"#)
            .int(random_bits % 9)
            .raw(r#","nodes":"#)
            .int((random_bits >> 20) % 9_000)
            .raw("}}");
    }
}

impl<W: Write> Sink for Events<'_, W> {
    fn open(&mut self, marker: &MarkerShape) {
        let kind = pick(self.palette.containers, marker.random_bits);
        if marker.hop.is_none() && kind.form == Form::Ends {
            self.event("B", kind.name, kind.category, marker.span.start);
            self.args(kind.args, marker.random_bits);
        }
    }

    fn close(&mut self, marker: &MarkerShape) {
        let kind = pick(self.palette.containers, marker.random_bits);
        if let Some(samples) = self.samples.as_mut().filter(|_| marker.hop.is_none()) {
            samples.slice(kind.name, marker.span.start, marker.span.end);
        }
        match &marker.hop {
            Some(hop) => self.write_flow_marker(hop, marker),
            None if kind.form == Form::Ends => {
                self.event("E", kind.name, kind.category, marker.span.end).raw("}");
            }
            None => self.plain(&kind, marker),
        }
    }

    fn leaf(&mut self, marker: &MarkerShape) {
        match &marker.hop {
            Some(hop) => self.write_flow_marker(hop, marker),
            None => self.plain(&pick(self.palette.leaves, marker.random_bits), marker),
        }
    }

    fn overlap(&mut self, marker: &MarkerShape) {
        let what = pick(&ASYNC, marker.random_bits);
        self.next_id += 1;
        self.asynchronous("b", what, self.next_id, marker.span.start);
        self.asynchronous("e", what, self.next_id, marker.span.end);
    }

    fn request(&mut self, request: &Request) {
        self.asynchronous("b", ("ResourceLoad", "loading"), request.number, request.start);
    }

    fn stop(&mut self, request: &Request, end: Nanos) {
        self.asynchronous("e", ("ResourceLoad", "loading"), request.number, end);
    }

    fn message(&mut self, message: &Message, at: Nanos) {
        let name = if message.receiving { "Receive mojo message" } else { "Send mojo message" };
        self.event("I", name, "toplevel.flow,mojom.flow", at).raw(r#","s":"t""#);
        self.args(Args::Source, message.random_bits);
    }

    fn half(&mut self, at: Nanos, is_start: bool) {
        if is_start {
            self.event("B", "RunLoop::Run", "test", at);
            self.args(Args::None, 0);
        } else {
            self.next_id += 1;
            self.asynchronous("b", ("Startup.BrowserMessageLoopStartTime", "startup"), self.next_id, at);
        }
    }
}
