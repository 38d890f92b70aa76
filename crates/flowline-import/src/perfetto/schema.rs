//! Field names of messages: the built-in names of track event fields, and the descriptors that a trace contains, as
//! Chrome's traces do. With these, fields of newer versions have names, too.

use foldhash::HashMap;

use super::json_text::text;
use super::wire::{Field, Fields};

/// A field of a message.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) name: Box<str>,
    pub(super) is_list: bool,
    pub(super) kind: Kind,
}

/// Type of the content of a field.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Unsigned,
    Signed,
    /// Signed numbers with the sign in the lowest bit.
    ZigZag,
    /// Signed numbers of 4 bytes.
    Short,
    Double,
    Float,
    Bool,
    Text,
    Bytes,
    /// An enum value or a message of the named type.
    Typed(Box<str>),
    /// A group, which is deprecated.
    Group,
}

impl Kind {
    /// Returns the kind of a type number in a descriptor.
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

    /// Returns the kind of a letter in [`BUILT_IN`].
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

/// Returns the full name of a type in [`BUILT_IN`].
fn built_in(name: &str) -> Box<str> {
    format!(".perfetto.protos.{name}").into()
}

/// Fields of all known messages.
#[derive(Debug, Default)]
pub(super) struct Schema {
    messages: HashMap<Box<str>, HashMap<u64, Member>>,
    /// Names of enum values.
    enums: HashMap<Box<str>, HashMap<i64, Box<str>>>,
    /// Bytes of all names learned from the trace.
    learned: usize,
}

/// Limits of a single name and of all learned names, in bytes. Longer names become empty.
const MAX_NAME: usize = 512;
const MAX_LEARNED: usize = 64 << 20;

/// Message type of track events.
pub(super) const EVENT: &str = ".perfetto.protos.TrackEvent";
/// Fields of track events and their messages: one line per message with its name, then number, name and type of each
/// field; `*` marks lists.
const BUILT_IN: &str = include_str!("event_fields.txt");
/// Maximum depth of nested messages.
const MAX_DEPTH: usize = 24;

impl Schema {
    /// Returns the built-in schema.
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

    /// Adds the descriptors of a trace: sets of files with messages.
    pub(super) fn learn(&mut self, description: &[u8]) {
        let set = Fields::new(description).filter(|field| field.number == 1);
        for file in set.flat_map(|set| set.message()).filter(|file| file.number == 1) {
            let package = file.message().field(2).map(|package| text(package.bytes()).into_owned()).unwrap_or_default();
            let scope = if package.is_empty() { String::new() } else { format!(".{package}") };
            self.learn_types(file.message(), &scope, [4, 5, 7], MAX_DEPTH);
        }
    }

    /// Adds messages, enums and extensions, which have the given field numbers.
    fn learn_types(&mut self, fields: Fields<'_>, scope: &str, [messages, enums, extensions]: [u64; 3], depth: usize) {
        for field in fields.filter(|_| depth > 0) {
            if self.learned > MAX_LEARNED {
                return;
            }
            if field.number == messages {
                let name = full_name(scope, field);
                self.learned += name.len() + field.bytes().len().min(MAX_NAME);
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

    /// True if any name of a field or of an enum value fulfills a condition.
    pub(super) fn any_name(&self, is_wanted: &dyn Fn(&str) -> bool) -> bool {
        self.messages.values().any(|members| members.values().any(|member| is_wanted(&member.name)))
            || self.enums.values().any(|values| values.values().any(|value| is_wanted(value)))
    }

    /// Returns true if a field of a track event has a name.
    pub(super) fn has_field(&self, number: u64) -> bool {
        self.messages.get(EVENT).is_some_and(|members| members.contains_key(&number))
    }

    /// Returns a field of a message type.
    pub(super) fn member(&self, message: &str, number: u64) -> Option<&Member> {
        self.messages.get(message)?.get(&number)
    }

    /// Returns the value names of an enum; `None` for a message.
    pub(super) fn values(&self, name: &str) -> Option<&HashMap<i64, Box<str>>> {
        self.enums.get(name)
    }
}

/// Returns the full name of a message or an enum.
fn full_name(scope: &str, described: Field<'_>) -> String {
    let name = described.message().field(1).filter(|name| name.bytes().len() <= MAX_NAME);
    format!("{scope}.{}", name.map(|name| text(name.bytes()).into_owned()).unwrap_or_default())
}

/// Parses the descriptor of a field: its number, the field, and the message that it extends.
fn member(described: Field<'_>) -> Option<(u64, Member, Box<str>)> {
    const REPEATED: u64 = 3;
    let (mut number, mut label, mut kind) = (0, 0, 0);
    let (mut name, mut extended, mut type_name) = ("".into(), "".into(), "".into());
    for field in described.message() {
        match field.number {
            1 if field.bytes().len() <= MAX_NAME => name = text(field.bytes()).into(),
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
