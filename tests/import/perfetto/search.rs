//! Parts of a trace are not read for a search if no event of them can contain the text.

use std::ops::Range;

use flowline::import::trace_texts;
use flowline::profile::Source;
use flowline::profile::text::Wanted;

use super::*;

/// Checks whether a search reads a trace, and that it does so if a text contains the searched one.
#[track_caller]
fn is_read(packets: &[Message], text: &str) -> bool {
    let bytes = trace(packets);
    let texts = trace_texts(Source::new(bytes.clone()));
    let whole: Range<u64> = 0..bytes.len() as u64;
    let is_read = texts.part_filter(Wanted::new(text).expect("lowercase ASCII"))(whole.clone());
    texts.each_in(whole, &mut |_, event| {
        let shown: serde_json::Value = serde_json::from_str(event).expect("JSON");
        let holds = strings(&shown).iter().any(|part| part.to_ascii_lowercase().contains(text));
        assert!(is_read || !(holds || event.to_ascii_lowercase().contains(text)), "{text:?} is in {event}");
    });
    is_read
}

/// All names and values of a value.
fn strings(value: &serde_json::Value) -> Vec<String> {
    match value {
        serde_json::Value::Object(members) => {
            members.iter().flat_map(|(name, value)| [vec![name.clone()], strings(value)].concat()).collect()
        }
        serde_json::Value::Array(items) => items.iter().flat_map(strings).collect(),
        serde_json::Value::String(text) => vec![text.clone()],
        other => vec![other.to_string()],
    }
}

/// An instant with an annotation.
fn annotated(annotation: &Message) -> Message {
    let event = track_event(INSTANT, 1, "Paint").text(22, "rendering");
    at(100).number(13, 2).message(11, &event.message(4, annotation))
}

fn interned(field: u64, text: &str) -> Message {
    message().number(10, 1).number(13, 1).message(12, &message().message(field, &message().number(1, 1).text(2, text)))
}

#[test]
fn only_parts_that_may_contain_the_text_are_read() {
    let url = annotated(&message().text(10, "url").text(6, "https://Example.org"));
    let packets = [thread(1, 7, 70, "main"), interned(2, "Unused"), url];
    for text in ["example", "paint", "rendering", "url", "unused"] {
        assert!(is_read(&packets, text), "{text}");
    }
    assert!(!is_read(&packets, "zucchini") && !is_read(&packets, "v8.compile"));
    // Made by writing: numbers, punctuation, fixed words, names of fields.
    for text in ["7", "0.1", "0x", "fade", "\",\"", "cat", "e", "chrome_keyed_service", "flow_ids"] {
        assert!(is_read(&packets, text), "{text}");
    }
}

#[test]
fn interned_strings_count_for_their_generation() {
    let value = annotated(&message().number(1, 1).number(17, 1));
    let packets = [thread(1, 7, 70, "main"), interned(29, "Keyword"), value.clone(), interned(3, "Elsewhere"), value];
    assert!(is_read(&packets, "keyword") && is_read(&packets, "elsewhere") && !is_read(&packets, "zucchini"));
    let texts = trace_texts(Source::new(trace(&packets)));
    let bounds: Vec<u64> = (0..=packets.len()).map(|count| trace(&packets[..count]).len() as u64).collect();
    let read = |text: &'static str| -> Vec<bool> {
        let filter = texts.part_filter(Wanted::new(text).expect("lowercase ASCII"));
        bounds.windows(2).map(|part| filter(part[0]..part[1])).collect()
    };
    assert_eq!(read("keyword"), [false, true, true, false, false]);
    assert_eq!(read("elsewhere"), [false, false, false, true, true]);
}

#[test]
fn escapes_in_json_and_other_packets_are_read() {
    let json = annotated(&message().text(10, "data").text(9, r#"{"k":"\u007aucchini"}"#));
    assert!(is_read(&[thread(1, 7, 70, "main"), json], "zucchini"));
    let plain = annotated(&message().text(10, "data").text(6, r#"C:\user"#));
    assert!(!is_read(&[thread(1, 7, 70, "main"), plain.clone()], "zucchini"));
    // Names of kernel counters are made from numbers and words.
    let frequency = message().message(11, &message().number(1, 5).number(2, 3));
    let event = Message([message().number(1, 100).0, frequency.0].concat());
    let bundle = message().message(1, &message().number(1, 0).message(2, &event));
    assert!(is_read(&[thread(1, 7, 70, "main"), plain, bundle], "frequency"));
}

#[test]
fn no_text_is_missed_in_random_traces() {
    let mut random = fastrand::Rng::with_seed(3);
    let words = ["alpha", "Beta", "gamma.delta", "x_y", "12", "a\"b", "c\\d", "\u{e9}t", "Kilo", "zulu"];
    let mut skipped = 0;
    for _ in 0..300 {
        let mut packets = vec![thread(1, 7, 70, "main"), track(2, 1, words[random.usize(0..10)])];
        for _ in 0..random.usize(1..8) {
            let word = words[random.usize(0..10)];
            packets.push(match random.u8(0..5) {
                0 => interned([1, 2, 3, 29][random.usize(0..4)], word),
                1 => annotated(&message().text(10, word).number(3, random.u64(0..300))),
                2 => annotated(&message().number(1, 1).number(17, 1)),
                3 => annotated(&message().text(10, "n").double(5, f64::from(random.u8(0..99)) / 8.0)),
                _ => event(50, INSTANT, random.u64(1..3), word),
            });
        }
        for text in ["alpha", "beta", "a.d", "gamma.delta", "x_y", "12", "kilo", "zulu", "l", "t"] {
            skipped += usize::from(!is_read(&packets, text));
        }
    }
    assert!(skipped > 1000, "{skipped}");
}
