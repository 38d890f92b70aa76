//! CPU profiles in a trace: `Profile` and `ProfileChunk` events of the threads that run scripts.
//!
//! A sample within a slice that calls a script, such as `FunctionCall`, has a stack of calls; otherwise the thread runs
//! other code (`(program)`) or waits (`(idle)`). A chunk contains the samples of a step and the new calls.

use super::threads::CLOCK;
use crate::call_tree::{CallTree, FunctionKind, script_function};
use crate::json::{Nanos, Output};
use crate::plan::{Plan, Role, START};
use crate::random::{Random, mix, pick};
use crate::share::share;
use std::io::Write;

/// Slices in which scripts run.
const CALLS: [&str; 3] = ["FunctionCall", "v8.callFunction", "EventDispatch"];
/// Ids of pseudo-calls; the ids of real calls follow.
const ROOT: usize = 1;
const PROGRAM: usize = 2;
const IDLE: usize = 3;
const COLLECTOR: usize = 4;

/// The CPU profile of a thread while it is being written.
#[derive(Debug)]
pub(super) struct Samples {
    random: Random,
    tree: CallTree,
    /// For each call, true if it was written.
    known: Vec<bool>,
    count: u64,
    next: u64,
    /// Nanoseconds between two samples.
    interval: u64,
    /// Time of the last sample.
    last: Nanos,
    /// Times at which scripts ran in the current step.
    spans: Vec<(Nanos, Nanos)>,
    pid: u64,
    tid: u64,
    number: u64,
}

impl Samples {
    /// Creates the profile of a thread; `None` if it has no samples.
    pub(super) fn new(plan: &Plan, index: usize) -> Option<Self> {
        let runs_scripts = |index: &usize| matches!(plan.threads[*index].role, Role::ContentMain | Role::Worker);
        let scripted: Vec<usize> = (0..plan.threads.len()).filter(runs_scripts).collect();
        let scripted = if scripted.is_empty() { vec![0] } else { scripted };
        let position = scripted.iter().position(|thread| *thread == index)? as u64;
        let part = |position| share(plan.samples, position, scripted.len() as u64);
        let count = part(position + 1) - part(position);
        if count == 0 {
            return None;
        }
        let mut random = Random::new(mix(plan.seed ^ 0x57AC, index as u64));
        let tree = CallTree::new(plan.seed, &mut random, count, 1, Some(FunctionKind::Script));
        let thread = &plan.threads[index];
        Some(Self {
            random,
            known: vec![false; tree.calls.len()],
            tree,
            count,
            next: 0,
            interval: (plan.end.0 - START.0) / count,
            last: START,
            spans: Vec::new(),
            pid: plan.processes[thread.process].pid,
            tid: thread.tid,
            number: position + 1,
        })
    }

    /// Records a slice.
    pub(super) fn slice(&mut self, name: &str, start: Nanos, end: Nanos) {
        if CALLS.contains(&name) {
            self.spans.push((start, end));
        }
    }

    /// Writes the start of the profile.
    pub(super) fn head<W: Write>(&self, output: &mut Output<W>) {
        self.event(output, "Profile", self.tid, START);
        output.raw(r#","args":{"data":{"startTime":"#).us(START.plus(CLOCK)).raw(r#","source":"Internal"}}}"#);
    }

    fn event<W: Write>(&self, output: &mut Output<W>, name: &str, tid: u64, at: Nanos) {
        output.raw(",\n{\"ph\":\"P\",\"cat\":\"disabled-by-default-v8.cpu_profiler\",\"name\":\"").raw(name);
        output.raw(r#"","id":"0x"#).int(self.number).raw(r#"","pid":"#).int(self.pid).raw(r#","tid":"#).int(tid);
        output.raw(r#","ts":"#).us(at.plus(CLOCK));
    }

    /// Writes the samples before the end of a step, or all remaining samples if `is_last`.
    pub(super) fn chunk<W: Write>(&mut self, output: &mut Output<W>, until: Nanos, is_last: bool) {
        let (mut samples, mut deltas, mut calls) = (Vec::new(), Vec::new(), Vec::new());
        let is_first = self.next == 0;
        while self.next < self.count {
            let due = START.plus(self.interval * self.next);
            if due >= until && !is_last {
                break;
            }
            // Whole microseconds, like V8.
            let time =
                Nanos((due.0 + self.random.below(self.interval.min(1 << 20) / 4 + 1)) / 1_000 * 1_000).max(self.last);
            self.next += 1;
            let in_script = self.spans.iter().any(|(start, end)| (*start..*end).contains(&time));
            let node = match self.random.below(100) {
                0..3 if in_script => COLLECTOR,
                _ if in_script => {
                    let call = self.tree.next(&mut self.random);
                    self.new_calls(call, &mut calls);
                    COLLECTOR + 1 + call
                }
                0..40 => PROGRAM,
                _ => IDLE,
            };
            samples.push(node);
            deltas.push(time.0 - self.last.0);
            self.last = time;
        }
        self.spans.clear();
        if samples.is_empty() {
            return;
        }
        // The sampler thread has no other events.
        self.event(output, "ProfileChunk", self.pid + 1, self.last);
        output.raw(r#","args":{"data":{"cpuProfile":{"#);
        if is_first {
            output.raw(r#""nodes":["#);
            for (id, name) in
                [(ROOT, "(root)"), (PROGRAM, "(program)"), (IDLE, "(idle)"), (COLLECTOR, "(garbage collector)")]
            {
                output
                    .raw(if id == ROOT { "" } else { "," })
                    .raw(r#"{"callFrame":{"codeType":"other","functionName":""#);
                output.raw(name).raw(r#"","scriptId":0},"id":"#).int(id as u64);
                output.raw(if id == ROOT { "}" } else { r#","parent":1}"# });
            }
        }
        for (position, call) in calls.iter().enumerate() {
            output.raw(match (is_first, position) {
                (false, 0) => r#""nodes":["#,
                _ => ",",
            });
            self.node(output, *call);
        }
        output.raw(if is_first || !calls.is_empty() { r#"],"samples":["# } else { r#""samples":["# });
        for (position, node) in samples.iter().enumerate() {
            output.raw(if position == 0 { "" } else { "," }).int(*node as u64);
        }
        output.raw(r#"]},"timeDeltas":["#);
        for (position, delta) in deltas.iter().enumerate() {
            output.raw(if position == 0 { "" } else { "," }).int(delta / 1_000);
        }
        output.raw(r#"],"source":"Internal"}}}"#);
    }

    /// Lists the call and its callers that were not yet written, callers first.
    fn new_calls(&mut self, call: usize, list: &mut Vec<usize>) {
        let first = list.len();
        let mut next = Some(call);
        while let Some(call) = next.filter(|call| !self.known[*call]) {
            self.known[call] = true;
            list.push(call);
            next = self.tree.calls[call].caller;
        }
        list[first..].reverse();
    }

    fn node<W: Write>(&self, output: &mut Output<W>, number: usize) {
        const BUILT_IN: [&str; 4] = ["forEach", "querySelectorAll", "setAttribute", "parse"];
        let call = &self.tree.calls[number];
        let bits = mix(13, call.function.number());
        if bits.is_multiple_of(12) {
            output.raw(r#"{"callFrame":{"codeType":"other","functionName":"#).text(pick(&BUILT_IN, bits >> 8));
            output.raw(r#","scriptId":0}"#);
        } else {
            let (name, file, line, column) = script_function(call.function);
            output.raw(r#"{"callFrame":{"codeType":"JS","columnNumber":"#).int(column - 1);
            output.raw(r#","functionName":"#).text(&name).raw(r#","lineNumber":"#).int(line - 1);
            output.raw(r#","scriptId":"#).int(3 + file.len() as u64 % 7).raw(r#","url":"#).text(file).raw("}");
        }
        output.raw(r#","id":"#).int((COLLECTOR + 1 + number) as u64).raw(r#","parent":"#);
        output.int(call.caller.map_or(ROOT, |caller| COLLECTOR + 1 + caller) as u64).raw("}");
    }
}
