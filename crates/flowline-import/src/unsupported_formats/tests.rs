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
    let packet = [0x40, 0x80, 0x80, 1, 0x50, 7, 0x5a, 2, 8, 1];
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
        (b"go 1.23 trace\0\0\0", "Go execution trace", "go tool trace"),
        (b"*version\n3\ndata-file-overflow=false\n*threads\n1\tmain\n*end\nSLOW\x03\0\x20\0", "ART", "Android Studio"),
        (b"SLOW\xf3\0\x20\0", "ART", "Android Studio"),
        (b"PERFILE2h\0\0\0", "Linux perf", "samply import"),
        (b"tlZ\x04\x10", "Tracy", "csvexport"),
        (b"tZst\x10", "Tracy", "csvexport"),
        (b"\xff\xfe\0\0[\0\0\0", "UTF-32", "UTF-8"),
        (b"Nettrace\x14\0\0\0", ".NET event trace", "dotnet-trace convert"),
        (b"MOJ\x03", "Austin", "austin2speedscope"),
        (b"JAVA PROFILE 1.0.2\0", "Java heap dump", "Memory Analyzer"),
        (b"MMPD\x09\0\0\0", "Rust compiler", "crox"),
        (b"\x0d\xf0\xad\x0b\x01", "Spall", "trace events"),
        (b"SQLite format 3\0", "SQLite", "nsys2json"),
        (b"{\xa9\x03z\x01a", "cProfile", "py-spy"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS", "git lfs pull"),
        (b"# callgrind format\nversion: 1\n", "Callgrind", "KCachegrind"),
        (b"version: 1\ncreator: xdebug\nevents: Time\n\nfn=main\n1 2\n", "Callgrind", "speedscope"),
        (b"Attaching 1 probe...\n\n@[\n    f+1\n]: 12\n", "bpftrace", "stackcollapse-bpftrace.pl"),
        (b"@[\n    f+1\n    main+2\n]: 12\n", "bpftrace", "stackcollapse-bpftrace.pl"),
        (b"CPU     ID                    FUNCTION:NAME\n", "DTrace", "stackcollapse.pl"),
        (
            b"\n              libc.so`read+0xa\n              a`main+0x5\n                3\n",
            "DTrace",
            "stackcollapse.pl",
        ),
        (b"a 1/2 [002] 5.0: 9 cycles:u: \na 1/2 [002] 5.1: 9 cycles:u: \n", "perf script without call stacks", "-g"),
        (b"f 9 [001] 1.5: kfree: ptr=(nil)\n", "perf script without call stacks", "-g"),
        (b"# tracer: nop\n#\n", "ftrace", "ui.perfetto.dev"),
    ] {
        let message = message_for(bytes);
        assert!(message.contains(what) && message.contains(advice) && !message.contains('\n'), "{what}: {message}");
    }
}

#[test]
fn archives_are_named_by_their_contents() {
    let mut tar = b"rank0.json".to_vec();
    tar.resize(257, 0);
    tar.extend_from_slice(b"ustar\0");
    tar.resize(1024, b' ');
    assert!(
        message_for(&tar).contains("a tar archive") && message_for(&tar).contains("tar xf"),
        "{}",
        message_for(&tar)
    );
}

#[test]
fn other_protocol_buffers_are_named() {
    let long = |number: u8, content: &[u8]| part(number, content);
    let plane = |id: u8, name: &[u8]| long(1, &[&[8, id][..], &part(2, name), &part(3, &[8, 1])].concat());
    let xplane = [plane(1, b"/device:GPU:0"), plane(2, b"/host:CPU")].concat();
    let span = [part(1, &[7; 16]), part(2, &[9; 8]), part(5, b"op")].concat();
    let spans = part(1, &[part(1, &[]), part(2, &part(2, &span))].concat());
    let delimited = [&[0, 0, 0, u8::try_from(spans.len()).expect("short")][..], &spans].concat();
    let metric = part(1, &[part(1, &part(1, &part(1, b"service.name"))), part(2, &part(2, &part(1, b"m")))].concat());
    let node = part(1, &[part(1, b"conv"), part(2, b"Conv2D"), part(3, b"in")].concat());
    for (bytes, what, advice) in [
        (&xplane, "an XPlane profile of TensorFlow or JAX", "trace.json.gz"),
        (&spans, "OpenTelemetry", "Jaeger"),
        (&delimited, "OpenTelemetry", "Jaeger"),
        (&metric, "OpenTelemetry", "Jaeger"),
        (&node, "a protocol buffer of an unknown format", "not a recording"),
    ] {
        let message = message_for(bytes);
        assert!(message.contains(what) && message.contains(advice), "{what}: {message}");
        assert!(unsupported_start(bytes).is_some(), "{what}");
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
    for (keys, what, advice) in [
        (&["resourceSpans"][..], "OpenTelemetry", "Jaeger"),
        (&["start_time", "duration", "sample_count", "root_frame"], "pyinstrument", "-r speedscope"),
        (&["version", "recording", "overview"], "Web Inspector", "speedscope"),
        (&["lighthouseVersion", "requestedUrl"], "Lighthouse", "--save-assets"),
        (&["dhatFileVersion", "mode", "verb"], "DHAT", "dh_view.html"),
        (&["resources", "frames", "stacks", "samples"], "JS Self-Profiling", "Performance panel"),
    ] {
        let message = named(keys);
        assert!(message.contains(what) && message.contains(advice), "{message}");
    }
    let jaeger = br#"{"data":[{"traceID":"a","spans":[]}],"total":0}"#;
    assert!(unsupported_object_at(Cursor::at(jaeger, 0)).to_string().contains("Jaeger"));
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
