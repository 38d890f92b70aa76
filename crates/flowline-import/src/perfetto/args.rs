//! Converts the arguments of track events: annotations of any shape, and messages with a schema.

use super::json_text::{float, hex, integer, json, string, text};
use super::messages::{MAX_TEXT, Messages};
use super::schema::Schema;
use super::sequence::{Location, Sequence};
use super::wire::{Field, Fields};

/// Maximum depth of nested values.
const MAX_DEPTH: usize = 48;

/// Writes the members of an object, with commas between them.
struct Object<'o> {
    out: &'o mut String,
    /// Offset of the object in `out`.
    start: usize,
    opening: &'static str,
}

impl<'o> Object<'o> {
    /// Creates an object that is written with its first member. `opening` precedes the brace.
    fn new(out: &'o mut String, opening: &'static str) -> Self {
        Self { start: out.len(), out, opening }
    }

    fn is_empty(&self) -> bool {
        self.out.len() == self.start
    }

    /// Starts a member.
    fn begin(&mut self) -> &mut String {
        if self.is_empty() {
            self.out.push_str(self.opening);
            self.out.push('{');
        } else {
            self.out.push(',');
        }
        self.out
    }

    fn end(self) {
        if !self.is_empty() {
            self.out.push('}');
        }
    }
}

/// Appends the arguments of a track event as the member `args`, if there are any.
pub(super) fn write(out: &mut String, event: &[u8], sequence: &Sequence, schema: &Schema) {
    let mut args = Object::new(out, ",\"args\":");
    let known = InternedArgs { sequence, schema };
    let mut named: Vec<Field<'_>> = Vec::new();
    for field in Fields::new(event) {
        match field.number {
            _ if args.out.len() > MAX_TEXT => break,
            4 => annotation(args.begin(), field, known, MAX_DEPTH),
            5 => {
                let posted = field.message().field(1).and_then(|from| sequence.locations.get(&from.number()));
                if let Some(posted) = posted {
                    posted.write(args.begin(), "src_", ["file", "func", "line"]);
                }
            }
            21 => log_message(&mut args, field, sequence),
            33 => location(&mut args, Some(&Location::read(field.message()))),
            34 => location(&mut args, sequence.locations.get(&field.number())),
            52 => {
                args.begin().push_str("\"correlation_id\":");
                integer(args.out, field.number());
            }
            53 => {
                args.begin().push_str("\"correlation_id\":");
                string(args.out, field.bytes());
            }
            54 => {
                if let Some(known) = sequence.correlations.get(&field.number()) {
                    args.begin().push_str("\"correlation_id\":");
                    args.out.push_str(known);
                }
            }
            57 => {
                args.begin().push_str("\"callstack_weight\":");
                float(args.out, field.double());
            }
            1..=23 | 30 | 31 | 36 | 42 | 44..=48 | 55 | 56 => {}
            number if number >= FIRST_EXTENSION || schema.has_field(number) => named.push(field),
            _ => {}
        }
    }
    if !named.is_empty() {
        let (start, opening) = (args.start, args.opening);
        let annotate = |out: &mut String, field: Field<'_>| annotation(out, field, known, MAX_DEPTH);
        let messages = Messages { schema, annotate: &annotate, interned: &|out, of, iid| known.member(out, of, iid) };
        messages.event(args.out, named.into_iter(), |out| {
            Object { out, start, opening }.begin();
        });
    }
    args.end();
}

/// First field number of extensions by other projects.
const FIRST_EXTENSION: u64 = 1000;

fn location(args: &mut Object<'_>, location: Option<&Location>) {
    let Some(location) = location else { return };
    let out = args.begin();
    out.push_str("\"source_location\":{");
    location.write(out, "", ["file_name", "function_name", "line_number"]);
    out.push('}');
}

fn log_message(args: &mut Object<'_>, message: Field<'_>, sequence: &Sequence) {
    for field in message.message() {
        match field.number {
            1 => location(args, sequence.locations.get(&field.number())),
            2 => {
                if let Some(body) = sequence.log_messages.get(&field.number()) {
                    args.begin().push_str("\"log_message\":");
                    args.out.push_str(body);
                }
            }
            _ => {}
        }
    }
}

/// Maximum length of a type name in bytes.
const MAX_TYPE_NAME: usize = 512;

/// Data that annotations refer to.
#[derive(Clone, Copy)]
struct InternedArgs<'a> {
    sequence: &'a Sequence,
    schema: &'a Schema,
}

impl InternedArgs<'_> {
    /// Returns the type name of an annotation's message; empty without a type.
    fn type_of(self, annotation: Fields<'_>) -> String {
        let is_short = |bytes: &[u8]| bytes.len() <= MAX_TYPE_NAME;
        let named = annotation.field(16).filter(|name| is_short(name.bytes()));
        let named = named.map(|name| text(name.bytes()).into_owned());
        let interned = || {
            let name = self.sequence.type_names.get(&annotation.field(13)?.number())?;
            is_short(name.as_bytes()).then_some(())?;
            Some(name.trim_matches('"').to_owned())
        };
        named.or_else(interned).unwrap_or_default()
    }
}

/// Message type of histogram samples, whose names are interned.
const HISTOGRAM: &str = ".perfetto.protos.ChromeHistogramSample";

impl InternedArgs<'_> {
    /// Appends the member that a field refers to by an interning id: names of histograms, source locations, and the
    /// addresses of interface methods. Returns `false` if nothing is known about the id.
    fn member(self, out: &mut String, (message, field): (&str, &str), iid: u64) -> bool {
        let Some(name) = field.strip_suffix("_iid") else { return false };
        let sequence = self.sequence;
        if name.ends_with("location") {
            let Some(location) = sequence.locations.get(&iid) else { return false };
            string(out, name.as_bytes());
            out.push_str(":{");
            location.write(out, "", ["file_name", "function_name", "line_number"]);
            out.push('}');
            return true;
        }
        match (message, name) {
            (HISTOGRAM, "name") => {
                let Some(histogram) = sequence.histogram_names.get(&iid) else { return false };
                out.push_str("\"name\":");
                out.push_str(histogram);
            }
            (_, "mojo_interface_method") => {
                let Some((mapping, address)) = sequence.native_symbols.get(&iid) else { return false };
                out.push_str("\"mojo_interface_method\":{");
                if let Some(path) = sequence.stacks.mapping_path(*mapping) {
                    out.push_str("\"mapping\":");
                    string(out, path.as_bytes());
                    out.push(',');
                }
                out.push_str("\"rel_pc\":");
                hex(out, *address);
                out.push('}');
            }
            _ => return false,
        }
        true
    }
}

/// Appends an annotation: its name and its value.
fn annotation(out: &mut String, annotation: Field<'_>, known: InternedArgs<'_>, depth: usize) {
    let name = annotation.message().field(1).and_then(|name| known.sequence.annotation_names.get(&name.number()));
    match name {
        Some(name) => out.push_str(name),
        None => string(out, annotation.message().field(10).map_or(&[][..], |name| name.bytes())),
    }
    out.push(':');
    value(out, annotation.message(), known, depth);
}

/// Appends the value of an annotation.
fn value(out: &mut String, fields: Fields<'_>, known: InternedArgs<'_>, depth: usize) {
    let Some(depth) = depth.checked_sub(1) else { return out.push_str("null") };
    // Each entry or element is a separate field; all other values are a single field.
    let start = out.len();
    let mut closing = None;
    for field in fields {
        match field.number {
            // The first field determines the type; fields of other types are ignored.
            2..=9 | 14 | 17 if closing.is_some() => continue,
            11 | 12 if out.len() > MAX_TEXT => continue,
            11 if closing == Some(']') => continue,
            12 if closing == Some('}') => continue,
            2 => out.push_str(if field.is_true() { "true" } else { "false" }),
            3 => integer(out, field.number()),
            4 => integer(out, field.signed()),
            5 => float(out, field.double()),
            6 => string(out, field.bytes()),
            7 => hex(out, field.number()),
            8 => nested(out, field.message(), depth),
            9 => json(out, field.bytes()),
            17 => match known.sequence.annotation_texts.get(&field.number()) {
                Some(text) => out.push_str(text),
                None => out.push_str("null"),
            },
            11 => {
                out.push(if closing.is_some() { ',' } else { '{' });
                closing = Some('}');
                annotation(out, field, known, depth);
                continue;
            }
            12 => {
                out.push(if closing.is_some() { ',' } else { '[' });
                closing = Some(']');
                value(out, field.message(), known, depth);
                continue;
            }
            14 => {
                // Messages add depth, too.
                let annotate = |out: &mut String, field: Field<'_>| annotation(out, field, known, depth / 2);
                let interned = |out: &mut String, of: (&str, &str), iid| known.member(out, of, iid);
                let messages = Messages { schema: known.schema, annotate: &annotate, interned: &interned };
                messages.message(out, &known.type_of(fields), field.message());
            }
            _ => continue,
        }
        return;
    }
    out.extend(closing);
    if out.len() == start {
        out.push_str("null");
    }
}

/// Appends a value in the old format of nested annotations.
fn nested(out: &mut String, fields: Fields<'_>, depth: usize) {
    const DICTIONARY: u64 = 1;
    const LIST: u64 = 2;
    let Some(depth) = depth.checked_sub(1) else { return out.push_str("null") };
    let kind = fields.field(1).map_or(0, |kind| kind.number());
    let values = |number: u64| fields.filter(move |field| field.number == number);
    match kind {
        DICTIONARY => {
            out.push('{');
            for (at, (key, value)) in values(2).zip(values(3)).enumerate() {
                if at > 0 {
                    out.push(',');
                }
                string(out, key.bytes());
                out.push(':');
                nested(out, value.message(), depth);
            }
            out.push('}');
        }
        LIST => {
            out.push('[');
            for (at, value) in values(4).enumerate() {
                if at > 0 {
                    out.push(',');
                }
                nested(out, value.message(), depth);
            }
            out.push(']');
        }
        _ => {
            let value = Iterator::find(&mut { fields }, |field| (5..=8).contains(&field.number));
            match value {
                Some(field) if field.number == 5 => integer(out, field.signed()),
                Some(field) if field.number == 6 => float(out, field.double()),
                Some(field) if field.number == 7 => out.push_str(if field.is_true() { "true" } else { "false" }),
                Some(field) => string(out, field.bytes()),
                None => out.push_str("null"),
            }
        }
    }
}
