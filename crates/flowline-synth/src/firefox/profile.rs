//! The document around the rows: a raw Gecko profile of version 34, with the children's profiles nested in the
//! parent's.
//!
//! Times are milliseconds on the clock of their process. A child's clock starts a fractional number of milliseconds
//! after the parent's, as given by `meta.startTime`.

use super::rows::{COLUMNS, FUNCTIONS, Rows, SAMPLE_COLUMNS, process_type};
use super::samples::{self, LIBRARIES, Stacks, UNITS, interval};
use super::schema::{CATEGORIES, CHILD_SCHEMAS, SCHEMAS};
use super::strings::Strings;
use crate::json::{Nanos, Output};
use crate::plan::{EPOCH, Plan, Process, START, Thread, Walk};
use crate::random::mix;
use std::io::{self, Write};

/// Number of samples of a thread that only mark its recorded range.
const SAMPLES: u64 = 24;
/// Number of samples of a counter.
const COUNTER_SAMPLES: u64 = 240;
/// Number of steps after which brief flows are forgotten; they last less than twice as long.
const GENERATION: u64 = 4;

/// Writes the recording of `plan`.
pub(crate) fn write<W: Write>(plan: &Plan, out: W) -> io::Result<()> {
    let mut output = Output::new(out);
    process(&mut output, plan, 0)?;
    output.raw("\n");
    output.finish()
}

fn process<W: Write>(output: &mut Output<W>, plan: &Plan, index: usize) -> io::Result<()> {
    meta(output, plan, index);
    output.raw(r#","libs":"#).raw(if plan.samples > 0 { LIBRARIES } else { "[]" });
    output.raw(r#","pages":[{"tabID":9,"innerWindowID":12884901889,"url":"https://shop.example/","#);
    output.raw(r#""embedderInnerWindowID":0,"isPrivateBrowsing":false}],"counters":["#);
    counters(output, plan, &plan.processes[index]);
    output.raw(r#"],"threads":["#);
    let threads = plan.threads.iter().enumerate().filter(|(_, thread)| thread.process == index);
    for (position, (number, thread)) in threads.enumerate() {
        output.raw(if position == 0 { "\n" } else { ",\n" });
        write_thread(output, plan, number, thread)?;
    }
    output.raw(r#"],"pausedRanges":[],"processes":["#);
    if index == 0 {
        for child in 1..plan.processes.len() {
            output.raw(if child == 1 { "\n" } else { ",\n" });
            process(output, plan, child)?;
        }
    }
    output.raw("]}");
    Ok(())
}

fn meta<W: Write>(output: &mut Output<W>, plan: &Plan, index: usize) {
    let process = &plan.processes[index];
    output.raw(r#"{"meta":{"version":34,"startTime":"#).ms(EPOCH.plus(process.offset.0));
    output.raw(r#","profilingStartTime":"#).ms(START.minus(process.offset.0));
    output.raw(r#","profilingEndTime":"#).ms(plan.end.minus(process.offset.0));
    let interval = if plan.samples > 0 { Nanos(interval(plan)) } else { Nanos(1_000_000) };
    output.raw(r#","shutdownTime":null,"interval":"#).ms(interval);
    output.raw(r#","stackwalk":1,"debug":0,"gcpoison":0,"asyncstack":0,"processType":"#);
    output.int(process_type(index).1);
    output.raw(r#","product":"Firefox","platform":"X11","oscpu":"Linux x86_64","misc":"rv:153.0","appBuildID":"20260801000000","#);
    output.raw(r#""CPUName":"Synthetic","physicalCPUs":8,"logicalCPUs":16,"#);
    output.raw(r#""configuration":{"features":["js","stackwalk","ipcmessages","flows"],"threads":["*"],"interval":1,"#);
    output.raw(r#""capacity":67108864},"sampleUnits":"#);
    output.raw(if plan.samples > 0 { UNITS } else { r#"{"time":"ms","eventDelay":"ms"}"# });
    output.raw(r#","categories":"#).raw(CATEGORIES).raw(r#","markerSchema":["#).raw(SCHEMAS);
    if index > 0 {
        output.raw(CHILD_SCHEMAS);
    }
    output.raw("]}");
}

fn counters<W: Write>(output: &mut Output<W>, plan: &Plan, process: &Process) {
    output.raw(r#"{"name":"malloc","category":"Memory","description":"Amount of allocated memory","#);
    output.raw(r#""samples":{"schema":{"time":0,"count":1,"number":2},"data":["#);
    for sample in 0..COUNTER_SAMPLES {
        let time = START.plus((plan.end.0 - START.0) / COUNTER_SAMPLES * sample).minus(process.offset.0);
        let random_bits = mix(plan.seed ^ process.pid, sample);
        output.raw(if sample == 0 { "[" } else { ",[" }).ms(time);
        output.raw(if random_bits & 3 == 0 && sample > 0 { ",-" } else { "," }).int((random_bits >> 8) % 4_000_000);
        output.raw(",").int((random_bits >> 40) % 900).raw("]");
    }
    output.raw("]}}");
}

fn write_thread<W: Write>(output: &mut Output<W>, plan: &Plan, number: usize, thread: &Thread) -> io::Result<()> {
    let process = &plan.processes[thread.process];
    output.raw(r#"{"processType":"#).raw(process_type(thread.process).0).raw(r#","name":"#).text(thread.name);
    output.raw(r#","processName":"#).text(process.name).raw(r#","registerTime":"#).ms(START.minus(process.offset.0));
    output.raw(r#","unregisterTime":null,"pid":"#).int(process.pid).raw(r#","tid":"#).int(thread.tid);
    output.raw(",");
    let samples = samples::count(plan, number);
    let mut sampled = (plan.samples > 0).then(|| Stacks::new(plan, number));
    match &mut sampled {
        Some(stacks) => stacks.write_samples(output, plan, thread, samples)?,
        None => few_samples(output, plan, process),
    }
    output.raw(r#","markers":{"schema":"#).raw(COLUMNS).raw(r#","data":["#);
    let stack_count = sampled.as_ref().map_or(FUNCTIONS.len() as u64, Stacks::len);
    let mut rows = Rows::new(output, plan, thread, stack_count);
    let mut walk = Walk::new(plan, number);
    let mut step = 0_u64;
    while walk.step(&mut rows) {
        step += 1;
        if step.is_multiple_of(GENERATION) {
            rows.strings.age();
        }
        rows.output.check()?;
    }
    let mut strings = rows.strings;
    output.raw("]},");
    match &sampled {
        Some(sampled) => sampled.write_tables(output, &mut strings),
        None => stacks(output, &mut strings),
    }
    output.raw(r#","stringTable":"#);
    strings.write(output)?;
    output.raw("}");
    output.check()
}

/// Writes the few samples of a thread in a recording without requested samples.
fn few_samples<W: Write>(output: &mut Output<W>, plan: &Plan, process: &Process) {
    output.raw(r#""samples":{"schema":"#).raw(SAMPLE_COLUMNS).raw(r#","data":["#);
    let length = plan.end.0 - START.0;
    for sample in 0..SAMPLES {
        let time = Nanos(START.0 + length / (SAMPLES - 1) * sample).minus(process.offset.0);
        output
            .raw(if sample == 0 { "[" } else { ",[" })
            .int(sample % FUNCTIONS.len() as u64)
            .raw(",")
            .ms(time)
            .raw(",0]");
    }
    output.raw("]}");
}

/// Writes one chain of frames, and a stack for each of its prefixes.
fn stacks<W: Write>(output: &mut Output<W>, strings: &mut Strings) {
    output.raw(
        r#""frameTable":{"schema":{"location":0,"relevantForJS":1,"innerWindowID":2,"implementation":3,"line":4,"#,
    );
    output.raw(r#""column":5,"category":6,"subcategory":7},"data":["#);
    for (position, function) in FUNCTIONS.iter().enumerate() {
        let name = strings.name(function);
        output.raw(if position == 0 { "[" } else { ",[" }).int(name).raw(",false,0,null,null,null,1,0]");
    }
    output.raw(r#"]},"stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0]"#);
    for frame in 1..FUNCTIONS.len() as u64 {
        output.raw(",[").int(frame - 1).raw(",").int(frame).raw("]");
    }
    output.raw("]}");
}
