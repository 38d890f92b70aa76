//! Detection of unsupported formats by content.

use super::json::unsupported_object;
use super::*;
use crate::text_start::LOOK;
use flowline_json::Cursor;

fn message_for(bytes: &[u8]) -> String {
    unsupported_bytes(bytes).map_or_else(|| "text".to_owned(), |error| error.to_string())
}

/// A length-delimited field.
fn part(number: u8, content: &[u8]) -> Vec<u8> {
    let length = u8::try_from(content.len()).expect("short");
    [&[number << 3 | 2, length], content].concat()
}

#[test]
fn recordings_of_other_programs_are_named_with_advice() {
    let packet = [0x40, 0x80, 0x80, 1, 0x50, 7, 0x1a, 2, 8, 1];
    let perfetto = [part(1, &packet), part(1, &packet)].concat();
    let pprof =
        [part(1, &[8, 1, 16, 2]), part(1, &[8, 3, 16, 4]), part(2, &[10, 1, 1, 18, 1, 5]), part(6, b"")].concat();
    let mut etw = vec![0; 4096];
    etw[..12].copy_from_slice(&[0, 0, 1, 0, 0, 2, 0, 0, 0, 2, 0, 0]);
    etw[72..76].copy_from_slice(&[2, 0, 2, 0xc0]);
    for (bytes, what, advice) in [
        (perfetto.as_slice(), "a damaged Perfetto trace", "truncated or corrupt"),
        (&perfetto[..perfetto.len() - 3], "a damaged Perfetto trace", "truncated or corrupt"),
        (&pprof, "a pprof profile", "go tool pprof"),
        (&etw, "Event Tracing for Windows", "samply import"),
        (b"FLR\0\0\x02\0\x01", "Java Flight Recorder", "jfrtofp"),
        (b"PERFILE2h\0\0\0", "Linux perf", "samply import"),
        (b"tlZ\x04\x10", "Tracy", "csvexport"),
        (b"tZst\x10", "Tracy", "csvexport"),
        (b"\x28\xb5\x2f\xfd\0", "zstd", "zstd -d"),
        (b"\xff\xfe\0\0[\0\0\0", "UTF-32", "UTF-8"),
    ] {
        let message = message_for(bytes);
        assert!(message.contains(what) && message.contains(advice) && !message.contains('\n'), "{what}: {message}");
    }
}

#[test]
fn binary_data_is_not_called_text() {
    for bytes in [b"\0\x01\x02\x03".as_slice(), b"\x0a\xff\xff", b"abc\xff\xfe", b"7\0\0\0"] {
        assert!(message_for(bytes).contains("a binary file"), "{bytes:?}: {}", message_for(bytes));
    }
    for text in ["hello", "\nhello\tworld\r\n", "7", "é", "", "\u{1b}[31mcolored"] {
        assert_eq!(message_for(text.as_bytes()), "text", "{text:?}");
    }
    // `LOOK` splits the last character.
    assert_eq!(message_for(&[&[b'a'; LOOK - 1], "é".as_bytes()].concat()), "text");
}

#[test]
fn python_stacks_are_not_html() {
    assert!(unsupported_start(b"<!DOCTYPE html>\n<p>a; b 5</p>\n").is_some());
    assert!(unsupported_start(b"<module> (a.py:1);f (a.py:2) 12\n<module>;g 1").is_none());
}

#[test]
fn json_of_other_programs_is_named_by_its_keys() {
    let named = |keys: &[&str]| {
        let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
        unsupported_object(&keys).map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(named(&["snapshot", "nodes", "edges"]).contains("heap snapshot"));
    assert!(named(&["log"]).contains("HAR"));
    assert_eq!(named(&["a", "nodes"]), "");
}

#[test]
fn arrays_without_events_are_described_by_their_keys() {
    let message_for = |text: &str| unsupported_array(Cursor::at(text.as_bytes(), 0)).to_string();
    let log = message_for(r#"[{"method":"Page.loadEventFired","params":{}},{"id":1,"result":{}}]"#);
    assert!(log.contains("DevTools protocol") && log.contains("\"method\", \"params\""), "{log}");
    assert!(message_for(r#"[{"a":1,"b":[2]}]"#).contains("first object are \"a\", \"b\""));
    assert!(message_for("[1,2]").contains("array without trace events"));
}
