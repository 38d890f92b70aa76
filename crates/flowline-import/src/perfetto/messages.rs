//! Converts messages to JSON, with field names from `schema`.

use super::json_text::{float, integer, string};
use super::schema::{EVENT, Kind, Member, Schema};
use super::wire::{Content, Field, Fields};

/// Writes messages as JSON.
#[derive(Clone, Copy)]
pub(super) struct Messages<'a> {
    pub(super) schema: &'a Schema,
    /// Appends an annotation inside a message: its name and its value.
    pub(super) annotate: &'a dyn Fn(&mut String, Field<'_>),
    /// Appends the member that a field of a message type refers to by an interning id: message type, field name, id.
    /// Returns `false` if the recording does not contain it.
    pub(super) interned: &'a InternedWriter<'a>,
}

/// Appends the member for a message type, the name of its field, and an interning id.
pub(super) type InternedWriter<'a> = dyn Fn(&mut String, (&str, &str), u64) -> bool + 'a;

/// Approximate limit of argument text per event, in bytes. A few bytes can refer to a long text many times.
pub(super) const MAX_TEXT: usize = 64 << 20;
/// Message type of annotations.
const ANNOTATION: &str = ".perfetto.protos.DebugAnnotation";
/// Maximum depth of nested messages.
const MAX_DEPTH: usize = 24;

impl Messages<'_> {
    /// Appends the remaining fields of a track event as members of an object. `before` is called before each member.
    pub(super) fn event<'a>(
        &self,
        out: &mut String,
        fields: impl Iterator<Item = Field<'a>>,
        before: impl FnMut(&mut String),
    ) {
        self.members(out, EVENT, fields, MAX_DEPTH, before);
    }

    /// Appends a message of the given type as an object.
    pub(super) fn message(&self, out: &mut String, type_name: &str, message: Fields<'_>) {
        match type_name.starts_with('.') {
            true => self.object(out, type_name, message, MAX_DEPTH),
            false => self.object(out, &format!(".{type_name}"), message, MAX_DEPTH),
        }
    }

    fn object(&self, out: &mut String, message: &str, fields: Fields<'_>, depth: usize) {
        out.push('{');
        let mut is_first = true;
        self.members(out, message, fields, depth, |out| {
            if !std::mem::take(&mut is_first) {
                out.push(',');
            }
        });
        out.push('}');
    }

    fn members<'a>(
        &self,
        out: &mut String,
        message: &str,
        fields: impl Iterator<Item = Field<'a>>,
        depth: usize,
        mut before: impl FnMut(&mut String),
    ) {
        let mut all: Vec<Field<'_>> = fields.collect();
        // The values of a list may be scattered over the message. Fields that the schema does not name come last.
        all.sort_by_key(|field| (self.schema.member(message, field.number).is_none(), field.number));
        for run in all.chunk_by(|a, b| a.number == b.number) {
            let Some(first) = run.first() else { continue };
            if out.len() > MAX_TEXT {
                return;
            }
            let member = self.schema.member(message, first.number);
            if matches!(member, Some(Member { kind: Kind::Typed(name), .. }) if &**name == ANNOTATION) {
                // Annotations become members directly.
                for annotation in run {
                    before(out);
                    (self.annotate)(out, *annotation);
                }
                continue;
            }
            before(out);
            let Some(member) = member else {
                string(out, format!("field {}", first.number).as_bytes());
                out.push(':');
                match first.content {
                    Content::Number(number) => integer(out, number),
                    Content::Bytes(bytes) => string(out, format!("{} bytes", bytes.len()).as_bytes()),
                }
                continue;
            };
            if let (Content::Number(iid), false) = (first.content, member.is_list)
                && (self.interned)(out, (message, &member.name), iid)
            {
                continue;
            }
            string(out, member.name.as_bytes());
            out.push(':');
            if !member.is_list {
                // The last value wins.
                self.value(out, &member.kind, *run.last().unwrap_or(first), depth);
                continue;
            }
            out.push('[');
            let mut count = 0;
            let mut element = |out: &mut String, field: Field<'_>| {
                if out.len() > MAX_TEXT {
                    return;
                }
                if std::mem::replace(&mut count, 1) > 0 {
                    out.push(',');
                }
                self.value(out, &member.kind, field, depth);
            };
            for field in run {
                if out.len() > MAX_TEXT {
                    break;
                }
                match (&member.kind, field.content) {
                    (Kind::Unsigned | Kind::Signed | Kind::ZigZag | Kind::Bool, Content::Bytes(_)) => {
                        for number in field.numbers() {
                            element(out, Field { content: Content::Number(number), ..*field });
                        }
                    }
                    (Kind::Double, Content::Bytes(_)) => {
                        for word in field.words() {
                            element(out, Field { content: Content::Number(word), ..*field });
                        }
                    }
                    (Kind::Typed(name), Content::Bytes(_)) if self.schema.values(name).is_some() => {
                        for number in field.numbers() {
                            element(out, Field { content: Content::Number(number), ..*field });
                        }
                    }
                    _ => element(out, *field),
                }
            }
            out.push(']');
        }
    }

    fn value(&self, out: &mut String, kind: &Kind, field: Field<'_>, depth: usize) {
        match kind {
            Kind::Unsigned => integer(out, field.number()),
            Kind::Signed => integer(out, field.signed()),
            Kind::ZigZag => {
                let number = field.number();
                integer(out, (number >> 1).cast_signed() ^ -(number & 1).cast_signed());
            }
            Kind::Short => {
                let short = u32::try_from(field.number() & u64::from(u32::MAX)).unwrap_or_default();
                integer(out, short.cast_signed());
            }
            Kind::Double => float(out, field.double()),
            Kind::Float => {
                let bits = u32::try_from(field.number() & u64::from(u32::MAX)).unwrap_or_default();
                float(out, f64::from(f32::from_bits(bits)));
            }
            Kind::Bool => out.push_str(if field.is_true() { "true" } else { "false" }),
            Kind::Text => string(out, field.bytes()),
            Kind::Bytes | Kind::Group => string(out, format!("{} bytes", field.bytes().len()).as_bytes()),
            Kind::Typed(name) => match (self.schema.values(name), field.content) {
                (Some(values), _) => match values.get(&field.signed()) {
                    Some(value) => string(out, value.as_bytes()),
                    None => integer(out, field.signed()),
                },
                (None, Content::Number(_)) => integer(out, field.signed()),
                (None, Content::Bytes(_)) if depth == 0 => out.push_str("null"),
                (None, Content::Bytes(_)) => self.object(out, name, field.message(), depth - 1),
            },
        }
    }
}
