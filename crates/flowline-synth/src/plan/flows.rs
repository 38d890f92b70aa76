//! Computes the flows of each thread and step from indexes alone.
//!
//! Threads are written one after the other, and a flow visits several of them, so no state of a flow can be stored.
//! Flow `k` starts in step `k / ports` at port `k % ports`; its hop `h` occurs `h` steps later at a port that is
//! `shift(step, h)` ports ahead. A port therefore finds its flows by subtracting the shift, and because the hops of a
//! flow are in different steps, their order in time is certain.
//!
//! Long-lived flows have *levels*: each level is divided into consecutive windows of equally many steps, each window is
//! one flow, and every port occasionally adds a member. Port 0 opens a window's flow in the window's first step and
//! ends it in the first step of the next window.

use crate::random::{mix, pick};
use crate::share::share;
use std::ops::Range;

/// Salts that make the uses of the mixer independent.
const SHAPE: u64 = 0x5A4E;
const SHIFT: u64 = 0x517F;
const BRIEF: u64 = 0xB21E;
const POOL: u64 = 0x900C;
const LONG: u64 = 0x1046;
const MESSAGE: u64 = 0x3E55;

/// Number of steps after which a pooled id may be reused; longer than any pooled flow.
const POOL_STEPS: u64 = 16;
/// Target number of members of a flow on each level, and the level's share of long-flow members in eighths.
const LEVELS: [(u64, u64); 4] = [(100_000, 4), (10_000, 2), (1_000, 1), (100, 1)];
/// Percentage of port-steps that add a member to a long flow.
const LONG_PERCENT: u64 = 30;
/// One port-step in this many sends a message to another process.
const MESSAGE_EVERY: u64 = 8;

/// Shape of the flows of a family.
#[derive(Debug)]
struct Pattern {
    hops: u64,
    /// True if the flow stays on its port.
    local: bool,
    /// True if the last hop ends the flow's id.
    ends: bool,
    /// True if the id comes from a small pool, like reused addresses.
    pooled: bool,
}

const fn pattern(hops: u64, local: bool, ends: bool, pooled: bool) -> Pattern {
    Pattern { hops, local, ends, pooled }
}

/// Patterns by family number; the catalogs of the formats use the same order.
const PATTERNS: [Pattern; FAMILIES] = [
    pattern(2, false, true, true),   // runnable through an event queue
    pattern(2, false, false, false), // IPC message
    pattern(2, false, true, false),  // task of the task controller
    pattern(3, false, true, true),   // channel event
    pattern(4, false, true, false),  // HTTP transaction
    pattern(2, true, true, false),   // microtask
    pattern(1, true, false, false),  // promise job that never runs
    pattern(3, false, false, false), // image decoding
];

/// Number of brief families.
pub(crate) const FAMILIES: usize = 8;
/// Number of long-lived families, one per level.
pub(crate) const LONG_FAMILIES: usize = LEVELS.len();

/// Frequency of each family, in sixteenths.
const MIXTURE: [usize; 16] = [0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7];

/// Family of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// Index into the patterns.
    Brief(usize),
    /// Level.
    Long(usize),
}

/// Position of a hop in its flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Position {
    First,
    Middle,
    /// The last hop of a flow that does not end its id.
    Last,
    /// The last hop, which ends the id.
    End,
}

/// A hop of a flow: one marker that refers to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hop {
    /// Unique 64-bit value with the highest bit set.
    pub(crate) id: u64,
    /// The id as a small number, unique within the family.
    pub(crate) number: u64,
    pub(crate) family: Family,
    /// Index of the hop, from 0.
    pub(crate) index: usize,
    pub(crate) position: Position,
    /// True if the id may occur in this thread more than a few steps later.
    pub(crate) lasting: bool,
}

/// A message between two processes, seen from one end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Message {
    pub(crate) number: u64,
    pub(crate) other_port: u64,
    pub(crate) receiving: bool,
    pub(crate) random_bits: u64,
}

/// Hops and messages of a thread in a step.
#[derive(Debug, Default)]
pub(crate) struct Visit {
    pub(crate) outgoing: Vec<Hop>,
    pub(crate) incoming: Vec<Hop>,
    pub(crate) messages: Vec<Message>,
}

impl Visit {
    pub(crate) const fn len(&self) -> usize {
        self.outgoing.len() + self.incoming.len() + self.messages.len()
    }

    /// Drops the least important hops beyond `room`. Needed only if there are too few markers for the flows.
    pub(crate) fn limit(&mut self, room: usize) {
        self.incoming.truncate(room);
        self.outgoing.truncate(room - self.incoming.len());
        self.messages.truncate(room - self.incoming.len() - self.outgoing.len());
    }
}

/// The network of ports that flows travel through.
#[derive(Debug)]
pub(crate) struct Routing {
    seed: u64,
    ports: u64,
    steps: u64,
    flows: u64,
    windows: [u64; LONG_FAMILIES],
}

impl Routing {
    pub(crate) fn new(seed: u64, ports: u64, steps: u64, flows: u64) -> Self {
        let windows = LEVELS.map(|(members, eighths)| {
            let per_step_800 = (ports * LONG_PERCENT * eighths).max(1);
            (members * 800 / per_step_800).max(3)
        });
        Self { seed, ports, steps, flows, windows }
    }

    /// Replaces `visit` with the hops and messages of `ports` in `step`.
    pub(crate) fn visit(&self, ports: Range<u64>, step: u64, visit: &mut Visit) {
        visit.outgoing.clear();
        visit.incoming.clear();
        visit.messages.clear();
        if self.flows > 0 && ports.start == 0 {
            self.window_edges(step, visit);
        }
        for port in ports {
            if self.flows > 0 {
                visit.outgoing.extend(self.brief(step, port, 0));
                for hop in 1..=3.min(step) {
                    let sent = step - hop;
                    visit.incoming.extend(self.brief(sent, port, hop).filter(|_| self.is_local(sent, port)));
                    let origin = (port + self.ports - self.shift(sent, hop)) % self.ports;
                    visit.incoming.extend(self.brief(sent, origin, hop).filter(|_| !self.is_local(sent, origin)));
                }
                visit.outgoing.extend(self.long_member(step, port));
            }
            visit.messages.extend(self.sent(step, port));
            visit.messages.extend(self.received(step, port));
        }
    }

    fn shape(&self, step: u64, port: u64) -> usize {
        pick(&MIXTURE, mix(self.seed ^ SHAPE, step * self.ports + port))
    }

    fn is_local(&self, step: u64, port: u64) -> bool {
        PATTERNS[self.shape(step, port)].local
    }

    /// Returns the number of ports between hop `hop` of the flows of `step` and their first hop; never 0 if there are
    /// several ports.
    fn shift(&self, step: u64, hop: u64) -> u64 {
        1 + mix(self.seed ^ SHIFT, step * 8 + hop) % (self.ports - 1).max(1)
    }

    /// Returns hop `hop` of the flow that starts at this step and port, if both exist.
    fn brief(&self, step: u64, port: u64, hop: u64) -> Option<Hop> {
        let key = step * self.ports + port;
        let starts = self.steps * self.ports;
        if share(self.flows, key, starts) == share(self.flows, key + 1, starts) {
            return None;
        }
        let family = self.shape(step, port);
        let pattern = &PATTERNS[family];
        if hop >= pattern.hops {
            return None;
        }
        let (salt, number) =
            if pattern.pooled { (POOL + family as u64, port * POOL_STEPS + step % POOL_STEPS) } else { (BRIEF, key) };
        let position = match (hop, hop + 1 == pattern.hops) {
            (0, _) => Position::First,
            (_, false) => Position::Middle,
            (_, true) if pattern.ends => Position::End,
            (_, true) => Position::Last,
        };
        Some(Hop {
            id: id(self.seed ^ salt, number),
            number,
            family: Family::Brief(family),
            index: usize::try_from(hop).unwrap_or(0),
            position,
            lasting: pattern.pooled,
        })
    }

    fn long_member(&self, step: u64, port: u64) -> Option<Hop> {
        let random_bits = mix(self.seed ^ LONG, step * self.ports + port);
        if random_bits % 100 >= LONG_PERCENT {
            return None;
        }
        let level = match (random_bits >> 32) % 8 {
            0..4 => 0,
            4..6 => 1,
            6 => 2,
            _ => 3,
        };
        // A window's first step is reserved for the hops that end the previous flow and open the next.
        (!step.is_multiple_of(self.windows[level]))
            .then(|| self.long(level, step / self.windows[level], 1, Position::Middle))
    }

    fn window_edges(&self, step: u64, visit: &mut Visit) {
        for (level, &window) in self.windows.iter().enumerate() {
            if step.is_multiple_of(window) {
                let number = step / window;
                if number > 0 {
                    visit.incoming.push(self.long(level, number - 1, 2, Position::End));
                }
                visit.outgoing.push(self.long(level, number, 0, Position::First));
            }
        }
    }

    fn long(&self, level: usize, number: u64, index: usize, position: Position) -> Hop {
        Hop {
            id: id(self.seed ^ (LONG + level as u64), number),
            number,
            family: Family::Long(level),
            index,
            position,
            lasting: true,
        }
    }

    fn sent(&self, step: u64, port: u64) -> Option<Message> {
        let number = step * self.ports + port;
        let random_bits = mix(self.seed ^ MESSAGE, number);
        (step + 1 < self.steps && random_bits.is_multiple_of(MESSAGE_EVERY)).then(|| Message {
            number,
            other_port: (port + self.shift(step, 7)) % self.ports,
            receiving: false,
            random_bits,
        })
    }

    fn received(&self, step: u64, port: u64) -> Option<Message> {
        let sent = step.checked_sub(1)?;
        let origin = (port + self.ports - self.shift(sent, 7)) % self.ports;
        let message = self.sent(sent, origin)?;
        Some(Message { other_port: origin, receiving: true, ..message })
    }
}

fn id(seed: u64, number: u64) -> u64 {
    mix(seed, number) | 1 << 63
}
