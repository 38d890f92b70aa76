//! Tests of rendered templates. The first table contains the Firefox Profiler's own test labels.

use super::{LabelContext, LabelTemplate};
use crate::text::{Format, StringLookup};
use flowline_json::Value;

struct Strings;

impl StringLookup for Strings {
    fn lookup(&self, index: u64) -> Option<String> {
        let strings = ["IPC Message", "MouseDown Event"];
        strings.get(usize::try_from(index).ok()?).map(|text| (*text).to_owned())
    }
}

fn object(members: &[(&str, Value)]) -> Value {
    Value::Object(members.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect())
}

fn render(template: &LabelTemplate, fields: &[(&str, Format)], data: &Value, end_ms: Option<f64>) -> String {
    template.render(&LabelContext {
        name: "TestDefinedMarker",
        start_ms: 2.0,
        end_ms,
        category: "Other",
        data,
        format_of: &|key| fields.iter().find(|(known, _)| *known == key).map(|(_, format)| format),
        strings: &Strings,
    })
}

/// `problems` is the expected number of reported parts.
#[track_caller]
fn check(label: &str, fields: &[(&str, Format)], data: &Value, problems: usize, expect: &str) {
    let (template, found) = LabelTemplate::parse(label);
    assert_eq!(found.len(), problems, "{found:?}");
    assert_eq!(render(&template, fields, data, Some(5.0)), expect, "{label}");
}

#[test]
fn labels_as_in_the_firefox_profiler() {
    let none = object(&[]);
    let duration = ("duration", Format::Seconds);
    let seconds = std::slice::from_ref(&duration);
    let took = object(&[("duration", Value::Int(12_345))]);
    check("Just text", &[], &none, 0, "Just text");
    check("{marker.data.duration}", seconds, &took, 0, "12.345 s");
    check(
        "It took {marker.data.duration}, which is {marker.data.ratio}",
        &[duration.clone(), ("ratio", Format::Percentage)],
        &object(&[("duration", Value::Int(12_345)), ("ratio", Value::Number(0.123_45))]),
        0,
        "It took 12.345 s, which is 12.3%",
    );
    check("This will be nothing: \"{marker.data.nokey}\"", seconds, &took, 0, "This will be nothing: \"\"");
    check(
        "Start: {marker.start}|End: {marker.end}|Duration: {marker.duration}|Name: {marker.name}|Category: {marker.category}",
        &[],
        &none,
        0,
        "Start: 2.000 ms|End: 5.000 ms|Duration: 3.00 ms|Name: TestDefinedMarker|Category: Other",
    );
    check(
        "{marker.data.message} happened because of {marker.data.event}",
        &[("message", Format::UniqueString), ("event", Format::UniqueString)],
        &object(&[("message", Value::Int(0)), ("event", Value::Int(1))]),
        0,
        "IPC Message happened because of MouseDown Event",
    );
    check(
        "{marker.data.canceled ? '❌' : ''} {marker.data.delay}",
        &[("canceled", Format::String), ("delay", Format::Milliseconds)],
        &object(&[("canceled", Value::Bool(true)), ("delay", Value::Int(250))]),
        0,
        "❌ 250.00 ms",
    );
    check("{marker.data.canceled ? 'yes' : 'no'}", &[], &Value::Null, 0, "no");
    check("{marker.name ? 'yes' : 'no'}", &[], &none, 1, "");
    check("Parse error: \"{duration}\"", seconds, &took, 1, "Parse error: \"\"");
    check("Parse error: \"{marker.data.duration.extra}\"", seconds, &took, 1, "Parse error: \"\"");
    check("{marker.data.flow}", &[("flow", Format::FlowId)], &object(&[("flow", Value::Int(1))]), 0, "MouseDown Event");
}

#[test]
fn instants_have_no_end() {
    let (template, _) = LabelTemplate::parse("{marker.end} {marker.duration}");
    assert_eq!(render(&template, &[], &Value::Null, None), "unknown unknown");
}

#[test]
fn unpaired_braces_are_text() {
    let data = object(&[("a", Value::List(vec![Value::Int(1), Value::Int(2)]))]);
    check("a } b {} c { d", &[], &data, 0, "a } b {} c { d");
    check("{}{ marker.data.a }{", &[], &data, 0, "{}1,2{");
    check("{{marker.data.a}}", &[], &data, 1, "}");
    check("", &[], &data, 0, "");
}

#[test]
fn conditions() {
    let data = object(&[("zero", Value::Int(0)), ("text", Value::String("0".to_owned()))]);
    check("{marker.data.zero?\"y.1\":\"n:?\"}", &[], &data, 0, "n:?");
    check("{ marker.data.text  ?  'it''s' }", &[], &data, 1, "");
    check("{marker.data.text ? 'a.b' : \"it's\"}", &[], &data, 0, "a.b");
    check("{marker.data.text ? 'a' : 'b' c}", &[], &data, 1, "");
    check("{marker.data.text ? a : b}", &[], &data, 1, "");
}

#[test]
fn other_broken_parts_are_empty_and_reported() {
    for part in
        ["{marker}", "{marker.data}", "{marker.data.}", "{marker.other}", "{thread.name}", "{marker.name.first}", "{ }"]
    {
        check(part, &[], &object(&[]), 1, "");
    }
}

#[test]
fn knows_which_keys_it_uses() {
    let (template, _) = LabelTemplate::parse("data.c {marker.data.a} {marker.data.b ? 'c' : 'd'} {marker.name}");
    assert!(template.uses_data_key("a") && template.uses_data_key("b"));
    assert!(!template.uses_data_key("c") && !template.uses_data_key("name"));
}

#[test]
fn any_text_is_a_template() {
    let pieces = ["{", "}", "marker", ".", "data", "name", "?", ":", "'", "\"", " ", "❌", "x", "\n", "marker.data.x"];
    let data = object(&[("x", Value::Number(1.5)), ("", Value::Bool(true))]);
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..20_000 {
        let mut label = String::new();
        for _ in 0..12 {
            label.push_str(pieces[random.usize(..pieces.len())]);
        }
        let (template, _) = LabelTemplate::parse(&label);
        let _ = render(&template, &[("x", Format::Duration)], &data, None);
    }
}

#[test]
fn titles_leave_out_the_ids_of_flows() {
    let is_flow = |key: &str| key == "flow";
    for (label, expected) in [
        ("{marker.name} (flow={marker.data.flow})", "TestDefinedMarker"),
        ("{marker.name} (flow={marker.data.flow}) at {marker.start}", "TestDefinedMarker at 2.000 ms"),
        ("{marker.name} (a) ({marker.data.flow})", "TestDefinedMarker (a)"),
        ("{marker.name} ({marker.data.other})", "TestDefinedMarker (b)"),
        ("Flow {marker.data.flow}", "Flow a"),
        ("{marker.data.flow} (flow)", "a (flow)"),
        ("(flow={marker.data.flow}, {marker.data.other})", "(flow=a, b)"),
    ] {
        let (template, problems) = LabelTemplate::parse(label);
        assert!(problems.is_empty());
        let fields = [("flow", Format::String), ("other", Format::String)];
        let data = object(&[("flow", Value::String("a".into())), ("other", Value::String("b".into()))]);
        assert_eq!(render(&template.without_flows(&is_flow), &fields, &data, None), expected, "{label}");
    }
}
