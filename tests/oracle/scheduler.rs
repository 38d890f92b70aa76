//! A system trace: CPU time from the scheduler.

use std::path::Path;

use serde_json::json;

use crate::program::Program;
use crate::protobuf::Message;
use crate::shown::Shown;

/// A thread that a CPU switches from and to.
struct Switch {
    us: u64,
    from: u64,
    /// 0: runnable, 1: sleeping.
    state: u64,
    to: u64,
}

/// A trace with a CPU that alternates between two threads of a process and its idle thread.
fn trace(switches: &[Switch]) -> Vec<u8> {
    let name = |tid: u64| if tid == 0 { "swapper/0".to_owned() } else { format!("worker {tid}") };
    let mut bundle = Message::default().number(1, 0);
    for switch in switches {
        let event = Message::default()
            .text(1, &name(switch.from))
            .number(2, switch.from)
            .number(3, 120)
            .number(4, switch.state)
            .text(5, &name(switch.to))
            .number(6, switch.to)
            .number(7, 120);
        bundle = bundle
            .message(2, &Message::default().number(1, switch.us * 1000).number(2, switch.from).message(4, &event));
    }
    let process = Message::default().number(1, 40).number(2, 1).text(3, "app");
    let thread = |tid: u64| Message::default().number(1, tid).text(2, &name(tid)).number(3, 40);
    let tree = Message::default().message(1, &process).message(2, &thread(41)).message(2, &thread(42));
    let packet = |field: u64, contents: &Message| Message::default().number(10, 1).message(field, contents);
    Message::default().message(1, &packet(2, &tree)).message(1, &packet(1, &bundle)).0
}

#[test]
fn running_is_cpu_time() {
    let switches = [
        Switch { us: 1000, from: 0, state: 0, to: 41 },
        Switch { us: 3000, from: 41, state: 1, to: 0 },
        Switch { us: 5000, from: 0, state: 0, to: 42 },
        Switch { us: 5500, from: 42, state: 0, to: 41 },
        Switch { us: 9000, from: 41, state: 1, to: 42 },
        Switch { us: 9250, from: 42, state: 1, to: 0 },
    ];
    let program = Program::new("oracle-scheduler");
    let path = program.file("recording.pftrace", trace(&switches));
    let shown = Shown::of(&program, Path::new(&path)).expect("a recording");
    for (tid, cpu_ns) in [("41", 5_500_000), ("42", 750_000)] {
        let is_it = |line: &&serde_json::Value| line["name"].as_str().is_some_and(|name| name.contains(tid));
        let line = shown.threads.iter().find(is_it).expect("a thread");
        assert_eq!(line["cpu_ns"], json!(cpu_ns), "{line}");
    }
    let rows = shown.rows();
    let process = rows
        .iter()
        .find(|row| row["kind"] == "process" && row["name"].as_str().is_some_and(|name| name.contains("app")));
    let process = process.unwrap_or_else(|| panic!("a process: {rows:?}"));
    assert_eq!(
        (process["measure"].as_str(), process["value_ns"].as_i64()),
        (Some("cpu"), Some(6_250_000)),
        "{process}"
    );
}
