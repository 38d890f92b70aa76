//! Tiny synthetic recordings of samples.

use flowline::profile::samples::{
    Frame, Func, NONE, Resource, ResourceKind, ScriptSource, StackTablesBuilder, WeightUnit,
};
use flowline::profile::{
    Category, CpuUnit, Ns, Process, ProcessId, Profile, SampleTable, StackId, Thread, ThreadSamples, TimeRange,
};

/// A sample: time in nanoseconds, functions on the stack from the root, CPU nanoseconds since the previous sample.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sampled {
    pub(crate) time: i64,
    pub(crate) stack: Option<Vec<u8>>,
    pub(crate) cpu: Option<u64>,
}

/// Functions: name, category, file.
pub(crate) const FUNCS: [(&str, u16, &str); 6] = [
    ("(root)", 1, ""),
    ("main", 1, "main.rs"),
    ("drawFrame", 2, "https://example.com/app.js"),
    ("onClick", 3, "https://example.com/app.js"),
    ("wait", 0, ""),
    ("memmove", u16::MAX, ""),
];

/// Categories: name and color.
pub(crate) const CATEGORIES: [(&str, &str); 4] =
    [("Idle", "transparent"), ("Other", "grey"), ("Graphics", "green"), ("JavaScript", "yellow")];

/// The interval between samples in nanoseconds.
pub(crate) const INTERVAL: i64 = 1_000_000;

/// Sampled threads of one process.
pub(crate) fn profile(threads: &[Vec<Sampled>], has_cpu: bool) -> Profile {
    let mut builder = StackTablesBuilder::new(1);
    let library = Resource { name: builder.text("libc.so"), kind: ResourceKind::LIBRARY };
    let library = builder.resource(library);
    let frames: Vec<_> = (0_u32..)
        .zip(FUNCS)
        .map(|(number, (name, category, file))| {
            let name = builder.text(name);
            let source = match file {
                "" => NONE,
                file => {
                    let source = ScriptSource { file: builder.text(file), id: builder.text("") };
                    builder.source(source)
                }
            };
            let resource = if number == 5 { library } else { NONE };
            let func = builder.func(Func { source, resource, line: 10 * number, ..Func::named(name) });
            builder.frame(Frame { category, line: 10 * number + 1, column: 3, ..Frame::of(func) })
        })
        .collect();
    let mut made = Vec::new();
    for samples in threads {
        let mut stack_of = |stack: &Vec<u8>| {
            let mut caller: Option<StackId> = None;
            for func in stack {
                caller = Some(builder.stack(caller, frames[usize::from(*func) % FUNCS.len()]));
            }
            caller.map_or(NONE, |stack| stack.0)
        };
        let stacks = samples.iter().map(|sample| sample.stack.as_ref().map_or(NONE, &mut stack_of)).collect();
        let times: Vec<Ns> = samples.iter().map(|sample| Ns(sample.time)).collect();
        let cpu = if has_cpu { samples.iter().map(|sample| sample.cpu).collect() } else { Vec::new() };
        let cpu = SampleTable::with_columns(times, stacks, cpu, Vec::new(), WeightUnit::Samples);
        let range = TimeRange::new(Ns(0), Ns(0));
        made.push(Thread {
            process: ProcessId::new(0),
            tid: (made.len() + 1).to_string().into(),
            name: format!("worker {}", made.len()).into(),
            is_main: made.is_empty(),
            range,
            samples: Some(Box::new(ThreadSamples { cpu, ..ThreadSamples::default() })),
            ..Thread::default()
        });
    }
    let mut profile = Profile { stacks: builder.finish(), threads: made, ..Profile::default() };
    profile.processes.push(Process { pid: "7".into(), name: "program".into() });
    profile.categories = CATEGORIES
        .map(|(name, color)| Category { name: name.into(), color: color.into(), subcategories: vec!["Other".into()] })
        .into();
    profile.meta.interval = Ns(INTERVAL);
    profile.meta.cpu_unit = has_cpu.then_some(CpuUnit::Nanoseconds);
    profile
}

/// Random samples: stacks often share callers; gaps vary over all magnitudes.
pub(crate) fn random_samples(seed: u64, count: usize) -> Vec<Sampled> {
    let mut random = fastrand::Rng::with_seed(seed);
    let (mut time, mut stack) = (random.i64(0..1 << 20), vec![0_u8]);
    let most = INTERVAL.unsigned_abs();
    (0..count)
        .map(|_| {
            time += match random.u8(..8) {
                0 => 0,
                1 => random.i64(0..1 << 30),
                _ => INTERVAL / 2 + random.i64(0..INTERVAL),
            };
            stack.truncate(random.usize(..=stack.len()));
            (0..random.u8(..4)).for_each(|_| stack.push(random.u8(..6)));
            let none = random.u8(..9) == 0 || stack.is_empty();
            let cpu = (random.u8(..10) > 0).then(|| if random.bool() { random.u64(..=most) } else { 0 });
            Sampled { time, stack: (!none).then(|| stack.clone()), cpu }
        })
        .collect()
}
