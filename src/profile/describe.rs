//! What a marker says about itself: labels, formatted fields, payload with strings resolved.

use super::format::{Format, StringLookup, format_value};
use super::label::{LabelContext, LabelTemplate};
use super::payload::decode_full;
use super::{Field, LocalMarker, Profile, Schema, Source, StringTable, ThreadId, Value};

/// About as many bytes of a nested value are shown on a line.
const PREVIEW: usize = 400;

/// Which of a schema's labels is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelKind {
    /// Inside the chart's rectangles.
    Chart,
    /// Heading of the tooltip.
    Tooltip,
    /// In tables.
    Table,
}

/// A thread's string table over the input it points into.
#[derive(Debug)]
pub struct ThreadStrings<'a> {
    /// Offsets.
    pub table: &'a StringTable,
    /// The input.
    pub source: &'a Source,
}

impl StringLookup for ThreadStrings<'_> {
    fn lookup(&self, index: u64) -> Option<String> {
        self.table.get(self.source.bytes(), index)
    }
}

/// One line of a marker's details.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldLine {
    /// Payload key.
    pub key: String,
    /// What people see as its name.
    pub label: String,
    /// The value in words.
    pub value: String,
}

/// About how many bytes of an event's arguments the table shows.
const MOST_ARGS: usize = 160;

impl Profile {
    /// The text of a part (see [`Profile::parts`]) as it stands in the input, cut after `most` letters.
    #[must_use]
    pub fn part_text(&self, place: u64, most: usize) -> String {
        let Some(start) = usize::try_from(place).ok() else { return String::new() };
        let text = self.source.bytes();
        // Letters have at most four bytes; a little more tells whether something was cut.
        let window = text.get(start..text.len().min(start + 4 * most + 4)).unwrap_or_default();
        let mut cursor = super::json::Cursor::at(window, 0);
        let whole = cursor.skip_value().is_ok();
        let shown = if whole { &window[..cursor.offset()] } else { window };
        let shown = String::from_utf8_lossy(shown);
        let mut letters = shown.char_indices();
        match letters.nth(most) {
            Some((end, _)) => format!("{}…", &shown[..end]),
            None if whole => shown.into_owned(),
            None => format!("{shown}…"),
        }
    }

    /// The string table of a thread.
    #[must_use]
    pub fn strings_of(&self, thread: ThreadId) -> ThreadStrings<'_> {
        ThreadStrings { table: &self.thread(thread).strings, source: &self.source }
    }

    /// Name of a marker.
    #[must_use]
    pub fn marker_name(&self, thread: ThreadId, marker: LocalMarker) -> &str {
        self.strings.get(self.thread(thread).markers.name[marker.index()])
    }

    /// Schema of a marker's payload.
    #[must_use]
    pub fn schema_of(&self, thread: ThreadId, marker: LocalMarker) -> Option<&Schema> {
        self.types.schema(self.thread(thread).markers.kind(marker)?)
    }

    /// The payload of a marker with what derivation added; string indexes are left as they are.
    #[must_use]
    pub fn payload(&self, thread: ThreadId, marker: LocalMarker) -> Value {
        let markers = &self.thread(thread).markers;
        decode_full(
            &self.source,
            markers.payload[marker.index()],
            markers.supplement(marker).as_ref(),
            self.thread(thread).shift,
        )
    }

    /// The payload with string indexes replaced by their strings and stacks left out: what scripts and people see.
    #[must_use]
    pub fn payload_resolved(&self, thread: ThreadId, marker: LocalMarker) -> Value {
        let Value::Object(members) = self.payload(thread, marker) else { return Value::Null };
        let schema = self.schema_of(thread, marker);
        let strings = self.strings_of(thread);
        let resolve = |(key, value): (String, Value)| {
            let format = schema.and_then(|schema| schema.field(&key)).map(|field| &field.format);
            let value = match (format, &value) {
                (Some(format), Value::Int(index)) if format.is_string_index() => {
                    u64::try_from(*index).ok().and_then(|index| strings.lookup(index)).map_or(value, Value::String)
                }
                _ => value,
            };
            (key, value)
        };
        let shown = |(key, _): &(String, Value)| key == "type" || !self.is_internal(key);
        Value::Object(members.into_iter().filter(shown).map(resolve).collect())
    }

    /// Whether a member of a payload is there for programs: the payload's type, and stacks as indexes into tables. In
    /// events all members mean what they say.
    #[must_use]
    pub fn is_internal(&self, key: &str) -> bool {
        self.source.member().is_none() && matches!(key, "type" | "stack" | "cause")
    }

    /// A label of a marker. Falls back to the name (chart and tooltip) or to the name with its first field (table).
    #[must_use]
    pub fn marker_label(&self, kind: LabelKind, thread: ThreadId, marker: LocalMarker) -> String {
        let name = self.marker_name(thread, marker);
        let Some(schema) = self.schema_of(thread, marker) else {
            // Events have arguments without a schema: the table shows how they begin.
            let args =
                (kind == LabelKind::Table && self.source.member().is_some()).then(|| self.args_line(thread, marker));
            return args.flatten().unwrap_or_else(|| name.to_owned());
        };
        let template = match kind {
            LabelKind::Chart => schema.chart_label.as_ref(),
            LabelKind::Tooltip => schema.tooltip_label.as_ref(),
            LabelKind::Table => schema.table_label.as_ref(),
        };
        let text = template.map(|template| self.render_label(template, schema, thread, marker));
        match text {
            Some(text) if !text.trim().is_empty() => text,
            _ => name.to_owned(),
        }
    }

    /// An event's arguments on one line, cut; `None` if there are none.
    fn args_line(&self, thread: ThreadId, marker: LocalMarker) -> Option<String> {
        let Value::Object(members) = self.payload(thread, marker) else { return None };
        let mut line = String::new();
        for (key, value) in &members {
            if line.len() >= MOST_ARGS {
                line.push('…');
                break;
            }
            let gap = if line.is_empty() { "" } else { ", " };
            line += &format!("{gap}{key}: {}", value.preview(MOST_ARGS));
        }
        (!line.is_empty()).then_some(line)
    }

    fn render_label(&self, template: &LabelTemplate, schema: &Schema, thread: ThreadId, marker: LocalMarker) -> String {
        let markers = &self.thread(thread).markers;
        let at = marker.index();
        let instant = markers.is_instant(marker);
        let data = if template.needs_data() { self.payload(thread, marker) } else { Value::Null };
        let format = |key: &str| -> Option<&Format> { schema.field(key).map(|field| &field.format) };
        template.render(&LabelContext {
            name: self.strings.get(markers.name[at]),
            start_ms: self.displayed(markers.start[at]).as_ms(),
            end_ms: (!instant).then(|| self.displayed(markers.end[at]).as_ms()),
            category: self.category_name(markers.category(marker)),
            data: &data,
            format_of: &format,
            strings: &self.strings_of(thread),
        })
    }

    /// The lines of a marker's tooltip: schema fields in order (hidden and empty ones left out); for payloads without a
    /// schema every member. Nested values are cut to a line.
    #[must_use]
    pub fn field_lines(&self, thread: ThreadId, marker: LocalMarker) -> Vec<FieldLine> {
        let Value::Object(members) = self.payload(thread, marker) else { return Vec::new() };
        let strings = self.strings_of(thread);
        let data = Value::Object(members);
        let line = |field: &Field| {
            let value = data.get(&field.key).filter(|value| !value.is_null())?;
            Some(FieldLine {
                key: field.key.clone(),
                label: field.label.clone(),
                value: match value {
                    Value::Object(_) => value.preview(PREVIEW),
                    _ => format_value(&field.format, value, &strings),
                },
            })
        };
        if let Some(schema) = self.schema_of(thread, marker) {
            return schema.fields.iter().filter(|field| !field.hidden).filter_map(line).collect();
        }
        let Value::Object(members) = &data else { return Vec::new() };
        let plain = |(key, value): &(String, Value)| {
            let shown = !value.is_null() && !self.is_internal(key);
            let is_deep = |item: &Value| item.is_nested();
            let value = || match value {
                Value::Object(_) => value.preview(PREVIEW),
                Value::List(items) if items.len() > PREVIEW || items.iter().any(is_deep) => value.preview(PREVIEW),
                _ => value.display_js(),
            };
            shown.then(|| FieldLine { key: key.clone(), label: key.clone(), value: value() })
        };
        members.iter().filter_map(plain).collect()
    }
}
