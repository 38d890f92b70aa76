//! Parses flow rules from JSON text. A syntax error ends parsing, and the rules before it apply. An invalid value is
//! ignored, and the rest of its rule applies. Both produce a message that names the rule and the expected value.

use super::postings::Posting;
use super::rule::{Fade, FlowRule, LabelSource, Pattern, ValueCondition, ValueTest, When};
use super::rule_set::{FlowRules, ONCE};
use crate::colors::{COLOR_WORDS, color_index};
use flowline_json::{Cursor, JsonError, Kind, decode_value};
use flowline_profile::Value;

/// Keys of a rule.
const MEMBERS: [&str; 12] =
    ["name", "when", "label", "prefix", "thread", "tint", "fade", "before", "after", "until", "run", "track"];
/// Keys of `when`.
const CONDITIONS: [&str; 4] = ["first", "any", "type", "values"];
/// Keys of a value condition.
const VALUE_MEMBERS: [&str; 5] = ["marker", "field", "is", "above", "below"];
/// Keys of a label source.
const LABEL_MEMBERS: [&str; 5] = ["marker", "field", "text", "during", "type"];
/// Maximum number of stages of all postings.
const MAX_STAGES: usize = Posting::LIMIT as usize;
/// Expected value for payload types.
const TYPES: &str = "the name of a payload type or a list of them";
/// Expected value for markers.
const MARKERS: &str = "a marker name or a list of them";

/// Parses the whole text.
fn parse(text: &str) -> (FlowRules, Vec<String>) {
    let mut reader = Reader { rules: FlowRules::default(), number: 0, owner: String::new(), messages: Vec::new() };
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

struct Reader {
    rules: FlowRules,
    /// Number of the current rule, from 1.
    number: usize,
    /// Name of the current rule in messages.
    owner: String,
    messages: Vec<String>,
}

/// The JSON type of a value in words.
const fn kind_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Int(_) | Value::Uint(_) | Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::List(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Quoted names, separated by commas.
#[inline]
fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}

impl Reader {
    #[inline]
    fn say(&mut self, message: &str) {
        self.messages.push(format!("{}: {message}.", self.owner));
    }

    /// Adds a message about a value of the wrong type.
    #[inline]
    fn expect(&mut self, member: &str, expected: &str, found: &Value) {
        self.say(&format!("\"{member}\" should be {expected}, not {}; it is ignored", kind_name(found)));
    }

    /// Adds a message about an unknown key.
    #[inline]
    fn unknown(&mut self, member: &str, place: &str, known: &[&str]) {
        self.say(&format!("{place} has the unknown key \"{member}\"; valid keys are {}", quoted(known)));
    }

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
            "run" => rule.run = self.patterns(member, MARKERS, value),
            "track" => rule.track = self.text(member, value),
            _ => self.unknown(member, "a rule", &MEMBERS),
        }
    }

    /// A string that is not blank.
    fn text(&mut self, member: &str, value: &Value) -> Option<String> {
        match value {
            Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
            Value::String(_) => {
                self.say(&format!("\"{member}\" is empty; it is ignored"));
                None
            }
            _ => {
                self.expect(member, "a string", value);
                None
            }
        }
    }

    /// A pattern or a list of patterns; invalid ones are ignored.
    fn patterns(&mut self, member: &str, expected: &str, value: &Value) -> Vec<Pattern> {
        let items = match value {
            Value::List(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        let mut patterns = Vec::new();
        for item in items {
            match item {
                Value::String(text) if text.is_empty() => {
                    self.say(&format!("\"{member}\" contains an empty name; it is ignored"));
                }
                Value::String(text) => patterns.push(Pattern::new(text)),
                _ => self.expect(member, expected, item),
            }
        }
        patterns
    }

    fn when(&mut self, value: &Value) -> When {
        let mut when = When::default();
        let Value::Object(members) = value else {
            self.expect("when", "an object with \"first\", \"any\", \"type\" or \"values\"", value);
            return when;
        };
        for (member, value) in members {
            let (slot, expected) = match member.as_str() {
                "first" => (&mut when.first, MARKERS),
                "any" => (&mut when.any, MARKERS),
                "type" => (&mut when.types, TYPES),
                "values" => {
                    when.values = self.values(value);
                    continue;
                }
                _ => {
                    self.unknown(member, "\"when\"", &CONDITIONS);
                    continue;
                }
            };
            let patterns = self.patterns(member, expected, value);
            *slot = Some(patterns).filter(|patterns| !patterns.is_empty());
        }
        when
    }

    fn values(&mut self, value: &Value) -> Vec<ValueCondition> {
        let items = match value {
            Value::List(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        items.iter().filter_map(|item| self.value_condition(item)).collect()
    }

    fn value_condition(&mut self, value: &Value) -> Option<ValueCondition> {
        let Value::Object(members) = value else {
            self.expect("values", "a list of {\"field\": ..., \"is\": ...}", value);
            return None;
        };
        for (member, _) in members.iter().filter(|(member, _)| !VALUE_MEMBERS.contains(&member.as_str())) {
            self.unknown(member, "an item of \"values\"", &VALUE_MEMBERS);
        }
        let Some(field) = value.get("field") else {
            self.say("an item of \"values\" has no \"field\"; it is ignored");
            return None;
        };
        let field = self.text("field", field)?;
        let marker = value.get("marker").map(|marker| self.patterns("marker", MARKERS, marker)).unwrap_or_default();
        let mut limit = |member: &str| {
            let found = value.get(member)?;
            let number = found.as_f64().filter(|number| number.is_finite());
            if number.is_none() {
                self.expect(member, "a number", found);
            }
            number
        };
        let limits = [limit("above"), limit("below")];
        let test = match (value.get("is"), limits) {
            (Some(texts), [None, None]) => ValueTest::Is(self.patterns("is", "a string or a list of them", texts)),
            (None, [above, below]) if above.or(below).is_some() => {
                ValueTest::Between(above.unwrap_or(f64::NEG_INFINITY), below.unwrap_or(f64::INFINITY))
            }
            _ => {
                self.say(
                    "an item of \"values\" should have either \"is\", or \"above\", \"below\" or both; it is ignored",
                );
                return None;
            }
        };
        Some(ValueCondition { marker, field, test })
    }

    fn label(&mut self, value: &Value) -> Vec<LabelSource> {
        let items = match value {
            Value::List(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        items.iter().filter_map(|item| self.label_source(item)).collect()
    }

    fn label_source(&mut self, value: &Value) -> Option<LabelSource> {
        const EXPECTED: &str = "a list of {\"marker\": ..., \"field\": ...}, {\"during\": ..., \"type\": ..., \
                                \"field\": ...} and {\"text\": ...}";
        let Value::Object(members) = value else {
            self.expect("label", EXPECTED, value);
            return None;
        };
        for (member, _) in members.iter().filter(|(member, _)| !LABEL_MEMBERS.contains(&member.as_str())) {
            self.unknown(member, "an item of \"label\"", &LABEL_MEMBERS);
        }
        let during = value.get("during").zip(value.get("type"));
        match (value.get("text"), value.get("marker"), during, value.get("field")) {
            (Some(text), None, None, None) => self.text("text", text).map(LabelSource::Text),
            (None, Some(marker), None, Some(field)) => {
                let marker = self.patterns("marker", MARKERS, marker);
                let field = self.text("field", field)?;
                (!marker.is_empty()).then_some(LabelSource::Field { marker, field })
            }
            (None, None, Some((during, types)), Some(field)) => {
                let during = self.patterns("during", MARKERS, during);
                let types = self.patterns("type", TYPES, types);
                let field = self.text("field", field)?;
                let is_valid = !during.is_empty() && !types.is_empty();
                is_valid.then_some(LabelSource::During { during, types, field })
            }
            _ => {
                self.say(&format!("\"label\" should be {EXPECTED}; an item with other keys is ignored"));
                None
            }
        }
    }

    fn tint(&mut self, value: &Value) -> Option<u8> {
        let word = value.as_str();
        // Entry 0 is the first word's and the result for unknown words.
        if let Some(word) = word.filter(|word| color_index(word) != 0 || ["grey", "gray"].contains(word)) {
            return Some(color_index(word));
        }
        let found = word.map_or_else(|| kind_name(value).to_owned(), |word| format!("\"{word}\""));
        self.say(&format!("\"tint\" should be one of {}, not {found}; it is ignored", quoted(&COLOR_WORDS)));
        None
    }

    fn fade(&mut self, value: &Value) -> Option<Fade> {
        let Value::Object(members) = value else {
            self.expect("fade", "an object with \"from\" and \"opacity\"", value);
            return None;
        };
        for (member, _) in members {
            if !["from", "opacity"].contains(&member.as_str()) {
                self.unknown(member, "\"fade\"", &["from", "opacity"]);
            }
        }
        let from = self.patterns("from", MARKERS, value.get("from").unwrap_or(&Value::Null));
        let opacity = value.get("opacity").and_then(Value::as_f64).filter(|opacity| (0.0..=1.0).contains(opacity));
        let Some(opacity) = opacity else {
            self.say("\"opacity\" should be a number from 0 to 1; \"fade\" is ignored");
            return None;
        };
        #[expect(clippy::cast_possible_truncation, reason = "f32 is precise enough for an opacity")]
        let opacity = opacity as f32;
        (!from.is_empty()).then_some(Fade { from, opacity })
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
