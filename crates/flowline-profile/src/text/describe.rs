//! Methods of [`Profile`] that describe a marker: its labels, and its payload with strings resolved. The methods for
//! its fields are in `fields`.

use std::borrow::Cow;

use super::fields::write_times;
use super::format::{Format, StringLookup};
use super::label::{LabelContext, LabelTemplate};
use crate::payload::{PayloadContext, decode_full};
use crate::{LocalMarker, Profile, Schema, Source, StringTable, Thread, ThreadId};
use flowline_format::DisplayClock;
use flowline_json::{Cursor, Value};

/// The schema label to render.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelKind {
    /// Label inside the chart's rectangles, without the ids of flows.
    Chart,
    /// Heading of the tooltip, without the ids of flows.
    Tooltip,
    /// Label in tables.
    Table,
}

/// A thread's string table and the input that it refers to.
#[derive(Debug)]
pub struct ThreadStrings<'a> {
    /// Offsets.
    pub table: &'a StringTable,
    /// The input.
    pub source: &'a Source,
}

impl StringLookup for ThreadStrings<'_> {
    fn lookup(&self, index: u64) -> Option<String> {
        let offset = self.table.offset(index)?;
        self.source.cursor_at(offset)?;
        self.table.get(self.source.bytes(), index)
    }
}

/// Approximate number of bytes of an event's arguments in tables.
const ARGS_BYTES: usize = 160;

impl Profile {
    /// The text of a part (see [`Profile::parts`]) as written in the input, truncated after `max_chars` characters.
    #[must_use]
    pub fn part_text(&self, place: u64, max_chars: usize) -> String {
        let Some(start) = usize::try_from(place).ok() else { return String::new() };
        let text = self.source.bytes();
        // A character has at most four bytes; four more bytes show if the text is truncated.
        let window = text.get(start..text.len().min(start + 4 * max_chars + 4)).unwrap_or_default();
        let mut cursor = Cursor::at(window, 0);
        let whole = cursor.skip_value().is_ok();
        let shown = if whole { &window[..cursor.offset()] } else { window };
        let shown = String::from_utf8_lossy(shown);
        let mut characters = shown.char_indices();
        match characters.nth(max_chars) {
            Some((end, _)) => format!("{}…", &shown[..end]),
            None if whole => shown.into_owned(),
            None => format!("{shown}…"),
        }
    }

    /// The string table of a thread.
    #[must_use]
    #[inline]
    pub fn strings_of(&self, thread: ThreadId) -> ThreadStrings<'_> {
        ThreadStrings { table: &self.thread(thread).strings, source: &self.source }
    }

    /// Name of a marker.
    #[must_use]
    #[inline]
    pub fn marker_name(&self, thread: ThreadId, marker: LocalMarker) -> &str {
        self.strings.get(self.thread(thread).markers.name(marker))
    }

    /// Schema of a marker's payload.
    #[must_use]
    #[inline]
    pub fn schema_of(&self, thread: ThreadId, marker: LocalMarker) -> Option<&Schema> {
        self.types.schema(self.thread(thread).markers.kind(marker)?)
    }

    /// The payload of a marker with derived members; string indexes are not resolved. Points in time are milliseconds
    /// on the recording's clock, regardless of the clock of the marker's process.
    #[must_use]
    #[inline]
    pub fn payload(&self, thread: ThreadId, marker: LocalMarker) -> Value {
        self.payload_in(self.thread(thread), marker)
    }

    /// Same as [`Profile::payload`], for a given thread.
    #[must_use]
    #[inline]
    pub fn payload_in(&self, thread: &Thread, marker: LocalMarker) -> Value {
        let markers = &thread.markers;
        let schema = markers.kind(marker).and_then(|kind| self.types.schema(kind));
        let context = PayloadContext { source: &self.source, schema, shift: thread.shift };
        decode_full(context, markers.payload(marker), markers.supplement(marker).as_ref())
    }

    /// The payload with string indexes resolved and stacks omitted, as shown to users and scripts.
    #[must_use]
    pub fn payload_resolved(&self, thread: ThreadId, marker: LocalMarker) -> Value {
        let Value::Object(members) = self.described_payload(self.thread(thread), marker) else { return Value::Null };
        let schema = self.schema_of(thread, marker);
        let strings = self.strings_of(thread);
        let resolved =
            |index: i64| u64::try_from(index).ok().and_then(|index| strings.lookup(index)).map(Value::String);
        let resolve = |(key, mut value): (String, Value)| {
            let format = schema.and_then(|schema| schema.field(&key)).map(|field| &field.format);
            if format.is_some_and(Format::is_string_index) {
                let items = match &mut value {
                    Value::List(items) => items.as_mut_slice(),
                    single => std::slice::from_mut(single),
                };
                for item in items {
                    if let Value::Int(index) = item
                        && let Some(text) = resolved(*index)
                    {
                        *item = text;
                    }
                }
            }
            (key, value)
        };
        let shown = |(key, _): &(String, Value)| key == "type" || !self.is_internal(key);
        Value::Object(members.into_iter().filter(shown).map(resolve).collect())
    }

    /// True if a member of a payload is internal: the payload's type, or a stack given as table indexes. Arguments of
    /// trace events have no internal members.
    #[must_use]
    #[inline]
    pub fn is_internal(&self, key: &str) -> bool {
        !self.source.holds_events() && matches!(key, "type" | "stack" | "cause")
    }

    /// A label of a marker, with times on a clock. Events that run code are labeled with their
    /// [title](Profile::call_title). Falls back to the name (chart and tooltip) or to the name with its first field (table).
    #[must_use]
    pub fn marker_label(&self, kind: LabelKind, thread: ThreadId, marker: LocalMarker, clock: DisplayClock) -> String {
        let name = self.marker_name(thread, marker);
        let Some(schema) = self.schema_of(thread, marker) else {
            if let Some(title) = self.call_title(thread, marker) {
                return title;
            }
            // Trace events have arguments without a schema. Tables show the first of them.
            let args = (kind == LabelKind::Table && self.source.holds_events()).then(|| self.args_line(thread, marker));
            return args.flatten().unwrap_or_else(|| name.to_owned());
        };
        // Ids of flows tell readers nothing; tables have them to tell rows apart.
        let is_flow = |key: &str| schema.field(key).is_some_and(|field| field.format.is_flow());
        let template = match kind {
            LabelKind::Chart => schema.chart_label.as_ref().map(|label| label.without_flows(&is_flow)),
            LabelKind::Tooltip => schema.tooltip_label.as_ref().map(|label| label.without_flows(&is_flow)),
            LabelKind::Table => schema.table_label.as_ref().map(Cow::Borrowed),
        };
        let text = template.map(|template| self.render_label(&template, schema, thread, marker, clock));
        match text {
            Some(text) if !text.trim().is_empty() => text,
            _ => name.to_owned(),
        }
    }

    /// An event's arguments on one line, truncated; `None` if there are none.
    fn args_line(&self, thread: ThreadId, marker: LocalMarker) -> Option<String> {
        let Value::Object(members) = self.payload(thread, marker) else { return None };
        let mut line = String::new();
        for (key, value) in &members {
            if line.len() >= ARGS_BYTES {
                line.push('…');
                break;
            }
            let gap = if line.is_empty() { "" } else { ", " };
            line += &format!("{gap}{key}: {}", value.preview(ARGS_BYTES));
        }
        (!line.is_empty()).then_some(line)
    }

    fn render_label(
        &self,
        template: &LabelTemplate,
        schema: &Schema,
        thread: ThreadId,
        marker: LocalMarker,
        clock: DisplayClock,
    ) -> String {
        let markers = &self.thread(thread).markers;
        let instant = markers.is_instant(marker);
        let mut data = if template.needs_data() { self.payload(thread, marker) } else { Value::Null };
        write_times(schema, &mut data, clock);
        let format = |key: &str| -> Option<&Format> { schema.field(key).map(|field| &field.format) };
        template.render(&LabelContext {
            name: self.strings.get(markers.name(marker)),
            start_ms: clock.show(markers.start(marker)).as_ms(),
            end_ms: (!instant).then(|| clock.show(markers.end(marker)).as_ms()),
            category: self.category_name(markers.category(marker)),
            data: &data,
            format_of: &format,
            strings: &self.strings_of(thread),
        })
    }
}
