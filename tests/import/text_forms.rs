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
