//! Text formats of traces: JSON Lines, UTF-16; other lists and files are refused with an explanation.

use flowline::import::{ImportError, Options, Progress, read_with};
use flowline::profile::{LocalMarker, Profile, ThreadId, WarningKind};

fn read(bytes: impl Into<Vec<u8>>) -> Result<Profile, ImportError> {
    read_in_chunks(bytes, Options::default().chunk)
}

fn read_in_chunks(bytes: impl Into<Vec<u8>>, chunk: usize) -> Result<Profile, ImportError> {
    let options = Options { chunk, ..Options::default() };
    read_with(bytes.into(), &options, &Progress::default()).map(|imported| imported.profile)
}

fn event(number: u32) -> String {
    format!(
        r#"{{"name":"n{}","ph":"X","ts":{number},"dur":1,"pid":1,"tid":{},"args":{{"a":[{{"b":"}}{{ \" é"}}]}}}}"#,
        number % 7,
        number % 3
    )
}

/// Number of markers per thread.
fn counts(profile: &Profile) -> Vec<(String, usize)> {
    profile.threads.iter().map(|thread| (thread.name.to_string(), thread.markers.len())).collect()
}

#[test]
fn json_lines_equal_a_list_of_the_events() {
    let events: Vec<String> = (0..400).map(event).collect();
    let list = read(format!("[{}]", events.join(","))).expect("a trace");
    for (form, text) in [
        ("lines", events.join("\n")),
        ("windows", events.join("\r\n") + "\r\n"),
        ("blank lines", format!("\n\r\n{}\n\n\n", events.join("\n\n \n"))),
        ("byte order mark", format!("\u{feff}{}\n", events.join("\n"))),
        ("empty objects", format!("{}\n{{}}\n", events.join("\n{}\n"))),
    ] {
        for chunk in [Options::default().chunk, 1000, 64] {
            let lines = read_in_chunks(text.clone(), chunk).unwrap_or_else(|error| panic!("{form}: {error}"));
            assert_eq!(counts(&lines), counts(&list), "{form} in chunks of {chunk}");
            assert!(lines.warnings.list().is_empty(), "{form}: {:?}", lines.warnings.list());
        }
    }
    let text = events.join("\n");
    let cut = read(&text.as_bytes()[..text.len() - 30]).expect("complete events");
    assert_eq!(cut.marker_count(), list.marker_count() - 1);
    assert_eq!(cut.warnings.count(WarningKind::Truncated), 1);
    let one = read(event(1)).expect("one event is a recording");
    assert_eq!(one.marker_count(), 1);
    let odd = read(format!("{}\n]\n{}", events[0], events[1])).expect("its beginning");
    assert!(odd.warnings.count(WarningKind::BrokenJson) > 0);
}

#[test]
fn lines_after_a_damaged_line_are_read() {
    let damages: [fn(&str) -> String; 6] = [
        |line| line[..line.len() / 2].to_owned(),
        |line| line.replacen("\"ph\"", "\"ph", 1),
        |line| line.trim_end_matches('}').to_owned(),
        |line| line.replacen("[{", "[", 1).replacen("}]}", "", 1),
        |_| "noise".to_owned(),
        |line| format!("{line} \"more"),
    ];
    let forms: [fn(&[String]) -> String; 4] = [
        |lines| lines.join("\n"),
        |lines| format!("[{}]", lines.join(",\n")),
        |lines| format!("{{\"traceEvents\":[\n  {}\n],\"x\":1}}", lines.join(",\r\n  ")),
        |lines| format!("[\n{}\n", lines.join("\n,")),
    ];
    let events: Vec<String> = (0..300).map(event).collect();
    for (form, text) in forms.iter().enumerate() {
        for (damage, damaged) in damages.iter().enumerate() {
            for place in [vec![150], vec![1, 2, 150, 298], (10..290).step_by(9).collect()] {
                let mut lines = events.clone();
                place.iter().for_each(|at| lines[*at] = damaged(&lines[*at]));
                let whole: Vec<&String> =
                    events.iter().enumerate().filter(|(at, _)| !place.contains(at)).map(|(_, line)| line).collect();
                let expected =
                    read(format!("[{}]", whole.iter().map(|line| line.as_str()).collect::<Vec<_>>().join(",")));
                let expected = counts(&expected.expect("a trace"));
                for chunk in [Options::default().chunk, 777, 64] {
                    let found = read_in_chunks(text(&lines), chunk).expect("a trace");
                    let what = format!("form {form}, damage {damage} at {place:?}, chunks of {chunk}");
                    let sum = |counts: &[(String, usize)]| counts.iter().map(|(_, count)| count).sum::<usize>();
                    // The start of a line may be a complete event, and half a line may swallow the next line.
                    let lost = sum(&expected).abs_diff(sum(&counts(&found)));
                    assert!(lost <= place.len(), "{what}: {lost} lost");
                    let list = found.warnings.list();
                    let kinds = [WarningKind::BrokenJson, WarningKind::WrongType];
                    let first = list.iter().find(|warning| kinds.contains(&warning.kind));
                    let first = first.unwrap_or_else(|| panic!("{what}: {list:?}"));
                    assert!(first.first.contains("byte"), "{what}: {}", first.first);
                }
            }
        }
    }
}

#[test]
fn utf_16_with_a_byte_order_mark_opens() {
    let events: Vec<String> = (0..50).map(event).collect();
    let texts = [
        format!("[{}]", events.join(",\n")),
        format!("{{\"traceEvents\":[{}]}}", events.join(",")),
        events.join("\r\n"),
    ];
    for text in texts {
        let plain = read(text.clone()).expect("a trace");
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            let bytes: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(order).collect();
            for packed in [bytes.clone(), crate::gzip(&bytes)] {
                let wide = read(packed).expect("a trace");
                assert_eq!(counts(&wide), counts(&plain));
                let first = |profile: &Profile| profile.payload(ThreadId(0), LocalMarker(0));
                assert_eq!(first(&wide), first(&plain));
                assert!(wide.warnings.list().is_empty());
            }
        }
    }
}

#[test]
fn lists_without_events_are_refused_with_a_reason() {
    let log = r#"[{"method":"Network.requestWillBeSent","params":{"requestId":"1"}},{"id":2,"result":{}}]"#;
    let refused = read(log).expect_err("no trace").to_string();
    assert!(refused.contains("DevTools protocol") && refused.contains("\"method\", \"params\""), "{refused}");
    let refused = read(r#"[{"name":"x","value":2},{"name":"y"}]"#).expect_err("no trace").to_string();
    assert!(refused.contains("\"name\", \"value\"") && refused.contains("\"ph\""), "{refused}");
    assert!(read("[1,\"two\"]").is_err());
    // A single event makes it a trace; an empty list is an empty trace.
    assert_eq!(read(format!("[{{\"method\":\"m\"}},{}]", event(1))).expect("a trace").marker_count(), 1);
    assert!(["[]", "[{}]", "[{},]", "["].iter().all(|text| read(*text).is_ok()));
}

#[test]
fn files_of_other_programs_are_refused_with_advice() {
    let pprof = b"\x0a\x04\x08\x01\x10\x02\x12\x06\x0a\x01\x01\x12\x01\x05\x32\x00\x32\x03cpu".to_vec();
    let perfetto = b"\x0a\x0a\x1a\x80\x80\x01\x50\x07\x1a\x02\x08\x01\x0a\x05\x40\x81\x80\x01\x50".to_vec();
    for (bytes, what, advice) in [
        (crate::gzip(&pprof), "pprof", "go tool pprof"),
        (pprof, "pprof", "go tool pprof"),
        (crate::gzip(&perfetto), "Perfetto", "damaged"),
        (b"FLR\0\0\x02".to_vec(), "Java Flight Recorder", "jfrtofp"),
        (b"\0\x01\x02".to_vec(), "a binary file", "Flowline reads"),
    ] {
        let error = read(bytes).expect_err("no recording").to_string();
        assert!(error.contains(what) && error.contains(advice) && !error.contains('\n'), "{what}: {error}");
    }
}

/// The first places of the warnings of a kind.
fn first(profile: &Profile, kind: WarningKind) -> String {
    let all = profile.warnings.list();
    all.iter().find(|warning| warning.kind == kind).map(|warning| warning.first.clone()).unwrap_or_default()
}

#[test]
fn text_after_the_end_is_reported() {
    let event = event(1);
    let node = r#"{"id":1,"callFrame":{"functionName":"(root)"}}"#;
    let documents = [
        format!("[{event}]"),
        format!(r#"{{"traceEvents":[{event}]}}"#),
        format!(r#"{{"nodes":[{node}],"samples":[1],"timeDeltas":[1],"startTime":0,"endTime":1}}"#),
        r#"{"head":{"callFrame":{"functionName":"(root)"},"selfSize":5,"id":1,"children":[]}}"#.to_owned(),
        r#"{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"f"}]},"profiles":[{"type":"sampled","unit":"none","samples":[[0]],"weights":[1]}]}"#
            .to_owned(),
        r#"{"meta":{"version":24,"startTime":0,"interval":1},"libs":[],"threads":[]}"#.to_owned(),
    ];
    for document in documents {
        for chunk in [Options::default().chunk, 16] {
            let whole = read_in_chunks(format!("{document}\n\0\0"), chunk).expect("a recording");
            assert_eq!(whole.warnings.count(WarningKind::BrokenJson), 0, "{document}: {:?}", whole.warnings.list());
            let more = read_in_chunks(format!("{document}\n{document}\n"), chunk).expect("a recording");
            assert_eq!(more.warnings.count(WarningKind::BrokenJson), 1, "{document}");
            let expected =
                format!("{} bytes after the end of the recording, at byte {}", document.len() + 1, document.len() + 1);
            assert!(
                first(&more, WarningKind::BrokenJson).starts_with(&expected),
                "{}",
                first(&more, WarningKind::BrokenJson)
            );
        }
    }
}

#[test]
fn invalid_escapes_keep_their_backslash_and_are_reported() {
    let text = r#"{"traceEvents":[{"name":"a","ph":"X","pid":1,"tid":1,"ts":1,"dur":2,"args":{"path":"C:\Users\x\q.py"}},
        {"name":"c","ph":"X","pid":1,"tid":1,"ts":5,"dur":2,"args":{"path":"C:\\n\u0041"}}],"traceName":".\log\D"}"#;
    for chunk in [Options::default().chunk, 60, 1] {
        let profile = read_in_chunks(text, chunk).expect("a trace");
        let path =
            |at: usize| profile.payload(ThreadId(0), LocalMarker::new(at)).get("path").map(|path| path.display_js());
        assert_eq!((path(0).as_deref(), path(1).as_deref()), (Some(r"C:\Users\x\q.py"), Some(r"C:\nA")));
        assert_eq!(
            profile.warnings.count(WarningKind::BrokenJson),
            5,
            "chunks of {chunk}: {:?}",
            profile.warnings.list()
        );
        assert!(first(&profile, WarningKind::BrokenJson).contains("is invalid"));
    }
}

#[test]
fn events_of_the_system_are_named_or_counted() {
    let slice = r#"{"ph":"X","name":"a","pid":7,"tid":8,"ts":1,"dur":1}"#;
    let lines = r"# tracer: nop\n#\n a-1 [000] 1.0: x: y\n b-2 [001] 1.1: x: z\n";
    let text = format!(r#"{{"traceEvents":[{slice}],"systemTraceEvents":"{lines}"}}"#);
    let ftrace = read(text).expect("a trace");
    assert_eq!(ftrace.warnings.count(WarningKind::NotDrawn), 2, "{:?}", ftrace.warnings.list());
    assert!(first(&ftrace, WarningKind::NotDrawn).contains("ftrace"));

    let fuchsia = read(format!(
        r#"{{"traceEvents":[{slice}],"systemTraceEvents":{{"type":"fuchsia","events":[
            {{"ph":"p","pid":7,"name":"scenic"}},{{"ph":"t","pid":7,"tid":8,"name":"main loop"}},
            {{"ph":"k","ts":1,"cpu":0,"out":{{"pid":1,"tid":2}},"in":{{"pid":7,"tid":8}}}},{{"ph":"w","ts":1,"cpu":0}}]}}}}"#
    ))
    .expect("a trace");
    assert_eq!((fuchsia.processes[0].name.as_str(), fuchsia.threads[0].name.as_str()), ("scenic", "main loop"));
    assert_eq!(fuchsia.warnings.count(WarningKind::NotDrawn), 2);

    let objects = read(format!(
        r#"{{"traceEvents":[{slice}],"systemTraceEvents":{{"type":"fuchsia","events":[
            {{"ph":"k","koid":7,"type":"process","name":"scenic"}},{{"ph":"k","koid":9,"type":"vmo","name":"heap"}},
            {{"ph":"k","koid":8,"type":"thread","name":"main loop","args":{{"process":7}}}}]}}}}"#
    ))
    .expect("a trace");
    assert_eq!((objects.processes[0].name.as_str(), objects.threads[0].name.as_str()), ("scenic", "main loop"));
    assert_eq!(objects.warnings.count(WarningKind::NotDrawn), 1, "other kernel objects are counted");
}

#[test]
fn a_trace_in_the_answer_of_a_protocol_opens_like_a_file() {
    let events: Vec<String> = (0..40).map(event).collect();
    let trace = format!(r#"{{"type":"Timeline","traceEvents":[{}],"timeOriginMicros":0}}"#, events.join(","));
    let expected = read(trace.as_bytes()).expect("a trace");
    for text in [
        format!(r#"{{"result":{trace}}}"#),
        format!("{{\"jsonrpc\":\"2.0\",\"result\":{trace},\"id\":\"5\"}}\n"),
        format!(r#"{{"devToolsSnapshot":true,"connectedApp":{{"isFlutterApp":true}},"performance":{trace}}}"#),
        format!("\u{feff} {{\"id\":1,\"result\":{{\"result\":{trace}}}}}"),
    ] {
        for chunk in [Options::default().chunk, 100] {
            let profile = read_in_chunks(text.clone(), chunk).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(counts(&profile), counts(&expected), "{text}");
            assert!(profile.warnings.list().is_empty(), "{:?}", profile.warnings.list());
        }
    }
    let cut = read(format!(r#"{{"result":{}"#, &trace[..trace.len() - 60])).expect("the events before the end");
    assert!(cut.marker_count() > 30 && cut.warnings.count(WarningKind::Truncated) == 1);
    let rest = read(format!(r#"{{"result":{trace}}}{{"more":1}}"#)).expect("a trace");
    assert_eq!(rest.warnings.count(WarningKind::BrokenJson), 1, "text after the document");
}

#[test]
fn events_in_messages_of_the_devtools_protocol_open() {
    let events: Vec<String> = (0..400).map(event).collect();
    let expected = read(format!("[{}]", events.join(","))).expect("a trace");
    let message = |events: &[String]| {
        format!(r#"{{"method":"Tracing.dataCollected","params":{{"value":[{}]}}}}"#, events.join(","))
    };
    let mut messages: Vec<String> = events.chunks(3).map(message).collect();
    messages.insert(1, r#"{"id":7,"result":{"value":[{"ph":"X","ts":1}]}}"#.to_owned());
    messages.insert(2, r#"{"method":"Tracing.bufferUsage","params":{"value":0.5}}"#.to_owned());
    messages.push(r#"{"method":"Tracing.tracingComplete","params":{"dataLossOccurred":false}}"#.to_owned());
    for text in [messages.join("\n"), format!("{}\r\n", messages.join("\r\n")), format!("[{}]", messages.join(",\n"))] {
        for chunk in [Options::default().chunk, 100] {
            let profile = read_in_chunks(text.clone(), chunk).expect("a trace");
            assert_eq!(counts(&profile), counts(&expected), "{chunk}");
            assert!(profile.warnings.list().is_empty(), "{:?}", profile.warnings.list());
        }
    }
    let text = messages.join("\n");
    let cut = read(&text.as_bytes()[..text.len() - 150]).expect("a trace");
    assert!(cut.marker_count() > 390 && !cut.warnings.list().is_empty());
}
