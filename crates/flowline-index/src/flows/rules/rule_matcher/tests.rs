//! Applying rules: the matching rule, labels, threads, colors, main intervals, tracks.

use super::*;
use crate::Styles;
use crate::colors::color_index;
use crate::flows::rules::appearance::FlowAppearance;
use crate::flows::shapes::{FlowSetup, FlowTrackRow, FlowTrackShapes};
use flowline_import::{Progress, read};
use flowline_profile::{Ns, ThreadId, TimeRange};

/// Name, start and end in milliseconds (equal for an instant), payload.
type MarkerRow<'a> = (&'a str, u32, u32, &'a str);

const SCHEMAS: &str = r#"[
    {"name": "Net", "fields": [{"key": "url", "label": "URL", "format": "url"}]},
    {"name": "Flow", "chartLabel": "{marker.name} (flow={marker.data.flow})",
     "fields": [{"key": "flow", "label": "Flow", "format": "flow-id"}]},
    {"name": "Two", "chartLabel": "{marker.data.text}", "fields": [
        {"key": "text", "label": "Text", "format": "string"}, {"key": "size", "label": "Size", "format": "bytes"},
        {"key": "own", "label": "Own", "format": "flow-id"}, {"key": "other", "label": "Other", "format": "flow-id"}]}
]"#;

/// A recording with one thread per list of markers.
fn recording(threads: &[&[MarkerRow<'_>]]) -> Profile {
    let thread = |rows: &&[MarkerRow<'_>]| {
        let names: Vec<String> = rows.iter().map(|row| format!("\"{}\"", row.0)).collect();
        let row = |(index, (_, start, end, payload)): (usize, &MarkerRow<'_>)| {
            format!("[{index},{start},{end},{},0,{payload}]", u32::from(end > start))
        };
        let rows: Vec<String> = rows.iter().enumerate().map(row).collect();
        format!(
            r#"{{"name": "T", "pid": 1, "tid": 1, "samples": {{"schema": {{"time": 0}}, "data": [[0]]}}, "markers": {{
            "schema": {{"name": 0, "startTime": 1, "endTime": 2, "phase": 3, "category": 4, "data": 5}},
            "data": [{}]}}, "stringTable": [{}]}}"#,
            rows.join(","),
            names.join(",")
        )
    };
    let threads: Vec<String> = threads.iter().map(thread).collect();
    let text = format!(
        r#"{{"meta": {{"version": 34, "interval": 1, "startTime": 0, "markerSchema": {SCHEMAS}, "categories":
        [{{"name": "Other", "color": "blue", "subcategories": []}}]}}, "threads": [{}], "processes": []}}"#,
        threads.join(",")
    );
    read(text.into_bytes(), &Progress::default()).expect("a readable recording").profile
}

fn book(profile: &Profile, rules: &str) -> RuleMatcher {
    let (rules, messages) = FlowRules::parse(&format!("{{\"rules\": [{rules}]}}"));
    assert_eq!(messages, [""; 0]);
    RuleMatcher::new(rules, profile)
}

/// Appearance of the first flow under some rules.
fn appearance(profile: &Profile, rules: &str) -> FlowAppearance {
    let flows = FlowGraph::build(profile);
    book(profile, rules).appearance(profile, &flows, &Styles::build(profile), FlowId(0))
}

fn label(profile: &Profile, rules: &str) -> String {
    appearance(profile, rules).label
}

fn ms(start: i64, end: i64) -> TimeRange {
    TimeRange::new(Ns(start * 1_000_000), Ns(end * 1_000_000))
}

const A: &str = r#"{"type": "Flow", "flow": "a"}"#;

/// One flow: sent on one thread, handled on another, done on the first.
fn message() -> Profile {
    recording(&[
        &[("Send", 1, 1, A), ("Done", 9, 10, A)],
        &[
            ("Handle", 4, 6, r#"{"type": "Two", "text": " ", "size": 2048, "own": "a", "plain": 5}"#),
            ("Handle", 5, 7, r#"{"type": "Two", "text": "two\n  lines", "own": "a"}"#),
        ],
    ])
}

#[test]
fn without_a_rule_the_first_marker_decides() {
    let profile = message();
    let flows = FlowGraph::build(&profile);
    let plain = RuleMatcher::default().appearance(&profile, &flows, &Styles::build(&profile), FlowId(0));
    let expected = FlowAppearance {
        label: "Send".into(),
        field: "Flow".into(),
        thread: ThreadId(0),
        color: color_index("blue"),
        main: ms(1, 10),
        fade: None,
        is_boxed: false,
    };
    assert_eq!(plain, expected);
    assert_eq!(appearance(&profile, r#"{"when": {"first": "Handle"}, "tint": "red"}"#), expected);
    let nowhere = RuleMatcher::default().appearance(&profile, &flows, &Styles::default(), FlowId(7));
    assert_eq!((nowhere.label.as_str(), nowhere.field.as_str()), ("(unnamed)", "Flow"));
}

#[test]
fn all_conditions_must_hold_and_the_first_rule_decides() {
    let profile = message();
    let flows = FlowGraph::build(&profile);
    let rule = |rules: &str| book(&profile, rules).matching_rule(&profile, &flows, FlowId(0));
    for (when, expected) in [
        (r#"{"first": "S*"}"#, true),
        (r#"{"first": ["x", "*end"], "type": "Flow", "any": "Done"}"#, true),
        (r#"{"type": "Fl*"}"#, true),
        (r#"{"any": ["Hand*"]}"#, true),
        (r#"{"first": "Handle"}"#, false),
        (r#"{"type": "Two"}"#, false),
        (r#"{"first": "Send", "type": "Two"}"#, false),
        (r#"{"first": "Send", "any": "Lost"}"#, false),
        (r#"{"any": "Flow"}"#, false),
    ] {
        assert_eq!(rule(&format!("{{\"when\": {when}}}")).is_some(), expected, "{when}");
    }
    for (values, expected) in [
        (r#"{"marker": "Handle", "field": "text", "is": "two*"}"#, true),
        (r#"{"marker": "Handle", "field": "text", "is": ["one", "three"]}"#, false),
        (r#"{"marker": "Handle", "field": "size", "above": 2047, "below": 2049}"#, true),
        (r#"{"marker": "Handle", "field": "size", "is": "2.0 KB"}"#, true),
        (r#"{"marker": "Handle", "field": "size", "above": 2048}"#, false),
        (r#"{"field": "flow", "is": "a"}"#, true),
        (r#"{"field": "text", "is": "*"}"#, false),
        (r#"[{"field": "flow", "is": "a"}, {"marker": "Handle", "field": "plain", "below": 5}]"#, false),
    ] {
        let found = rule(&format!(r#"{{"when": {{"first": "Send", "values": {values}}}}}"#));
        assert_eq!(found.is_some(), expected, "{values}");
    }
    let three = r#"{"when": {"any": "x"}}, {"name": "b", "when": {"any": "Done"}}, {"when": {"first": "Send"}}"#;
    assert_eq!(rule(three), Some(1));
    assert_eq!(book(&profile, three).rule(1).map(FlowRule::name), Some("b"));
}

#[test]
fn the_first_source_with_a_value_gives_the_label() {
    let profile = message();
    for (source, expected) in [
        (r#"{"marker": "Handle", "field": "size"}"#, "> 2.0 KB"),
        (r#"{"marker": "Handle", "field": "text"}"#, "> two lines"),
        (r#"{"marker": "Handle", "field": "plain"}"#, "> 5"),
        (r#"[{"marker": "Done", "field": "text"}, {"marker": "*", "field": "text"}]"#, "> two lines"),
        (r#"[{"marker": "Handle", "field": "none"}, {"text": "Fixed"}]"#, "Fixed"),
        (r#"{"marker": "Handle", "field": "none"}"#, "Send"),
    ] {
        let rule = format!(r#"{{"when": {{"first": "Send"}}, "prefix": "> ", "label": {source}}}"#);
        assert_eq!(label(&profile, &rule), expected, "{source}");
    }
}

#[test]
fn labels_are_one_line_of_bounded_length() {
    let long = format!(r#"{{"type": "Two", "own": "a", "text": "{}"}}"#, "ä b\\t\\n ".repeat(100));
    let profile = recording(&[&[("Long", 1, 2, &long)]]);
    let label = label(&profile, "");
    assert_eq!((label.chars().count(), &label[..9]), (160, "ä b ä b"));
    assert!(label.ends_with('…'));
    let profile = recording(&[&[(" ", 1, 2, r#"{"type": "Two", "own": "a"}"#)]]);
    assert_eq!(appearance(&profile, "").label, "(unnamed)");
    let profile = recording(&[&[("Save (flow=b)", 1, 2, r#"{"type": "Two", "own": "a"}"#)]]);
    assert_eq!(appearance(&profile, "").label, "Save (flow=b)", "the id of another flow is part of the name");
}

#[test]
fn the_field_is_the_one_that_references_the_flow() {
    let profile = recording(&[&[("First", 1, 2, r#"{"type": "Two", "own": "a", "other": "b"}"#)]]);
    let flows = FlowGraph::build(&profile);
    let appearance = |flow| RuleMatcher::default().appearance(&profile, &flows, &Styles::default(), flow);
    let fields: Vec<(String, String)> =
        flows.iter().map(|flow| (flows.id_text(&profile, flow), appearance(flow).field)).collect();
    assert_eq!(fields, [("a".into(), "Own".into()), ("b".into(), "Other".into())]);
}

#[test]
fn thread_tint_and_fade_come_from_the_rule() {
    let profile = message();
    let rule = r#"{"when": {"first": "Send"}, "thread": ["Lost", "Han*"], "tint": "teal",
        "fade": {"from": "Done", "opacity": 0.5}}"#;
    let shown = appearance(&profile, rule);
    assert_eq!((shown.thread, shown.color), (ThreadId(1), color_index("teal")));
    assert_eq!((shown.fade, shown.main), (Some((Ns(9_000_000), 0.5)), ms(1, 10)));
    let shown = appearance(
        &profile,
        r#"{"when": {"first": "Send"}, "thread": "Lost", "fade": {"from": "Lost", "opacity": 0}}"#,
    );
    assert_eq!((shown.thread, shown.color, shown.fade), (ThreadId(0), color_index("blue"), None));
}

#[test]
fn the_main_interval_excludes_before_and_after_markers() {
    let profile = message();
    for (members, expected) in [
        (r#""before": "Send""#, ms(4, 10)),
        (r#""after": "Done""#, ms(1, 7)),
        (r#""before": ["Send"], "after": ["D*"]"#, ms(4, 7)),
        (r#""before": "Lost""#, ms(1, 10)),
        (r#""before": ["Send", "Handle"], "after": "Done""#, ms(1, 10)),
        (r#""after": ["Send", "Done"]"#, ms(4, 7)),
        (r#""until": "Handle""#, ms(1, 7)),
        (r#""before": "Send", "until": "Handle""#, ms(4, 7)),
        (r#""until": "Lost""#, ms(1, 10)),
        (r#""before": ["Send", "Handle"], "until": "Handle""#, ms(9, 9)),
    ] {
        let shown = appearance(&profile, &format!(r#"{{"when": {{"first": "Send"}}, {members}}}"#));
        assert_eq!(shown.main, expected, "{members}");
    }
}

#[test]
fn long_flows_are_sampled_at_both_ends() {
    let text = |number: usize| format!(r#"{{"type": "Two", "own": "a", "text": "{number}"}}"#);
    let payloads: Vec<String> = (0..2_000).map(text).collect();
    let name = |number: usize| match number {
        255 => "LastOfHead",
        256 => "Hidden",
        1_744 => "FirstOfTail",
        _ => "Other",
    };
    let end = |number: u32| if number == 1_000 { 9_000 } else { number + 1 };
    let numbers = 0_u32..2_000;
    let rows: Vec<MarkerRow<'_>> =
        numbers.zip(&payloads).map(|(at, text)| (name(at as usize), at, end(at), text.as_str())).collect();
    let profile = recording(&[&rows]);
    for (marker, expected) in [("LastOfHead", "255"), ("Hidden", "0"), ("FirstOfTail", "1744")] {
        let rule = format!(
            r#"{{"when": {{"first": "Other"}}, "before": "Lost*", "label": {{"marker": "{marker}", "field": "text"}}}}"#
        );
        let shown = appearance(&profile, &rule);
        assert_eq!((shown.label.as_str(), shown.main), (expected, ms(0, 9_000)), "{marker}");
        let flows = FlowGraph::build(&profile);
        let rule = format!(r#"{{"when": {{"any": "{marker}"}}}}"#);
        let decides = book(&profile, &rule).matching_rule(&profile, &flows, FlowId(0)).is_some();
        assert_eq!(decides, marker != "Hidden", "{marker}");
    }
    let marker = |number: u32| MarkerId(number);
    for (count, expected) in [(0, 0), (3, 3), (256, 256), (512, 512), (513, 512), (9_999, 512)] {
        let members: Vec<MarkerId> = (0..count).map(marker).collect();
        let looked_at: Vec<MarkerId> = sampled(&members).collect();
        assert_eq!(looked_at.len(), expected, "{count}");
        assert!(looked_at.is_sorted_by(|a, b| a < b), "{count}");
        assert_eq!((looked_at.first(), looked_at.last()), (members.first(), members.last()), "{count}");
    }
}

#[test]
fn a_label_source_reads_few_payloads() {
    let empty = r#"{"type": "Two", "own": "a"}"#;
    let full = r#"{"type": "Two", "own": "a", "text": "found"}"#;
    let rows = |blank: u32| -> Vec<MarkerRow<'static>> {
        (0..=blank).map(|at| ("M", at, at, if at == blank { full } else { empty })).collect()
    };
    let rule = r#"{"when": {"first": "M"}, "label": {"marker": "M", "field": "text"}}"#;
    assert_eq!(label(&recording(&[&rows(15)]), rule), "found");
    assert_eq!(label(&recording(&[&rows(16)]), rule), "M");
}

#[test]
fn a_label_comes_from_an_event_during_a_marker() {
    let request = |address: &str| format!(r#"{{"type": "Net", "url": "{address}"}}"#);
    let address = "https://settings.example/v1/buckets/monitor/changes/changeset?collection=one&_expected=0";
    let (early, own, late) = (request("https://early.example/"), request(address), request("https://late.example/"));
    let profile = recording(&[
        &[("N", 1, 2, &early), ("Open", 3, 5, A), ("N", 4, 9, &own), ("Stop", 8, 10, A), ("N", 11, 12, &late)],
        &[("N", 4, 4, &late)],
    ]);
    let during = |names: &str, kind: &str| {
        label(
            &profile,
            &format!(
                r#"{{"when": {{"first": "Open"}}, "label": {{"during": "{names}", "type": "{kind}", "field": "url"}}}}"#
            ),
        )
    };
    let expected = "settings.example/…/monitor/changes/changeset?collection=one&_expected=0";
    assert_eq!(during("Open", "Net"), expected);
    assert_eq!(during("Stop", "N*"), during("Open", "Net"), "the request ends during Stop");
    assert_eq!([during("Open", "Flow"), during("Lost", "Net")], ["Open", "Open"]);
}

#[test]
fn tracks_honor_before_until_and_fade() {
    let profile = std::sync::Arc::new(message());
    let index = crate::Index::build(profile, flowline_profile::Arrangement::ByName);
    let track = |members: &str| {
        let rule = format!(r#"{{"when": {{"first": "Send"}}, "track": "T", {members}}}"#);
        let setup = FlowSetup::new(&index, book(index.profile(), &rule), Vec::new());
        let [track] = &setup.tracks[..] else { panic!("one track") };
        [FlowTrackShapes::Boxes, FlowTrackShapes::Lines, FlowTrackShapes::Fades].map(|part| {
            let mut found = Vec::new();
            track.visit((FlowTrackRow::Row(0), part), 1e-9, (0, u64::MAX), |span| {
                found.push([span.packed.start(), span.packed.end()].map(|tick| index.clock().time(tick).0 / 1_000_000));
            });
            found
        })
    };
    assert_eq!(track(r#""tint": "red""#), [vec![[1, 10]], vec![], vec![]]);
    assert_eq!(track(r#""before": "Send""#), [vec![[4, 10]], vec![[1, 4]], vec![]]);
    assert_eq!(track(r#""until": "Handle""#), [vec![[1, 7]], vec![[7, 10]], vec![]]);
    let fade = r#""before": "Send", "after": "Done", "fade": {"from": "Handle", "opacity": 0.5}"#;
    assert_eq!(track(fade), [vec![[4, 7]], vec![[1, 4], [7, 10]], vec![[4, 7]]]);
    let late = r#""until": "Handle", "fade": {"from": "Done", "opacity": 0.5}"#;
    assert_eq!(track(late), [vec![[1, 7]], vec![[7, 10]], vec![]], "the fade starts after the box");
}

#[test]
fn kinds_are_rule_names_or_marker_names() {
    let profile = message();
    let flows = FlowGraph::build(&profile);
    let named = book(&profile, r#"{"name": "sending", "when": {"first": "Send"}}"#);
    assert_eq!(named.kind_of(&profile, &flows, FlowId(0)), "sending");
    let nameless = book(&profile, r#"{"when": {"first": "Send"}}"#);
    assert_eq!(nameless.kind_of(&profile, &flows, FlowId(0)), "Send");
}

#[test]
fn flows_are_grouped_by_track() {
    let payloads: Vec<String> =
        (0..20_000).map(|number| format!(r#"{{"type": "Flow", "flow": "f{number}"}}"#)).collect();
    let name = |at: u32| ["A", "B", "C", "D"][at as usize % 4];
    let rows: Vec<MarkerRow<'_>> =
        (0_u32..).zip(&payloads).map(|(at, payload)| (name(at), at, at, payload.as_str())).collect();
    let profile = recording(&[&rows]);
    let flows = FlowGraph::build(&profile);
    let book = book(
        &profile,
        r#"{"when": {"first": "A"}, "track": "One"}, {"when": {"first": "B"}},
           {"when": {"any": ["B", "C"]}, "track": "Two"}, {"when": {"first": "D"}, "track": "One"},
           {"when": {"first": "Lost"}, "track": "None"}"#,
    );
    assert_eq!(book.tracks(), [(0, "One".to_owned()), (2, "Two".to_owned()), (4, "None".to_owned())]);
    // Flows by their first marker, whose position in the alphabet is also the number of the rule.
    let of = |wanted: &[u32]| {
        let flows = flows.iter().map(|flow| (flow, flow.0 % 4)).filter(|(_, rule)| wanted.contains(rule));
        flows.map(|(flow, rule)| (flow, rule as usize)).collect::<Vec<_>>()
    };
    assert_eq!(
        book.flows_of_tracks(&profile, &flows),
        [("One".to_owned(), of(&[0, 3])), ("Two".to_owned(), of(&[2])), ("None".to_owned(), vec![])]
    );
    assert_eq!(RuleMatcher::default().flows_of_tracks(&profile, &flows), []);
}

#[test]
fn the_built_in_rules_apply_to_the_example() {
    let bytes: &[u8] = include_bytes!("../../../../../../fixtures/example.json.gz");
    let profile = read(bytes, &Progress::default()).expect("the example").profile;
    let (flows, styles) = (FlowGraph::build(&profile), Styles::build(&profile));
    let book = RuleMatcher::new(FlowRules::built_in(), &profile);
    let tracks = book.flows_of_tracks(&profile, &flows);
    let [(name, pictures)] = &tracks[..] else { panic!("one track: {tracks:?}") };
    assert_eq!((name.as_str(), pictures.len()), ("Request flows", 12));
    for (flow, _) in pictures {
        let (shown, range) = (book.appearance(&profile, &flows, &styles, *flow), flows.range(&profile, *flow));
        assert!(shown.label.starts_with("Image ") && shown.label.contains(".gallery.example/2026/"), "{shown:?}");
        assert_eq!((shown.field.as_str(), shown.main.start), ("Request", range.start), "{shown:?}");
        let (from, opacity) = shown.fade.expect("a fade after the network part");
        assert!(shown.main.start < from && from < shown.main.end && opacity < 1.0, "{shown:?}");
        assert!(shown.main.end <= range.end, "{shown:?}");
    }
    let labels: Vec<String> = flows.iter().map(|flow| book.appearance(&profile, &flows, &styles, flow).label).collect();
    for expected in ["nsObserverService", "Page load", "Promise job", "Frame", "HTML parsing", "Timer"] {
        assert!(labels.iter().any(|label| label == expected), "{expected}");
    }
    assert!(labels.iter().all(|label| !label.contains("flow=")), "labels do not contain ids");
}
