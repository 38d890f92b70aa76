//! Samples in the trace format's own forms: sample events, and the list `samples`.

use flowline::profile::WarningKind;
use flowline::profile::samples::WeightUnit;

use super::{read, sample_texts, sampled, samples};

const FRAMES: &str = r#""stackFrames":{"1":{"name":"main","category":"app"},"2":{"name":"load","parent":1},"3":{"name":"parse","parent":"2"}}"#;

fn recording(events: &str, rest: &str) -> String {
    format!("{{{FRAMES},\"traceEvents\":[{events}]{rest}}}")
}

#[test]
fn listed_samples_belong_to_threads_by_number() {
    let events = r#"{"ph":"X","name":"x","pid":7,"tid":8,"ts":0,"dur":9},{"ph":"M","name":"thread_name","pid":7,"tid":9,"args":{"name":"T"}}"#;
    let rest = r#","samples":[{"cpu":0,"tid":8,"ts":30.5,"name":"cycles","sf":3,"weight":1},{"tid":8,"ts":"10","name":"cycles","sf":"2"},
        {"tid":"8","ts":20,"name":"tick"},{"tid":9,"ts":5,"sf":1},{"tid":55,"ts":6,"sf":1},{"pid":66,"tid":8,"ts":7,"sf":1}]"#;
    let profile = read(recording(events, rest));
    let told = |pid: &str, tid: &str| {
        let mut threads = profile.threads_with_ids().filter(|(_, thread)| thread.tid == tid);
        let found = threads.find(|(id, _)| profile.process_of(*id).pid == pid).expect("the thread exists");
        sample_texts(&profile, found.1)
    };
    assert_eq!(told("7", "8"), ["10 load<main", "20 tick", "30 parse<load<main"]);
    assert_eq!(told("7", "9"), ["5 main"], "a thread with only a name");
    assert_eq!(told("", "55"), ["6 main"], "a thread without other events");
    assert_eq!(told("66", "8"), ["7 main"]);
    assert!(profile.is_consistent() && profile.warnings.list().is_empty());
    let names: Vec<&str> = profile.parts.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["stackFrames"], "parsed samples are not metadata");
    let own = profile.threads.iter().find(|thread| thread.tid == "8").expect("the thread exists");
    assert_eq!(samples(own).cpu.weight_unit, WeightUnit::Samples);
    assert!(samples(own).calls.is_none(), "calls are derived from the samples");
}

#[test]
fn weights_are_kept() {
    let profile = read(recording(
        "",
        r#","samples":[{"tid":1,"ts":1,"sf":1},{"tid":1,"ts":3,"sf":1,"weight":2.5},{"tid":1,"ts":2,"sf":1}]"#,
    ));
    let table = &samples(sampled(&profile)).cpu;
    assert_eq!((&table.weight[..], table.weight_unit), (&[1.0, 1.0, 2.5][..], WeightUnit::Plain));
}

#[test]
fn sample_events_have_a_frame_or_frames_or_a_name() {
    let event = |ts: u32, rest: &str| format!(r#"{{"ph":"P","name":"tick","pid":1,"tid":2,"ts":{ts}{rest}}}"#);
    let events = [event(3, r#","sf":3"#), event(1, ""), event(2, r#","stack":["1","own"]"#), event(4, r#","sf":"77""#)];
    let profile = read(recording(&events.join(","), ""));
    assert_eq!(sample_texts(&profile, sampled(&profile)), ["1 tick", "2 own<main", "3 parse<load<main", "4 ?"]);
    assert_eq!(profile.warnings.count(WarningKind::IndexOutOfRange), 1);
    assert_eq!(profile.meta.not_drawn, [], "they are shown as events");
}

#[test]
fn damage_loses_only_the_damaged_samples() {
    let profile =
        read(recording("", r#","samples":[7,{"tid":1,"sf":1},{"tid":1,"ts":2,"sf":99},{"tid":1,"ts":3,"sf":1}]"#));
    assert_eq!(sample_texts(&profile, sampled(&profile)), ["2 ?", "3 main"]);
    let count = |kind| profile.warnings.count(kind);
    assert_eq!([WarningKind::WrongType, WarningKind::BadTime, WarningKind::IndexOutOfRange].map(count), [1, 1, 1]);
    // Another value with this name.
    let other = read(recording("", r#","samples":{"count":7}"#));
    assert!(other.parts.iter().any(|(name, _)| name == "samples") && other.warnings.list().is_empty());
}
