//! The fields of a marker as displayed. Tooltip, details and search all use this module, so they agree on which payload
//! members are fields, and on their texts.
//!
//! Fields are the members in the schema, in its order, without hidden ones; then all other members, in payload order. A
//! point in time is shown on the displayed clock. The id of a window is followed by the address of its page. Reports of
//! the garbage collector are shown line by line.

use super::field_line::FieldLine;
use super::format::{Format, format_value};
use super::gc;
use crate::payload::Field;
use crate::payload::{is_time, map_payload_times, map_times};
use crate::{LocalMarker, Profile, Schema, Thread, ThreadId};
use flowline_format::{DisplayClock, Ns, format_time};
use flowline_json::Value;

/// Approximate number of bytes shown for a nested value.
const PREVIEW_BYTES: usize = 400;

/// The member with the id of the window in which something happened.
pub const WINDOW_KEY: &str = "innerWindowID";

/// The label of [`WINDOW_KEY`] if the page of the window is known.
pub const WINDOW_LABEL: &str = "Page";

/// Interpretation of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// The value as written.
    Plain,
    /// An index, or a list of indexes, into the string table.
    StringIndex,
    /// A point in time on the clock of its process, in milliseconds; shown on the displayed clock.
    Time,
    /// The id of a window; a search also matches the address of its page.
    Window,
}

impl FieldKind {
    /// The kind of a member of a payload.
    #[must_use]
    pub fn of(schema: Option<&Schema>, kind: Option<&str>, key: &str) -> Self {
        let format = schema.and_then(|schema| schema.field(key)).map(|field| &field.format);
        match format {
            Some(format) if format.is_string_index() => Self::StringIndex,
            Some(Format::Time) => Self::Time,
            _ if is_time(kind, key) => Self::Time,
            _ if key == WINDOW_KEY => Self::Window,
            _ => Self::Plain,
        }
    }
}

/// Replaces the points in time of a payload with their texts on a clock.
pub(super) fn write_times(schema: &Schema, payload: &mut Value, clock: DisplayClock) {
    map_payload_times(Some(schema), payload, &|time| Value::String(format_time(clock.show(time))));
}

/// The value of which a field's value is a part, and the ratio of both; `None` unless both are numbers.
fn part_of<'v>(field: &Field, value: &Value, data: &'v Value) -> Option<(&'v Value, f64)> {
    let whole = data.get(field.percentage_divisor.as_ref()?)?;
    let ratio = value.as_f64()? / whole.as_f64()?;
    ratio.is_finite().then_some((whole, ratio))
}

impl Profile {
    /// The lines of a marker's tooltip and details; empty values are omitted. Nested values are truncated to one line.
    #[must_use]
    pub fn field_lines(&self, thread: ThreadId, marker: LocalMarker, clock: DisplayClock) -> Vec<FieldLine> {
        let data = self.described_payload(self.thread(thread), marker);
        let Value::Object(members) = &data else { return Vec::new() };
        let schema = self.schema_of(thread, marker);
        let mut lines = Vec::new();
        let fields = schema.map(|schema| schema.fields.in_payload(&data)).unwrap_or_default();
        for (field, value) in fields.into_iter().filter(|(field, value)| !field.hidden && !value.is_null()) {
            let mut line = self.line(thread, &field.key, &field.label, Some(&field.format), value, clock);
            if let Some(text) = self.stack_text(thread, marker, &field.format) {
                line = FieldLine::new(&field.key, &field.label, text);
            } else if let Some((whole, ratio)) = part_of(field, value, &data) {
                let whole = self.field_text(thread, Some(&field.format), whole, clock);
                let ratio = format_value(&Format::Percentage, &Value::Number(ratio), &self.strings_of(thread));
                line = FieldLine::new(&field.key, &field.label, format!("{} of {whole} ({ratio})", line.value));
            }
            lines.push(line);
        }
        let kind = self.thread(thread).markers.kind(marker).and_then(|kind| self.types.get(kind));
        let kind = kind.map(|kind| self.strings.get(kind.name));
        let reported = gc::report_key(kind);
        for (key, value) in members {
            if Some(key.as_str()) == reported {
                lines.extend(gc::lines(value));
                continue;
            }
            let is_listed = schema.is_some_and(|schema| schema.field(key).is_some());
            if is_listed || value.is_null() || self.is_internal(key) || self.is_own_time(thread, marker, key, value) {
                continue;
            }
            let format = is_time(kind, key).then_some(Format::Time);
            lines.push(self.line(thread, key, key, format.as_ref(), value, clock));
        }
        lines
    }

    /// The text of a field of the format `stack`: the functions of the marker's stack, innermost first.
    fn stack_text(&self, thread: ThreadId, marker: LocalMarker, format: &Format) -> Option<String> {
        let trace = (*format == Format::Stack).then(|| self.marker_stack(thread, marker))??;
        let names: Vec<&str> = trace.frames.iter().map(|frame| frame.name.as_str()).collect();
        Some(names.join(" ← "))
    }

    /// The text of a payload member in this format; without a format, as JavaScript prints it.
    #[must_use]
    pub fn field_text(&self, thread: ThreadId, format: Option<&Format>, value: &Value, clock: DisplayClock) -> String {
        let is_deep = |item: &Value| item.is_nested();
        match (format, value) {
            (_, Value::Object(_)) => value.preview(PREVIEW_BYTES),
            (Some(format), _) => {
                let mut shown = value.clone();
                map_times(Some(format), &mut shown, &|time| Value::String(format_time(clock.show(time))));
                format_value(format, &shown, &self.strings_of(thread))
            }
            (None, Value::List(items)) if items.len() > PREVIEW_BYTES || items.iter().any(is_deep) => {
                value.preview(PREVIEW_BYTES)
            }
            (None, _) => value.display_js(),
        }
    }

    /// The texts that a search compares for a value that is not nested: for a point in time, its milliseconds on the
    /// displayed clock; for a window, its number and its page. `shift` is added to points in time.
    #[must_use]
    pub fn searched_texts(
        &self,
        thread: &Thread,
        kind: FieldKind,
        value: &Value,
        shift: Ns,
        clock: DisplayClock,
    ) -> Vec<String> {
        let string = |item: &Value| {
            let index = item.as_i64().and_then(|index| u64::try_from(index).ok()).filter(|_| item.as_f64().is_some());
            let found = index.and_then(|index| thread.strings.get(self.source.bytes(), index));
            found.unwrap_or_else(|| if index.is_some() { String::new() } else { item.display_js() })
        };
        match (kind, value) {
            (FieldKind::StringIndex, Value::List(items)) => items.iter().map(string).collect(),
            (FieldKind::StringIndex, _) => vec![string(value)],
            (FieldKind::Time, _) => match value.as_f64().and_then(Ns::from_ms) {
                Some(time) => vec![Value::Number(clock.show(time + shift).as_ms()).display_js()],
                None => vec![value.display_js()],
            },
            (FieldKind::Window, _) => {
                let page = value.as_i64().and_then(|window| self.page(window));
                std::iter::once(value.display_js()).chain(page.map(str::to_owned)).collect()
            }
            (FieldKind::Plain, _) => vec![value.display_js()],
        }
    }

    /// Same as [`Profile::is_internal`], for the key's bytes in the input.
    #[must_use]
    #[inline]
    pub fn is_internal_bytes(&self, key: &[u8]) -> bool {
        std::str::from_utf8(key).is_ok_and(|key| self.is_internal(key))
    }

    fn line(
        &self,
        thread: ThreadId,
        key: &str,
        label: &str,
        format: Option<&Format>,
        value: &Value,
        clock: DisplayClock,
    ) -> FieldLine {
        if key == WINDOW_KEY
            && let Some(page) = value.as_i64().and_then(|window| self.page(window))
        {
            return FieldLine::new(key, WINDOW_LABEL, format!("{page} (window {})", value.display_js()));
        }
        let format = format.and_then(|format| format.of_value(key));
        FieldLine::new(key, label, self.field_text(thread, format, value, clock))
    }

    /// True if a member only repeats the start or the end of its marker.
    fn is_own_time(&self, thread: ThreadId, marker: LocalMarker, key: &str, value: &Value) -> bool {
        let markers = &self.thread(thread).markers;
        let own = match key {
            _ if self.source.holds_events() => return false,
            "startTime" => markers.start(marker),
            "endTime" => markers.end(marker),
            _ => return false,
        };
        value.as_f64().and_then(Ns::from_ms) == Some(own)
    }
}
