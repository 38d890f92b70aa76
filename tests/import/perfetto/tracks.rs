//! Tracks: assignment of events, names, and contents.

use super::*;

#[test]
fn slices_are_nested_on_their_thread() {
    let packets = [
        process(1, 7, "app"),
        thread(2, 7, 8, "main"),
        event(10, BEGIN, 2, "outer"),
        event(20, BEGIN, 2, "inner"),
        event(25, INSTANT, 2, "now"),
        event(30, END, 2, ""),
        event(40, END, 2, ""),
        event(50, END, 2, ""),
        event(60, BEGIN, 2, "open"),
        event(70, INSTANT, 2, "last"),
    ];
    let expected = ["outer 10..40 0", "inner 20..30 1", "now 25 2", "open 60..70! 0", "last 70 1"]
        .map(|slice| format!("app/main {slice}"));
    assert_eq!(slices(&packets), expected);
    assert_eq!(warned(&read(&packets), "unmatched_end"), 1);
    // Packets need neither be in time order nor belong to one sequence.
    let mut others = packets.to_vec();
    others.reverse();
    others[7] = others[7].clone().number(10, 2);
    assert_eq!(slices(&others), expected);
}

#[test]
fn tracks_have_their_own_names() {
    let packets = [
        process(1, 7, "app"),
        thread(2, 7, 8, "main"),
        track(3, 1, "requests"),
        track(4, 3, "phases"),
        track(5, 2, "work"),
        track(6, 0, "power"),
        track(9, 1, ""),
        event(10, BEGIN, 3, "GET"),
        event(11, BEGIN, 4, "dns"),
        event(12, BEGIN, 5, "job"),
        event(13, INSTANT, 6, "low"),
        event(14, BEGIN, 1, "alive"),
        event(15, INSTANT, 9, "nameless"),
        event(16, INSTANT, 77, "undescribed"),
        event(20, END, 3, ""),
        event(21, END, 4, ""),
        event(22, END, 5, ""),
        event(23, END, 1, ""),
        event(24, END, 1, ""),
    ];
    let mut found = slices(&packets);
    found.sort();
    let expected = [
        "Global tracks/power low 13 0",
        "Global tracks/undescribed undescribed 16 0",
        "app/Process track alive 14..23 0",
        "app/main: work job 12..22 0",
        "app/nameless nameless 15 0",
        "app/requests / phases dns 11..21 0",
        "app/requests GET 10..20 0",
    ];
    assert_eq!(found, expected);
    // An unmatched end is not a slice, on a track as on a thread.
    assert_eq!(warned(&read(&packets), "unmatched_end"), 1);
}

#[test]
fn tracks_with_one_name_are_adjacent_and_separate() {
    let packets = [
        process(1, 7, "app"),
        track(3, 1, "request"),
        track(4, 1, "request"),
        event(10, BEGIN, 3, "a"),
        event(15, BEGIN, 4, "b"),
        event(16, BEGIN, 4, "b inside"),
        event(20, END, 3, ""),
        event(25, END, 4, ""),
        event(30, END, 4, ""),
    ];
    assert_eq!(slices(&packets), ["app/request a 10..20 0", "app/request b 15..30 0", "app/request b inside 16..25 1"]);
    // The slices of a track do not form a flow, even if there are many.
    assert_eq!(read(&packets).flows.len(), 0);
}

#[test]
fn a_state_lasts_until_the_next_one() {
    let state = |ts: u64, name: &str| event(ts, STATE, 3, name);
    let packets = [
        process(1, 7, "app"),
        track(3, 1, "mode"),
        state(10, "idle"),
        state(20, "busy"),
        state(35, ""),
        state(50, "idle"),
        event(60, INSTANT, 1, "end"),
    ];
    let expected = ["app/mode idle 10..20 0", "app/mode busy 20..35 0", "app/mode idle 50..60! 0"];
    assert_eq!(slices(&packets)[..3], expected);
}

#[test]
fn events_without_a_track_use_the_default_track_or_the_writer_thread() {
    let bare = |ts: u64, sequence: u64, name: &str| {
        message().number(8, ts).number(10, sequence).message(11, &message().number(9, INSTANT).text(23, name))
    };
    let defaults = message().message(11, &message().number(11, 2));
    let packets = [
        thread(2, 7, 8, "main"),
        thread(3, 7, 9, "other"),
        bare(10, 1, "of the last described"),
        message().number(10, 1).number(13, 1).message(59, &defaults),
        bare(20, 1, "of the default"),
        bare(30, 5, "of nobody"),
    ];
    let mut found = slices(&packets);
    found.sort();
    let expected = [
        "Global tracks/of nobody of nobody 30 0",
        "Process 7/main of the default 20 0",
        "Process 7/other of the last described 10 0",
    ];
    assert_eq!(found, expected);
}

#[test]
fn names_come_from_every_kind_of_descriptor() {
    let tree = message()
        .message(1, &message().number(1, 7).text(3, "/bin/app").text(3, "--flag"))
        .message(2, &message().number(1, 8).text(2, "worker").number(3, 7));
    let renderer = message().number(1, 9).message(3, &message().number(1, 20)).message(6, &message().number(1, 2));
    let packets = [
        thread(2, 7, 8, ""),
        thread(3, 20, 20, "main"),
        message().message(2, &tree),
        message().message(60, &renderer),
        // The first name of a track wins.
        track(5, 9, "one"),
        track(5, 9, "two"),
        event(1, INSTANT, 2, "a"),
        event(2, INSTANT, 3, "b"),
        event(3, INSTANT, 5, "c"),
    ];
    assert_eq!(slices(&packets), ["/bin/app/worker a 1 0", "Renderer/main b 2 0", "Renderer/one c 3 0"]);
}
