//! Heap profiles: allocations and releases of memory by stack.

use super::*;
use flowline::profile::SampleTable;

fn text(number: u64, value: &str) -> Message {
    message().number(1, number).text(2, value)
}

/// A sample: stack, bytes allocated and released, numbers of allocations and releases.
fn sample(stack: u64, [allocated, released]: [u64; 2], [count, releases]: [u64; 2]) -> Message {
    let sample = message().number(1, stack).number(2, allocated).number(3, released);
    sample.number(5, count).number(6, releases)
}

/// A packet of a dump: the samples of process 7, and parts of the packet.
fn dump(ts: u64, index: u64, samples: &[Message], rest: Message) -> Message {
    let heap = message().number(1, 7).number(9, ts).text(11, "libc.malloc");
    let heap = samples.iter().fold(heap, |heap, sample| heap.message(2, sample));
    at(ts).message(37, &Message([rest.message(5, &heap).number(7, index).0].concat()))
}

/// Time, weight and stack of samples.
fn told(profile: &flowline::profile::Profile, table: &SampleTable) -> Vec<String> {
    let paths = crate::stacks::paths(profile, table);
    (0..table.len()).map(|at| format!("{} {} {}", table.time[at].0, table.weight(at), paths[at])).collect()
}

#[test]
fn allocations_are_samples_weighted_by_bytes_and_by_number() {
    let strings = message()
        .message(1, &text(1, "main"))
        .message(1, &text(2, "load"))
        .message(1, &text(3, "libapp.so"))
        .message(4, &message().number(1, 1).number(7, 3))
        .message(2, &message().number(1, 1).number(2, 1).number(3, 1))
        .message(2, &message().number(1, 2).number(2, 2).number(3, 1));
    let stacks = message()
        .message(3, &message().number(1, 1).numbers(2, &[1]))
        .message(3, &message().number(1, 2).numbers(2, &[1, 2]));
    let packets = [
        process(1, 7, "app"),
        // The stacks follow in another packet of the dump.
        dump(1000, 0, &[sample(2, [100, 30], [10, 3])], strings.number(6, 1)),
        dump(1000, 1, &[sample(1, [8, 0], [1, 0])], stacks),
        // Totals since the start: 50 bytes more, and 90 of all were released.
        dump(2000, 2, &[sample(2, [150, 120], [15, 12]), sample(9, [1, 0], [1, 0])], message()),
    ];
    let bytes = trace(&packets);
    let read = |chunk: usize| {
        let options = flowline::import::Options { chunk, ..Default::default() };
        flowline::import::read_with(bytes.clone(), &options, &flowline::import::Progress::default()).expect("a trace")
    };
    let profile = read(1 << 16).profile;
    let names: Vec<&str> = profile.threads.iter().map(|thread| &*thread.name).collect();
    assert_eq!(names, ["Heap profile: libc.malloc", "Heap profile: libc.malloc (number of allocations)"]);
    let expected = [
        "1000 30 main>load",
        "1000 70 main>load",
        "1000 8 main",
        "1000 -30 main>load",
        "2000 -70 main>load",
        "2000 20 main>load",
        "2000 30 main>load",
        "2000 -20 main>load",
    ];
    let samples = crate::stacks::samples_of(&profile, 0);
    let table = &samples.native_allocations;
    let mut shown = told(&profile, table);
    shown.sort();
    let mut sorted = expected.map(str::to_owned).to_vec();
    sorted.sort();
    assert_eq!((shown, table.weight_unit), (sorted, flowline::profile::samples::WeightUnit::Bytes));
    // Memory that was not released.
    let is_held = |at: &usize| {
        let address = samples.native_addresses[*at];
        samples.native_addresses.iter().filter(|other| **other == address).count() == 1
    };
    let held: f64 = (0..table.len()).filter(is_held).map(|at| table.weight(at)).sum();
    assert!((held - 38.0).abs() < f64::EPSILON, "{held}");
    let counts = &crate::stacks::samples_of(&profile, 1).native_allocations;
    let allocated: f64 = (0..counts.len()).map(|at| counts.weight(at)).filter(|weight| *weight > 0.0).sum();
    assert!((allocated - 16.0).abs() < f64::EPSILON, "{allocated}");
    assert_eq!(crate::stacks::resource(&profile, "load").map(|found| found.1), Some("libapp.so"));
    // The stack that no packet defines.
    assert_eq!(warned(&Importer::read(&bytes), "not_drawn"), 1);
    let text = flowline::import::as_text(&profile, &flowline::import::Progress::default()).expect("text");
    let others = [1, 37, 500].map(|chunk| read(chunk).profile);
    for other in others.iter().chain(&text) {
        let samples = crate::stacks::samples_of(other, 0);
        assert_eq!(told(other, &samples.native_allocations), told(&profile, table));
    }
}

#[test]
fn incomplete_heap_profiles_are_reported() {
    let stack = message()
        .message(1, &text(1, "main"))
        .message(2, &message().number(1, 1).number(2, 1))
        .message(3, &message().number(1, 1).number(2, 1));
    let heap = message().number(1, 7).number(9, 5).number(7, 1).message(2, &message().number(1, 1).number(8, 64));
    let packets = [
        // A dump of the maximum, whose buffer overflowed; packet 1 is lost, and the dump has no end.
        at(5).message(37, &stack.clone().message(5, &heap).number(6, 1).number(7, 0)),
        at(5).message(37, &stack.number(6, 1).number(7, 2)),
    ];
    let profile =
        flowline::import::read(trace(&packets), &flowline::import::Progress::default()).expect("a trace").profile;
    assert_eq!(told(&profile, &crate::stacks::samples_of(&profile, 0).native_allocations), ["5 64 main"]);
    assert_eq!(warned(&read(&packets), "not_drawn"), 3);
}
