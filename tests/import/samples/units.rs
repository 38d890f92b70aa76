//! The axis of recordings whose samples have no times counts their own unit.

use flowline::format::AxisUnit;
use flowline::profile::Profile;

use super::{read, samples};

/// A speedscope file with a profile per unit and kind; each has a total of 60.
fn speedscope(profiles: &[(&str, bool)]) -> String {
    let profile = |(unit, evented): &(&str, bool)| match evented {
        false => format!(
            r#"{{"type":"sampled","name":"{unit}","unit":"{unit}","startValue":0,"endValue":60,
                "samples":[[0,1],[0,2],[0]],"weights":[10,20,30]}}"#
        ),
        true => format!(
            r#"{{"type":"evented","name":"{unit}","unit":"{unit}","startValue":0,"endValue":60,"events":[
                {{"type":"O","at":0,"frame":0}},{{"type":"O","at":10,"frame":1}},{{"type":"C","at":40,"frame":1}},
                {{"type":"C","at":60,"frame":0}}]}}"#
        ),
    };
    let profiles: Vec<String> = profiles.iter().map(profile).collect();
    format!(
        r#"{{"$schema":"https://www.speedscope.app/file-format-schema.json",
            "shared":{{"frames":[{{"name":"main"}},{{"name":"a"}},{{"name":"b"}}]}},"profiles":[{}]}}"#,
        profiles.join(",")
    )
}

fn axis(profile: &Profile) -> (AxisUnit, String) {
    (profile.meta.capabilities.axis, profile.clock().length(profile.meta.range.len()))
}

#[test]
fn weights_that_are_no_times_are_counted() {
    let heap = r#"{"head":{"callFrame":{"functionName":"(root)"},"selfSize":0,"id":1,"children":[
        {"callFrame":{"functionName":"alloc"},"selfSize":4096,"id":2,"children":[]}]},"samples":[]}"#;
    let period = |event: &str| format!("p 1 5 {event}:\n\t1 f (/a)\n\np 1 7 {event}:\n\t1 g (/a)\n\n");
    let without = "p 1 cycles:\n\t1 f (/a)\n\np 1 cycles:\n\t1 g (/a)\n\n";
    let cases: Vec<(String, AxisUnit, &str)> = vec![
        ("main;a 10\nmain;b 25\n".into(), AxisUnit::Samples, "35 samples"),
        ("main;a 1.5\nmain;b 1\n".into(), AxisUnit::Samples, "2.5 samples"),
        (heap.into(), AxisUnit::Bytes, "4.1 KB"),
        (without.into(), AxisUnit::Samples, "2 samples"),
        ("p 1\n\t1 f (/a)\n\n".into(), AxisUnit::Samples, "1 sample"),
        (period("cycles"), AxisUnit::Plain, "12"),
        (period("cpu-clock:u"), AxisUnit::Time, "12 ns"),
        (speedscope(&[("none", false)]), AxisUnit::Plain, "60"),
        (speedscope(&[("none", true)]), AxisUnit::Plain, "60"),
        (speedscope(&[("bytes", false)]), AxisUnit::Bytes, "60 B"),
        (speedscope(&[("bytes", true)]), AxisUnit::Bytes, "60 B"),
        (speedscope(&[("milliseconds", false)]), AxisUnit::Time, "60.00 ms"),
        (speedscope(&[("bytes", false), ("bytes", true)]), AxisUnit::Bytes, "60 B"),
        (speedscope(&[("bytes", false), ("none", true)]), AxisUnit::Plain, "60"),
        (speedscope(&[("bytes", false), ("milliseconds", true)]), AxisUnit::Time, "60.00 ms"),
    ];
    for (text, unit, length) in cases {
        assert_eq!(axis(&read(&text)), (unit, length.to_owned()), "{text}");
    }
}

#[test]
fn amounts_beside_times_have_no_place_on_the_axis() {
    for evented in [false, true] {
        let profile = read(speedscope(&[("milliseconds", false), ("bytes", evented)]));
        assert_eq!(axis(&profile).1, "60.00 ms");
        let thread = &profile.threads[1];
        assert!(samples(&profile, thread).iter().all(|sample| sample.0 == 0), "{evented}");
        let weights: f64 = samples(&profile, thread).iter().map(|sample| sample.2).sum();
        assert_eq!((weights, thread.range.len()), (60.0, 0), "{evented}");
    }
}

#[test]
fn samples_without_weights_count_as_one() {
    let text = speedscope(&[("bytes", false)]).replace(r#""weights":[10,20,30]"#, r#""other":0"#);
    let profile = read(text.replace(r#""endValue":60"#, r#""endValue":0"#));
    assert_eq!(axis(&profile), (AxisUnit::Samples, "3 samples".to_owned()));
}

#[test]
fn each_thread_counts_from_zero() {
    let sample = |thread: &str, name: &str| format!("{thread} cycles:\n\t1 {name} (/a)\n\n");
    let text = sample("p 1/1", "f") + &sample("p 1/2", "g") + &sample("p 1/1", "f") + &sample("p 1/1", "h");
    let profile = read(text);
    let starts = |at: usize| samples(&profile, &profile.threads[at]).iter().map(|sample| sample.0).collect::<Vec<_>>();
    assert_eq!((starts(0), starts(1)), (vec![0, 1_000, 2_000], vec![0]));
    assert_eq!(axis(&profile).1, "3 samples");
    assert_eq!(profile.threads[1].range.len(), 1_000);
}
