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
fn an_end_with_a_category_closes_the_innermost_slice_of_that_category() {
    let of = |ts: u64, kind: u64, track: u64, name: &str, category: &str| {
        at(ts).message(11, &track_event(kind, track, name).text(22, category))
    };
    let printed = |ts: u64, line: &str| {
        let event = message().number(1, ts).number(2, 8).message(3, &message().text(2, line));
        message().message(1, &message().number(1, 0).message(2, &event))
    };
    let packets = [
        process(1, 7, "app"),
        thread(2, 7, 8, "main"),
        track(3, 1, "requests"),
        of(20, BEGIN, 2, "event", "cat"),
        printed(21, "B|7|printed"),
        of(22, END, 2, "", "another"),
        of(28, END, 2, "", "cat"),
        printed(28, "E|7"),
        // Without a category, an end closes the innermost slice.
        of(30, BEGIN, 2, "outer", "cat"),
        of(31, BEGIN, 2, "inner", "other"),
        event(32, END, 2, ""),
        event(33, END, 2, ""),
        of(40, BEGIN, 3, "first", "a"),
        of(41, BEGIN, 3, "second", "b"),
        of(42, END, 3, "", "a"),
        of(43, END, 3, "", "b"),
    ];
    let expected =
        ["app/main event 20..28 0", "app/main printed 21..28 1", "app/main outer 30..33 0", "app/main inner 31..32 1"];
    assert_eq!(slices(&packets)[..4], expected);
    let read = read(&packets);
    assert_eq!(["first", "second"].map(|name| slice_named(&read, name).end_ns), [Some(42), Some(43)]);
    assert_eq!(warned(&read, "unmatched_end"), 1);
    // In JSON, categories of end events mean nothing.
    let json = r#"[{"ph":"B","pid":7,"tid":8,"ts":1,"cat":"cat","name":"a"},{"ph":"B","pid":7,"tid":8,"ts":2,"name":"b"},
        {"ph":"E","pid":7,"tid":8,"ts":3,"cat":"cat"},{"ph":"E","pid":7,"tid":8,"ts":4}]"#;
    let found = slices_of(json.as_bytes());
    assert_eq!(found, ["Process 7/Thread 8 a 1000..4000 0", "Process 7/Thread 8 b 2000..3000 1"]);
}

#[test]
fn many_open_slices_are_found_by_their_categories() {
    let of = |ts: u64, kind: u64, name: &str, category: &str| {
        at(ts).message(11, &track_event(kind, 2, name).text(22, category))
    };
    let mut packets = vec![thread(2, 7, 8, "main")];
    let depth = 200;
    for number in 0..depth {
        packets.push(of(10 + number, BEGIN, &format!("slice {number}"), &format!("category {number}")));
    }
    // Inner slices end with the outer one, and their own ends follow at the same time.
    packets.push(of(1000, END, "", "category 50"));
    for number in 51..depth {
        packets.push(of(1000, END, "", &format!("category {number}")));
    }
    for number in (0..50).rev() {
        packets.push(of(2000 - number, END, "", &format!("category {number}")));
    }
    let found = slices(&packets);
    assert_eq!(found.len(), 200);
    for (number, slice) in (0..).zip(&found) {
        let end = if number < 50 { 2000 - number } else { 1000 };
        assert_eq!(*slice, format!("Process 7/main slice {number} {}..{end} {number}", 10 + number));
    }
    assert_eq!(read(&packets).warnings.len(), 0);
}

#[test]
fn a_thread_track_may_be_apart_from_the_thread() {
    let thread_track = |uuid: u64, name: &str| {
        let described = message().number(1, uuid).message(4, &message().number(1, 7).number(2, 8).text(5, "main"));
        let described = if name.is_empty() { described } else { described.text(2, name) };
        message().number(10, 1).message(60, &described.number(9, 1))
    };
    let event_of_kernel = message().number(1, 15).number(2, 8).message(3, &message().text(2, "I|7|printed"));
    let packets = [
        process(1, 7, "app"),
        thread_track(2, ""),
        thread_track(3, "mine"),
        event(10, BEGIN, 2, "apart"),
        message().message(1, &message().number(1, 0).message(2, &event_of_kernel)),
        event(20, END, 2, ""),
        event(30, INSTANT, 3, "other"),
    ];
    let expected = ["app/main printed 15 0", "app/main: Track events apart 10..20 0", "app/main: mine other 30 0"];
    let mut found = slices(&packets);
    found.sort();
    assert_eq!(found, expected);
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
    assert_eq!(slices(&packets), ["app/worker a 1 0", "Renderer/main b 2 0", "Renderer/one c 3 0"]);
    // The whole command line is among the metadata.
    let profile =
        flowline::import::read(trace(&packets), &flowline::import::Progress::default()).expect("a trace").profile;
    let (_, place) = profile.parts.iter().find(|(name, _)| name == "process_command_line (pid 7)").expect("metadata");
    let text = &profile.source.bytes()[usize::try_from(*place).expect("in memory")..];
    assert!(text.starts_with(br#"{"command_line":"/bin/app --flag"}"#), "{}", text.escape_ascii());
}

#[test]
fn chrome_types_and_names_of_processes_precede_command_lines() {
    let command = "/usr/lib/chromium/chromium --type=renderer --lang=en";
    let described = |uuid: u64, process: &Message, chrome_type: u64| {
        let track = message().number(1, uuid).message(3, process);
        let track = if chrome_type > 0 { track.message(6, &message().number(1, chrome_type)) } else { track };
        message().number(10, 1).message(60, &track)
    };
    let renderer = message().number(1, 10).text(6, "Renderer").text(2, command);
    let named_by_command = message().number(1, 10).text(6, command).text(2, command).text(8, "Example page");
    let packets = [
        described(1, &renderer, 2),
        described(1, &named_by_command, 0),
        described(3, &message().number(1, 20).text(6, command), 0),
        described(4, &message().number(1, 30).text(2, "/bin/tool").text(6, "Service"), 0),
        described(4, &message().number(1, 30).text(2, "/bin/tool"), 0),
        described(5, &message().number(1, 40).text(6, "Own name"), 6),
        thread(11, 10, 11, "main"),
        thread(12, 20, 21, "main"),
        thread(13, 30, 31, "main"),
        thread(14, 40, 41, "main"),
        event(1, INSTANT, 11, "a"),
        event(2, INSTANT, 12, "b"),
        event(3, INSTANT, 13, "c"),
        event(4, INSTANT, 14, "d"),
    ];
    let expected =
        ["GPU Process/main d 4 0", "Renderer: Example page/main a 1 0", "Service/main c 3 0", "chromium/main b 2 0"];
    let mut found = slices(&packets);
    found.sort();
    assert_eq!(found, expected);
}
