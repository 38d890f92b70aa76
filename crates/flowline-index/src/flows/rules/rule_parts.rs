//! Parses the parts of a flow rule that are objects or words: conditions, labels, fade and tint.

use super::rule::{Fade, LabelSource, ValueCondition, ValueTest, When};
use super::rule_reader::{MARKERS, RuleReader, kind_name, quoted};
use crate::colors::{COLOR_WORDS, color_index};
use flowline_profile::Value;

/// Keys of `when`.
const CONDITIONS: [&str; 4] = ["first", "any", "type", "values"];
/// Keys of a value condition.
const VALUE_MEMBERS: [&str; 5] = ["marker", "field", "is", "above", "below"];
/// Keys of a label source.
const LABEL_MEMBERS: [&str; 5] = ["marker", "field", "text", "during", "type"];
/// Expected value for payload types.
const TYPES: &str = "the name of a payload type or a list of them";

impl RuleReader {
    pub(super) fn when(&mut self, value: &Value) -> When {
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

    pub(super) fn label(&mut self, value: &Value) -> Vec<LabelSource> {
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

    pub(super) fn tint(&mut self, value: &Value) -> Option<u8> {
        let word = value.as_str();
        // Entry 0 is the first word's and the result for unknown words.
        if let Some(word) = word.filter(|word| color_index(word) != 0 || ["grey", "gray"].contains(word)) {
            return Some(color_index(word));
        }
        let found = word.map_or_else(|| kind_name(value).to_owned(), |word| format!("\"{word}\""));
        self.say(&format!("\"tint\" should be one of {}, not {found}; it is ignored", quoted(&COLOR_WORDS)));
        None
    }

    pub(super) fn fade(&mut self, value: &Value) -> Option<Fade> {
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
