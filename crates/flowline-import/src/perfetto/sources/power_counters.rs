//! Counters of batteries, power rails, energy consumers and power states (`battery_counters.proto`, `power_rails.proto`,
//! `android_energy_estimation_breakdown.proto`, `android_entity_state_residency.proto`), with the names that Perfetto's
//! tools show. Energy is added up since the device started.

use super::groups::Group;
use super::named_groups::CounterName;
use crate::perfetto::counter_number::CounterNumber::{self, Double, Whole};
use crate::perfetto::json_text::text;
use crate::perfetto::output::Output;
use crate::perfetto::wire::{Field, Fields};
use crate::perfetto::writer::Writer;

const BATTERY: [(u64, &str, &str); 5] = [
    (1, "charge_uah", "µAh"),
    (3, "current_ua", "µA"),
    (4, "current.avg_ua", "µA"),
    (6, "energy_counter_uwh", "µWh"),
    (7, "voltage_uv", "µV"),
];

/// A part of an entry as a number; 0 if it is missing.
fn number(entry: Field<'_>, part: u64) -> i64 {
    entry.message().field(part).map_or(0, |field| field.signed())
}

impl<O: Output> Writer<'_, O> {
    fn power(&mut self, ts: i64, (name, id): (&str, &str), unit: &str, value: CounterNumber) {
        self.counter_of(ts, Group::Power.process(), CounterName { name, id, unit }, value);
    }

    /// Writes the counters of a battery.
    pub(in crate::perfetto) fn battery(&mut self, ts: i64, battery: &[u8]) {
        const CAPACITY: u64 = 2;
        let name = Fields::new(battery).field(5).map(|name| text(name.bytes()).into_owned()).unwrap_or_default();
        let prefix = if name.is_empty() { "batt".to_owned() } else { format!("batt.{name}") };
        for field in Fields::new(battery) {
            if field.number == CAPACITY {
                let value = Double(f64::from(field.float()));
                self.power(ts, (&format!("{prefix}.capacity_pct"), ""), "%", value);
            } else if let Some((_, name, unit)) = BATTERY.iter().find(|(number, ..)| *number == field.number) {
                self.power(ts, (&format!("{prefix}.{name}"), ""), unit, Whole(field.signed()));
            }
        }
    }

    /// Writes the energy that power rails delivered. Values can have times of their own, in ms since the device started.
    pub(in crate::perfetto) fn power_rails(&mut self, sequence: u32, time: Option<i64>, rails: &[u8]) {
        let facts = self.facts;
        for entry in Fields::new(rails).filter(|field| field.number == 2) {
            let index = number(entry, 1).cast_unsigned();
            let own = entry.message().field(2).map(|time| time.signed().saturating_mul(1_000_000));
            let Some(ts) = own.map(|own| facts.clocks.kernel_to_trace(own)).or(time) else {
                self.omit("power rails without a time");
                continue;
            };
            let name = match facts.counter_descriptors.rail(sequence, index) {
                Some(name) if !name.is_empty() => format!("power.{name}_uws"),
                _ => format!("power.rail {index}_uws"),
            };
            self.power(ts, (&name, ""), "µWs", Whole(number(entry, 3)));
        }
    }

    /// Writes the estimated energy of a consumer, and of the apps that used it.
    pub(in crate::perfetto) fn energy(&mut self, sequence: u32, ts: i64, estimate: &[u8]) {
        let part = |number| Fields::new(estimate).field(number).map(|field| field.signed());
        let Some(consumer) = part(2) else { return };
        let facts = self.facts;
        let name = match facts.counter_descriptors.consumer(sequence, consumer) {
            Some(name) => format!("energy.{name}_uws"),
            None => format!("energy.consumer {consumer}_uws"),
        };
        if let Some(energy) = part(3) {
            self.power(ts, (&name, ""), "µWs", Whole(energy));
        }
        for app in Fields::new(estimate).filter(|field| field.number == 4) {
            let id = format!("uid {}", number(app, 1));
            self.power(ts, (&name, &id), "µWs", Whole(number(app, 2)));
        }
    }

    /// Writes the times that parts of the device spent in power states.
    pub(in crate::perfetto) fn power_states(&mut self, sequence: u32, ts: i64, states: &[u8]) {
        let facts = self.facts;
        for entry in Fields::new(states).filter(|field| field.number == 2) {
            let state = (number(entry, 1), number(entry, 2));
            let unknown = || format!("Entity residency: {} is {}", state.0, state.1);
            let name = facts.counter_descriptors.state(sequence, state).map_or_else(unknown, str::to_owned);
            self.power(ts, (&name, ""), "ms", Whole(number(entry, 3)));
        }
    }
}
