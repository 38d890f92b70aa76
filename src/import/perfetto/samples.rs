//! Samples of stacks: their frames become the member `stackFrames` of the text, each sample an event that names its innermost
//! frame.

use std::fmt::Write as _;

use foldhash::HashMap;

use super::json_text::{quoted, string, text};
use super::packet::Packet;
use super::sequence::Sequence;
use super::wire::{Field, Fields};
use super::writer::Writer;

/// What the packets of a sequence say of stacks, by number.
#[derive(Debug, Default)]
pub(super) struct Stacks {
    functions: HashMap<u64, String>,
    paths: HashMap<u64, String>,
    /// The file that each mapping is of.
    mappings: HashMap<u64, String>,
    frames: HashMap<u64, Frame>,
    /// Frames from the outermost one on.
    stacks: HashMap<u64, Vec<u64>>,
    /// The innermost frames of stacks in the text.
    known: HashMap<u64, u32>,
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
    fn frame(&self, iid: u64) -> (String, String) {
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
    fn number(&mut self, parent: u32, name: String, file: String) -> u32 {
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

impl Sequence {
    /// The innermost frame of a stack in the text; `None` if nobody said what the stack is.
    fn innermost(&mut self, stack: u64, tree: &mut FrameTree) -> Option<u32> {
        if let Some(known) = self.stacks.known.get(&stack) {
            return Some(*known);
        }
        let mut innermost = 0;
        for frame in self.stacks.stacks.get(&stack)? {
            let (name, file) = self.stacks.frame(*frame);
            innermost = tree.number(innermost, name, file);
        }
        self.stacks.known.insert(stack, innermost);
        Some(innermost)
    }
}

impl Writer<'_> {
    /// Writes a sample of a processor's counter.
    pub(super) fn perf_sample(&mut self, packet: &Packet<'_>, time: Option<i64>, message: &[u8]) {
        const SKIPPED: u64 = 18;
        let (mut pid, mut tid, mut stack) = (0, 0, 0);
        for field in Fields::new(message) {
            match field.number {
                2 => pid = field.signed(),
                3 => tid = field.signed(),
                4 => stack = field.number(),
                // What the profiler could not take, or says of itself.
                SKIPPED | 19 => return,
                _ => {}
            }
        }
        match time {
            Some(ts) => self.sample(packet, ts, (pid, tid), stack),
            None => self.left_out.add("CPU samples without a time"),
        }
    }

    /// Writes the samples of the thread that writes them.
    pub(super) fn streaming_profile(&mut self, packet: &Packet<'_>, time: Option<i64>, message: &[u8]) {
        let (mut stacks, mut differences) = (Vec::new(), Vec::new());
        for field in Fields::new(message) {
            match field.number {
                1 => stacks.extend(field.numbers()),
                2 => differences.extend(field.numbers().map(u64::cast_signed)),
                _ => {}
            }
        }
        let sequence = self.sequence(packet);
        let Some(thread) = sequence.thread else { return self.left_out.add("CPU samples of an unknown thread") };
        let mut ts = match sequence.now_us {
            Some(now) => self.facts.clocks.of_old_events(now.saturating_mul(1000)),
            None => time.unwrap_or_default(),
        };
        let mut passed = 0_i64;
        for (stack, difference) in stacks.into_iter().zip(differences) {
            passed = passed.saturating_add(difference);
            ts = ts.saturating_add(difference.saturating_mul(1000));
            self.sample(packet, ts, thread, stack);
        }
        if let Some(now) = &mut self.sequence(packet).now_us {
            *now = now.saturating_add(passed);
        }
    }

    fn sample(&mut self, packet: &Packet<'_>, ts: i64, thread: (i64, i64), stack: u64) {
        let place = self.thread_place(thread);
        let sequence = self.sequences.entry(packet.sequence).or_default();
        let Some(frame) = sequence.innermost(stack, &mut self.frames) else {
            self.left_out.add("CPU samples without a stack");
            return;
        };
        self.begin_event('P', ts);
        self.out.push_str(&place.owner);
        let _infallible = write!(self.out, ",\"name\":{},\"sf\":\"{frame}\"}}", quoted(b"sample"));
    }
}
