//! Times on several clocks, and times as differences.

use super::*;

const MONOTONIC: u64 = 3;
const BOOTTIME: u64 = 6;

fn starts(packets: &[Message]) -> Vec<(String, i64)> {
    let read = read(packets);
    let slices = read.tracks.iter().flat_map(|track| &track.slices);
    slices.map(|slice| (slice.name.clone(), slice.start_ns)).collect()
}

#[test]
fn times_are_converted_to_the_trace_clock() {
    let monotonic = |ts: u64, name: &str| event(ts, INSTANT, 2, name).number(58, MONOTONIC);
    let packets = [
        thread(2, 7, 8, "main"),
        message().message(6, &snapshot(&[clock(BOOTTIME, 1000), clock(MONOTONIC, 100)])),
        event(1500, INSTANT, 2, "boot"),
        monotonic(110, "monotonic"),
        message().message(6, &snapshot(&[clock(BOOTTIME, 3000), clock(MONOTONIC, 1000)])),
        monotonic(1001, "after it slept"),
        monotonic(50, "before"),
        // A clock without a relation to the others.
        event(77, INSTANT, 2, "lost").number(58, 100),
    ];
    let expected = [("before", 950), ("monotonic", 1010), ("boot", 1500), ("after it slept", 3001)];
    assert_eq!(starts(&packets), expected.map(|(name, time)| (name.to_owned(), time)));
    assert_eq!(warned(&read(&packets), "not_drawn"), 1);
}

#[test]
fn a_trace_can_choose_its_clock() {
    let packets = [
        thread(2, 7, 8, "main"),
        message().message(6, &snapshot(&[clock(BOOTTIME, 1000), clock(MONOTONIC, 100)]).number(2, MONOTONIC)),
        event(150, INSTANT, 2, "own"),
        event(1100, INSTANT, 2, "boot").number(58, BOOTTIME),
    ];
    assert_eq!(starts(&packets), [("own".to_owned(), 150), ("boot".to_owned(), 200)]);
}

#[test]
fn a_sequence_can_have_its_own_clock() {
    let own = clock(64, 5).number(3, 1).number(4, 1000);
    let defaults = message().number(58, 64);
    let packets = [
        thread(2, 7, 8, "main"),
        message()
            .number(10, 1)
            .number(13, 1)
            .message(59, &defaults)
            .message(6, &snapshot(&[clock(BOOTTIME, 50_000), own])),
        event(1, INSTANT, 2, "a"),
        // Events on another clock do not advance it.
        event(70_000, INSTANT, 2, "b").number(58, BOOTTIME),
        event(2, INSTANT, 2, "c"),
        message().number(8, 10).number(10, 1).message(60, &described(9, 0, "any packet moves it")),
        event(0, INSTANT, 2, "d"),
    ];
    let expected = [("a", 51_000), ("c", 53_000), ("d", 63_000), ("b", 70_000)];
    assert_eq!(starts(&packets), expected.map(|(name, time)| (name.to_owned(), time)));
}

#[test]
fn a_sequence_clock_follows_the_clock_it_is_based_on() {
    let own = clock(64, 0).number(3, 1);
    let packets = [
        thread(2, 7, 8, "main"),
        message().message(6, &snapshot(&[clock(BOOTTIME, 1000), clock(MONOTONIC, 500)])),
        message()
            .number(10, 1)
            .number(13, 1)
            .message(59, &message().number(58, 64))
            .message(6, &snapshot(&[clock(MONOTONIC, 500), own])),
        event(10, INSTANT, 2, "a"),
        // The system was suspended.
        message().message(6, &snapshot(&[clock(BOOTTIME, 9000), clock(MONOTONIC, 600)])),
        event(200, INSTANT, 2, "b"),
        event(710, INSTANT, 2, "c").number(58, MONOTONIC),
    ];
    let expected = [("a", 1010), ("b", 9110), ("c", 9110)];
    assert_eq!(starts(&packets), expected.map(|(name, time)| (name.to_owned(), time)));
}

#[test]
fn old_traces_use_differences_in_microseconds() {
    let described = message().number(1, 7).number(2, 8).number(6, 100).text(5, "main");
    let old = |field: u64, value: u64, name: &str| {
        message().number(10, 1).message(11, &message().number(field, value).number(9, INSTANT).text(23, name))
    };
    let packets = [
        message().number(10, 1).number(13, 1).message(44, &described),
        old(1, 5, "a"),
        old(16, 300, "b"),
        old(1, 7, "c"),
    ];
    let expected = [("a", 105_000), ("c", 112_000), ("b", 300_000)];
    assert_eq!(starts(&packets), expected.map(|(name, time)| (name.to_owned(), time)));
    assert_eq!(slices(&packets)[0], "Process 7/main a 105000 0");
}
