//! `--max-memory`: for every format, in a process of its own, a recording either fits or is refused with the known
//! sentence, and neither takes more than a fifth more memory than the limit.

use std::fmt::Write as _;
use std::io::Read as _;
use std::process::Stdio;
use std::time::Duration;

use crate::support::program::{Outcome, Program};
use crate::support::protobuf::{Message, message, trace};

const MEGABYTE: u64 = 1_000_000;
/// A limit that is too small for every recording, one that is too small for most, and one that is large enough.
const LIMITS: [u64; 3] = [24 * MEGABYTE, 40 * MEGABYTE, 600 * MEGABYTE];
/// What a command may take beyond a small limit: buffers of threads that were reserved, but not written yet when it was checked.
const SLACK: u64 = 16 * MEGABYTE;
const SENTENCE: &str = "close other programs or raise the limit with --max-memory";

/// Text of `count` items.
fn items(count: usize, write: impl Fn(&mut String, usize)) -> String {
    let mut text = String::new();
    (0..count).for_each(|number| write(&mut text, number));
    text
}

/// A Chrome trace with one event per line.
fn events(count: usize, members: impl Fn(usize) -> String) -> Vec<u8> {
    let lines = items(count, |text, at| {
        let _infallible = writeln!(text, "{}{{\"ts\":{at},{}}}", if at == 0 { "[" } else { "," }, members(at));
    });
    (lines + "]").into_bytes()
}

/// A number that looks random below `below`.
const fn scattered(number: usize, below: usize) -> usize {
    (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 24) % below
}

fn collapsed(count: usize) -> Vec<u8> {
    let stack = |text: &mut String, at: usize| {
        let (one, two) = (scattered(at, 50_000), scattered(at + 7, 50_000));
        let _infallible = writeln!(text, "main;f{};g{one};h{two} 3", at % 1000);
    };
    items(count, stack).into_bytes()
}

fn perf_script(count: usize) -> Vec<u8> {
    let sample = |text: &mut String, at: usize| {
        let (thread, function) = (at % 50 + 1, scattered(at, 50_000));
        let _infallible = write!(
            text,
            "app {thread}/{thread} {}.{:06}: 1 cycles:\n\tffff{at:08x} f{function} (/usr/lib/a.so)\n\tffff{at:08x} \
             g{at} (/usr/lib/b.so)\n\n",
            at / 1000,
            at % 1000 * 1000
        );
    };
    items(count, sample).into_bytes()
}

fn speedscope(count: usize) -> Vec<u8> {
    let list = |item: &dyn Fn(usize) -> String| (0..count).map(item).collect::<Vec<_>>().join(",");
    let stack = |at: usize| {
        let [one, two, three] = [1, 2, 3].map(|salt| scattered(at * salt, 50_000));
        format!("[{one},{two},{three}]")
    };
    let frames = items(50_000, |text, at| {
        let _infallible = write!(text, "{}{{\"name\":\"f{at}\"}}", if at == 0 { "" } else { "," });
    });
    format!(
        r#"{{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{{"frames":[{frames}]}},"profiles":[{{"type":"sampled","name":"x","unit":"microseconds","startValue":0,"endValue":{count},"samples":[{}],"weights":[{}]}}]}}"#,
        list(&stack),
        list(&|_| "1".to_owned())
    )
    .into_bytes()
}

fn cpu_profile(count: usize) -> Vec<u8> {
    let node = |number: usize| {
        let children: Vec<_> = [2 * number, 2 * number + 1].into_iter().filter(|child| *child <= count).collect();
        format!(
            r#"{{"id":{number},"callFrame":{{"functionName":"f{number}","scriptId":"1","url":"u.js","lineNumber":{number},"columnNumber":1}},"children":{children:?}}}"#
        )
    };
    let nodes: Vec<String> = (1..=count).map(node).collect();
    let samples: Vec<String> = (0..count).map(|at| (scattered(at, count) + 1).to_string()).collect();
    let deltas = vec!["10"; count].join(",");
    let (nodes, samples) = (nodes.join(","), samples.join(","));
    format!(r#"{{"nodes":[{nodes}],"startTime":0,"endTime":{count}0,"samples":[{samples}],"timeDeltas":[{deltas}]}}"#)
        .into_bytes()
}

/// A Firefox profile of threads with one marker each.
fn firefox(count: usize) -> Vec<u8> {
    let thread = |number: usize| {
        format!(
            r#"{{"name":"t{number}","tid":{number},"pid":"1","processType":"default","processStartupTime":0,"registerTime":0,"unregisterTime":null,"markers":{{"length":1,"name":[0],"startTime":[{number}],"endTime":[{number}.5],"phase":[1],"category":[0],"data":[null]}},"samples":{{"length":0,"stack":[],"time":[]}},"stackTable":{{"length":0,"frame":[],"prefix":[]}},"frameTable":{{"length":0,"func":[]}},"funcTable":{{"length":0,"name":[]}},"resourceTable":{{"length":0}},"nativeSymbols":{{"length":0}},"stringArray":["m{number}"]}}"#
        )
    };
    let threads: Vec<String> = (0..count).map(thread).collect();
    format!(
        r#"{{"meta":{{"interval":1,"startTime":0,"processType":0,"product":"x","version":27,"preprocessedProfileVersion":47,"categories":[{{"name":"Other","color":"grey","subcategories":["Other"]}}],"markerSchema":[]}},"libs":[],"pages":[],"threads":[{}]}}"#,
        threads.join(",")
    )
    .into_bytes()
}

fn packet(time: u64, field: u64, contents: &Message) -> Message {
    message().number(8, time).number(10, 1).message(field, contents)
}

/// A Perfetto trace of tracks with one instant each, each below the track `parent` of its number if that is not 0.
fn tracks(count: u64, parent: impl Fn(u64) -> u64) -> Vec<u8> {
    let of_track = |number: u64| {
        let described = message().number(1, number).text(2, &format!("t{number}"));
        let described = if parent(number) == 0 { described } else { described.number(5, parent(number)) };
        let instant = message().number(9, 3).number(11, number).text(23, "n");
        [packet(number, 60, &described), packet(number, 11, &instant)]
    };
    trace(&(1..=count).flat_map(of_track).collect::<Vec<_>>())
}

/// A Perfetto trace of counters with one value each.
fn counters(count: u64) -> Vec<u8> {
    let of_track = |number: u64| {
        let described = message().number(1, number).text(2, &format!("c{number}")).message(8, &message().number(3, 2));
        let value = message().number(9, 4).number(11, number).number(30, number);
        [packet(number, 60, &described), packet(number, 11, &value)]
    };
    trace(&(1..=count).flat_map(of_track).collect::<Vec<_>>())
}

/// Runs the program and returns the most memory that it was seen to use, without pages of files. Looking now and then can
/// only miss memory, so the test never fails because of a slow machine.
fn run(program: &Program, arguments: &[&str]) -> (Outcome, u64) {
    let mut child = program
        .command()
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let ended = loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let anonymous = text.lines().find_map(|line| line.strip_prefix("RssAnon:")?.split_whitespace().next());
        peak = peak.max(anonymous.and_then(|kilobytes| kilobytes.parse::<u64>().ok()).unwrap_or(0) * 1024);
        match child.try_wait().expect("a status") {
            Some(ended) => break ended,
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().expect("piped").read_to_string(&mut out).expect("UTF-8");
    child.stderr.take().expect("piped").read_to_string(&mut err).expect("UTF-8");
    (Outcome { status: ended.code(), out, err }, peak)
}

/// Reads a recording under each limit.
fn check(name: &str, recording: Vec<u8>) {
    let program = Program::new("memory-limits");
    let file = program.file(name, recording);
    for limit in LIMITS {
        let most = limit + (limit / 5).max(SLACK);
        let (outcome, seen) =
            run(&program, &["info", &file, "--json", "--no-cache", "--max-memory", &limit.to_string()]);
        assert!(seen <= most, "{name} takes {seen} bytes with a limit of {limit}: {outcome:?}");
        // The system decides when freed memory is returned, so a recording of about the second limit may fit or not.
        if limit == LIMITS[0] || (limit == LIMITS[1] && outcome.status != Some(0)) {
            assert_eq!((outcome.status, outcome.out.as_str()), (Some(1), ""), "{name} with {limit}: {outcome:?}");
            assert!(outcome.err.contains("not enough memory: ") && outcome.err.contains(SENTENCE), "{}", outcome.err);
            assert_eq!(outcome.err.lines().count(), 1, "{}", outcome.err);
            continue;
        }
        assert_eq!((outcome.status, outcome.err.as_str()), (Some(0), ""), "{name} with {limit}");
        let info: serde_json::Value = serde_json::from_str(&outcome.out).expect("JSON");
        let peak = |key: &str| info["memory"][key].as_u64().expect("a number");
        let (resident, heap) = (peak("peak_bytes"), peak("peak_heap_bytes"));
        assert!(resident <= most, "{name}: {resident}");
        // The system allocator keeps some of what is freed, and reserved memory may stay unused.
        assert!(heap * 3 > resident && heap < resident * 3, "{name}: {heap} on the heap of {resident}");
    }
}

#[test]
fn stacks_keep_to_the_limit() {
    check("a.collapsed", collapsed(150_000));
    check("a.perf.txt", perf_script(60_000));
    check("a.speedscope.json", speedscope(150_000));
    check("a.cpuprofile", cpu_profile(60_000));
}

#[test]
fn events_keep_to_the_limit() {
    let on = |thread: usize| format!("\"pid\":1,\"tid\":{thread}");
    let long = "x".repeat(60);
    let name = |at| format!("\"ph\":\"X\",\"dur\":5,\"name\":\"name-{at}-{long}\",{}", on(1));
    check("names.json", events(150_000, name));
    check("threads.json", events(70_000, |at| format!("\"ph\":\"X\",\"dur\":5,\"name\":\"n\",{}", on(at))));
    let counter = |at| format!("\"ph\":\"C\",\"name\":\"c{at}\",\"args\":{{\"v\":5}},{}", on(1));
    check("counters.json", events(60_000, counter));
    let operation = |at: usize| {
        let (phase, id) = (['b', 'e'][at % 2], at / 2);
        format!("\"ph\":\"{phase}\",\"cat\":\"c\",\"id\":\"{id:#x}\",\"name\":\"c{id}\",{}", on(1))
    };
    check("async.json", events(150_000, operation));
    check("nested.json", events(400_000, |_| format!("\"ph\":\"B\",\"name\":\"n\",{}", on(1))));
}

#[test]
fn tracks_keep_to_the_limit() {
    check("threads.firefox.json", firefox(40_000));
    check("tracks.pftrace", tracks(30_000, |_| 0));
    check("nested.pftrace", tracks(20_000, |number| number - 1));
    check("counters.pftrace", counters(40_000));
}
