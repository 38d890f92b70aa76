//! Text formats: the clock of perf's events, and formats without times.

use std::path::Path;

use serde_json::Value;

use crate::program::Program;
use crate::shown::Shown;

/// The output of `perf script` for two threads of a process.
fn perf(event: &str) -> String {
    let sample = |tid: u32, time: &str, period: u32| {
        format!(
            "app 40/{tid} [000] {time}: {period:>10} {event}: \n\t    55d0 work (/usr/bin/app)\n\t    55a0 main (/usr/bin/app)\n\n"
        )
    };
    [
        sample(40, "10.000000", 1_000_000),
        sample(41, "10.000500", 250_000),
        sample(40, "10.001000", 1_000_000),
        sample(40, "10.005000", 1_000_001),
    ]
    .concat()
}

fn cpu_of(event: &str) -> Vec<(String, Value)> {
    let program = Program::new("oracle-perf");
    let path = program.file("recording.txt", perf(event));
    let shown = Shown::of(&program, Path::new(&path)).expect("a recording");
    shown
        .threads
        .iter()
        .map(|line| (line["tid"].as_str().unwrap_or_default().to_owned(), line["cpu_ns"].clone()))
        .collect()
}

#[test]
fn weights_of_clock_events_are_cpu_time() {
    for event in ["cpu-clock", "task-clock", "cpu-clock:u"] {
        let expected = [("40".to_owned(), Value::from(3_000_001)), ("41".to_owned(), Value::from(250_000))];
        assert_eq!(cpu_of(event), expected, "{event}");
    }
    for event in ["cycles", "instructions:u", "page-faults"] {
        assert!(cpu_of(event).iter().all(|(_, cpu)| cpu.is_null()), "{event}");
    }
}

#[test]
fn stacks_without_times_have_no_time() {
    let program = Program::new("oracle-collapsed");
    let path = program.file("recording.folded", "main;work 12\nmain;rest 5\n");
    let shown = Shown::of(&program, Path::new(&path)).expect("a recording");
    assert_eq!(shown.threads.len(), 1);
    assert_eq!((&shown.threads[0]["cpu_ns"], &shown.threads[0]["busy_ns"]), (&Value::Null, &Value::Null));
}
