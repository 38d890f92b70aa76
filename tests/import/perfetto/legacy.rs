//! Events in the legacy form: like trace events of the JSON format, with the same meaning.

use super::*;

/// An event with a phase; `more` adds fields to it.
fn old(ts: u64, phase: char, name: &str, more: impl Fn(Message) -> Message) -> Message {
    let legacy = more(message().number(2, u64::from(u32::from(phase))));
    at(ts).message(11, &message().number(11, 2).text(22, "cat").text(23, name).message(6, &legacy))
}

#[test]
fn phases_have_the_same_meaning_as_in_json() {
    let plain = |legacy: Message| legacy;
    let packets = [
        thread(2, 7, 8, "main"),
        old(1000, 'X', "complete", |legacy| legacy.number(3, 5)),
        old(2000, 'X', "of no length", plain),
        old(3000, 'B', "begun", plain),
        old(4000, 'E', "begun", plain),
        old(5000, 'I', "instant", |legacy| legacy.number(14, 3)),
        old(6000, 'i', "global", |legacy| legacy.number(14, 1)),
        old(6500, 'i', "of the process", |legacy| legacy.number(14, 2)),
        old(7000, 'b', "async", |legacy| legacy.number(6, 1).text(7, "scope")),
        old(8000, 'e', "async", |legacy| legacy.number(6, 1).text(7, "scope")),
        old(9000, 'b', "local", |legacy| legacy.number(10, 1)),
        old(9500, 'e', "local", |legacy| legacy.number(10, 1)),
        old(9600, 'S', "older", |legacy| legacy.number(6, 1)),
        old(9700, 'F', "older", |legacy| legacy.number(6, 1)),
    ];
    let json = r#"[{"ph":"M","pid":7,"tid":8,"name":"thread_name","args":{"name":"main"}},
        {"ph":"X","pid":7,"tid":8,"ts":1,"dur":5,"cat":"cat","name":"complete"},
        {"ph":"X","pid":7,"tid":8,"ts":2,"dur":0,"cat":"cat","name":"of no length"},
        {"ph":"B","pid":7,"tid":8,"ts":3,"cat":"cat","name":"begun"},
        {"ph":"E","pid":7,"tid":8,"ts":4,"cat":"cat","name":"begun"},
        {"ph":"I","pid":7,"tid":8,"ts":5,"cat":"cat","name":"instant","s":"t"},
        {"ph":"i","pid":7,"tid":8,"ts":6,"cat":"cat","name":"global","s":"g"},
        {"ph":"i","pid":7,"tid":8,"ts":6.5,"cat":"cat","name":"of the process","s":"p"},
        {"ph":"b","pid":7,"tid":8,"ts":7,"cat":"cat","name":"async","id":"0x1","scope":"scope"},
        {"ph":"e","pid":7,"tid":8,"ts":8,"cat":"cat","name":"async","id":"0x1","scope":"scope"},
        {"ph":"b","pid":7,"tid":8,"ts":9,"cat":"cat","name":"local","id2":{"local":"0x1"}},
        {"ph":"e","pid":7,"tid":8,"ts":9.5,"cat":"cat","name":"local","id2":{"local":"0x1"}},
        {"ph":"S","pid":7,"tid":8,"ts":9.6,"cat":"cat","name":"older","id":"0x1"},
        {"ph":"F","pid":7,"tid":8,"ts":9.7,"cat":"cat","name":"older","id":"0x1"}]"#;
    let found = slices(&packets);
    assert_eq!(found, slices_of(json.as_bytes()));
    assert_eq!(found.len(), 9);
}

/// A step of an asynchronous slice, with the name of the step as argument.
fn step(ts: u64, phase: char, name: &str, step: &str) -> Message {
    let legacy = message().number(2, u64::from(u32::from(phase))).number(6, 1);
    let step = message().text(10, "step").text(6, step);
    let event = message().number(11, 2).text(22, "cat").text(23, name).message(6, &legacy).message(4, &step);
    at(ts).message(11, &event)
}

#[test]
fn instants_and_steps_of_async_slices_have_the_same_meaning_as_in_json() {
    let id = |legacy: Message| legacy.number(6, 1);
    let packets = [
        thread(2, 7, 8, "main"),
        old(1000, 'b', "nested", id),
        old(1100, 'n', "nested", id),
        old(1150, 'n', "instant", id),
        old(1200, 'e', "nested", id),
        old(2000, 'S', "into", id),
        step(2100, 'T', "into", "one"),
        step(2200, 'T', "into", "two"),
        old(2300, 'F', "into", id),
        old(3000, 'S', "past", id),
        step(3100, 'p', "past", "one"),
        step(3200, 'p', "past", "two"),
        old(3300, 'F', "past", id),
    ];
    let json = r#"[{"ph":"M","pid":7,"tid":8,"name":"thread_name","args":{"name":"main"}},
        {"ph":"b","pid":7,"tid":8,"ts":1,"cat":"cat","name":"nested","id":"0x1"},
        {"ph":"n","pid":7,"tid":8,"ts":1.1,"cat":"cat","name":"nested","id":"0x1"},
        {"ph":"n","pid":7,"tid":8,"ts":1.15,"cat":"cat","name":"instant","id":"0x1"},
        {"ph":"e","pid":7,"tid":8,"ts":1.2,"cat":"cat","name":"nested","id":"0x1"},
        {"ph":"S","pid":7,"tid":8,"ts":2,"cat":"cat","name":"into","id":"0x1"},
        {"ph":"T","pid":7,"tid":8,"ts":2.1,"cat":"cat","name":"into","id":"0x1","args":{"step":"one"}},
        {"ph":"T","pid":7,"tid":8,"ts":2.2,"cat":"cat","name":"into","id":"0x1","args":{"step":"two"}},
        {"ph":"F","pid":7,"tid":8,"ts":2.3,"cat":"cat","name":"into","id":"0x1"},
        {"ph":"S","pid":7,"tid":8,"ts":3,"cat":"cat","name":"past","id":"0x1"},
        {"ph":"p","pid":7,"tid":8,"ts":3.1,"cat":"cat","name":"past","id":"0x1","args":{"step":"one"}},
        {"ph":"p","pid":7,"tid":8,"ts":3.2,"cat":"cat","name":"past","id":"0x1","args":{"step":"two"}},
        {"ph":"F","pid":7,"tid":8,"ts":3.3,"cat":"cat","name":"past","id":"0x1"}]"#;
    let found = slices(&packets);
    assert_eq!(found, slices_of(json.as_bytes()));
    // The names of steps are those of their arguments.
    let read = read(&packets);
    let mut names: Vec<&str> = read.tracks.iter().flat_map(|track| &track.slices).map(|slice| &*slice.name).collect();
    names.sort_unstable();
    assert_eq!(names, ["instant", "into", "nested", "nested", "one", "one", "past", "two", "two"]);
}

#[test]
fn async_slices_state_that_they_have_a_cpu_time() {
    let time = |ts: u64, phase: u8, is_stated: bool| {
        let legacy = message().number(2, phase.into()).number(6, 1);
        let legacy = if is_stated { legacy.number(9, 1) } else { legacy };
        let event = message().number(11, 2).text(22, "cat").text(23, "async").message(6, &legacy);
        // `thread_time_absolute_us`.
        at(ts).message(11, &event.number(17, ts / 1000))
    };
    for is_stated in [false, true] {
        let packets = [thread(2, 7, 8, "main"), time(1000, b'b', is_stated), time(9000, b'e', is_stated)];
        let _checked = read(&packets);
        let imported = flowline::import::read(trace(&packets), &flowline::import::Progress::default());
        let profile = imported.expect("a trace").profile;
        let (id, _) = profile.threads_with_ids().find(|(_, thread)| !thread.markers.is_empty()).expect("a track");
        let marker = flowline::profile::LocalMarker::new(0);
        let members = profile.event_members(id, marker);
        assert_eq!(members.iter().any(|(name, _)| name == "use_async_tts"), is_stated, "{members:?}");
        assert_eq!(profile.cpu_time(id, marker), Some(flowline::profile::Ns(8000)));
    }
}

#[test]
fn flow_phases_and_directions_form_flows() {
    let flow = |ts: u64, phase: char, id: u64| old(ts, phase, "flow", |legacy| legacy.number(8, id).number(12, 1));
    let directed = |ts: u64, name: &str, direction: u64| {
        old(ts, 'X', name, |legacy| legacy.number(3, 1).number(8, 5).number(13, direction))
    };
    let typed = |ts: u64, name: &str, direction: u64| {
        at(ts).message(11, &track_event(INSTANT, 2, name).message(6, &message().number(8, 6).number(13, direction)))
    };
    let long = |ts: u64, name: &str| old(ts, 'X', name, |legacy| legacy.number(3, 1));
    let packets = [
        thread(2, 7, 8, "main"),
        long(1000, "a"),
        flow(1500, 's', 3),
        long(3000, "b"),
        flow(3500, 'f', 3),
        directed(5000, "c", 2),
        directed(7000, "d", 1),
        typed(8000, "e", 2),
    ];
    assert_eq!(connections(&read(&packets)), ["a>b", "c>d"]);
}

#[test]
fn an_event_without_a_track_may_name_its_thread() {
    let named = |ts: u64, pid: i64, tid: i64| {
        let legacy = message().number(2, u64::from(b'I')).signed(18, pid).signed(19, tid);
        at(ts).message(11, &message().number(11, 0).text(23, "a").message(6, &legacy))
    };
    let packets = [thread(2, 7, 8, "main"), named(10, 20, 21), named(20, -1, -1), named(30, -1, 9)];
    assert_eq!(slices(&packets), ["Process 7/main a 20 0", "Process 7/Thread 9 a 30 0", "Process 20/Thread 21 a 10 0"]);
}
