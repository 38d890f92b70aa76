//! Values of flow rules that several keys have, and messages about invalid ones.

use super::rule::Pattern;
use super::rule_set::FlowRules;
use flowline_profile::Value;

/// Expected value for markers.
pub(super) const MARKERS: &str = "a marker name or a list of them";

/// The state of a parse: the rules so far, and the messages.
pub(super) struct RuleReader {
    pub(super) rules: FlowRules,
    /// Number of the current rule, from 1.
    pub(super) number: usize,
    /// Name of the current rule in messages.
    pub(super) owner: String,
    pub(super) messages: Vec<String>,
}

/// The JSON type of a value in words.
pub(super) const fn kind_name(value: &Value) -> &'static str {
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
pub(super) fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}

impl RuleReader {
    #[inline]
    pub(super) fn say(&mut self, message: &str) {
        self.messages.push(format!("{}: {message}.", self.owner));
    }

    /// Adds a message about a value of the wrong type.
    #[inline]
    pub(super) fn expect(&mut self, member: &str, expected: &str, found: &Value) {
        self.say(&format!("\"{member}\" should be {expected}, not {}; it is ignored", kind_name(found)));
    }

    /// Adds a message about an unknown key.
    #[inline]
    pub(super) fn unknown(&mut self, member: &str, place: &str, known: &[&str]) {
        self.say(&format!("{place} has the unknown key \"{member}\"; valid keys are {}", quoted(known)));
    }

    /// A string that is not blank.
    pub(super) fn text(&mut self, member: &str, value: &Value) -> Option<String> {
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
    pub(super) fn patterns(&mut self, member: &str, expected: &str, value: &Value) -> Vec<Pattern> {
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
}
