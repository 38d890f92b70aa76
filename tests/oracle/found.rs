//! Recordings whose figures were wrong, with the right values.

use serde_json::{Value, json};

use crate::program::Program;
use crate::reader::{EVERYTHING, read, union};
use crate::recordings::{contents, fixture};
use crate::shown::{Shown, lines};

fn shown(name: &str) -> (Program, Shown) {
    let program = Program::new(name);
    let shown = Shown::of(&program, &fixture(name)).expect("a recording");
    (program, shown)
}

/// The line of the thread of a process.
fn of_process<'a>(shown: &'a Shown, pid: &str) -> &'a Value {
    shown.threads.iter().find(|line| line["pid"] == pid).expect("a thread")
}

/// Samples without a delta are neither idle nor busy.
#[test]
fn time_without_a_delta_is_unknown() {
    let (program, shown) = shown("numbers-unmeasured.json");
    let (paused, steady) = (of_process(&shown, "11"), of_process(&shown, "12"));
    assert_eq!((&paused["cpu_ns"], &steady["cpu_ns"]), (&json!(160_000_000), &json!(295_000_000)));
    // 40 of 321 intervals of 5 ms.
    let share = |line: &Value| line["measured_share"].as_f64().expect("a share");
    assert!((share(paused) - 200.0 / 1605.0).abs() < 1e-9, "{paused}");
    assert!((share(steady) - 1.0).abs() < 1e-9, "{steady}");
    let samples = lines(&program, &fixture("numbers-unmeasured.json"), &["samples"]).expect("samples");
    assert_eq!(
        samples.iter().map(|line| &line["cpu_ns"]).collect::<Vec<_>>(),
        [&json!(0), &json!(160_000_000), &json!(295_000_000)]
    );
    // The process that worked most is first.
    let rows = shown.rows();
    let place = |pid: &str| {
        let thread = &of_process(&shown, pid)["thread"];
        rows.iter().position(|row| row["thread"] == *thread).expect("a row")
    };
    assert!(place("12") < place("11"), "{rows:?}");
    let row = rows[place("11")];
    assert!(row["value"].as_str().is_some_and(|value| value == "\u{2265}\u{202f}160.00 ms"), "{row}");
}

/// The category of a sample does not enter its CPU time, and idle time is not busy.
#[test]
fn idle_is_no_work_of_a_loading_document() {
    let (_, shown) = shown("numbers-idle-load.json");
    let line = of_process(&shown, "11");
    // Of 160 samples, 30 ran for 5 ms, and 12 of the idle ones after the first for 2 ms.
    assert_eq!((&line["cpu_ns"], &line["busy_ns"]), (&json!(174_000_000), &json!(150_000_000)));
}

/// Annotations of a GPU are drawn and never count.
#[test]
fn annotations_are_no_gpu_work() {
    let (_, shown) = shown("numbers-gpu.json");
    let busy: Vec<_> = shown.streams.iter().map(|line| (line["name"].as_str(), line["busy_ns"].as_i64())).collect();
    assert_eq!(busy, [(Some("stream 7"), Some(10_000_500)), (Some("stream 9"), Some(3_500_000))]);
    // Together the streams are busy from 1 to 7.5 and from 20 to 26.0005 ms.
    let plain = read(&contents(&fixture("numbers-gpu.json"))).expect("readable");
    let work = union(plain.threads.iter().flat_map(|thread| thread.gpu_work(EVERYTHING)));
    assert_eq!(work, 12_500_500);

    let rows = shown.rows();
    let gpu = rows
        .iter()
        .find(|row| row["kind"] == "process" && row["name"].as_str().is_some_and(|name| name.contains("GPU")));
    assert_eq!(gpu.expect("a GPU")["value_ns"].as_i64(), Some(work), "{rows:?}");
    // The lane is about the whole recording.
    let lane = shown.items("lane").find(|lane| lane["name"] == "GPU").expect("a lane of the GPU");
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let share = flowline_format::format_percent(work as f64 / 40_000_000.0);
    assert!(lane["value"].as_str().is_some_and(|value| value.contains(&share)), "{lane}: {share}");
}
