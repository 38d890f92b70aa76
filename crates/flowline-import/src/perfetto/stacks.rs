//! Stacks of samples: interned frames of a sequence, and the frame tree in the text.

use std::fmt::Write as _;

use foldhash::HashMap;

use super::json_text::{string, text};
use super::wire::Field;

/// Interned stack data of a sequence, by interning id.
#[derive(Clone, Debug, Default)]
pub(super) struct Stacks {
    functions: HashMap<u64, String>,
    paths: HashMap<u64, String>,
    /// Paths of source files.
    sources: HashMap<u64, String>,
    /// The path of each mapping.
    mappings: HashMap<u64, u64>,
    frames: HashMap<u64, Frame>,
    /// Frames of each stack, outermost first.
    pub(super) stacks: HashMap<u64, Vec<u64>>,
    /// The names of frames in use.
    named: HashMap<u64, FrameName>,
    /// The innermost frame of each stack in the text.
    pub(super) known: HashMap<u64, u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    function: u64,
    mapping: u64,
    address: u64,
    source: u64,
    line: u64,
}

/// Numbers of a frame's function and file in a [`FrameTree`].
pub(super) type FrameName = (u32, u32);

impl Stacks {
    /// Adds an entry of interned data.
    pub(super) fn intern(&mut self, entry: Field<'_>) {
        let (mut iid, mut bytes, mut listed) = (0, &[][..], Vec::new());
        let mut frame = Frame::default();
        for field in entry.message() {
            match (entry.number, field.number) {
                (_, 1) => iid = field.number(),
                (5 | 17 | 18, 2) => bytes = field.bytes(),
                (6, 2) => frame.function = field.number(),
                (6, 3) => frame.mapping = field.number(),
                (6, 4) => frame.address = field.number(),
                (6, 5) => frame.source = field.number(),
                (6, 6) => frame.line = field.number(),
                (7, 2) | (19, 7) => listed.extend(field.numbers()),
                _ => {}
            }
        }
        match entry.number {
            5 => drop(self.functions.insert(iid, text(bytes).into_owned())),
            6 => drop(self.frames.insert(iid, frame)),
            7 => drop(self.stacks.insert(iid, listed)),
            17 => drop(self.paths.insert(iid, text(bytes).into_owned())),
            18 => drop(self.sources.insert(iid, text(bytes).into_owned())),
            19 => drop(self.mappings.insert(iid, listed.last().copied().unwrap_or_default())),
            _ => {}
        }
    }

    /// Returns the path of a mapping.
    pub(super) fn mapping_path(&self, mapping: u64) -> Option<&str> {
        self.mappings.get(&mapping).and_then(|path| self.paths.get(path)).map(String::as_str)
    }

    /// Returns the frame of an event's stack as text: the function with its place in the source, or the address.
    pub(super) fn frame_text(&self, iid: u64) -> String {
        let frame = self.frames.get(&iid).copied().unwrap_or_default();
        let source = self.sources.get(&frame.source).map_or("", String::as_str);
        let mapped = self.mapping_path(frame.mapping).unwrap_or_default();
        match self.functions.get(&frame.function) {
            Some(name) if !name.is_empty() => event_frame(name, source, frame.line),
            _ if mapped.is_empty() => format!("{:#x}", frame.address),
            _ => format!("{mapped}+{:#x}", frame.address),
        }
    }

    /// Returns function and file of a frame.
    pub(super) fn name(&mut self, iid: u64, tree: &mut FrameTree) -> FrameName {
        if let Some(known) = self.named.get(&iid) {
            return *known;
        }
        let frame = self.frames.get(&iid).copied().unwrap_or_default();
        let file = self.mappings.get(&frame.mapping).and_then(|path| self.paths.get(path)).map_or("", String::as_str);
        let name = match self.functions.get(&frame.function) {
            Some(name) if !name.is_empty() => tree.intern(name),
            _ if file.is_empty() => tree.intern(&format!("{:#x}", frame.address)),
            _ => tree.intern(&format!("{file}+{:#x}", frame.address)),
        };
        let name = (name, tree.intern(file));
        self.named.insert(iid, name);
        name
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
    pub(super) fn number(&mut self, parent: u32, name: FrameName) -> u32 {
        if let Some(known) = self.numbers.get(&(parent, name)) {
            return *known;
        }
        let text = |number: u32| self.texts.get(number as usize).map_or("", |text| text);
        let (function, file) = (text(name.0), text(name.1));
        if self.text.len() + function.len() + file.len() > self.max_text {
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
        string(out, file.as_bytes());
        if parent > 0 {
            let _infallible = write!(out, ",\"parent\":\"{parent}\"");
        }
        out.push('}');
        self.numbers.insert((parent, name), next);
        next
    }
}
