//! Names and stacks of one chunk of a text, with chunk-local numbers.

use foldhash::{HashMap, HashMapExt as _};

use flowline_profile::samples::NONE;
use flowline_profile::{FrameId, StackId, StackTablesBuilder};

/// Interned names with local numbers.
#[derive(Debug, Default)]
pub(crate) struct Names<'a> {
    known: HashMap<&'a [u8], u32>,
    pub(crate) list: Vec<&'a [u8]>,
}

impl<'a> Names<'a> {
    /// The number of a name; adds the name if it is new.
    pub(crate) fn number(&mut self, text: &'a [u8]) -> u32 {
        *self.known.entry(text).or_insert_with(|| {
            self.list.push(text);
            u32::try_from(self.list.len() - 1).unwrap_or(NONE)
        })
    }
}

/// Interned stacks: each is a frame and the stack of its caller, which precedes it.
#[derive(Debug)]
pub(crate) struct ChunkStacks {
    known: HashMap<(u32, u32), u32>,
    /// Caller ([`NONE`] at a root) and frame.
    list: Vec<(u32, u32)>,
}

impl Default for ChunkStacks {
    fn default() -> Self {
        Self { known: HashMap::new(), list: Vec::new() }
    }
}

impl ChunkStacks {
    /// The number of the stack with this caller ([`NONE`] at a root) and frame; adds the stack if it is new.
    pub(crate) fn child(&mut self, caller: u32, frame: u32) -> u32 {
        *self.known.entry((caller, frame)).or_insert_with(|| {
            self.list.push((caller, frame));
            u32::try_from(self.list.len() - 1).unwrap_or(NONE)
        })
    }

    /// Adds the stacks to the recording; `frame` converts a caller and a local frame number to a frame. Returns the
    /// recording-wide number of each stack.
    pub(crate) fn add_to(
        &self,
        builder: &mut StackTablesBuilder,
        mut frame: impl FnMut(&mut StackTablesBuilder, Option<StackId>, u32) -> FrameId,
    ) -> Vec<u32> {
        let mut numbers: Vec<u32> = Vec::with_capacity(self.list.len());
        for (caller, own) in &self.list {
            let caller = numbers.get(*caller as usize).map(|number| StackId(*number));
            let own = frame(builder, caller, *own);
            numbers.push(builder.stack(caller, own).0);
        }
        numbers
    }
}

/// The recording-wide number of a local stack; [`NONE`] stays [`NONE`].
pub(crate) fn global(numbers: &[u32], stack: u32) -> u32 {
    numbers.get(stack as usize).copied().unwrap_or(NONE)
}
