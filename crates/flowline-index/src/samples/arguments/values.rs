//! Decodes traced values to the text that a console would show. The format is documented as *Value Summary* in
//! `js/public/Debug.h` of Firefox, of which versions 1 and 2 are known. A recorder writes at most 16 members of a collection, and
//! only the size of collections inside of others.

use super::reader::Reader;
use flowline_profile::samples::CallArguments;

/// Members of a collection that are recorded at most.
const MAX_MEMBERS: usize = 16;
/// Flags of a number that follows the header.
const OUT_OF_LINE: u8 = 0xf;
/// The least number that is in the flags.
const LEAST_INLINE: i32 = -1;
/// Flag of a symbol without a description.
const NO_DESCRIPTION: u8 = 1;
/// Flag of an object with elements that are keyed by number.
const HAS_ELEMENTS: u8 = 1;
/// Header of a hole in an array.
const HOLE: u8 = 0x05;

/// The known version of descriptions.
const VERSION: u8 = 1;
/// Kind of description: a node of a document.
const NODE: u8 = 1;
/// The bit beside the kind of a node: it is in a document.
const IS_CONNECTED: u8 = 0x80;

/// Decodes values; `None` results from damage.
pub(super) struct Decoder<'a> {
    pub(super) reader: Reader<'a>,
    arguments: &'a CallArguments,
    /// Byte before the getter and the setter of a property.
    accessor: u8,
    has_flagged_symbols: bool,
}

impl<'a> Decoder<'a> {
    /// A decoder at a place; `None` if the format of the buffer is unknown.
    pub(super) fn new(arguments: &'a CallArguments, at: usize) -> Option<Self> {
        let version = Reader::new(&arguments.values, 0).u32()?;
        let (accessor, has_flagged_symbols) = match version {
            1 => (0xf0, false),
            2 => (0x0f, true),
            _ => return None,
        };
        let reader = Reader::new(&arguments.values, at);
        Some(Self { reader, arguments, accessor, has_flagged_symbols })
    }

    /// The next value. `is_inner` is true for values inside of others.
    pub(super) fn value(&mut self, is_inner: bool) -> Option<String> {
        let header = self.reader.byte()?;
        let (kind, flags) = (header & 0x0f, header >> 4);
        Some(match kind {
            0x00 if flags == OUT_OF_LINE => number(self.reader.f64()?),
            0x00 => "0".to_owned(),
            0x01 if flags == OUT_OF_LINE => self.reader.i32()?.to_string(),
            0x01 => (i32::from(flags) + LEAST_INLINE).to_string(),
            0x02 => (flags != 0).to_string(),
            0x03 => "undefined".to_owned(),
            0x04 => "null".to_owned(),
            HOLE => "empty".to_owned(),
            0x06 => quoted(&self.reader.text()?),
            0x07 if self.has_flagged_symbols && flags == NO_DESCRIPTION => "Symbol()".to_owned(),
            0x07 => format!("Symbol({})", self.reader.text()?),
            0x09 => format!("{}n", self.reader.text()?),
            0x0c => self.object(flags, is_inner)?,
            _ => return None,
        })
    }

    fn object(&mut self, flags: u8, is_inner: bool) -> Option<String> {
        match self.reader.byte()? {
            0 | 6 => self.class(),
            1 => self.array(is_inner),
            2 => self.map(is_inner),
            3 => self.function(),
            4 => {
                let wrapped = self.value(true)?;
                let object = self.plain(flags, is_inner)?;
                Some(format!("{} {{{wrapped}}}", object.split(' ').next().unwrap_or_default()))
            }
            5 => self.plain(flags, is_inner),
            7 => external(self, is_inner),
            8 => self.error(),
            _ => None,
        }
    }

    /// The names of the next shape: class, then properties.
    fn shape(&mut self) -> Option<Vec<&'a str>> {
        let shape = self.reader.u32()?;
        Some(self.arguments.shape_names(shape).collect())
    }

    /// The class of an object of which nothing else is recorded.
    fn class(&mut self) -> Option<String> {
        Some(class_of(&self.shape()?).to_owned())
    }

    fn array(&mut self, is_inner: bool) -> Option<String> {
        let (class, count) = (self.class()?, self.reader.u32()?);
        if is_inner {
            return Some(format!("{class}({count})"));
        }
        let members = self.members(count, |own| own.value(true))?;
        Some(format!("{class}({count}) [{members}]"))
    }

    fn map(&mut self, is_inner: bool) -> Option<String> {
        let (class, count) = (self.class()?, self.reader.u32()?);
        if is_inner {
            return Some(format!("{class}({count})"));
        }
        let members = self.members(count, |own| Some(format!("{} => {}", own.value(true)?, own.value(true)?)))?;
        Some(format!("{class}({count}) {{{members}}}"))
    }

    fn function(&mut self) -> Option<String> {
        let (name, count) = (self.reader.text()?, self.reader.u32()?);
        // A parameter that takes a value apart has no name.
        let parameters = self
            .members(count, |own| own.reader.text().map(|name| if name.is_empty() { "{}".to_owned() } else { name }))?;
        Some(format!("function {name}({parameters})"))
    }

    /// An object with properties, and with elements if the flags say so.
    fn plain(&mut self, flags: u8, is_inner: bool) -> Option<String> {
        let (names, count) = (self.shape()?, self.reader.u32()?);
        let class = class_of(&names).to_owned();
        let mut members = String::new();
        if !is_inner {
            let mut keys = names.into_iter().skip(1);
            members = self.members(count, |own| {
                let key = keys.next().unwrap_or("?");
                Some(format!("{key}: {}", own.property()?))
            })?;
        }
        if flags & HAS_ELEMENTS != 0 {
            let elements = self.reader.u32()?;
            if !is_inner {
                let mut key = 0..;
                let found = self.members(elements, |own| Some(format!("{}: {}", key.next()?, own.value(true)?)))?;
                members = [members, found].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
            }
        }
        Some(if is_inner { class } else { format!("{class} {{{members}}}") })
    }

    /// The value of a property, or the mark of a property with accessors.
    fn property(&mut self) -> Option<String> {
        if self.reader.peek()? != self.accessor {
            return self.value(true);
        }
        self.reader.byte()?;
        self.value(true)?;
        self.value(true)?;
        Some("(accessor)".to_owned())
    }

    fn error(&mut self) -> Option<String> {
        let class = self.class()?;
        let [name, message, _stack, _file] = [(); 4].map(|()| self.reader.text());
        let [_line, _column] = [self.reader.u32()?, self.reader.u32()?];
        let name = name.filter(|name| !name.is_empty()).unwrap_or(class);
        Some(format!("{name}: {}", message?))
    }

    /// The recorded members of a collection; "…" stands for the others.
    fn members(&mut self, count: u32, mut one: impl FnMut(&mut Self) -> Option<String>) -> Option<String> {
        let recorded = (count as usize).min(MAX_MEMBERS);
        let mut found = (0..recorded).map(|_| one(self)).collect::<Option<Vec<_>>>()?;
        if count as usize > recorded {
            found.push("…".to_owned());
        }
        Some(found.join(", "))
    }
}

fn class_of<'a>(names: &[&'a str]) -> &'a str {
    names.first().copied().filter(|name| !name.is_empty()).unwrap_or("Object")
}

/// A number as JavaScript writes it.
fn number(value: f64) -> String {
    match value {
        _ if value.is_nan() => "NaN".to_owned(),
        _ if value.is_infinite() => if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned(),
        _ => value.to_string(),
    }
}

/// A text in quotes.
fn quoted(text: &str) -> String {
    format!("{text:?}")
}

/// An object of the browser: its class, or a node as markup.
fn external(own: &mut Decoder<'_>, is_inner: bool) -> Option<String> {
    let class = own.class()?;
    let first = own.reader.place();
    let size = own.reader.u32()?;
    let end = first.checked_add(size as usize)?;
    let node = if own.reader.byte()? == VERSION && own.reader.byte()? == NODE { node(own, is_inner) } else { None };
    own.reader.jump(end);
    Some(node.map_or_else(|| class.clone(), |node| format!("{class} {node}")))
}

fn node(own: &mut Decoder<'_>, is_inner: bool) -> Option<String> {
    let _type = own.reader.u16()?;
    let name = own.reader.text()?.to_lowercase();
    Some(match own.reader.byte()? & !IS_CONNECTED {
        1 => {
            let count = own.reader.u32()?;
            let attribute = |own: &mut Decoder<'_>| {
                let (name, value) = (own.reader.text()?, own.reader.text()?);
                Some(format!("{name}={}", quoted(&value)))
            };
            let attributes = own.members(count, attribute)?.replace(", ", " ");
            if attributes.is_empty() { format!("<{name}>") } else { format!("<{name} {attributes}>") }
        }
        2 => format!("{name}={}", quoted(&own.reader.text()?)),
        3 => own.reader.text()?,
        4 => {
            let count = own.reader.u32()?;
            let nodes = if is_inner { String::new() } else { own.members(count, |own| own.value(true))? };
            format!("({count}) [{nodes}]")
        }
        5 | 6 => quoted(&own.reader.text()?),
        _ => format!("<{name}>"),
    })
}
