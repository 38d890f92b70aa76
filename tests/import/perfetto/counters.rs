//! Counters: values of counter tracks, with units.

use flowline::profile::{LocalMarker, Ns, ThreadId};

use super::*;

/// The descriptor of a counter track.
fn counter(uuid: u64, parent: u64, name: &str, counter: &Message) -> Message {
    message().number(10, 1).message(60, &described(uuid, parent, name).message(8, counter))
}

fn value(ts: u64, uuid: u64, value: i64) -> Message {
    at(ts).message(11, &message().number(9, COUNTER).number(11, uuid).signed(30, value))
}

#[test]
fn values_are_scaled_and_accumulated_by_track_options() {
    let double = at(50).message(11, &message().number(9, COUNTER).number(11, 11).double(44, 1.5));
    let packets = [
        process(1, 7, "app"),
        thread(2, 7, 8, "main"),
        counter(10, 1, "heap", &message().number(3, 3).number(4, 1024)),
        counter(11, 2, "rate", &message().text(6, "furlongs")),
        counter(12, 1, "sum", &message().number(5, 1).number(4, 10)),
        counter(13, 1, "heap", &message()),
        value(10, 10, 5),
        value(20, 10, -1),
        value(30, 12, 3),
        value(40, 12, 4),
        double,
        value(60, 13, 9),
    ];
    let bytes = trace(&packets);
    let profile = flowline::import::read(bytes, &flowline::import::Progress::default()).expect("a trace").profile;
    let told: Vec<String> = profile
        .counters
        .iter()
        .map(|counter| {
            let samples: Vec<_> =
                counter.series[0].samples.iter().map(|sample| (sample.time.0, sample.value)).collect();
            format!("{} of {} in {:?}: {samples:?}", counter.name, counter.pid, &*counter.unit)
        })
        .collect();
    let expected = [
        "heap of 7 in \"bytes\": [(10, 5120.0), (20, -1024.0)]",
        "sum of 7 in \"\": [(30, 30.0), (40, 70.0)]",
        "rate [8] of 7 in \"furlongs\": [(50, 1.5)]",
        "heap [0xd] of 7 in \"\": [(60, 9.0)]",
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_counter_has_one_sum_of_whole_and_other_numbers() {
    let double = |ts: u64, track: u64, value: f64| {
        at(ts).message(11, &message().number(9, COUNTER).number(11, track).double(44, value))
    };
    // The same counter, stated by slices beside other events.
    let extra = message().number(9, BEGIN).number(11, 2).text(23, "a").number(31, 10).number(12, 2);
    let extra_double = message().number(9, END).number(11, 2).number(45, 10).double(46, 0.25);
    let packets = [
        thread(2, 7, 8, "main"),
        process(1, 7, "app"),
        counter(10, 1, "sum", &message().number(5, 1)),
        value(10, 10, 3),
        double(20, 10, 1.5),
        value(30, 10, 1),
        at(40).message(11, &extra),
        at(50).message(11, &extra_double),
    ];
    let profile =
        flowline::import::read(trace(&packets), &flowline::import::Progress::default()).expect("a trace").profile;
    let samples: Vec<_> =
        profile.counters[0].series[0].samples.iter().map(|sample| (sample.time.0, sample.value)).collect();
    assert_eq!(samples, [(10, 3.0), (20, 4.5), (30, 5.5), (40, 7.5), (50, 7.75)]);
}

#[test]
fn thread_time_is_attached_to_slices() {
    let cpu = message().number(1, 1).number(4, 1000).number(5, 1);
    let defaults = message().message(11, &message().number(11, 2).numbers(31, &[10, 11]));
    let own = |ts: u64, kind: u64, name: &str, values: &[u64]| {
        at(ts).message(11, &values.iter().fold(track_event(kind, 2, name), |event, value| event.number(12, *value)))
    };
    let packets = [
        thread(2, 7, 8, "main"),
        counter(10, 2, "thread_time", &cpu),
        counter(11, 2, "faults", &message()),
        message().number(10, 1).number(13, 1).message(59, &defaults),
        own(1000, BEGIN, "work", &[5, 100]),
        own(9000, END, "", &[3, 101]),
    ];
    let bytes = trace(&packets);
    let profile = flowline::import::read(bytes, &flowline::import::Progress::default()).expect("a trace").profile;
    let names: Vec<&str> = profile.counters.iter().map(|counter| counter.name.as_str()).collect();
    assert_eq!(names, ["faults [8]"]);
    // CPU times of 5 and 8 µs.
    assert_eq!(profile.cpu_time(ThreadId(0), LocalMarker::new(0)), Some(Ns(3_000)));
}
