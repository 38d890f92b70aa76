//! Arguments of events: annotations, source locations, and named messages.

use flowline::profile::LocalMarker;
use serde_json::{Value, json};

use super::*;

/// The arguments of an event.
fn args_of(packets: &[Message]) -> Value {
    slice_named(&read(packets), "a").args
}

/// An event with annotations.
fn annotated(annotations: &[Message]) -> Message {
    let event = annotations.iter().fold(track_event(INSTANT, 2, "a"), |event, annotation| event.message(4, annotation));
    at(10).number(13, 2).message(11, &event)
}

fn named(name: &str) -> Message {
    message().text(10, name)
}

#[test]
fn annotations_of_all_types_are_values() {
    let list = named("list").message(12, &message().number(3, 1)).message(12, &message().text(6, "two"));
    let entries = named("entries")
        .message(11, &named("x").signed(4, -1))
        .message(11, &named("y").message(12, &message().number(2, 1)));
    let nested =
        message().number(1, 1).text(2, "k").message(3, &message().number(1, 2).message(4, &message().signed(5, -7)));
    let packets = [
        thread(2, 7, 8, "main"),
        message().number(10, 1).number(13, 1).message(
            12,
            &message()
                .message(3, &message().number(1, 4).text(2, "interned"))
                .message(29, &message().number(1, 9).text(2, "text \"9\"")),
        ),
        annotated(&[
            named("bool").number(2, 1),
            named("uint").number(3, u64::MAX),
            named("int").signed(4, i64::MIN),
            named("double").double(5, 0.1),
            named("nan").double(5, f64::NAN),
            named("text").text(6, "a\"\\\n\u{1}é"),
            named("pointer").number(7, 0xbeef),
            named("nested").message(8, &nested),
            named("json").text(9, " {\"a\":[1,null]} "),
            named("no json").text(9, "{\"a\":"),
            named("no json either").text(9, ""),
            named("nor this").text(9, "{a:NaN}"),
            message().number(1, 4).number(17, 9),
            named("nothing"),
            named("mixed").message(12, &message().number(3, 1)).message(11, &named("k").number(3, 2)).number(2, 1),
            named("mixed too").message(11, &named("k").number(3, 2)).number(2, 1).message(12, &message().number(3, 1)),
            list,
            entries,
        ]),
    ];
    let expected = json!({
        "bool": true, "uint": u64::MAX, "int": i64::MIN, "double": 0.1, "nan": "NaN", "text": "a\"\\\n\u{1}é",
        "pointer": "0xbeef", "nested": {"k": [-7]}, "json": {"a": [1, null]}, "no json": "{\"a\":", "no json either": "", "nor this": "{a:NaN}",
        "interned": "text \"9\"", "nothing": null, "mixed": [1], "mixed too": {"k": 2}, "list": [1, "two"], "entries": {"x": -1, "y": [true]},
    });
    assert_eq!(args_of(&packets), expected);
}

#[test]
fn arguments_of_begin_and_end_are_merged_at_any_depth() {
    let begin =
        |ts: u64, name: &str, argument: &Message| at(ts).message(11, &track_event(BEGIN, 2, name).message(4, argument));
    let end = |ts: u64, argument: &Message| at(ts).message(11, &track_event(END, 2, "").message(4, argument));
    let inner = |name: &str, value: u64| message().text(10, "inner").message(11, &named(name).number(3, value));
    let packets = [
        thread(2, 7, 8, "main"),
        begin(10, "json", &named("params").text(9, r#"{"url":"http://a/","phases":{"dns":1}}"#)),
        end(20, &named("params").text(9, r#"{"net_error":-3,"phases":{"dns":2,"ssl":3}}"#)),
        begin(30, "dictionaries", &named("p").message(11, &named("a").number(3, 1)).message(11, &inner("x", 5))),
        end(40, &named("p").message(11, &named("b").number(3, 2)).message(11, &inner("y", 6))),
    ];
    let expected = [
        (
            "json",
            json!({"params": {"url": "http://a/", "phases": {"dns": 2, "dns (begin)": 1, "ssl": 3}, "net_error": -3}}),
        ),
        ("dictionaries", json!({"p": {"a": 1, "b": 2, "inner": {"x": 5, "y": 6}}})),
    ];
    let read = read(&packets);
    for (name, args) in expected {
        assert_eq!(slice_named(&read, name).args, args);
    }
}

#[test]
fn nested_values_have_a_depth_limit() {
    let mut inner = message().number(2, 1);
    let mut old = message().number(1, 0).number(7, 1);
    for _ in 0..300 {
        inner = message().message(12, &inner);
        old = message().number(1, 2).message(4, &old);
    }
    let packets = [
        thread(2, 7, 8, "main"),
        message().number(10, 1).number(13, 1),
        annotated(&[Message([named("deep").0, inner.0].concat()), named("old").message(8, &old)]),
    ];
    let args = args_of(&packets);
    assert!(args["deep"].is_array() && args["old"].is_array(), "{args}");
}

#[test]
fn source_locations_are_read() {
    let place = message().number(1, 3).text(2, "file.cc").text(3, "Run").number(4, 42);
    let interned = message().message(4, &place).message(20, &message().number(1, 5).text(2, "said"));
    let event = track_event(INSTANT, 2, "a")
        .message(5, &message().number(1, 3))
        .number(34, 3)
        .message(21, &message().number(2, 5))
        .number(52, 77);
    let packets = [
        thread(2, 7, 8, "main"),
        message().number(10, 1).number(13, 1).message(12, &interned),
        at(10).message(11, &event),
    ];
    let expected = json!({
        "src_file": "file.cc", "src_func": "Run", "src_line": 42, "log_message": "said", "correlation_id": 77,
        "source_location": {"file_name": "file.cc", "function_name": "Run", "line_number": 42},
    });
    assert_eq!(args_of(&packets), expected);
}

#[test]
fn interned_members_of_messages_are_shown() {
    let location = message().number(1, 6).text(2, "b.cc").text(3, "Run").number(4, 3);
    let interned = message()
        .message(4, &location)
        .message(17, &message().number(1, 3).text(2, "libx.so"))
        .message(19, &message().number(1, 1).number(7, 3))
        .message(25, &message().number(1, 4).text(2, "UMA.\"X\""))
        .message(28, &message().number(1, 7).number(2, 1).number(3, 0xff));
    let frame = |iid: u64| message().message(14, &message().message(4, &message().number(9, iid)));
    let event = track_event(INSTANT, 2, "a")
        .message(28, &message().number(4, 4).signed(3, -9))
        .message(35, &message().number(2, 6))
        .message(38, &message().number(4, 7))
        .message(24, &frame(6));
    let unknown = track_event(INSTANT, 2, "unknown")
        .message(28, &message().number(4, 40))
        .message(35, &message().number(2, 60))
        .message(38, &message().number(4, 70));
    let packets = [
        thread(2, 7, 8, "main"),
        message().number(10, 1).number(13, 1).message(12, &interned),
        at(10).number(13, 2).message(11, &event),
        at(20).number(13, 2).message(11, &unknown),
    ];
    let place = json!({"file_name": "b.cc", "function_name": "Run", "line_number": 3});
    let expected = json!({
        "chrome_histogram_sample": {"name": "UMA.\"X\"", "sample": -9},
        "chrome_message_pump": {"io_handler_location": place},
        "chrome_mojo_event_info": {"mojo_interface_method": {"mapping": "libx.so", "rel_pc": "0xff"}},
        "cc_scheduler_state": {"begin_impl_frame_args": {"current_args": {"source_location": place}}},
    });
    assert_eq!(args_of(&packets), expected);
    let expected = json!({
        "chrome_histogram_sample": {"name_iid": 40},
        "chrome_message_pump": {"io_handler_location_iid": 60},
        "chrome_mojo_event_info": {"mojo_interface_method_iid": 70},
    });
    assert_eq!(slice_named(&read(&packets), "unknown").args, expected);
}

/// The descriptor of a field: name, number, type, repetition, and type name.
fn field(name: &str, number: u64, kind: u64, is_list: bool, type_name: &str) -> Message {
    let field = message().text(1, name).number(3, number).number(4, if is_list { 3 } else { 1 }).number(5, kind);
    if type_name.is_empty() { field } else { field.text(6, type_name) }
}

#[test]
fn messages_use_built_in_and_recorded_field_names() {
    let colors = message().text(1, "Color").message(2, &message().text(1, "RED").number(2, 1));
    let info = message()
        .text(1, "Info")
        .message(2, &field("color", 1, 14, false, ".test.Color"))
        .message(2, &field("sizes", 2, 5, true, ""))
        .message(2, &field("inner", 3, 11, true, ".test.Info"))
        .message(2, &field("ratio", 4, 2, false, ""))
        .message(2, &field("delta", 5, 17, false, ""))
        .message(2, &field("notes", 99, 11, true, ".perfetto.protos.DebugAnnotation"));
    let extends = message()
        .text(1, "Wrapper")
        .message(6, &field("info", 1234, 11, false, ".test.Info").text(2, ".perfetto.protos.TrackEvent"));
    let file = message().text(2, "test").message(4, &info).message(4, &extends).message(5, &colors);
    let description = message().message(1, &message().message(1, &file));
    let inner = message().number(1, 99).number(5, 3);
    let value = message()
        .number(1, 1)
        .numbers(2, &[1, 2])
        .number(2, 3)
        .message(3, &inner)
        .message(3, &message())
        .message(99, &named("noted").number(2, 1))
        .message(99, &named("twice").text(6, "yes"))
        .number(77, 5);
    let known = message().text(1, "ReloadPressed");
    // An annotation may be a message too.
    let typed = named("typed").text(16, "test.Info").message(14, &message().number(1, 1));
    let numbered = named("numbered").number(13, 6).message(14, &message().signed(5, 2));
    let event = track_event(INSTANT, 2, "a").message(1234, &value).message(25, &known).number(1500, 8);
    let event = event.message(4, &typed).message(4, &numbered);
    let interned = message().message(27, &message().number(1, 6).text(2, ".test.Info"));
    let packets = [
        thread(2, 7, 8, "main"),
        message().message(72, &description),
        message().number(10, 1).number(13, 1).message(12, &interned),
        at(10).message(11, &event),
    ];
    let expected = json!({
        "info": {"color": "RED", "sizes": [1, 2, 3], "inner": [{"color": 99, "delta": -2}, {}], "field 77": 5, "noted": true, "twice": "yes"},
        "chrome_user_event": {"action": "ReloadPressed"},
        "field 1500": 8,
        "typed": {"color": "RED"},
        "numbered": {"delta": 1},
    });
    assert_eq!(args_of(&packets), expected);
    // What nobody named is listed last.
    let profile =
        flowline::import::read(trace(&packets), &flowline::import::Progress::default()).expect("a trace").profile;
    let (id, thread) = profile.threads_with_ids().find(|(_, thread)| !thread.markers.is_empty()).expect("a slice");
    assert_eq!(thread.markers.len(), 1);
    let lines = profile.field_lines(id, LocalMarker(0), profile.clock());
    assert_eq!(lines.last().expect("fields").label, "field 1500");
    let info = &lines.iter().find(|line| line.label == "info").expect("a message").value;
    let place = |name: &str| info.find(name).expect("a member");
    assert!(["color", "sizes", "inner", "noted", "twice"].iter().all(|name| place(name) < place("field 77")), "{info}");
}
