//! Flows: ids shared by events, in time order.

use super::*;

/// An instant with continuing flows and terminating flows.
fn step(ts: u64, name: &str, flows: &[u64], ending: &[u64]) -> Message {
    at(ts).message(11, &with_flows(track_event(INSTANT, 2, name), flows, ending))
}

fn with_flows(event: Message, flows: &[u64], ending: &[u64]) -> Message {
    let event = flows.iter().fold(event, |event, flow| event.word(47, *flow));
    ending.iter().fold(event, |event, flow| event.word(48, *flow))
}

#[test]
fn events_with_an_id_are_connected_until_it_terminates() {
    let packets = [
        thread(2, 7, 8, "main"),
        step(30, "c", &[], &[1]),
        step(10, "a", &[1], &[]),
        step(20, "b", &[1, u64::MAX], &[]),
        step(40, "d", &[1], &[]),
        step(50, "e", &[], &[1, u64::MAX]),
        step(60, "f", &[], &[1]),
    ];
    let read = read(&packets);
    assert_eq!(connections(&read), ["a>b", "b>c", "b>e", "d>e"]);
    let mut ids: Vec<&str> = read.flows.iter().map(|flow| flow.id.as_str()).collect();
    ids.sort_unstable();
    assert_eq!(ids, ["0x1", "0x1", "0x1", "0xffffffffffffffff"]);
}

#[test]
fn slices_and_their_ends_are_steps() {
    let begin = |ts: u64, track: u64, name: &str, flows: &[u64]| {
        at(ts).message(11, &with_flows(track_event(BEGIN, track, name), flows, &[]))
    };
    let end =
        |ts: u64, track: u64, flows: &[u64]| at(ts).message(11, &with_flows(track_event(END, track, ""), flows, &[9]));
    let packets = [
        process(1, 7, "app"),
        thread(2, 7, 8, "main"),
        track(3, 1, "requests"),
        begin(10, 2, "post", &[5, 6, 9]),
        end(12, 2, &[]),
        begin(20, 3, "request", &[5]),
        begin(21, 2, "parent", &[]),
        begin(21, 2, "child", &[6]),
        end(30, 2, &[7]),
        end(31, 2, &[]),
        end(40, 3, &[]),
        step(50, "answer", &[7], &[]),
    ];
    assert_eq!(connections(&read(&packets)), ["child>answer", "post>child", "post>post", "post>request"]);
}

#[test]
fn simultaneous_steps_keep_their_file_order() {
    let on = |track: u64, name: &str| at(10).message(11, &with_flows(track_event(INSTANT, track, name), &[7], &[]));
    let packets = [
        thread(2, 7, 8, "main"),
        thread(3, 7, 9, "other"),
        step(2, "p", &[7], &[]),
        on(3, "x"),
        on(2, "z"),
        on(3, "w"),
        step(20, "y", &[7], &[]),
    ];
    assert_eq!(connections(&read(&packets)), ["p>x", "w>y", "x>z", "z>w"]);
}

#[test]
fn arrows_go_from_the_slice_that_starts_first() {
    let end = |ts: u64, track: u64, flows: &[u64], ending: &[u64]| {
        at(ts).message(11, &with_flows(track_event(END, track, ""), flows, ending))
    };
    let packets = [
        thread(2, 7, 8, "main"),
        thread(3, 7, 9, "worker"),
        process(1, 7, "app"),
        track(4, 1, "requests"),
        event(50, BEGIN, 3, "early"),
        event(60, BEGIN, 4, "request"),
        step(100, "late", &[77, 5], &[]),
        end(400, 3, &[77], &[]),
        // The flow ends here, although its arrow leads to the instant.
        end(500, 4, &[], &[5]),
        step(600, "after", &[77, 5], &[]),
    ];
    let read = read(&packets);
    assert_eq!(connections(&read), ["early>late", "late>after", "request>late"]);
    // Times ascend, and each step is inside its slice.
    let steps = |id: &str| -> Vec<Vec<i64>> {
        let own = read.flows.iter().filter(|flow| flow.id == id);
        own.map(|flow| flow.steps.iter().map(|step| step.0).collect()).collect()
    };
    assert_eq!((steps("0x4d"), steps("0x5")), (vec![vec![100, 100, 600]], vec![vec![100, 100], vec![600]]));
}

#[test]
fn of_slices_that_start_together_the_outer_one_is_first() {
    let end = |ts: u64| at(ts).message(11, &with_flows(track_event(END, 2, ""), &[7], &[]));
    let packets =
        [thread(2, 7, 8, "main"), event(10, BEGIN, 2, "outer"), event(10, BEGIN, 2, "inner"), end(20), end(30)];
    assert_eq!(connections(&read(&packets)), ["outer>inner"]);
}

#[test]
fn a_slice_of_many_seconds_may_state_a_flow_at_its_end() {
    let second = 1_000_000_000;
    let end = at(90 * second).message(11, &with_flows(track_event(END, 3, ""), &[7], &[]));
    let packets = [
        thread(2, 7, 8, "main"),
        thread(3, 7, 9, "worker"),
        event(second, BEGIN, 3, "long"),
        step(2 * second, "late", &[7], &[]),
        end,
    ];
    assert_eq!(connections(&read(&packets)), ["long>late"]);
}

#[test]
fn the_old_fields_have_the_same_meaning() {
    let old = |ts: u64, name: &str, field: u64, flow: u64| {
        at(ts).message(11, &track_event(INSTANT, 2, name).number(field, flow))
    };
    let packets = [
        thread(2, 7, 8, "main"),
        old(10, "a", 36, 300),
        step(20, "b", &[300], &[]),
        old(30, "c", 42, 300),
        old(40, "d", 36, 300),
        at(50).message(11, &track_event(INSTANT, 2, "e").numbers(36, &[300, 4])),
    ];
    assert_eq!(connections(&read(&packets)), ["a>b", "b>c", "d>e"]);
}

#[test]
fn both_json_readers_read_flow_ids_alike() {
    // A space makes the text unusual, so the general reader is used.
    let text = |space: &str| {
        format!(
            r#"{{"traceEvents":[
            {{"ph":"X","ts":1,"dur":2,"pid":1,"tid":1,"name":"a","flow_ids":[{space}"0x1","0x2"]}},
            {{"ph":"X","ts":5,"dur":2,"pid":1,"tid":1,"name":"b","flow_ids":["0x2"{space}],"terminating_flow_ids":["0x1"]}},
            {{"ph":"X","ts":9,"dur":2,"pid":1,"tid":1,"name":"c","flow_ids":["0x1",{space}"0x2"]}}]}}"#
        )
    };
    for space in ["", " "] {
        assert_eq!(connections(&Importer::read(text(space).as_bytes())), ["a>b", "a>b", "b>c"], "{space:?}");
    }
    let odd =
        r#"[{"ph":"X","ts":1,"dur":2,"pid":1,"tid":1,"name":"a","flow_ids":"0x1","terminating_flow_ids":[{},[],7]}]"#;
    assert_eq!(Importer::read(odd.as_bytes()).tracks[0].slices.len(), 1);
}
