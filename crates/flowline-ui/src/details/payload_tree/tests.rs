//! Rows of payloads: initial expansion, texts, copied values and paths, and hostile payloads.

use super::*;
use flowline_json::{Cursor, decode_value};

fn value(text: &str) -> Value {
    decode_value(&mut Cursor::at(text.as_bytes(), 0)).expect(text)
}

fn rows(value: &Value, expansion: &ExpansionState) -> Vec<TreeRow<PayloadTarget>> {
    let mut builder =
        PayloadRowBuilder { expansion, rows: Vec::new(), starts_closed: false, wrap: std::convert::identity };
    let id = Id::unique("payload");
    builder.add(value, id, &[], 1);
    if builder.rows.is_empty() {
        builder.add_value(("args".to_owned(), value), id.with("value"), Vec::new(), (1, (0, 1)));
    }
    builder.rows
}

/// Rows as text: two spaces per level, `-` expanded, `+` collapsed.
fn lines(text: &str) -> Vec<String> {
    let sign = |open: Option<bool>| open.map_or("", |open| if open { "-" } else { "+" });
    let line = |row: &TreeRow<PayloadTarget>| {
        let indent = "  ".repeat(row.level - 1);
        format!("{indent}{}{} {} {}", sign(row.open), row.name, row.value, row.tail).trim_end().to_owned()
    };
    rows(&value(text), &ExpansionState::default()).iter().map(line).collect()
}

#[test]
fn the_top_level_is_expanded_unless_it_fits_on_a_line() {
    let text =
        r#"{"a":1,"b":{"url":"http://example.com/a/long/address","n":[1,2],"deep":{"x":{"y":{}}}},"c":[],"d":{"x":1}}"#;
    let expected = [
        "a 1",
        "-b 3 fields",
        "  url http://example.com/a/long/address",
        "  +n 2 items",
        "  +deep 1 field",
        "c 0 items",
        "+d 1 field",
    ];
    assert_eq!(lines(text), expected);
}

#[test]
fn small_flat_values_are_expanded_at_deeper_levels() {
    let text = r#"{"a":{"b":{"one":"a text of some length","two":"another such text"},"c":[{"one":"a text of some length"}]}}"#;
    let expected =
        ["-a 2 fields", "  -b 2 fields", "    one a text of some length", "    two another such text", "  +c 1 item"];
    assert_eq!(lines(text), expected);
}

#[test]
fn texts_that_look_like_something_else_are_quoted() {
    let expected = [r#"0 "5""#, r#"1 "null""#, r#"2 """#, "3 5", "4 null", r#"5 " x""#, "6 x y", "7 NaN"];
    assert_eq!(lines("7"), ["args 7"], "a payload that is not an object");
    assert_eq!(lines(r#"["5","null","",5,null," x","x y",NaN]"#), expected);
}

#[test]
fn long_lists_come_in_pages() {
    let list = value(&format!("[{}0]", "0,".repeat(249)));
    let mut expansion = ExpansionState::default();
    let listed = rows(&list, &expansion);
    assert_eq!(listed.len(), 101);
    assert_eq!((listed[100].name.as_str(), listed[100].value.as_str()), ("Show 100 more", "of 150"));
    expansion.show_more(listed[100].target.more.expect("the list"));
    let listed = rows(&list, &expansion);
    assert_eq!((listed.len(), listed[200].name.as_str(), listed[200].value.as_str()), (201, "Show 50 more", ""));
    expansion.show_more(listed[200].target.more.expect("the list"));
    assert_eq!(rows(&list, &expansion).len(), 250);
}

#[test]
fn hostile_values_give_few_rows_of_short_texts() {
    let deep = format!("{{\"a\":{}{}}}", "[{\"b\":".repeat(10_000), "}]".repeat(10_000));
    let long = format!("{{\"{0}\":\"{0}\"}}", "x\\n".repeat(31_000));
    let wide = format!("{{\"a\":{{{}\"z\":1}}}}", "\"k\":[[[{}]]],".repeat(200_000));
    for hostile in [deep, long, wide] {
        let hostile = value(&hostile);
        let listed = rows(&hostile, &ExpansionState::default());
        assert!(listed.len() < 110, "{}", listed.len());
        assert!(listed.iter().all(|row| row.name.len() + row.value.len() <= 2 * (MAX_VALUE_BYTES + 4)));
        let ids: HashSet<_> = listed.iter().map(|row| row.id).collect();
        assert_eq!(ids.len(), listed.len(), "row ids are unique");
        for row in &listed {
            let found = value_at(&hostile, &row.target.path).expect("a value");
            assert!(!json(found).is_empty() && !path_text("args", &hostile, &row.target.path).is_empty());
        }
    }
}

#[test]
fn a_long_value_unfolds_in_steps() {
    let long = value(&format!("{{\"a\":\"{}\"}}", "x".repeat(5_000)));
    let mut expansion = ExpansionState::default();
    let listed = rows(&long, &expansion);
    assert_eq!((listed.len(), listed[0].lines), (1, 1));
    expansion.set_unfolded(listed[0].id.expect("an id"), true);
    let listed = rows(&long, &expansion);
    assert_eq!((listed.len(), listed[0].lines, listed[1].name.as_str()), (2, 6, "Show all"));
    expansion.show_more(listed[1].target.more.expect("the rest"));
    let listed = rows(&long, &expansion);
    assert_eq!((listed.len(), listed[0].value.len()), (1, 5_000));
}

#[test]
fn repeated_keys_have_separate_rows() {
    let listed = rows(&value(r#"{"a":1,"a":2}"#), &ExpansionState::default());
    assert_eq!(listed.len(), 2);
    assert_ne!(listed[0].id, listed[1].id);
}

#[test]
fn paths_use_javascript_notation() {
    let root = value(r#"{"data":{"frames":[{"odd key":{"$x":1}}]},"9":{"a\"b":2}}"#);
    let text = |path: &[usize]| path_text("args", &root, path);
    assert_eq!(text(&[]), "args");
    assert_eq!(text(&[0, 0, 0, 0, 0]), "args.data.frames[0][\"odd key\"].$x");
    assert_eq!(text(&[1, 0]), "args[\"9\"][\"a\\\"b\"]");
    assert_eq!(path_text("", &root, &[0, 0]), "data.frames", "without a name");
    assert_eq!(value_at(&root, &[0, 0, 0, 0, 0]), Some(&Value::Int(1)));
    assert_eq!(value_at(&root, &[0, 7]), None);
}
