//! Samples of a Firefox recording and their stack tables.
//!
//! All threads are sampled at the same rate. A waiting thread has a stack in the category Idle and uses no CPU time.

use super::schema::Category;
use super::strings::Strings;
use crate::call_tree::{CallTree, Function, FunctionKind, script_function};
use crate::json::{Nanos, Output};
use crate::plan::{Plan, Role, START, Thread};
use crate::random::{Random, mix, pick};
use crate::share::share;
use std::collections::HashMap;
use std::io::{self, Write};

/// Columns of the sample table.
const COLUMNS: &str = r#"{"stack":0,"time":1,"eventDelay":2,"threadCPUDelta":3}"#;
/// Units of samples.
pub(super) const UNITS: &str = r#"{"time":"ms","eventDelay":"ms","threadCPUDelta":"ns"}"#;
/// Libraries of every process.
pub(super) const LIBRARIES: &str = concat!(
    r#"[{"start":140000000000000,"end":140000160000000,"offset":0,"name":"libxul.so","path":"/usr/lib/firefox/libxul.so","#,
    r#""debugName":"libxul.so","debugPath":"/usr/lib/firefox/libxul.so","#,
    r#""breakpadId":"5A3C0E7D1F2B4C6D8E9FA0B1C2D3E4F50","codeId":null,"arch":"x86_64"},"#,
    r#"{"start":140000200000000,"end":140000202000000,"offset":0,"name":"libc.so.6","path":"/usr/lib/libc.so.6","#,
    r#""debugName":"libc.so.6","debugPath":"/usr/lib/libc.so.6","#,
    r#""breakpadId":"0B1C2D3E4F505A3C0E7D1F2B4C6D8E9FA0","codeId":null,"arch":"x86_64"}]"#,
);

/// Outermost frames.
const MAIN: [&str; 4] = [
    "(root)",
    "XREMain::XRE_main (in libxul.so)",
    "nsAppShell::Run (in libxul.so)",
    "NS_ProcessNextEvent (in libxul.so)",
];
const OTHER: [&str; 4] =
    ["(root)", "start_thread (in libc.so.6)", "nsThread::ThreadFunc (in libxul.so)", "MessageLoop::Run (in libxul.so)"];
const WAITING: &str = "poll (in libc.so.6)";

/// Returns the number of samples of a thread.
pub(super) fn count(plan: &Plan, number: usize) -> u64 {
    let (number, threads) = (number as u64, plan.threads.len() as u64);
    share(plan.samples, number + 1, threads) - share(plan.samples, number, threads)
}

/// Returns the nanoseconds between two samples of a thread.
pub(super) fn interval(plan: &Plan) -> u64 {
    ((plan.end.0 - START.0) / plan.samples.div_ceil(plan.threads.len() as u64).max(1)).max(1)
}

/// Stacks of a thread: first the outer frames, then the waiting stack, then the calls.
#[derive(Debug)]
pub(super) struct Stacks {
    outer: &'static [&'static str; 4],
    tree: CallTree,
    random: Random,
    is_waiting: bool,
    /// Percentage of switches between waiting and working that start work.
    busy: u64,
}

impl Stacks {
    pub(super) fn new(plan: &Plan, number: usize) -> Self {
        let thread = &plan.threads[number];
        let is_main = matches!(thread.role, Role::ParentMain | Role::ContentMain);
        let outer = if is_main { &MAIN } else { &OTHER };
        let mut random = Random::new(mix(plan.seed ^ 0x57AC, number as u64));
        // Only threads that run scripts have script functions.
        let wanted = (!is_main && thread.role != Role::Worker).then_some(FunctionKind::Native);
        let tree = CallTree::new(plan.seed, &mut random, count(plan, number), outer.len(), wanted);
        let busy = match thread.role {
            Role::ParentMain | Role::ContentMain => 60,
            Role::Worker | Role::Compositor | Role::Renderer => 30,
            _ => 10,
        };
        Self { outer, tree, random, is_waiting: true, busy }
    }

    /// Number of stacks.
    pub(super) fn len(&self) -> u64 {
        (self.outer.len() + 1 + self.tree.calls.len()) as u64
    }

    /// Writes the samples of the thread.
    pub(super) fn write_samples<W: Write>(
        &mut self,
        output: &mut Output<W>,
        plan: &Plan,
        thread: &Thread,
        samples: u64,
    ) -> io::Result<()> {
        let offset = plan.processes[thread.process].offset.0;
        let interval = interval(plan);
        output.raw(r#""samples":{"schema":"#).raw(COLUMNS).raw(r#","data":["#);
        for sample in 0..samples {
            let time = START.plus(interval * sample + self.random.below(interval.min(1 << 20) / 4 + 1)).minus(offset);
            if self.random.chance(8) {
                self.is_waiting = !self.random.chance(self.busy);
            }
            output.raw(if sample == 0 { "\n[" } else { ",\n[" });
            let stack = if self.is_waiting {
                self.outer.len()
            } else {
                self.outer.len() + 1 + self.tree.next(&mut self.random)
            };
            // The stack walker failed.
            if self.random.below(1000) < 15 {
                output.raw("null");
            } else {
                output.int(stack as u64);
            }
            let delay = if self.is_waiting { 0 } else { self.random.below(40_000_000) };
            output.raw(",").ms(time).raw(",").ms(Nanos(delay)).raw(",");
            match self.random.below(500) {
                0 => output.raw("null"),
                // The first delta is relative to the start of the thread.
                _ if sample == 0 => output.int(interval.saturating_mul(977)),
                _ if self.is_waiting => output.int(share(interval, self.random.below(3), 100)),
                _ => output.int(share(interval, 70 + self.random.below(31), 100)),
            };
            output.raw("]");
            if sample % 4_096 == 0 {
                output.check()?;
            }
        }
        output.raw("]}");
        Ok(())
    }

    /// Writes the frame and stack tables.
    pub(super) fn write_tables<W: Write>(&self, output: &mut Output<W>, strings: &mut Strings) {
        output.raw(
            r#""frameTable":{"schema":{"location":0,"relevantForJS":1,"innerWindowID":2,"implementation":3,"line":4,"#,
        );
        output.raw(r#""column":5,"category":6,"subcategory":7},"data":["#);
        for (position, name) in self.outer.iter().chain([&WAITING]).enumerate() {
            let category = if position == self.outer.len() { Category::Idle } else { Category::Other };
            output.raw(if position == 0 { "\n[" } else { ",\n[" }).int(strings.name(name));
            output.raw(",false,0,null,null,null,").int(category as u64).raw(",0]");
        }
        let mut frames: HashMap<(Function, u64), u64> = HashMap::new();
        let mut of_call = Vec::with_capacity(self.tree.calls.len());
        for (number, call) in self.tree.calls.iter().enumerate() {
            // Each function is sampled at one of three lines.
            let place = mix(7, number as u64) % 3;
            let next = (self.outer.len() + 1 + frames.len()) as u64;
            let frame = *frames.entry((call.function, place)).or_insert(next);
            if frame == next {
                write_frame(output, strings, call.function, place);
            }
            of_call.push(frame);
        }
        let outer = self.outer.len();
        output.raw(r#"]},"stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0]"#);
        for frame in 1..=outer {
            output.raw(",[").int(frame as u64 - 1).raw(",").int(frame as u64).raw("]");
        }
        for (call, frame) in self.tree.calls.iter().zip(of_call) {
            let caller = call.caller.map_or(outer - 1, |caller| outer + 1 + caller);
            output.raw(",[").int(caller as u64).raw(",").int(frame).raw("]");
        }
        output.raw("]}");
    }
}

fn write_frame<W: Write>(output: &mut Output<W>, strings: &mut Strings, function: Function, place: u64) {
    const LABELS: [(&str, Category); 6] = [
        ("PresShell::DoFlushPendingNotifications Layout", Category::Layout),
        ("Element.getBoundingClientRect", Category::Dom),
        ("Element.innerHTML setter", Category::Dom),
        ("nsJSContext::GarbageCollectNow", Category::Gc),
        ("EventDispatcher::Dispatch click", Category::Dom),
        ("IPCDispatch PContent::Msg_PreferenceUpdate", Category::Ipc),
    ];
    let bits = mix(11, function.number());
    output.raw(",\n[");
    match function.kind() {
        FunctionKind::Script => {
            let (name, file, line, column) = script_function(function);
            let place_text = format!("{file}:{line}:{column}");
            let location = if name.is_empty() { place_text } else { format!("{name} ({place_text})") };
            let location = strings.text(location);
            let implementation = ["ion", "baseline", ""][usize::try_from(bits % 3).unwrap_or(0)];
            output.int(location).raw(",false,12884901889,");
            match implementation {
                "" => output.raw("null"),
                name => output.int(strings.name(name)),
            };
            output
                .raw(",")
                .int(line + place * 2)
                .raw(",")
                .int(column + place * 4)
                .raw(",")
                .int(Category::JavaScript as u64);
            output.raw(if implementation == "ion" { ",2]" } else { ",0]" });
        }
        FunctionKind::Native => {
            const CLASSES: [&str; 8] = [
                "mozilla::PresShell",
                "nsIFrame",
                "js::Interpreter",
                "mozilla::dom::Document",
                "nsTArray_Impl<unsigned char, nsTArrayInfallibleAllocator>",
                "style::matching",
                "webrender::batch",
                "mozilla::ipc::MessageChannel",
            ];
            const METHODS: [&str; 6] =
                ["Run", "ReflowChild", "Get(unsigned int, bool) const", "Build", "Dispatch", "~Scope"];
            // A library without symbols has only addresses.
            let location = if bits.is_multiple_of(5) {
                format!("0x{:x}", 140_000_000_000_000 + (bits >> 8) % 160_000_000)
            } else {
                let method = pick(&METHODS, bits >> 16);
                format!("{}::{method} (in libxul.so) + {}", pick(&CLASSES, bits >> 8), (bits >> 24) % 900)
            };
            output.int(strings.text(location)).raw(",false,0,null,null,null,null,null]");
        }
        FunctionKind::Label => {
            let (name, category) = pick(&LABELS, bits >> 8);
            let is_shown = matches!(category, Category::Dom);
            output.int(strings.name(name)).raw(if is_shown { ",true" } else { ",false" });
            output.raw(",12884901889,null,null,null,").int(category as u64).raw(",0]");
        }
    }
}
