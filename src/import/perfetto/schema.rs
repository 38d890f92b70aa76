//! What fields of messages are called: those of a track event that Perfetto's programs know, and those that a trace describes
//! itself, as Chrome's do. So events of later versions are read with their names, too.

use foldhash::HashMap;

use super::json_text::{float, integer, string, text};
use super::wire::{Content, Field, Fields};

/// A field of a message.
#[derive(Clone, Debug)]
struct Member {
    name: Box<str>,
    is_list: bool,
    kind: Kind,
}

/// How the content of a field is read.
#[derive(Clone, Debug)]
enum Kind {
    Unsigned,
    Signed,
    /// Signed, the sign in the lowest bit.
    ZigZag,
    /// Signed numbers of 4 bytes.
    Short,
    Double,
    Float,
    Bool,
    Text,
    Bytes,
    /// A number that has a name, or a message, of a type.
    Typed(Box<str>),
    /// Groups are no longer in use.
    Group,
}

impl Kind {
    /// The kind of a type's number in descriptions of messages.
    fn of_type(number: u64, type_name: &str) -> Self {
        match number {
            1 => Self::Double,
            2 => Self::Float,
            3 | 5 | 16 => Self::Signed,
            8 => Self::Bool,
            9 => Self::Text,
            10 => Self::Group,
            11 | 14 => Self::Typed(type_name.into()),
            12 => Self::Bytes,
            15 => Self::Short,
            17 | 18 => Self::ZigZag,
            _ => Self::Unsigned,
        }
    }

    /// The kind of a letter in [`BUILT_IN`].
    fn of_letter(letter: &str) -> Self {
        match letter {
            "i" => Self::Signed,
            "d" => Self::Double,
            "b" => Self::Bool,
            "s" => Self::Text,
            "u" => Self::Unsigned,
            named => Self::Typed(built_in(named)),
        }
    }
}

/// The full name of a type in [`BUILT_IN`].
fn built_in(name: &str) -> Box<str> {
    format!(".perfetto.protos.{name}").into()
}

/// Names of the fields of all known messages.
#[derive(Debug, Default)]
pub(super) struct Schema {
    messages: HashMap<Box<str>, HashMap<u64, Member>>,
    /// Names of numbers.
    enums: HashMap<Box<str>, HashMap<i64, Box<str>>>,
}

/// The message of track events.
const EVENT: &str = ".perfetto.protos.TrackEvent";
/// Fields of track events and what they hold: a line for each message with its name, then number, name and type of each field;
/// `*` marks lists.
const BUILT_IN: &str = include_str!("event_fields.txt");
/// Messages inside of messages are read down to this depth.
const MAX_DEPTH: usize = 24;

impl Schema {
    /// What is known without a trace.
    pub(super) fn built_in() -> Self {
        let mut schema = Self::default();
        for line in BUILT_IN.lines() {
            let mut words = line.split_whitespace();
            let Some(name) = words.next() else { continue };
            if let Some(name) = name.strip_prefix("enum:") {
                let values = schema.enums.entry(built_in(name)).or_default();
                while let (Some(number), Some(value)) = (words.next(), words.next()) {
                    values.extend(number.parse().ok().map(|number: i64| (number, value.into())));
                }
                continue;
            }
            let members = schema.messages.entry(built_in(name)).or_default();
            while let (Some(number), Some(name), Some(kind)) = (words.next(), words.next(), words.next()) {
                let is_list = kind.ends_with('*');
                let kind = Kind::of_letter(kind.trim_end_matches('*'));
                members.extend(number.parse().ok().map(|number| (number, Member { name: name.into(), is_list, kind })));
            }
        }
        schema
    }

    /// Learns from a trace's description of fields: sets of files with messages.
    pub(super) fn learn(&mut self, description: &[u8]) {
        let set = Fields::new(description).filter(|field| field.number == 1);
        for file in set.flat_map(|set| set.message()).filter(|file| file.number == 1) {
            let package = file.message().field(2).map(|package| text(package.bytes()).into_owned()).unwrap_or_default();
            let scope = if package.is_empty() { String::new() } else { format!(".{package}") };
            self.learn_types(file.message(), &scope, [4, 5, 7], MAX_DEPTH);
        }
    }

    /// Learns messages, enums and extensions, which have these numbers.
    fn learn_types(&mut self, fields: Fields<'_>, scope: &str, [messages, enums, extensions]: [u64; 3], depth: usize) {
        for field in fields.filter(|_| depth > 0) {
            if field.number == messages {
                let name = full_name(scope, field);
                let members = field
                    .message()
                    .filter(|field| field.number == 2)
                    .filter_map(|field| member(field).map(|(number, member, _)| (number, member)));
                self.messages.entry(name.as_str().into()).or_default().extend(members);
                self.learn_types(field.message(), &name, [3, 4, 6], depth - 1);
            } else if field.number == enums {
                let values = field.message().filter(|field| field.number == 2).map(|value| {
                    let name = value.message().field(1).map(|name| text(name.bytes()).into()).unwrap_or_default();
                    (value.message().field(2).map_or(0, |number| number.signed()), name)
                });
                self.enums.entry(full_name(scope, field).into()).or_default().extend(values);
            } else if field.number == extensions
                && let Some((number, member, extended)) = member(field)
            {
                self.messages.entry(extended).or_default().insert(number, member);
            }
        }
    }

    /// Whether a field of a track event has a name.
    pub(super) fn knows(&self, number: u64) -> bool {
        self.messages.get(EVENT).is_some_and(|members| members.contains_key(&number))
    }

    /// Appends the fields of a track event that are not read otherwise, as members of an object; `before` is called before each.
    pub(super) fn write_event<'a>(
        &self,
        out: &mut String,
        fields: impl Iterator<Item = Field<'a>>,
        before: impl FnMut(&mut String),
    ) {
        self.write_members(out, EVENT, fields, MAX_DEPTH, before);
    }

    /// Appends a message of a type as an object.
    pub(super) fn write_message(&self, out: &mut String, type_name: &str, message: Fields<'_>) {
        let full = if type_name.starts_with('.') { type_name.to_owned() } else { format!(".{type_name}") };
        self.write_object(out, &full, message, MAX_DEPTH);
    }

    fn write_object(&self, out: &mut String, message: &str, fields: Fields<'_>, depth: usize) {
        out.push('{');
        let mut is_first = true;
        self.write_members(out, message, fields, depth, |out| {
            if !std::mem::take(&mut is_first) {
                out.push(',');
            }
        });
        out.push('}');
    }

    fn write_members<'a>(
        &self,
        out: &mut String,
        message: &str,
        fields: impl Iterator<Item = Field<'a>>,
        depth: usize,
        mut before: impl FnMut(&mut String),
    ) {
        let members = self.messages.get(message);
        let mut all: Vec<Field<'_>> = fields.collect();
        // The values of a list need not stand together.
        all.sort_by_key(|field| field.number);
        for run in all.chunk_by(|a, b| a.number == b.number) {
            let Some(first) = run.first() else { continue };
            before(out);
            let Some(member) = members.and_then(|members| members.get(&first.number)) else {
                string(out, format!("field {}", first.number).as_bytes());
                out.push(':');
                match first.content {
                    Content::Number(number) => integer(out, number),
                    Content::Bytes(bytes) => string(out, format!("{} bytes", bytes.len()).as_bytes()),
                }
                continue;
            };
            string(out, member.name.as_bytes());
            out.push(':');
            if !member.is_list {
                // The last one counts.
                self.write_value(out, &member.kind, *run.last().unwrap_or(first), depth);
                continue;
            }
            out.push('[');
            let mut count = 0;
            let mut element = |out: &mut String, field: Field<'_>| {
                if std::mem::replace(&mut count, 1) > 0 {
                    out.push(',');
                }
                self.write_value(out, &member.kind, field, depth);
            };
            for field in run {
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
                    (Kind::Typed(name), Content::Bytes(_)) if self.enums.contains_key(name) => {
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

    fn write_value(&self, out: &mut String, kind: &Kind, field: Field<'_>, depth: usize) {
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
            Kind::Typed(name) => match (self.enums.get(name), field.content) {
                (Some(values), _) => match values.get(&field.signed()) {
                    Some(value) => string(out, value.as_bytes()),
                    None => integer(out, field.signed()),
                },
                (None, Content::Number(_)) => integer(out, field.signed()),
                (None, Content::Bytes(_)) if depth == 0 => out.push_str("null"),
                (None, Content::Bytes(_)) => self.write_object(out, name, field.message(), depth - 1),
            },
        }
    }
}

/// The full name of a message or an enum.
fn full_name(scope: &str, described: Field<'_>) -> String {
    let name = described.message().field(1).map(|name| text(name.bytes()).into_owned()).unwrap_or_default();
    format!("{scope}.{name}")
}

/// A described field: its number, and the message that it extends.
fn member(described: Field<'_>) -> Option<(u64, Member, Box<str>)> {
    const REPEATED: u64 = 3;
    let (mut number, mut label, mut kind) = (0, 0, 0);
    let (mut name, mut extended, mut type_name) = ("".into(), "".into(), "".into());
    for field in described.message() {
        match field.number {
            1 => name = text(field.bytes()).into(),
            2 => extended = text(field.bytes()).into(),
            3 => number = field.number(),
            4 => label = field.number(),
            5 => kind = field.number(),
            6 => type_name = text(field.bytes()),
            _ => {}
        }
    }
    let kind = Kind::of_type(kind, &type_name);
    (number > 0).then_some((number, Member { name, is_list: label == REPEATED, kind }, extended))
}
