//! Label templates of marker schemas, parsed once and rendered for every visible marker.
//!
//! A template is text with parts in braces: `{marker.name}`, `{marker.start}`, `{marker.end}`, `{marker.duration}`,
//! `{marker.category}`, `{marker.data.KEY}`, and the condition `{marker.data.KEY ? 'a' : 'b'}`, which tests the raw
//! value with JavaScript's rules. A part ends at the first closing brace; unpaired braces and `{}` are text.
//!
//! Invariants: parsing never fails and rendering never panics. An unknown part renders as empty text and is reported
//! once, when the template is parsed. A field without a value renders as empty text, and one without a format as
//! JavaScript would print it. The end and the duration of an instant are `unknown`, as in the Firefox Profiler.

use std::borrow::Cow;

use super::format::{Format, StringLookup, write_time_ms, write_value};
use crate::persist::persist;
use flowline_format::write_duration_ms;
use flowline_json::Value;

/// Text for the end of an instant.
const NO_END: &str = "unknown";

/// A parsed template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelTemplate {
    parts: Vec<TemplatePart>,
}
persist!(LabelTemplate { parts });

/// The marker of a label, and the context for reading its payload.
pub struct LabelContext<'a> {
    /// Name of the marker.
    pub name: &'a str,
    /// Start in milliseconds on the displayed clock.
    pub start_ms: f64,
    /// End on the same clock; `None` for an instant.
    pub end_ms: Option<f64>,
    /// Name of the marker's category.
    pub category: &'a str,
    /// The payload; anything except an object is treated as missing.
    pub data: &'a Value,
    /// The format of a payload key in the marker's schema.
    pub format_of: &'a dyn Fn(&str) -> Option<&'a Format>,
    /// The table that string indexes in the payload refer to.
    pub strings: &'a dyn StringLookup,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TemplatePart {
    Text(Box<str>),
    Name,
    Start,
    End,
    Duration,
    Category,
    Data(Box<str>),
    Choice { key: Box<str>, yes: Box<str>, no: Box<str> },
}
persist!(enum TemplatePart {
    0 => Text(text), 1 => Name, 2 => Start, 3 => End, 4 => Duration, 5 => Category, 6 => Data(key), 7 => Choice { key, yes, no }
});

impl LabelTemplate {
    /// Parses a template. The second value contains one sentence per invalid part.
    pub fn parse(text: &str) -> (LabelTemplate, Vec<String>) {
        let mut parts = Vec::new();
        let mut problems = Vec::new();
        let mut rest = text;
        while let Some((before, inside, after)) = next_braces(rest) {
            push_text(&mut parts, before);
            match parse_part(inside) {
                Ok(part) => parts.push(part),
                Err(reason) => problems.push(format!("The label \"{text}\" omits {{{inside}}}: {reason}.")),
            }
            rest = after;
        }
        push_text(&mut parts, rest);
        (LabelTemplate { parts }, problems)
    }

    /// The label of one marker.
    #[inline]
    pub fn render(&self, cx: &LabelContext<'_>) -> String {
        let mut out = String::new();
        self.render_into(cx, &mut out);
        out
    }

    /// Appends the result of [`LabelTemplate::render`], so that a caller can reuse one buffer.
    #[inline]
    pub fn render_into(&self, cx: &LabelContext<'_>, out: &mut String) {
        for part in &self.parts {
            part.render(cx, out);
        }
    }

    /// The template without the ids of flows in parentheses, such as "(flow={marker.data.flow})": `is_flow` is true for the
    /// keys of flows. Other parts stay.
    #[must_use]
    pub fn without_flows(&self, is_flow: &dyn Fn(&str) -> bool) -> Cow<'_, Self> {
        if !self.parts.iter().any(|part| matches!(part, TemplatePart::Data(key) if is_flow(key))) {
            return Cow::Borrowed(self);
        }
        let mut parts: Vec<TemplatePart> = Vec::with_capacity(self.parts.len());
        let mut rest = self.parts.iter();
        while let Some(part) = rest.next() {
            let opening = match (part, parts.last()) {
                (TemplatePart::Data(key), Some(TemplatePart::Text(before))) if is_flow(key) => before.rfind('('),
                _ => None,
            };
            let after = rest.as_slice().first().and_then(|next| match next {
                TemplatePart::Text(text) => text.strip_prefix(')'),
                _ => None,
            });
            let Some((open, after)) = opening.zip(after) else {
                parts.push(part.clone());
                continue;
            };
            rest.next();
            let Some(TemplatePart::Text(before)) = parts.pop() else { continue };
            push_text(&mut parts, before[..open].trim_end());
            push_text(&mut parts, after);
        }
        Cow::Owned(Self { parts })
    }

    /// True if the label depends on the payload; otherwise, the payload need not be decoded.
    #[inline]
    pub fn needs_data(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, TemplatePart::Data(_) | TemplatePart::Choice { .. }))
    }

    /// True if the label depends on the payload's `key`.
    #[inline]
    pub fn uses_data_key(&self, key: &str) -> bool {
        self.parts.iter().any(|part| match part {
            TemplatePart::Data(used) | TemplatePart::Choice { key: used, .. } => &**used == key,
            _ => false,
        })
    }
}

impl TemplatePart {
    fn render(&self, cx: &LabelContext<'_>, out: &mut String) {
        match self {
            TemplatePart::Text(text) => out.push_str(text),
            TemplatePart::Name => out.push_str(cx.name),
            TemplatePart::Category => out.push_str(cx.category),
            TemplatePart::Start => write_time_ms(out, cx.start_ms),
            TemplatePart::End => write_known(out, cx.end_ms, write_time_ms),
            TemplatePart::Duration => {
                write_known(out, cx.end_ms.map(|end| end - cx.start_ms), write_duration_ms);
            }
            TemplatePart::Data(key) => write_field(out, cx, key),
            TemplatePart::Choice { key, yes, no } => {
                let chosen = cx.data.get(key).is_some_and(Value::is_truthy);
                out.push_str(if chosen { yes } else { no });
            }
        }
    }
}

fn write_known(out: &mut String, ms: Option<f64>, write: fn(&mut String, f64)) {
    match ms {
        Some(ms) => write(out, ms),
        None => out.push_str(NO_END),
    }
}

fn write_field(out: &mut String, cx: &LabelContext<'_>, key: &str) {
    match cx.data.get(key) {
        None | Some(Value::Null) => {}
        Some(value) => match (cx.format_of)(key).and_then(|format| format.of_value(key)) {
            Some(format) => write_value(out, format, value, cx.strings),
            None => value.write_js(out),
        },
    }
}

fn push_text(parts: &mut Vec<TemplatePart>, text: &str) {
    if !text.is_empty() {
        parts.push(TemplatePart::Text(text.into()));
    }
}

/// The text before the first nonempty pair of braces, the text inside it, and the rest.
fn next_braces(text: &str) -> Option<(&str, &str, &str)> {
    let (open, _) = text.match_indices('{').find(|(at, _)| !text[at + 1..].starts_with('}'))?;
    let (inside, after) = text[open + 1..].split_once('}')?;
    Some((&text[..open], inside, after))
}

/// The part for the text between braces, or the reason why it is invalid.
fn parse_part(inside: &str) -> Result<TemplatePart, &'static str> {
    match inside.split_once('?') {
        Some((condition, answers)) => {
            let TemplatePart::Data(key) = parse_path(condition)? else {
                return Err("conditions can only test payload fields");
            };
            let (yes, no) =
                parse_answers(answers).ok_or("a condition has the form {marker.data.KEY ? 'yes' : 'no'}")?;
            Ok(TemplatePart::Choice { key, yes: yes.into(), no: no.into() })
        }
        None => parse_path(inside),
    }
}

fn parse_path(path: &str) -> Result<TemplatePart, &'static str> {
    let Some(path) = path.trim().strip_prefix("marker.") else {
        return Err("parts must start with \"marker.\"");
    };
    match path.split_once('.') {
        Some(("data", key)) if key.contains('.') => Err("payload fields have no subfields"),
        Some(("data", "")) => Err("the name of the payload field is missing"),
        Some(("data", key)) => Ok(TemplatePart::Data(key.into())),
        Some(_) => Err("only \"marker.data\" has fields"),
        None => match path {
            "name" => Ok(TemplatePart::Name),
            "start" => Ok(TemplatePart::Start),
            "end" => Ok(TemplatePart::End),
            "duration" => Ok(TemplatePart::Duration),
            "category" => Ok(TemplatePart::Category),
            _ => Err("expected name, start, end, duration, category or data.KEY after \"marker.\""),
        },
    }
}

/// The two quoted texts of a condition.
fn parse_answers(text: &str) -> Option<(&str, &str)> {
    let (yes, rest) = parse_quoted(text)?;
    let (no, rest) = parse_quoted(rest.trim_start().strip_prefix(':')?)?;
    rest.trim().is_empty().then_some((yes, no))
}

/// A text in single or double quotes without escapes, and the rest.
fn parse_quoted(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let quote = text.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    text[quote.len_utf8()..].split_once(quote)
}

#[cfg(test)]
mod tests;
