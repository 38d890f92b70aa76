//! Names of the counters of power rails, energy consumers, power states and GPUs. Packets state them once, often in
//! another packet than the values, so they are collected in the first pass.

use foldhash::HashMap;

use super::packet_kinds as kind;
use crate::perfetto::json_text::text;
use crate::perfetto::wire::{Content, Field, Fields};

/// The counters of a sequence, by their number there.
type Names<K> = HashMap<(u32, K), Box<str>>;

/// The name and the unit of a counter of a GPU.
#[derive(Debug)]
pub(in crate::perfetto) struct GpuCounter {
    pub(in crate::perfetto) name: Box<str>,
    pub(in crate::perfetto) unit: Box<str>,
}

/// The names of all such counters.
#[derive(Debug, Default)]
pub(in crate::perfetto) struct CounterDescriptors {
    rails: Names<u64>,
    consumers: Names<i64>,
    /// Entity and state.
    states: Names<(i64, i64)>,
    /// Interned list, 0 for lists in packets with values, and counter.
    gpu: HashMap<(u32, u64, u64), GpuCounter>,
}

/// Units of measurement by number (`MeasureUnit` of `gpu_counter_descriptor.proto`).
const UNITS: [&str; 41] = [
    "",
    "bits",
    "kbit",
    "Mbit",
    "Gbit",
    "Tbit",
    "Pbit",
    "bytes",
    "KB",
    "MB",
    "GB",
    "TB",
    "PB",
    "Hz",
    "kHz",
    "MHz",
    "GHz",
    "THz",
    "PHz",
    "ns",
    "µs",
    "ms",
    "s",
    "min",
    "h",
    "vertices",
    "pixels",
    "triangles",
    "mW",
    "W",
    "kW",
    "J",
    "V",
    "A",
    "°C",
    "°F",
    "K",
    "%",
    "primitives",
    "fragments",
    "instructions",
];

/// A field without content.
const EMPTY: Field<'_> = Field { number: 0, content: Content::Bytes(&[]) };

fn parts<const N: usize>(entry: Field<'_>, parts: [u64; N]) -> [Field<'_>; N] {
    parts.map(|part| entry.message().field(part).unwrap_or(EMPTY))
}

impl CounterDescriptors {
    /// Reads the descriptions in a packet with the given field number.
    pub(in crate::perfetto) fn learn(&mut self, sequence: u32, number: u64, data: &[u8]) {
        match number {
            kind::POWER_RAILS => {
                for entry in Fields::new(data).filter(|field| field.number == 1) {
                    let [index, name] = parts(entry, [1, 2]);
                    self.rails.insert((sequence, index.number()), text(name.bytes()).into());
                }
            }
            kind::ENERGY => {
                let lists = Fields::new(data).filter(|field| field.number == 1);
                for entry in lists.flat_map(|list| list.message()).filter(|field| field.number == 1) {
                    let [consumer, ordinal, kind, name] = parts(entry, [1, 2, 3, 4]);
                    let name = if name.bytes().is_empty() {
                        format!("{} {}", text(kind.bytes()), ordinal.number())
                    } else {
                        text(name.bytes()).into_owned()
                    };
                    self.consumers.insert((sequence, consumer.signed()), name.into());
                }
            }
            kind::ENTITY_STATES => {
                for entry in Fields::new(data).filter(|field| field.number == 1) {
                    let [entity, state, name, state_name] = parts(entry, [1, 2, 3, 4]);
                    let name = format!("Entity residency: {} is {}", text(name.bytes()), text(state_name.bytes()));
                    self.states.insert((sequence, (entity.signed(), state.signed())), name.into());
                }
            }
            kind::GPU_COUNTERS => {
                for list in Fields::new(data).filter(|field| field.number == 1) {
                    self.gpu_counters(sequence, 0, list);
                }
            }
            _ => {}
        }
    }

    /// Reads the lists of GPU counters in interned data.
    pub(in crate::perfetto) fn learn_interned(&mut self, sequence: u32, interned: &[u8]) {
        for entry in Fields::new(interned).filter(|field| field.number == 47) {
            let [list, counters] = parts(entry, [1, 2]);
            self.gpu_counters(sequence, list.number(), counters);
        }
    }

    fn gpu_counters(&mut self, sequence: u32, list: u64, counters: Field<'_>) {
        for entry in counters.message().filter(|field| field.number == 1) {
            let [counter, name] = parts(entry, [1, 2]);
            let units = |part| {
                let numbers = entry.message().filter(move |field| field.number == part).flat_map(|unit| unit.numbers());
                let names = numbers.filter_map(|unit| UNITS.get(usize::try_from(unit).ok()?).copied());
                names.filter(|name| !name.is_empty()).collect::<Vec<_>>().join("·")
            };
            let (above, below) = (units(7), units(8));
            let unit = if below.is_empty() { above } else { format!("{above}/{below}") };
            let known = GpuCounter { name: text(name.bytes()).into(), unit: unit.into() };
            self.gpu.insert((sequence, list, counter.number()), known);
        }
    }

    pub(in crate::perfetto) fn rail(&self, sequence: u32, index: u64) -> Option<&str> {
        self.rails.get(&(sequence, index)).map(|name| &**name)
    }

    pub(in crate::perfetto) fn consumer(&self, sequence: u32, consumer: i64) -> Option<&str> {
        self.consumers.get(&(sequence, consumer)).map(|name| &**name)
    }

    pub(in crate::perfetto) fn state(&self, sequence: u32, state: (i64, i64)) -> Option<&str> {
        self.states.get(&(sequence, state)).map(|name| &**name)
    }

    pub(in crate::perfetto) fn gpu_counter(&self, sequence: u32, list: u64, counter: u64) -> Option<&GpuCounter> {
        self.gpu.get(&(sequence, list, counter))
    }
}
