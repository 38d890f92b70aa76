//! Flowline's pull reader against `serde_json`: both must agree on well-formed text, for every way to walk it.

use flowline::json::{Cursor, Kind, decode_string, decode_value};
use flowline::profile::Value as Ours;
use proptest::prelude::*;
use serde_json::Value;

/// JSON values of all types, nested a few levels.
fn value() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        prop::num::f64::NORMAL.prop_map(Value::from),
        (-1_000_000_i32..1_000_000).prop_map(|number| Value::from(f64::from(number) / 1e3)),
    ];
    let text = prop_oneof![any::<String>(), "[\"\\\\/\u{8}\u{c}\n\r\t\u{1}a{}\\[\\]:, é😀]{0,8}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number,
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((text.clone(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Writes a value with all the freedom of JSON: white space, unnecessary escapes, surrogate pairs.
fn write(value: &Value, choices: &mut impl FnMut(u32) -> u32, out: &mut String) {
    let space = |choices: &mut dyn FnMut(u32) -> u32, out: &mut String| {
        out.push_str(["", "", "", " ", "\n", "\t ", "\r\n"][choices(7) as usize]);
    };
    space(choices, out);
    match value {
        Value::String(text) => write_string(text, choices, out),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(item, choices, out);
            }
            space(choices, out);
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (index, (key, member)) in members.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                space(choices, out);
                write_string(key, choices, out);
                space(choices, out);
                out.push(':');
                write(member, choices, out);
            }
            space(choices, out);
            out.push('}');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
    space(choices, out);
}

fn write_string(text: &str, choices: &mut impl FnMut(u32) -> u32, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match (character, choices(4)) {
            ('/', 0) => out.push_str("\\/"),
            ('"' | '\\' | '\0'..='\u{1f}', _) | (_, 0) => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            _ => out.push(character),
        }
    }
    out.push('"');
}

/// A text for a value; a seed decides its spelling.
fn text_of(value: &Value, seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut choices = |limit: u32| random.u32(..limit);
    let mut text = String::new();
    write(value, &mut choices, &mut text);
    text
}

/// `serde_json` parses floats quickly and may miss the nearest double by a few last bits. Flowline's value is the
/// nearest.
fn close(ours: f64, reference: f64) -> bool {
    (ours - reference).abs() <= ours.abs() * (4.0 * f64::EPSILON) || ours == reference
}

/// True if a decoded value equals the reference; numbers compare by value.
fn same(ours: &Ours, reference: &Value) -> bool {
    match (ours, reference) {
        (Ours::Null, Value::Null) => true,
        (Ours::Bool(ours), Value::Bool(reference)) => ours == reference,
        (Ours::String(ours), Value::String(reference)) => ours == reference,
        (Ours::Int(ours), Value::Number(reference)) => reference.as_i64() == Some(*ours),
        (Ours::Uint(ours), Value::Number(reference)) => reference.as_u64() == Some(*ours),
        (Ours::Number(ours), Value::Number(reference)) => reference.as_f64().is_some_and(|number| close(*ours, number)),
        (Ours::List(ours), Value::Array(reference)) => {
            ours.len() == reference.len() && ours.iter().zip(reference).all(|(ours, reference)| same(ours, reference))
        }
        (Ours::Object(ours), Value::Object(reference)) => {
            let found = |(key, value): (&String, &Value)| {
                ours.iter().rev().find(|(name, _)| name == key).is_some_and(|(_, ours)| same(ours, value))
            };
            ours.iter().all(|(key, _)| reference.contains_key(key)) && reference.iter().all(found)
        }
        _ => false,
    }
}

/// Walks a value token by token and compares every step with the reference.
fn walk(cursor: &mut Cursor<'_>, reference: &Value) -> Result<(), TestCaseError> {
    let kind = cursor.peek().expect("a value");
    match reference {
        Value::Array(items) => {
            prop_assert_eq!(kind, Kind::Array);
            cursor.enter_array().expect("an array");
            for item in items {
                prop_assert_eq!(cursor.next_element(), Ok(true));
                walk(cursor, item)?;
            }
            prop_assert_eq!(cursor.next_element(), Ok(false));
        }
        Value::Object(members) => {
            prop_assert_eq!(kind, Kind::Object);
            cursor.enter_object().expect("an object");
            for _ in members {
                let key = cursor.next_key().expect("a key").expect("another key").decode();
                prop_assert!(members.contains_key(&key), "{}", key);
                walk(cursor, &members[&key])?;
            }
            prop_assert!(cursor.next_key().expect("an end").is_none());
        }
        Value::String(text) => {
            prop_assert_eq!(kind, Kind::String);
            prop_assert_eq!(&decode_string(cursor.text(), cursor.offset()), &Some(text.clone()));
            prop_assert_eq!(&cursor.string().expect("a string").decode(), text);
        }
        scalar => {
            let expected = match scalar {
                Value::Number(_) => Kind::Number,
                Value::Bool(_) => Kind::Bool,
                _ => Kind::Null,
            };
            prop_assert_eq!(kind, expected);
            let text = std::str::from_utf8(cursor.scalar().expect("a scalar")).expect("ASCII");
            prop_assert_eq!(&serde_json::from_str::<Value>(text).expect("a scalar"), scalar);
            let number = scalar.as_f64().zip(text.parse().ok());
            prop_assert!(number.is_none_or(|(reference, ours): (f64, f64)| close(ours, reference)), "{}", text);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn decoding_matches_serde_json(value in value(), seed in any::<u64>()) {
        let text = text_of(&value, seed);
        let reference: Value = serde_json::from_str(&text).expect("the writer produces JSON");
        let mut cursor = Cursor::at(text.as_bytes(), 0);
        let ours = decode_value(&mut cursor).expect("well-formed");
        prop_assert!(same(&ours, &reference), "{}\n{:?}", text, ours);
        prop_assert_eq!(cursor.finish(), Ok(()));
    }

    #[test]
    fn skipping_stops_at_the_end_of_the_value(value in value(), seed in any::<u64>()) {
        let text = text_of(&value, seed);
        let mut cursor = Cursor::at(text.as_bytes(), 0);
        prop_assert_eq!(cursor.skip_value(), Ok(()));
        prop_assert_eq!(cursor.offset(), text.trim_end().len());
        prop_assert_eq!(cursor.finish(), Ok(()));
    }

    #[test]
    fn walking_matches_serde_json(value in value(), seed in any::<u64>()) {
        let text = text_of(&value, seed);
        let reference: Value = serde_json::from_str(&text).expect("the writer produces JSON");
        walk(&mut Cursor::at(text.as_bytes(), 0), &reference)?;
    }

    #[test]
    fn writing_matches_serde_json(value in value()) {
        let text = value.to_string();
        let ours = decode_value(&mut Cursor::at(text.as_bytes(), 0)).expect("well-formed");
        let mut written = String::new();
        ours.to_json(&mut written);
        let again: Value = serde_json::from_str(&written).expect("the writer produces JSON");
        prop_assert!(same(&ours, &again), "{}", written);
    }

    #[test]
    fn a_cut_text_is_reported_as_truncated(value in value(), seed in any::<u64>(), at in any::<prop::sample::Index>()) {
        let text = text_of(&Value::from(vec![value]), seed);
        let start = text.find('[').expect("an array") + 1;
        let end = text.trim_end().len() - 1;
        let cut = start + at.index(end - start + 1);
        let mut cursor = Cursor::at(&text.as_bytes()[..cut], 0);
        prop_assert!(cursor.skip_value().is_err());
        prop_assert!(cursor.offset() <= cut);
        prop_assert!(decode_value(&mut Cursor::at(&text.as_bytes()[..cut], 0)).is_err());
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..60), at in 0_usize..70) {
        let mut cursor = Cursor::at(&bytes, at);
        let _ = decode_value(&mut cursor);
        let _ = Cursor::at(&bytes, at).skip_value();
        let _ = decode_string(&bytes, at);
        prop_assert!(cursor.offset() <= bytes.len().max(at));
    }

    #[test]
    fn arbitrary_brackets_terminate(text in "[\\[\\]{},:\"a1 \\\\]{0,40}") {
        let mut cursor = Cursor::at(text.as_bytes(), 0);
        while cursor.skip_value().is_ok() && cursor.offset() < text.len() {}
        prop_assert!(cursor.offset() <= text.len());
    }
}

#[test]
fn the_last_of_repeated_keys_counts_in_both() {
    let text = r#"{"a":1,"b":2,"a":[3]}"#;
    let reference: Value = serde_json::from_str(text).expect("JSON");
    let ours = decode_value(&mut Cursor::at(text.as_bytes(), 0)).expect("JSON");
    assert!(same(&ours, &reference));
}

#[test]
fn extreme_numbers_match_serde_json() {
    for text in [
        "-0",
        "0.0",
        "-0.0",
        "1e5",
        "1E+5",
        "1e-5",
        "9007199254740993",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "1.7976931348623157e308",
        "5e-324",
        "0.1",
        "123456789012345678901234567890",
        "2.2250738585072014e-308",
    ] {
        let reference: Value = serde_json::from_str(text).expect("a number");
        let ours = decode_value(&mut Cursor::at(text.as_bytes(), 0)).expect("a number");
        let agree = ours.as_f64().zip(reference.as_f64()).is_some_and(|(ours, reference)| close(ours, reference));
        assert!(agree, "{text}: {ours:?} {reference:?}");
    }
}
