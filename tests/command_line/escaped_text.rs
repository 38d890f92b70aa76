//! JSON strings may escape any character. Escaped keys and values keep their meaning in every reader.

use std::io::Read as _;

use flowline_synth::Format;

use super::cut_answers;
use crate::support::program::Program;

const KINDS: [&str; 8] =
    ["markers", "flows", "network", "customtracks", "annotations", "samples", "calltree", "stacks"];

/// Searches in fields: of a schema, of arguments, and by any key.
const SEARCHES: [&str; 4] = ["url:e", "requestid:1", "uri:http", "name:a -data:x"];

/// Selects the strings that get an escape.
#[derive(Clone, Copy, Debug)]
enum Strings {
    Keys,
    Values,
}

/// The text with one character of each selected string escaped.
fn escaped(text: &str, which: Strings) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at, mut seed) = (String::new(), 0, 1_usize);
    while let Some(found) = text[at..].find('"') {
        let start = at + found + 1;
        let mut end = start;
        let mut plain = Vec::new();
        while bytes[end] != b'"' {
            match bytes[end] {
                b'\\' if bytes[end + 1] == b'u' => end += 5,
                b'\\' => end += 1,
                byte if byte.is_ascii_graphic() => plain.push(end),
                _ => {}
            }
            end += 1;
        }
        let is_key = text[end + 1..].trim_start().starts_with(':');
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let chosen = plain.get((seed >> 33) % plain.len().max(1));
        match chosen.filter(|_| is_key == matches!(which, Strings::Keys)) {
            Some(&chosen) => {
                out += &text[at..chosen];
                out += &format!("\\u{:04x}", bytes[chosen]);
                out += &text[chosen + 1..=end];
            }
            None => out += &text[at..=end],
        }
        at = end + 1;
    }
    out + &text[at..]
}

fn example() -> String {
    let packed = std::fs::File::open(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/example.json.gz")).expect("there");
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).expect("gzip");
    text
}

#[test]
fn escapes_in_keys_and_values_change_no_output() {
    let program = Program::new("escaped-text");
    let synthetic = |format| {
        std::fs::read_to_string(program.synthetic(&format!("{format:?}.json"), format, 400, 3)).expect("written")
    };
    for (name, text) in [
        ("example", example()),
        ("chrome", synthetic(Format::Chrome)),
        ("firefox", synthetic(Format::Firefox)),
        ("devtools", cut_answers::trace().to_string()),
    ] {
        let plain = program.file(&format!("{name}.json"), &text);
        for which in [Strings::Keys, Strings::Values] {
            let changed = escaped(&text, which);
            assert!(changed.len() > text.len() + 200, "{name}, {which:?}");
            let same = |text: &str| -> serde_json::Value { serde_json::from_str(text).expect("JSON") };
            assert!(same(&changed) == same(&text), "{name}: the text is not escaped correctly");
            let other = program.file(&format!("{name}-{which:?}.json"), changed);
            for kind in
                KINDS.into_iter().map(|kind| vec![kind]).chain(SEARCHES.map(|text| vec!["markers", "--search", text]))
            {
                let [expected, found] =
                    [&plain, &other].map(|file| program.run([&["dump", file.as_str()], &kind[..]].concat()));
                assert_eq!(
                    found.status,
                    expected.status,
                    "{name}, {which:?}, {kind:?}: {}",
                    found.err.replace(&other, &plain)
                );
                let first = expected.out.lines().zip(found.out.lines()).find(|(one, other)| one != other);
                assert!(expected.out == found.out, "{name}, {which:?}, {kind:?}: {first:?}");
            }
        }
    }
}
