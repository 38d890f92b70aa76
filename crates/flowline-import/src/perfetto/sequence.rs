//! State of a packet sequence: interned strings, defaults, and the base values of deltas.

use std::sync::Arc;

use foldhash::HashMap;

use super::bases::Bases;
use super::json_text::{integer, quoted, string, text};
use super::owner_descriptor::{OwnerDescriptor, ThreadKey};
use super::packet::{Packet, id, kind};
use super::stacks::Stacks;
use super::wire::{Field, Fields};

/// Text by interning id. Copies of the state share it until it changes.
pub(super) type Interned = Arc<HashMap<u64, Box<str>>>;

/// The state of a sequence.
#[derive(Clone, Debug, Default)]
pub(super) struct Sequence {
    /// True if no data that packets refer to has been lost.
    is_whole: bool,
    pub(super) categories: Interned,
    pub(super) names: Interned,
    pub(super) kernel_symbols: Interned,
    // The texts below are quoted, as arguments are written.
    pub(super) annotation_names: Interned,
    pub(super) annotation_texts: Interned,
    /// Names of message types.
    pub(super) type_names: Interned,
    pub(super) log_messages: Interned,
    pub(super) correlations: Interned,
    pub(super) histogram_names: Interned,
    /// Mapping and address of methods without a symbol.
    pub(super) native_symbols: Arc<HashMap<u64, (u64, u64)>>,
    pub(super) stacks: Arc<Stacks>,
    /// Source locations by interning id.
    pub(super) locations: Arc<HashMap<u64, Location>>,
    pub(super) defaults: Defaults,
    /// The thread that writes the sequence, for old traces, which have no tracks.
    pub(super) thread: Option<ThreadKey>,
    pub(super) bases: Bases,
}

/// Default values for packets.
#[derive(Clone, Debug, Default)]
pub(super) struct Defaults {
    pub(super) clock: Option<u32>,
    pub(super) track: Option<u64>,
    pub(super) counters: Vec<u64>,
    pub(super) double_counters: Vec<u64>,
}

/// A source location, as JSON text.
#[derive(Clone, Debug, Default)]
pub(super) struct Location {
    pub(super) file: Box<str>,
    pub(super) function: Box<str>,
    pub(super) line: u64,
}

impl Location {
    pub(super) fn read(fields: Fields<'_>) -> Self {
        let mut location = Self::default();
        for field in fields {
            match field.number {
                2 => location.file = quoted(field.bytes()),
                3 => location.function = quoted(field.bytes()),
                4 => location.line = field.number(),
                _ => {}
            }
        }
        location
    }

    /// Appends the location as members, with `prefix` before each name.
    pub(super) fn write(&self, out: &mut String, prefix: &str, names: [&str; 3]) {
        let mut before = "";
        for (name, value) in [(names[0], &self.file), (names[1], &self.function)] {
            if !value.is_empty() {
                out.push_str(before);
                string(out, format!("{prefix}{name}").as_bytes());
                out.push(':');
                out.push_str(value);
                before = ",";
            }
        }
        if self.line > 0 || before.is_empty() {
            out.push_str(before);
            string(out, format!("{prefix}{}", names[2]).as_bytes());
            out.push(':');
            integer(out, self.line);
        }
    }
}

impl Sequence {
    /// Applies the state changes of a packet; returns `false` if the packet refers to lost data.
    /// `with_stacks` is false where nobody reads the stacks of samples.
    pub(super) fn apply(&mut self, packet: &Packet<'_>, with_stacks: bool) -> bool {
        let is_whole = self.take(packet, with_stacks);
        match packet.data {
            Some((kind::CLOCK_SNAPSHOT, snapshot)) => self.bases.clocks.set(snapshot),
            Some((kind::THREAD_DESCRIPTOR, described)) if is_whole => self.describe_thread(described),
            // A sequence that describes a thread belongs to it, unless its events name another thread.
            Some((kind::TRACK_DESCRIPTOR, described)) if is_whole => {
                if let Some(thread) = Fields::new(described).filter(|field| field.number == 4).last() {
                    let thread = OwnerDescriptor::thread(thread.bytes());
                    self.thread = Some((thread.pid, thread.tid));
                }
            }
            _ => {}
        }
        is_whole
    }

    fn take(&mut self, packet: &Packet<'_>, with_stacks: bool) -> bool {
        if packet.is_cleared {
            let (mut bases, thread) = (std::mem::take(&mut self.bases), self.thread);
            bases.clear_counters();
            *self = Self { is_whole: true, thread, bases, ..Self::default() };
        } else if packet.follows_loss {
            self.is_whole = false;
        }
        if let Some(defaults) = packet.defaults {
            self.defaults = Defaults::read(defaults);
        }
        if let Some(interned) = packet.interned {
            self.intern(interned, with_stacks);
        }
        self.is_whole || !packet.needs_state
    }

    /// Returns true if a packet that was taken refers to no lost data.
    pub(super) const fn accepts(&self, packet: &Packet<'_>) -> bool {
        self.is_whole || !packet.needs_state
    }

    fn intern(&mut self, interned: &[u8], with_stacks: bool) {
        for entry in Fields::new(interned) {
            let table = match entry.number {
                1 => &mut self.categories,
                2 => &mut self.names,
                3 => &mut self.annotation_names,
                20 => &mut self.log_messages,
                25 => &mut self.histogram_names,
                26 => &mut self.kernel_symbols,
                27 => &mut self.type_names,
                29 => &mut self.annotation_texts,
                43 => &mut self.correlations,
                5..=7 | 16..=19 => {
                    if with_stacks {
                        Arc::make_mut(&mut self.stacks).intern(entry);
                    }
                    continue;
                }
                28 => {
                    let number_of = |number: u64| entry.message().field(number).map_or(0, |field| field.number());
                    let symbols = Arc::make_mut(&mut self.native_symbols);
                    symbols.entry(number_of(1)).or_insert((number_of(2), number_of(3)));
                    continue;
                }
                4 => {
                    let number = entry.message().field(1).map_or(0, |number| number.number());
                    Arc::make_mut(&mut self.locations).entry(number).or_insert_with(|| Location::read(entry.message()));
                    continue;
                }
                _ => continue,
            };
            let (mut number, mut value) = (0, &[][..]);
            for field in entry.message() {
                match field.number {
                    1 => number = field.number(),
                    2 => value = field.bytes(),
                    _ => {}
                }
            }
            // The first text of an id is valid until the state is cleared.
            let is_quoted = !matches!(entry.number, 1 | 2 | 26);
            let made = || if is_quoted { quoted(value) } else { text(value).into() };
            if !table.contains_key(&number) {
                Arc::make_mut(table).insert(number, made());
            }
        }
    }

    /// Returns the clock of a packet. `fallback` is the clock of packets without a sequence.
    pub(super) fn clock(&self, packet: &Packet<'_>, fallback: u32) -> u32 {
        packet.clock.or(self.defaults.clock).unwrap_or(fallback)
    }

    /// Applies the thread descriptor of an old trace, which sets the base times.
    fn describe_thread(&mut self, message: &[u8]) {
        let described = OwnerDescriptor::thread(message);
        self.thread = Some((described.pid, described.tid));
        for field in Fields::new(message) {
            match field.number {
                6 => self.bases.set_now(field.signed()),
                7 => self.bases.set_ran(field.signed()),
                _ => {}
            }
        }
    }
}

impl Defaults {
    pub(super) fn read(message: &[u8]) -> Self {
        let mut defaults = Self::default();
        for field in Fields::new(message) {
            match field.number {
                11 => defaults.of_events(field),
                58 => defaults.clock = Some(id(&field)),
                _ => {}
            }
        }
        defaults
    }

    fn of_events(&mut self, events: Field<'_>) {
        for field in events.message() {
            match field.number {
                11 => self.track = Some(field.number()),
                31 => self.counters.extend(field.numbers()),
                45 => self.double_counters.extend(field.numbers()),
                _ => {}
            }
        }
    }
}
