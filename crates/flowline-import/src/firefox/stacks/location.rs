//! Parses the frame texts of raw profiles: an address, a library function, a script function, or a label.

use flowline_profile::StringTable;

use super::stack_columns::Frames;
use crate::firefox::threads::sentinels::NONE;

/// The parsed text of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::firefox) struct Location {
    /// Name of the function.
    pub(super) name: String,
    pub(super) place: FrameOrigin,
}

/// Location of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FrameOrigin {
    /// At an address of the process.
    Address(u64),
    /// At an address that cannot be parsed.
    Unknown,
    /// In the library with this name.
    Library(String),
    /// In a script.
    Script {
        address: String,
        /// Line and column of the function's start; [`NONE`] if unknown.
        line: u32,
        column: u32,
        /// Number in the process's script table; [`NONE`] if there is none.
        source: u32,
    },
    /// A label; `relevant_for_js` shows it among script functions.
    Label { relevant_for_js: bool },
}

/// The locations of a raw thread's frames, each text once in order of appearance. Makes the frames refer to them.
pub(in crate::firefox) fn locations(frames: &mut Frames, strings: &StringTable, text: &[u8]) -> Vec<Location> {
    let mut known = vec![NONE; strings.len()];
    let mut locations = Vec::new();
    for (row, func) in frames.func.iter_mut().enumerate() {
        let Some(number) = known.get_mut(*func as usize) else {
            *func = NONE;
            continue;
        };
        if *number == NONE
            && let Some(text) = strings.get(text, u64::from(*func))
        {
            *number = u32::try_from(locations.len()).unwrap_or(NONE);
            let relevant = frames.relevant_for_js.get(row).copied().unwrap_or(false);
            locations.push(Location::parse(text, relevant));
        }
        *func = *number;
    }
    locations
}

impl Location {
    /// Parses the text of a frame; `relevant_for_js` is the frame's flag for labels.
    fn parse(text: String, relevant_for_js: bool) -> Self {
        if let Some(digits) = text.strip_prefix("0x") {
            let address = u64::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'));
            return Self { place: address.map_or(FrameOrigin::Unknown, FrameOrigin::Address), name: text };
        }
        if let Some((name, library)) = of_library(&text) {
            let name = name.strip_prefix("non-virtual thunk to ").unwrap_or(name);
            return Self { name: name.to_owned(), place: FrameOrigin::Library(library.to_owned()) };
        }
        Self::of_script(&text).unwrap_or(Self { name: text, place: FrameOrigin::Label { relevant_for_js } })
    }

    /// A script function: `NAME (URI:LINE:COLUMN)[SOURCE]` or `URI:LINE:COLUMN[SOURCE]`; column and source are
    /// optional.
    fn of_script(text: &str) -> Option<Self> {
        let (rest, source) = match text.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
            Some((rest, digits)) if is_digits(digits) => (rest, digits.parse().unwrap_or(NONE)),
            _ => (text, NONE),
        };
        let named = || {
            let inside = rest.strip_suffix(')')?;
            // The last parenthesis with something before a line number.
            let mut ends = inside.rmatch_indices(" (").map(|(at, _)| at);
            ends.find_map(|at| Some((&inside[..at], position(&inside[at + 2..])?)))
        };
        let (name, (address, line, column)) = named().or_else(|| Some(("", position(rest)?)))?;
        let address = address.rsplit_once(" -> ").map_or(address, |(_, last)| last);
        let name = if name.is_empty() { format!("(root scope) {address}") } else { name.to_owned() };
        Some(Self { name, place: FrameOrigin::Script { address: address.to_owned(), line, column, source } })
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Splits `URI:LINE` or `URI:LINE:COLUMN`. Two numbers at the end are line and column; the address is not empty.
fn position(text: &str) -> Option<(&str, u32, u32)> {
    let number = |text: &str| text.parse().unwrap_or(NONE);
    let last = |text| {
        let (before, digits): (&str, &str) = str::rsplit_once(text, ':')?;
        (is_digits(digits) && !before.is_empty()).then_some((before, digits))
    };
    let (before, second) = last(text)?;
    Some(match last(before) {
        Some((address, first)) => (address, number(first), number(second)),
        None => (before, number(second), NONE),
    })
}

/// Splits `NAME (in LIBRARY)`, `NAME (in LIBRARY) + OFFSET` or `NAME (in LIBRARY) (FILE:LINE)`.
fn of_library(text: &str) -> Option<(&str, &str)> {
    let split = |text| {
        let (name, library): (&str, &str) = str::rsplit_once(str::strip_suffix(text, ")")?, " (in ")?;
        (!library.contains(')')).then_some((name, library))
    };
    let with_offset = || {
        let (before, digits) = text.rsplit_once(" + ")?;
        if is_digits(digits) { split(before) } else { None }
    };
    let with_line = || {
        let inside = text.strip_suffix(')')?;
        let mut places = inside.rmatch_indices(" (");
        places.find_map(|(at, _)| if inside[at + 2..].contains(':') { split(&inside[..at]) } else { None })
    };
    with_offset().or_else(with_line).or_else(|| split(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> (String, FrameOrigin) {
        let location = Location::parse(text.into(), true);
        (location.name, location.place)
    }

    fn script(address: &str, line: u32, column: u32, source: u32) -> FrameOrigin {
        FrameOrigin::Script { address: address.into(), line, column, source }
    }

    #[test]
    fn addresses_keep_their_text_as_name() {
        assert_eq!(parse("0x7efe996435c2"), ("0x7efe996435c2".into(), FrameOrigin::Address(0x7efe_9964_35c2)));
        assert_eq!(parse("0xffffffffffffffff").1, FrameOrigin::Address(u64::MAX));
        for text in ["0x", "0xzz", "0x+1", "0x11112222333344445"] {
            assert_eq!(parse(text), (text.into(), FrameOrigin::Unknown));
        }
    }

    #[test]
    fn functions_of_libraries() {
        let library = || FrameOrigin::Library("libxul.so".into());
        for text in [
            "a::b(int) (in libxul.so)",
            "a::b(int) (in libxul.so) + 1234",
            "a::b(int) (in libxul.so) (/src/b.cpp:12)",
            "non-virtual thunk to a::b(int) (in libxul.so)",
        ] {
            assert_eq!(parse(text), ("a::b(int)".into(), library()), "{text}");
        }
    }

    #[test]
    fn functions_of_scripts() {
        let cases = [
            ("f (http://x/a.js:1:2)", "f", script("http://x/a.js", 1, 2, NONE)),
            ("f (http://x/a.js:1:2)[5]", "f", script("http://x/a.js", 1, 2, 5)),
            ("f (self-hosted:780)", "f", script("self-hosted", 780, NONE, NONE)),
            ("http://x:80/a.js:7", "(root scope) http://x:80/a.js", script("http://x:80/a.js", 7, NONE, NONE)),
            ("a:1:2:3", "(root scope) a:1", script("a:1", 2, 3, NONE)),
            ("f (resource://a.js -> resource://b.js:3:4)", "f", script("resource://b.js", 3, 4, NONE)),
            ("get (x) (a.js:1)", "get (x)", script("a.js", 1, NONE, NONE)),
            (":1:2", "(root scope) :1", script(":1", 2, NONE, NONE)),
            ("f (a.js:1:99999999999)", "f", script("a.js", 1, NONE, NONE)),
        ];
        for (text, name, place) in cases {
            assert_eq!(parse(text), (name.into(), place), "{text}");
        }
    }

    #[test]
    fn everything_else_is_a_label() {
        for text in ["(root)", "(http://x:1:1)", "Element.click", "XREMain::XRE_main", "", "a::b", "f (x)", "f (:1)"] {
            assert_eq!(parse(text), (text.into(), FrameOrigin::Label { relevant_for_js: true }), "{text}");
        }
    }
}
