//! Stacks of samples: interned frames of a sequence, and the frame tree in the text.

use std::fmt::Write as _;

use foldhash::HashMap;
use smallvec::SmallVec;

use super::json_text::{string, text};
use super::sources::module_symbols::ModuleSymbols;
use super::wire::Field;

/// Interned stack data of a sequence, by interning id.
#[derive(Clone, Debug, Default)]
pub(super) struct Stacks {
    functions: HashMap<u64, String>,
    paths: HashMap<u64, String>,
    build_ids: HashMap<u64, Box<[u8]>>,
    source_paths: HashMap<u64, String>,
    mappings: HashMap<u64, Mapping>,
    frames: HashMap<u64, Frame>,
    /// Frames of each stack, outermost first.
    pub(super) stacks: HashMap<u64, Vec<u64>>,
    /// The names of frames in use.
    named: HashMap<u64, FrameNames>,
    /// The innermost frame of each stack in the text.
    known: HashMap<u64, u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Mapping {
    path: u64,
    build_id: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    function: u64,
    mapping: u64,
    address: u64,
    source_path: u64,
    line: u32,
}

/// The function of a frame: numbers of its name, its library and its file in a [`FrameTree`], and its line, 0 if unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct FrameName {
    function: u32,
    library: u32,
    file: u32,
    line: u32,
}

/// The functions of a frame, outermost first: several if calls are inlined.
type FrameNames = SmallVec<[FrameName; 1]>;

/// Numbers of entries of interned data.
pub(super) const FUNCTION: u64 = 5;
pub(super) const FRAME: u64 = 6;
pub(super) const CALLSTACK: u64 = 7;
pub(super) const BUILD_ID: u64 = 16;
pub(super) const PATH: u64 = 17;
pub(super) const SOURCE_PATH: u64 = 18;
pub(super) const MAPPING: u64 = 19;

impl Stacks {
    /// Adds an entry of interned data.
    pub(super) fn intern(&mut self, entry: Field<'_>) {
        let (mut iid, mut bytes, mut listed) = (0, &[][..], Vec::new());
        let (mut frame, mut build_id) = (Frame::default(), 0);
        for field in entry.message() {
            match (entry.number, field.number) {
                (_, 1) => iid = field.number(),
                (FUNCTION | PATH | BUILD_ID | SOURCE_PATH, 2) => bytes = field.bytes(),
                (FRAME, 2) => frame.function = field.number(),
                (FRAME, 3) => frame.mapping = field.number(),
                (FRAME, 4) => frame.address = field.number(),
                (FRAME, 5) => frame.source_path = field.number(),
                (FRAME, 6) => frame.line = super::packet::id(&field),
                (MAPPING, 2) => build_id = field.number(),
                (CALLSTACK, 2) | (MAPPING, 7) => listed.extend(field.numbers()),
                _ => {}
            }
        }
        match entry.number {
            FUNCTION => drop(self.functions.insert(iid, text(bytes).into_owned())),
            FRAME => drop(self.frames.insert(iid, frame)),
            CALLSTACK => drop(self.stacks.insert(iid, listed)),
            BUILD_ID => drop(self.build_ids.insert(iid, bytes.into())),
            PATH => drop(self.paths.insert(iid, text(bytes).into_owned())),
            SOURCE_PATH => drop(self.source_paths.insert(iid, text(bytes).into_owned())),
            MAPPING => {
                let mapping = Mapping { path: listed.last().copied().unwrap_or_default(), build_id };
                self.mappings.insert(iid, mapping);
            }
            _ => {}
        }
    }

    /// True for any of the strings that texts of frames contain.
    pub(super) fn any_text(&self, is_wanted: &impl Fn(&str) -> bool) -> bool {
        let tables = [&self.functions, &self.paths, &self.source_paths];
        tables.into_iter().any(|table| table.values().any(|text| is_wanted(text)))
    }

    /// Returns the path of a mapping.
    pub(super) fn mapping_path(&self, mapping: u64) -> Option<&str> {
        self.mappings.get(&mapping).and_then(|mapping| self.paths.get(&mapping.path)).map(String::as_str)
    }

    /// Returns the frame of an event's stack as text: the function with its place in the source, or the address.
    pub(super) fn frame_text(&self, iid: u64) -> String {
        let frame = self.frames.get(&iid).copied().unwrap_or_default();
        let source = self.source_paths.get(&frame.source_path).map_or("", String::as_str);
        let mapped = self.mapping_path(frame.mapping).unwrap_or_default();
        match self.functions.get(&frame.function) {
            Some(name) if !name.is_empty() => event_frame(name, source, u64::from(frame.line)),
            _ if mapped.is_empty() => format!("{:#x}", frame.address),
            _ => format!("{mapped}+{:#x}", frame.address),
        }
    }

    /// Forgets which stacks are known, because entries may be replaced.
    pub(super) fn forget_names(&mut self) {
        self.named.clear();
        self.known.clear();
    }

    /// Returns the innermost frame of a stack in the text; `None` if no packet defined the stack.
    pub(super) fn innermost(&mut self, stack: u64, symbols: &ModuleSymbols, tree: &mut FrameTree) -> Option<u32> {
        if let Some(known) = self.known.get(&stack) {
            return Some(*known);
        }
        let mut innermost = 0;
        for frame in self.stacks.get(&stack)?.clone() {
            for name in self.names(frame, symbols, tree) {
                innermost = tree.number(innermost, name);
            }
        }
        self.known.insert(stack, innermost);
        Some(innermost)
    }

    /// Returns the functions of a frame.
    fn names(&mut self, iid: u64, symbols: &ModuleSymbols, tree: &mut FrameTree) -> FrameNames {
        if let Some(known) = self.named.get(&iid) {
            return known.clone();
        }
        let frame = self.frames.get(&iid).copied().unwrap_or_default();
        let mapping = self.mappings.get(&frame.mapping).copied().unwrap_or_default();
        let path = self.paths.get(&mapping.path).map_or("", String::as_str);
        let build_id = self.build_ids.get(&mapping.build_id).map_or(&[][..], |build_id| build_id);
        let library = tree.intern(path);
        let mut names = FrameNames::new();
        let found = symbols.lines(build_id, frame.address).iter().rev().filter(|line| !line.function.is_empty());
        for line in found {
            let (function, file) = (tree.intern(&line.function), tree.intern(&line.file));
            names.push(FrameName { function, library, file, line: line.line });
        }
        if names.is_empty() {
            let function = match self.functions.get(&frame.function) {
                Some(name) if !name.is_empty() => tree.intern(name),
                _ if path.is_empty() => tree.intern(&format!("{:#x}", frame.address)),
                _ => tree.intern(&format!("{path}+{:#x}", frame.address)),
            };
            let file = tree.intern(self.source_paths.get(&frame.source_path).map_or("", String::as_str));
            names.push(FrameName { function, library, file, line: frame.line });
        }
        self.named.insert(iid, names.clone());
        names
    }
}

/// Returns a frame of an event's stack as text: a function, and its place in the source if that is known.
pub(super) fn event_frame(function: &str, source: &str, line: u64) -> String {
    match (source, line) {
        ("", _) => function.to_owned(),
        (source, 0) => format!("{function} ({source})"),
        (source, line) => format!("{function} ({source}:{line})"),
    }
}

/// The tree of all frames in the text.
#[derive(Debug, Default)]
pub(super) struct FrameTree {
    texts: Vec<Box<str>>,
    text_numbers: HashMap<Box<str>, u32>,
    numbers: HashMap<(u32, FrameName), u32>,
    /// The members of `stackFrames`.
    pub(super) text: String,
    max_text: usize,
}

/// Minimum limit for the text of all frames, in bytes; larger traces have their size as the limit. Frames beyond the
/// limit are omitted from their stacks.
const MAX_TEXT: usize = 64 << 20;

impl FrameTree {
    /// Creates the tree for a trace of the given size in bytes.
    pub(super) fn of_trace(bytes: usize) -> Self {
        Self { max_text: MAX_TEXT.max(bytes), ..Self::default() }
    }

    fn intern(&mut self, text: &str) -> u32 {
        if let Some(known) = self.text_numbers.get(text) {
            return *known;
        }
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(text.into());
        self.text_numbers.insert(text.into(), number);
        number
    }

    /// Returns the number of a frame below a parent frame; parent 0 means a root.
    fn number(&mut self, parent: u32, name: FrameName) -> u32 {
        if let Some(known) = self.numbers.get(&(parent, name)) {
            return *known;
        }
        let text = |number: u32| self.texts.get(number as usize).map_or("", |text| text);
        let (function, library, file) = (text(name.function), text(name.library), text(name.file));
        if self.text.len() + function.len() + library.len() + file.len() > self.max_text {
            return parent;
        }
        let next = u32::try_from(self.numbers.len() + 1).unwrap_or(u32::MAX);
        let out = &mut self.text;
        if !out.is_empty() {
            out.push(',');
        }
        let _infallible = write!(out, "\"{next}\":{{\"name\":");
        string(out, function.as_bytes());
        out.push_str(",\"category\":");
        string(out, library.as_bytes());
        if !file.is_empty() {
            out.push_str(",\"file\":");
            string(out, file.as_bytes());
        }
        if name.line > 0 {
            let _infallible = write!(out, ",\"line\":{}", name.line);
        }
        if parent > 0 {
            let _infallible = write!(out, ",\"parent\":\"{parent}\"");
        }
        out.push('}');
        self.numbers.insert((parent, name), next);
        next
    }
}
