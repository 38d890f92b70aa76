//! Tests every format with every kind of value.

use super::{Format, StringLookup, TableColumn, format_value};
use flowline_json::Value;

struct Strings;

impl StringLookup for Strings {
    fn lookup(&self, index: u64) -> Option<String> {
        let strings = ["IPC Message", "MouseDown Event"];
        strings.get(usize::try_from(index).ok()?).map(|text| (*text).to_owned())
    }
}

fn text(value: &str) -> Value {
    Value::String(value.to_owned())
}

fn list(items: &[Value]) -> Value {
    Value::List(items.to_vec())
}

fn object(members: &[(&str, Value)]) -> Value {
    Value::Object(members.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect())
}

#[track_caller]
fn check(name: &str, value: &Value, expect: &str) {
    assert_eq!(format_value(&Format::from_name(name), value, &Strings), expect, "{name} of {value:?}");
}

#[test]
fn numbers_have_the_form_of_their_quantity() {
    let rows: &[(&str, f64, &str)] = &[
        ("duration", 0.0, "0 ms"),
        ("duration", 10.0, "10.00 ms"),
        ("duration", 12.345_678_9, "12.35 ms"),
        ("duration", 123_456.789, "2 m 3.5 s"),
        ("duration", 23_456_789.0, "6 h 31 m"),
        ("duration", 50_000.0, "50.000 s"),
        ("duration", 123_456_789.0, "34 h 18 m"),
        ("duration", 0.000_123_456, "123 ns"),
        ("duration", 59_499.0, "59.499 s"),
        ("duration", 60_001.0, "1 m 0.0 s"),
        ("duration", 3_599_499.0, "59 m 59.5 s"),
        ("duration", 86_370_000.0, "24 h 00 m"),
        ("time", 12.345_678_9, "12.346 ms"),
        ("seconds", 12.345_678_9, "12.35 ms"),
        ("seconds", 123_456.789, "2 m 3.5 s"),
        ("milliseconds", 12.345_678_9, "12.35 ms"),
        ("milliseconds", 123_456.789, "2 m 3.5 s"),
        ("microseconds", 12.345_678_9, "12.3 µs"),
        ("nanoseconds", 12.345_678_9, "12 ns"),
        ("nanoseconds", 0.000_123_456, "0 ns"),
        ("bytes", 10.0, "10 B"),
        ("bytes", 123_456.789, "123.5 KB"),
        ("bytes", 123_456_789.0, "123.46 MB"),
        ("bytes", 123_456_789_123.0, "123.46 GB"),
        ("bytes", 0.000_123_456, "0 B"),
        ("integer", 12.345_678_9, "12"),
        ("integer", 123_456.789, "123,457"),
        ("decimal", 12.345_678_9, "12.346"),
        ("decimal", 0.000_123_456, "0.000123"),
        ("hexadecimal", 255.0, "0xff"),
        ("hexadecimal", -255.0, "0xffffff01"),
        ("percentage", 0.123_456_789, "12.3%"),
        ("percentage", 1_234.567_89, "123,456.8%"),
        ("percentage", 0.000_123_456, "<0.1%"),
        ("unique-string", 0.0, "IPC Message"),
        ("unique-string", 42.0, "(empty)"),
        ("flow-id", 1.0, "MouseDown Event"),
    ];
    for (name, number, expect) in rows {
        check(name, &Value::Number(*number), expect);
        if let Some(whole) = Value::Number(*number).as_i64().filter(|_| number.fract() == 0.0) {
            check(name, &Value::Int(whole), expect);
        }
        if !Format::from_name(name).is_string_index() {
            check(name, &text(&format!(" {number} ")), expect);
        }
    }
}

#[test]
fn other_values_as_in_the_firefox_profiler() {
    check("url", &text("http://example.com"), "http://example.com");
    check("file-path", &Value::Null, "(empty)");
    check("sanitized-string", &text("domain.name"), "domain.name");
    check("pid", &text("2322"), "PID: 2322");
    check("tid", &text("2427"), "TID: 2427");
    check("list", &list(&[text("a"), text("b")]), "a, b");
    let columns = [object(&[("label", text("x"))]), object(&[("type", text("integer")), ("label", text("y"))])];
    let format = Format::from_value(&object(&[("type", text("table")), ("columns", list(&columns))]));
    let rows = list(&[list(&[text("k"), Value::Int(3)])]);
    assert_eq!(format_value(&format, &rows, &Strings), "(x, y),(k, 3)");
}

#[test]
fn values_of_the_wrong_kind_are_shown_as_text() {
    check("duration", &text("soon"), "soon");
    check("duration", &text("inf"), "inf");
    check("bytes", &text(""), "(empty)");
    check("integer", &Value::Bool(true), "true");
    check("decimal", &list(&[Value::Int(1), Value::Int(2)]), "1,2");
    check("hexadecimal", &text("0xff"), "0xff");
    check("hexadecimal", &Value::Number(1e300), "1e+300");
    check("list", &text("one"), "one");
    check("list", &list(&[Value::Null, text("")]), "(empty), (empty)");
    check("unique-string", &text("the string itself"), "the string itself");
    check("unique-string", &Value::Int(-1), "(empty)");
    check("unique-string", &Value::Number(0.5), "(empty)");
    check("pid", &Value::Int(7), "PID: 7");
    check("string", &Value::Number(0.1), "0.1");
    check("string", &text(""), "(empty)");
    check("made-up", &object(&[]), "[object Object]");
}

#[test]
fn integers_keep_all_digits() {
    check("integer", &Value::Int(9_007_199_254_740_993), "9,007,199,254,740,993");
    check("integer", &Value::Int(i64::MIN), "−9,223,372,036,854,775,808");
    check("hexadecimal", &Value::Int(i64::MAX), "0x7fffffffffffffff");
    check("hexadecimal", &Value::Int(-2_147_483_649), "0xffffffff7fffffff");
    check("hexadecimal", &Value::Int(-1), "0xffffffff");
}

#[test]
fn tables_of_the_wrong_shape_show_what_they_have() {
    let column = |label: Option<&str>, format| TableColumn { label: label.map(str::to_owned), format };
    let bare = Format::Table(vec![column(None, Format::Bytes), column(Some(""), Format::String)]);
    let rows =
        list(&[text("no row"), list(&[Value::Int(5)]), list(&[Value::Int(5), Value::Null, text("more")]), list(&[])]);
    assert_eq!(format_value(&bare, &rows, &Strings), "(no row),(5 B),(5 B, (empty), more),()");
    assert_eq!(format_value(&bare, &text("no table"), &Strings), "no table");
    let half = Format::Table(vec![column(None, Format::String), column(Some("y"), Format::String)]);
    assert_eq!(format_value(&half, &list(&[]), &Strings), "((empty), y)");
}

#[test]
fn names_round_trip() {
    for (name, format) in super::NAMES {
        assert_eq!(Format::from_name(name), format);
        assert_eq!(Format::from_value(&text(name)).name(), name);
    }
    assert_eq!(Format::from_name("made-up"), Format::Unknown("made-up".to_owned()));
    assert_eq!(Format::from_value(&object(&[("type", text("tree"))])), Format::Unknown("tree".to_owned()));
    assert_eq!(Format::from_value(&Value::Int(3)), Format::Unknown(String::new()));
    assert_eq!(Format::from_value(&object(&[("type", text("table"))])).name(), "table");
}

#[test]
fn every_format_takes_every_kind_of_value() {
    let nested =
        list(&[Value::Null, list(&[Value::Bool(false), Value::Number(f64::NAN)]), object(&[("a", Value::Int(1))])]);
    let mut values =
        vec![Value::Null, Value::Bool(true), text(""), text("1e9"), text("é"), list(&[]), nested, object(&[])];
    values.extend([0, 1, -1, i64::MIN, i64::MAX].map(Value::Int));
    values.extend([-0.0, 5e-324, 1e-7, 0.1, 1e15, f64::MAX, f64::MIN, f64::NAN, f64::INFINITY].map(Value::Number));
    let mut formats: Vec<Format> = super::NAMES.into_iter().map(|(_, format)| format).collect();
    let columns = formats.iter().map(|format| TableColumn { label: None, format: format.clone() }).collect();
    formats.extend([Format::Table(columns), Format::Table(vec![]), Format::Unknown(String::new())]);
    for format in &formats {
        for value in &values {
            let shown = format_value(format, value, &Strings);
            let row = list(&[list(std::slice::from_ref(value)), value.clone()]);
            assert!(!value.is_null() || shown == "(empty)", "{format:?} of null");
            let _ = format_value(format, &row, &Strings);
        }
    }
}

#[test]
fn ids_are_no_amounts() {
    let integer = Format::Integer;
    for key in ["id", "ID", "channelId", "innerWindowID", "timer_id", "CPU Id", "pid", "tid", "requestId"] {
        assert_eq!(integer.of_value(key), None, "{key}");
    }
    for key in ["count", "elementsTraversed", "GRID", "valid", "paid", "idle", ""] {
        assert_eq!(integer.of_value(key), Some(&integer), "{key}");
    }
    assert_eq!(Format::Bytes.of_value("id"), Some(&Format::Bytes), "a unit stays");
}
