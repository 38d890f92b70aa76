//! Parses flow rules from JSON text. A syntax error ends parsing, and the rules before it apply. An invalid value is
//! ignored, and the rest of its rule applies. Both produce a message that names the rule and the expected value.

use super::postings::Posting;
use super::rule::{FlowRule, Pattern};
use super::rule_reader::{MARKERS, RuleReader, kind_name, quoted};
use super::rule_set::{FlowRules, ONCE};
use flowline_json::{Cursor, JsonError, Kind, decode_value};
use flowline_profile::Value;

/// Keys of a rule.
const MEMBERS: [&str; 13] =
    ["name", "when", "label", "prefix", "thread", "tint", "fade", "before", "after", "until", "run", "posts", "track"];
/// Maximum number of stages of all postings.
const MAX_STAGES: usize = Posting::LIMIT as usize;

/// Parses the whole text.
fn parse(text: &str) -> (FlowRules, Vec<String>) {
    let mut reader = RuleReader { rules: FlowRules::default(), number: 0, owner: String::new(), messages: Vec::new() };
    if let Err(error) = reader.file(text) {
        let before = text.get(..error.offset).unwrap_or(text);
        let line = 1 + before.bytes().filter(|byte| *byte == b'\n').count();
        let column = 1 + before.chars().rev().take_while(|letter| *letter != '\n').count();
        let found = text.get(error.offset..).and_then(|rest| rest.chars().next());
        let found =
            found.map_or_else(|| "unexpected end of file".to_owned(), |letter| format!("unexpected '{letter}'"));
        reader.messages.push(format!(
            "The flow rules are not valid JSON at line {line}, column {column} (byte {}): {found}; only the part \
             before it applies.",
            error.offset
        ));
    }
    (reader.rules, reader.messages)
}

impl RuleReader {
    fn file(&mut self, text: &str) -> Result<(), JsonError> {
        "The flow rules".clone_into(&mut self.owner);
        let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        if text[start..].trim().is_empty() {
            self.say("the file is empty; it should contain {\"rules\": []}");
            return Ok(());
        }
        let mut cursor = Cursor::at(text.as_bytes(), start);
        if cursor.peek()? != Kind::Object {
            let found = decode_value(&mut cursor)?;
            self.say(&format!("the file should contain an object {{\"rules\": []}}, not {}", kind_name(&found)));
            return Ok(());
        }
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            match key.decode().as_str() {
                "rules" => self.rules(&mut cursor)?,
                "disable" => {
                    let value = decode_value(&mut cursor)?;
                    self.disable(&value);
                }
                "once" => {
                    let value = decode_value(&mut cursor)?;
                    self.once(&value);
                }
                other => {
                    cursor.skip_value()?;
                    self.unknown(other, "the file", &["rules", "once", "disable"]);
                }
            }
        }
        cursor.finish()
    }

    fn rules(&mut self, cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
        if cursor.peek()? != Kind::Array {
            let found = decode_value(cursor)?;
            self.expect("rules", "a list of rules", &found);
            return Ok(());
        }
        cursor.enter_array()?;
        while cursor.next_element()? {
            let value = decode_value(cursor)?;
            self.number += 1;
            self.rule(&value);
            "The flow rules".clone_into(&mut self.owner);
        }
        Ok(())
    }

    fn disable(&mut self, value: &Value) {
        let names = self.patterns("disable", "the name of a built-in rule or a list of them", value);
        let built_in = FlowRules::built_in();
        for name in names {
            if name.matches(ONCE) || built_in.rules.iter().any(|rule| name.matches(&rule.name)) {
                self.rules.disable.push(name);
            } else {
                let mut known: Vec<&str> = built_in.rules.iter().map(|rule| rule.name.as_str()).collect();
                known.push(ONCE);
                self.say(&format!(
                    "\"disable\" names the unknown rule \"{}\"; the built-in rules are {}",
                    name.text,
                    quoted(&known)
                ));
            }
        }
    }

    /// Parses the postings: names, or lists of stages, each a name or a list of names.
    fn once(&mut self, value: &Value) {
        const EXPECTED: &str = "a marker name or a list of stages, each a marker name or a list of them";
        let Value::List(items) = value else { return self.expect(ONCE, "a list of marker names", value) };
        for item in items {
            let stages = match item {
                Value::List(stages) => stages.as_slice(),
                one => std::slice::from_ref(one),
            };
            let stages: Vec<Vec<Pattern>> = stages.iter().map(|stage| self.patterns(ONCE, EXPECTED, stage)).collect();
            let stages: Vec<Vec<Pattern>> = stages.into_iter().filter(|names| !names.is_empty()).collect();
            if !stages.is_empty() {
                self.rules.once.push(stages);
            }
        }
        let count: usize = self.rules.once.iter().map(Vec::len).sum();
        if count > MAX_STAGES {
            self.say(&format!("\"once\" has {count} stages; only the first {MAX_STAGES} are used"));
        }
    }

    /// Parses a rule and adds it if it has a condition.
    fn rule(&mut self, value: &Value) {
        self.owner = format!("Rule {}", self.number);
        let Value::Object(members) = value else {
            return self.say(&format!("it should be an object, not {}; it is ignored", kind_name(value)));
        };
        if let Some(name) = value.get("name").and_then(Value::as_str).filter(|name| !name.trim().is_empty()) {
            self.owner = format!("Rule \"{name}\"");
        }
        let mut rule = FlowRule::default();
        for (member, value) in members {
            self.member(&mut rule, member, value);
        }
        if rule.when.is_empty() {
            self.say(
                "it is ignored because \"when\" has no valid condition; add \"first\", \"any\", \"type\" or \"values\"",
            );
        } else {
            self.rules.rules.push(rule);
        }
    }

    fn member(&mut self, rule: &mut FlowRule, member: &str, value: &Value) {
        match member {
            "name" => rule.name = self.text(member, value).unwrap_or_default(),
            "when" => rule.when = self.when(value),
            "label" => rule.label = self.label(value),
            "prefix" => match value {
                Value::String(prefix) => rule.prefix.clone_from(prefix),
                _ => self.expect(member, "a string", value),
            },
            "thread" => rule.thread = self.patterns(member, MARKERS, value),
            "tint" => rule.tint = self.tint(value),
            "fade" => rule.fade = self.fade(value),
            "before" => rule.before = self.patterns(member, MARKERS, value),
            "after" => rule.after = self.patterns(member, MARKERS, value),
            "until" => rule.until = self.patterns(member, MARKERS, value),
            "posts" => rule.posts = self.patterns(member, MARKERS, value),
            "run" => rule.run = self.patterns(member, MARKERS, value),
            "track" => rule.track = self.text(member, value),
            _ => self.unknown(member, "a rule", &MEMBERS),
        }
    }
}

impl FlowRules {
    /// Parses rules; also returns a one-sentence message for each problem.
    #[must_use]
    #[inline]
    pub fn parse(text: &str) -> (Self, Vec<String>) {
        parse(text)
    }

    /// The rules for well-known markers.
    #[must_use]
    #[inline]
    pub fn built_in() -> Self {
        Self::parse(include_str!("default_rules.json")).0
    }
}
