//! Counters of GPUs (`gpu_counter_event.proto`). Descriptions name the counters of a sequence.

use super::groups::Group;
use super::named_groups::CounterName;
use crate::perfetto::counter_number::CounterNumber::{Double, Whole};
use crate::perfetto::output::Output;
use crate::perfetto::wire::Fields;
use crate::perfetto::writer::Writer;

impl<O: Output> Writer<'_, O> {
    /// Writes the values in a packet.
    pub(in crate::perfetto) fn gpu_counters(&mut self, sequence: u32, ts: i64, event: &[u8]) {
        let facts = self.facts;
        let part = |number| Fields::new(event).field(number).map_or(0, |field| field.number());
        let (gpu, list) = (part(3), part(4));
        let id = if gpu > 0 { format!("GPU {gpu}") } else { String::new() };
        for entry in Fields::new(event).filter(|field| field.number == 2) {
            let (mut counter, mut value) = (0, None);
            for field in entry.message() {
                match field.number {
                    1 => counter = field.number(),
                    2 => value = Some(Whole(field.signed())),
                    3 => value = Some(Double(field.double())),
                    _ => {}
                }
            }
            let Some(value) = value else { continue };
            let known = facts.counter_descriptors.gpu_counter(sequence, list, counter);
            let unknown = format!("GPU counter {counter}");
            let name = known.map_or("", |known| &known.name);
            let counter = CounterName {
                name: if name.is_empty() { &unknown } else { name },
                id: &id,
                unit: known.map_or("", |known| &known.unit),
            };
            self.counter_of(ts, Group::Gpu.process(), counter, value);
        }
    }
}
