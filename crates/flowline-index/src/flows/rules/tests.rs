//! Parsing rules: the parts that apply, and the messages about the rest.

use super::*;
use crate::flows::rules::rule::{Fade, Pattern, ValueCondition, ValueTest, When};

/// Names of the rules and messages.
fn read(text: &str) -> (Vec<String>, Vec<String>) {
    let (rules, messages) = FlowRules::parse(text);
    (rules.iter().map(|rule| rule.name().to_owned()).collect(), messages)
}

/// The only rule and the messages of a text with further members after a valid condition.
fn one(members: &str) -> (FlowRule, Vec<String>) {
    let text = format!(r#"{{"rules": [{{"name": "one", "when": {{"first": "A"}}, {members}}}]}}"#);
    let (mut rules, messages) = FlowRules::parse(&text);
    assert_eq!(rules.len(), 1, "{messages:?}");
    (rules.rules.remove(0), messages)
}

#[test]
fn the_built_in_rules_are_valid() {
    let (rules, messages) = FlowRules::parse(include_str!("default_rules.json"));
    assert_eq!(messages, [""; 0]);
    assert_eq!(rules, FlowRules::built_in());
    let mut names: Vec<&str> = rules.iter().map(FlowRule::name).collect();
    names.sort_unstable();
    names.dedup();
    assert!(names.len() == rules.len() && names.len() > 10 && !names.contains(&""), "{names:?}");
}

#[test]
fn a_complete_rule_is_parsed() {
    let (rule, messages) = one(
        r#""label": [{"marker": ["B", "C*"], "field": "name"}, {"text": "Fixed"}], "prefix": "IPC ", "thread": "B",
            "tint": "teal", "fade": {"from": "B", "opacity": 0.25}, "before": ["A"], "after": "~*", "until": "Z",
            "posts": "B*", "track": "Messages""#,
    );
    assert_eq!(messages, [""; 0]);
    let expected = FlowRule {
        name: "one".into(),
        when: When { first: Some(vec![Pattern::new("A")]), ..When::default() },
        label: vec![
            LabelSource::Field { marker: vec![Pattern::new("B"), Pattern::new("C*")], field: "name".into() },
            LabelSource::Text("Fixed".into()),
        ],
        prefix: "IPC ".into(),
        thread: vec![Pattern::new("B")],
        tint: Some(crate::colors::color_index("teal")),
        fade: Some(Fade { from: vec![Pattern::new("B")], opacity: 0.25 }),
        before: vec![Pattern::new("A")],
        run: Vec::new(),
        posts: vec![Pattern::new("B*")],
        after: vec![Pattern::new("~*")],
        until: vec![Pattern::new("Z")],
        track: Some("Messages".into()),
    };
    assert_eq!(rule, expected);
}

#[test]
fn patterns_have_open_ends() {
    let rows: &[(&str, &[&str], &[&str])] = &[
        ("IPC", &["IPC"], &["IPCDispatch", "ipc", ""]),
        ("net::*", &["net::", "net::Open"], &["xnet::", "net:"]),
        ("*::Open", &["::Open", "net::Open"], &["Open", "net::Opened"]),
        ("*age*", &["age", "Image", "Pages"], &["Ag e"]),
        ("*", &["", "x"], &[]),
        ("a*b", &["a*b"], &["axb"]),
    ];
    for (pattern, hits, misses) in rows {
        let parsed = Pattern::new(pattern);
        assert!(hits.iter().all(|name| parsed.matches(name)), "{pattern}");
        assert!(!misses.iter().any(|name| parsed.matches(name)), "{pattern}");
        assert_eq!(parsed.only_name().is_some(), !pattern.starts_with('*') && !pattern.ends_with('*'), "{pattern}");
    }
}

#[test]
fn an_invalid_member_is_ignored_and_the_rest_applies() {
    let rows: &[(&str, &str)] = &[
        (r#""prefix": 7"#, "\"prefix\" should be a string, not a number; it is ignored."),
        (r#""thread": [{}]"#, "\"thread\" should be a marker name or a list of them, not an object; it is ignored."),
        (r#""before": ["", "B"]"#, "\"before\" contains an empty name; it is ignored."),
        (r#""after": null"#, "\"after\" should be a marker name or a list of them, not null; it is ignored."),
        (r#""track": " ""#, "\"track\" is empty; it is ignored."),
        (
            r#""fade": {"from": "B", "opacity": 1.5}"#,
            "\"opacity\" should be a number from 0 to 1; \"fade\" is ignored.",
        ),
        (r#""fade": {"from": "B"}"#, "\"opacity\" should be a number from 0 to 1; \"fade\" is ignored."),
        (
            r#""fade": true"#,
            "\"fade\" should be an object with \"from\" and \"opacity\", not true or false; it is ignored.",
        ),
        (
            r#""fade": {"from": "B", "opacity": 1, "to": 2}"#,
            "\"fade\" has the unknown key \"to\"; valid keys are \"from\", \"opacity\".",
        ),
        (
            r#""label": "x""#,
            "\"label\" should be a list of {\"marker\": ..., \"field\": ...}, {\"during\": ..., \"type\": ..., \
             \"field\": ...} and {\"text\": ...}, not a string; it is ignored.",
        ),
        (
            r#""label": {"marker": "B"}"#,
            "\"label\" should be a list of {\"marker\": ..., \"field\": ...}, {\"during\": ..., \"type\": ..., \
             \"field\": ...} and {\"text\": ...}; an item with other keys is ignored.",
        ),
    ];
    for (members, expected) in rows {
        let (rule, messages) = one(&format!(r#"{members}, "tint": "red""#));
        assert_eq!(messages, [format!("Rule \"one\": {expected}")], "{members}");
        assert_eq!(rule.tint, Some(crate::colors::color_index("red")), "{members}");
    }
    assert_eq!(one(r#""before": ["", "B"]"#).0.before, [Pattern::new("B")]);
    let (rule, messages) = one(r#""tint": "pink", "colour": "red""#);
    assert_eq!(rule.tint, None);
    assert!(messages[0].starts_with("Rule \"one\": \"tint\" should be one of \"grey\", "), "{messages:?}");
    assert!(messages[0].ends_with(", not \"pink\"; it is ignored."), "{messages:?}");
    assert!(
        messages[1].starts_with("Rule \"one\": a rule has the unknown key \"colour\"; valid keys are "),
        "{messages:?}"
    );
}

#[test]
fn conditions_on_values_are_parsed() {
    let values = |text: &str| {
        let (rules, messages) = FlowRules::parse(&format!(r#"{{"rules": [{{"when": {{"values": {text}}}}}]}}"#));
        (rules.rules.into_iter().next().map(|rule| rule.when.values).unwrap_or_default(), messages)
    };
    let (found, messages) = values(
        r#"[{"field": "url", "is": ["*.jpg", "*.png"]}, {"marker": "B*", "field": "size", "above": 5, "below": 7.5},
            {"field": "size", "below": 1}]"#,
    );
    let condition = |marker: &[&str], field: &str, test| ValueCondition {
        marker: marker.iter().map(|name| Pattern::new(name)).collect(),
        field: field.into(),
        test,
    };
    assert_eq!(messages, [""; 0]);
    assert_eq!(
        found,
        [
            condition(&[], "url", ValueTest::Is(vec![Pattern::new("*.jpg"), Pattern::new("*.png")])),
            condition(&["B*"], "size", ValueTest::Between(5.0, 7.5)),
            condition(&[], "size", ValueTest::Between(f64::NEG_INFINITY, 1.0)),
        ]
    );
    for (text, expected) in [
        (r#"{"is": "x"}"#, "has no \"field\""),
        (r#"{"field": "a"}"#, "should have either \"is\""),
        (r#"{"field": "a", "is": "x", "above": 1}"#, "should have either \"is\""),
        (r#"{"field": "a", "above": "x"}"#, "\"above\" should be a number, not a string"),
        (r#"{"field": "a", "is": "x", "more": 1}"#, "has the unknown key \"more\""),
        ("7", "\"values\" should be a list"),
    ] {
        let (_, messages) = values(text);
        assert!(messages.iter().any(|message| message.contains(expected)), "{text}: {messages:?}");
    }
}

#[test]
fn a_rule_without_conditions_is_ignored() {
    let text = r#"{"rules": [
        {"name": "none", "tint": "red"},
        {"when": {"first": [], "frist": "A"}},
        "x",
        {"when": {"first": 5, "type": "T"}},
        {"name": "good", "when": {"any": ["A"]}}
    ], "more": {"a": 1}}"#;
    let (names, messages) = read(text);
    assert_eq!(names, ["", "good"]);
    let without =
        "it is ignored because \"when\" has no valid condition; add \"first\", \"any\", \"type\" or \"values\".";
    assert_eq!(
        messages,
        [
            format!("Rule \"none\": {without}"),
            "Rule 2: \"when\" has the unknown key \"frist\"; valid keys are \"first\", \"any\", \"type\", \"values\"."
                .to_owned(),
            format!("Rule 2: {without}"),
            "Rule 3: it should be an object, not a string; it is ignored.".to_owned(),
            "Rule 4: \"first\" should be a marker name or a list of them, not a number; it is ignored.".to_owned(),
            "The flow rules: the file has the unknown key \"more\"; valid keys are \"rules\", \"once\", \"disable\"."
                .to_owned(),
        ]
    );
}

#[test]
fn the_part_before_a_syntax_error_applies() {
    let text =
        "{\"rules\": [{\"name\": \"a\", \"when\": {\"any\": \"A\"}},\n {\"name\": \"b\", \"when\": {\"any\" \"B\"}}]}";
    let (names, messages) = read(text);
    assert_eq!(names, ["a"]);
    let expected = "The flow rules are not valid JSON at line 2, column 31 (byte 78): unexpected '\"'; only the part \
                    before it applies.";
    assert_eq!(messages, [expected]);
    for (text, part) in [
        ("", "the file is empty"),
        ("[]", "the file should contain an object {\"rules\": []}, not a list"),
        ("{\"rules\": 1}", "\"rules\" should be a list of rules, not a number"),
        ("{} {}", "are not valid JSON at line 1, column 4"),
        ("{\"rules\": [", "are not valid JSON at line 1, column 12 (byte 11): unexpected end of file;"),
        ("{\"disable\": \"x\"}", "names the unknown rule \"x\"; the built-in rules are \"image-request\", "),
    ] {
        let (names, messages) = read(text);
        assert_eq!((names.len(), messages.len()), (0, 1), "{text}: {messages:?}");
        assert!(messages[0].contains(part), "{text}: {messages:?}");
    }
    assert_eq!(read("\u{feff}{}"), (vec![], vec![]));
}

#[test]
fn every_prefix_of_the_built_in_rules_can_be_parsed() {
    let text = include_str!("default_rules.json").trim_end();
    let all = FlowRules::built_in();
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        let (rules, messages) = FlowRules::parse(&text[..end]);
        assert_eq!(messages.len(), 1, "{end}");
        assert_eq!(rules.rules, all.rules[..rules.len()], "{end}");
    }
}

#[test]
fn user_rules_come_first_replace_and_disable_built_in_rules() {
    let built_in = || FlowRules::built_in().iter().map(|rule| rule.name().to_owned()).collect::<Vec<_>>();
    let text = r#"{"rules": [{"name": "mine", "when": {"any": "*"}}, {"when": {"any": "*"}},
        {"name": "task", "when": {"first": "X"}, "track": "Tasks"}], "disable": ["frame", "chrome-*"]}"#;
    let (user, messages) = FlowRules::parse(text);
    assert_eq!(messages, [""; 0]);
    let joined = FlowRules::built_in().with_user(user);
    let mut expected = vec!["mine".to_owned(), String::new(), "task".to_owned()];
    let gone = |name: &String| name == "task" || name == "frame" || name.starts_with("chrome-");
    expected.extend(built_in().into_iter().filter(|name| !gone(name)));
    assert_eq!(joined.iter().map(FlowRule::name).collect::<Vec<_>>(), expected);
    assert_eq!(joined.rules[2].track(), Some("Tasks"));
    assert_eq!(FlowRules::built_in().with_user(FlowRules::default()), FlowRules::built_in());
    assert!(FlowRules::default().is_empty());
}
