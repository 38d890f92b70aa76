//! Values as the recorder writes them, and damaged ones.

use super::of_call::{Arguments, decoded};
use flowline_profile::samples::CallArguments;

/// The version and a call at offset 6.
fn buffer(version: u32, count: u32, values: &[u8]) -> Vec<u8> {
    let mut bytes = version.to_le_bytes().to_vec();
    bytes.extend(u16::try_from(values.len() + 6).expect("short").to_le_bytes());
    bytes.extend(count.to_le_bytes());
    bytes.extend(values);
    bytes
}

fn recorded(values: Vec<u8>) -> CallArguments {
    let mut own = CallArguments { values: values.into(), ..CallArguments::default() };
    for shape in [&["MouseEvent"][..], &["Object", "a", "b"], &["Array"], &["HTMLDivElement"], &["Map"], &["TypeError"]]
    {
        own.push_shape(shape.iter().copied());
    }
    own
}

fn text(text: &str) -> Vec<u8> {
    let mut bytes = u16::try_from(text.len()).expect("short").to_le_bytes().to_vec();
    bytes.extend(text.as_bytes());
    bytes
}

fn object(kind: u8, shape: u32) -> Vec<u8> {
    let mut bytes = vec![0x0c, kind];
    bytes.extend(shape.to_le_bytes());
    bytes
}

fn joined(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

fn count(number: u32) -> [u8; 4] {
    number.to_le_bytes()
}

/// A value and its text.
fn one(value: &[u8]) -> String {
    let own = decoded(&recorded(buffer(2, 1, value)), 6).expect("a known format");
    assert_eq!(own.more, 0, "{value:?}");
    own.text()
}

#[test]
fn primitive_values_are_written_as_a_console_does() {
    let cases: [(Vec<u8>, &str); 14] = [
        (vec![0x11], "0"),
        (vec![0x01], "-1"),
        (vec![0xe1], "13"),
        (joined(&[&[0xf1], &(-70_000_i32).to_le_bytes()]), "-70000"),
        (vec![0x00], "0"),
        (joined(&[&[0xf0], &1.5_f64.to_le_bytes()]), "1.5"),
        (joined(&[&[0xf0], &f64::NEG_INFINITY.to_le_bytes()]), "-Infinity"),
        (joined(&[&[0xf0], &(-0.0_f64).to_le_bytes()]), "-0"),
        (vec![0x12], "true"),
        (vec![0x03], "undefined"),
        (vec![0x04], "null"),
        (joined(&[&[0x06], &text("a \"b\"")]), "\"a \\\"b\\\"\""),
        (joined(&[&[0x07], &text("id")]), "Symbol(id)"),
        (joined(&[&[0x09], &text("12")]), "12n"),
    ];
    for (bytes, wanted) in cases {
        assert_eq!(one(&bytes), wanted, "{bytes:?}");
    }
}

#[test]
fn texts_have_three_encodings() {
    let encoded =
        |encoding: u16, count: u16, bytes: &[u8]| joined(&[&[0x06], &(encoding << 14 | count).to_le_bytes(), bytes]);
    assert_eq!(one(&encoded(0, 1, &[0xe9])), "\"é\"");
    assert_eq!(one(&encoded(1, 2, &[0xe9, 0, 0xac, 0x20])), "\"é€\"");
    assert_eq!(one(&encoded(2, 3, "€".as_bytes())), "\"€\"");
}

#[test]
fn objects_show_their_members() {
    let array = joined(&[&object(1, 2), &count(3), &[0x21, 0x05, 0x12]]);
    assert_eq!(one(&array), "Array(3) [1, empty, true]");
    let long = joined(&[&object(1, 2), &count(20), &[0x21; 16]]);
    assert_eq!(one(&long), format!("Array(20) [{}…]", "1, ".repeat(16)));
    let inner = joined(&[&object(5, 1), &count(2), &object(1, 2), &count(7), &[0x0f, 0x03, 0x04]]);
    assert_eq!(one(&inner), "Object {a: Array(7), b: (accessor)}");
    let elements = joined(&[&[0x1c, 5], &count(1), &count(0), &count(1), &[0x31]]);
    assert_eq!(one(&elements), "Object {0: 2}");
    let map = joined(&[&object(2, 4), &count(1), &[0x06], &text("k"), &[0x21]]);
    assert_eq!(one(&map), "Map(1) {\"k\" => 1}");
    let function = joined(&[&[0x0c, 3], &text("go"), &count(2), &text("x"), &text("")]);
    assert_eq!(one(&function), "function go(x, {})");
    let error =
        joined(&[&object(8, 5), &text("TypeError"), &text("no"), &text(""), &text("a.js"), &count(3), &count(4)]);
    assert_eq!(one(&error), "TypeError: no");
}

#[test]
fn nodes_are_markup_and_unknown_descriptions_are_skipped() {
    let body = joined(&[&[1, 1], &1_u16.to_le_bytes(), &text("DIV"), &[0x81], &count(1), &text("id"), &text("x")]);
    let size = u32::try_from(body.len() + 4).expect("short");
    let node = joined(&[&object(7, 3), &count(size), &body]);
    assert_eq!(one(&node), "HTMLDivElement <div id=\"x\">");
    // The first call of a recording of Firefox 147: a mouse event that is not described, then 0.
    let event = joined(&[&object(7, 0), &count(6), &[1, 0], &[0x11]]);
    let own = decoded(&recorded(buffer(2, 2, &event)), 6).expect("values");
    assert_eq!(own, Arguments { values: vec!["MouseEvent".to_owned(), "0".to_owned()], more: 0 });
}

#[test]
fn further_arguments_are_counted_and_unknown_formats_have_none() {
    let own = decoded(&recorded(buffer(2, 6, &[0x21; 4])), 6).expect("values");
    assert_eq!(own.text(), "1, 1, 1, 1, 2 more");
    let cut = decoded(&recorded(buffer(2, 2, &[0x21, 0x06])), 6).expect("values");
    assert_eq!(cut.text(), "1, 1 more");
    assert_eq!(decoded(&recorded(buffer(3, 1, &[0x21])), 6), None);
    assert_eq!(decoded(&recorded(buffer(2, 1, &[0x21])), 4000), None);
    assert_eq!(decoded(&recorded(Vec::new()), CallArguments::NONE_GIVEN), Some(Arguments::default()));
    // Version 1 has another mark of accessors, and a text in every symbol.
    let old = joined(&[&object(5, 1), &count(2), &[0xf0, 0x03, 0x04, 0x17], &text("s")]);
    assert_eq!(
        decoded(&recorded(buffer(1, 1, &old)), 6).expect("values").text(),
        "Object {a: (accessor), b: Symbol(s)}"
    );
}

#[test]
fn damaged_values_never_panic() {
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..20_000 {
        let bytes: Vec<u8> = (0..random.usize(..60)).map(|_| random.u8(..)).collect();
        let own = recorded(buffer(random.u32(1..3), random.u32(..6), &bytes));
        for place in [0, 5, 6, 7, random.u32(..)] {
            let _ = decoded(&own, place);
        }
    }
}
