//! Stacks of samples: what packets say of their frames, and the frames in the text.

use std::fmt::Write as _;

use foldhash::HashMap;

use super::json_text::{string, text};
use super::wire::Field;

/// What the packets of a sequence say of stacks, by number.
#[derive(Debug, Default)]
pub(super) struct Stacks {
    functions: HashMap<u64, String>,
    paths: HashMap<u64, String>,
    /// The file that each mapping is of.
    mappings: HashMap<u64, String>,
    frames: HashMap<u64, Frame>,
    /// Frames from the outermost one on.
    pub(super) stacks: HashMap<u64, Vec<u64>>,
    /// The innermost frames of stacks in the text.
    pub(super) known: HashMap<u64, u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    function: u64,
    mapping: u64,
    address: u64,
}

impl Stacks {
    /// Takes an entry of interned data; `number` is that of the field.
    pub(super) fn intern(&mut self, entry: Field<'_>) {
        let (mut iid, mut bytes, mut listed) = (0, &[][..], Vec::new());
        let mut frame = Frame::default();
        for field in entry.message() {
            match (entry.number, field.number) {
                (_, 1) => iid = field.number(),
                (5 | 17, 2) => bytes = field.bytes(),
                (6, 2) => frame.function = field.number(),
                (6, 3) => frame.mapping = field.number(),
                (6, 4) => frame.address = field.number(),
                (7, 2) | (19, 7) => listed.extend(field.numbers()),
                _ => {}
            }
        }
        match entry.number {
            5 => drop(self.functions.insert(iid, text(bytes).into_owned())),
            6 => drop(self.frames.insert(iid, frame)),
            7 => drop(self.stacks.insert(iid, listed)),
            17 => drop(self.paths.insert(iid, text(bytes).into_owned())),
            19 => {
                let last = listed.last().and_then(|path| self.paths.get(path));
                drop(self.mappings.insert(iid, last.cloned().unwrap_or_default()));
            }
            _ => {}
        }
    }

    /// Name and file of a frame.
    pub(super) fn frame(&self, iid: u64) -> (String, String) {
        let frame = self.frames.get(&iid).copied().unwrap_or_default();
        let file = self.mappings.get(&frame.mapping).map_or("", String::as_str);
        let name = match self.functions.get(&frame.function) {
            Some(name) if !name.is_empty() => name.clone(),
            _ if file.is_empty() => format!("{:#x}", frame.address),
            _ => format!("{file}+{:#x}", frame.address),
        };
        (name, file.to_owned())
    }
}

/// The frames of all stacks in the text: a tree.
#[derive(Debug, Default)]
pub(super) struct FrameTree {
    numbers: HashMap<(u32, String, String), u32>,
    /// The members of `stackFrames`.
    pub(super) text: String,
}

impl FrameTree {
    /// The number of a frame below another one; 0 is none.
    pub(super) fn number(&mut self, parent: u32, name: String, file: String) -> u32 {
        let next = u32::try_from(self.numbers.len() + 1).unwrap_or(u32::MAX);
        let out = &mut self.text;
        *self.numbers.entry((parent, name, file)).or_insert_with_key(|(_, name, file)| {
            if !out.is_empty() {
                out.push(',');
            }
            let _infallible = write!(out, "\"{next}\":{{\"name\":");
            string(out, name.as_bytes());
            out.push_str(",\"category\":");
            string(out, file.as_bytes());
            if parent > 0 {
                let _infallible = write!(out, ",\"parent\":\"{parent}\"");
            }
            out.push('}');
            next
        })
    }
}
