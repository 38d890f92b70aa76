//! Counters of the whole system (`sys_stats.proto`, `gpu_mem_event.proto`), and state that Android states as properties.
//!
//! Counters have the names that Perfetto's tools show. Those that the kernel adds up, such as CPU times, are shown added
//! up.

use std::sync::LazyLock;

use super::groups::Group;
use super::named_groups::CounterName;
use super::packet_kinds as kind;
use crate::perfetto::counter_number::CounterNumber::{Double, Whole};
use crate::perfetto::event::OwnerId;
use crate::perfetto::json_text::text;
use crate::perfetto::output::Output;
use crate::perfetto::packet::id;
use crate::perfetto::wire::{Field, Fields};
use crate::perfetto::writer::Writer;
use flowline_profile::CPUS_PID;

/// Names by number, from 1: on the first line of memory, on the second one of virtual memory.
static NAMES: LazyLock<[Vec<&'static str>; 2]> = LazyLock::new(|| {
    let mut lines = include_str!("system_counters.txt").lines().map(|line| line.split(' ').collect());
    [lines.next().unwrap_or_default(), lines.next().unwrap_or_default()]
});
const MEMORY: usize = 0;
const VIRTUAL_MEMORY: usize = 1;

const CPU_TIMES: [(u64, &str); 8] = [
    (2, "cpu.times.user_ns"),
    (3, "cpu.times.user_nice_ns"),
    (4, "cpu.times.system_mode_ns"),
    (5, "cpu.times.idle_ns"),
    (6, "cpu.times.io_wait_ns"),
    (7, "cpu.times.irq_ns"),
    (8, "cpu.times.softirq_ns"),
    (9, "cpu.times.steal_ns"),
];
/// Bytes of a sector in the statistics of disks, whatever the disk uses.
const SECTOR: i64 = 512;
const DISK: [(u64, &str, &str, i64); 8] = [
    (2, "read", "bytes", SECTOR),
    (3, "read_time", "ms", 1),
    (4, "write", "bytes", SECTOR),
    (5, "write_time", "ms", 1),
    (6, "discard", "bytes", SECTOR),
    (7, "discard_time", "ms", 1),
    (8, "flush_count", "", 1),
    (9, "flush_time", "ms", 1),
];
const PRESSURE: [&str; 6] =
    ["psi.cpu.some", "psi.cpu.full", "psi.io.some", "psi.io.full", "psi.mem.some", "psi.mem.full"];

/// Returns the name with a number.
fn named(names: &[&'static str], number: u64) -> Option<&'static str> {
    let at = usize::try_from(number).ok()?.checked_sub(1)?;
    names.get(at).copied()
}

impl<O: Output> Writer<'_, O> {
    /// Writes the statistics of the system.
    pub(in crate::perfetto) fn system_stats(&mut self, ts: i64, stats: &[u8]) {
        let (mut cpu, mut gpu) = (0_u32, 0_u32);
        for field in Fields::new(stats) {
            match field.number {
                1 => self.listed(ts, field, MEMORY, ("meminfo", "bytes", 1024)),
                2 => self.listed(ts, field, VIRTUAL_MEMORY, ("vmstat", "", 1)),
                3 => self.cpu_times(ts, field),
                4 => self.system(ts, ("num_forks", ""), field.signed()),
                5 => self.system(ts, ("num_irq_total", ""), field.signed()),
                6 => self.interrupts(ts, field, "num_irq"),
                7 => self.system(ts, ("num_softirq_total", ""), field.signed()),
                8 => self.interrupts(ts, field, "num_softirq"),
                10 => self.frequency(ts, field),
                // Frequencies of all CPUs, in order.
                11 => {
                    for frequency in field.numbers() {
                        self.cpu_frequency(ts, cpu, frequency.cast_signed());
                        cpu = cpu.saturating_add(1);
                    }
                }
                12 => self.free_pages(ts, field),
                13 => self.disk(ts, field),
                14 => self.pressure(ts, field),
                15 => self.temperature(ts, field),
                16 => self.idle_states(ts, field),
                17 => {
                    for frequency in field.numbers() {
                        self.stated_gpu_frequency(ts, gpu, frequency.cast_signed());
                        gpu = gpu.saturating_add(1);
                    }
                }
                18 => self.kernel_objects(ts, field),
                // The end of the collection.
                9 => {}
                _ => self.omit("system statistics of unknown kind"),
            }
        }
    }

    /// States a value of a counter of the system.
    fn system(&mut self, ts: i64, (name, unit): (&str, &str), value: i64) {
        self.counter_of(ts, Group::System.process(), CounterName::new(name, unit), Whole(value));
    }

    /// States a value of a counter that has a number in a list of names.
    fn listed(&mut self, ts: i64, entry: Field<'_>, list: usize, (kind, unit, factor): (&str, &str, i64)) {
        let (mut number, mut value) = (0, 0);
        for field in entry.message() {
            match field.number {
                1 => number = field.number(),
                2 => value = field.signed(),
                _ => {}
            }
        }
        let value = value.saturating_mul(factor);
        match named(&NAMES[list], number) {
            Some(name) => self.system(ts, (name, unit), value),
            None => self.system(ts, (&format!("{kind} {number}"), unit), value),
        }
    }

    /// States a value of a counter of a CPU.
    fn of_cpu(&mut self, ts: i64, cpu: u32, (name, unit): (&str, &str), value: i64) {
        self.name_cpu(cpu);
        let counter = CounterName { name, id: &format!("CPU {cpu}"), unit };
        self.counter_of(ts, OwnerId::Name(CPUS_PID.into()), counter, Whole(value));
    }

    fn cpu_times(&mut self, ts: i64, entry: Field<'_>) {
        let cpu = entry.message().field(1).map_or(0, |cpu| id(&cpu));
        for field in entry.message() {
            if let Some((_, name)) = CPU_TIMES.iter().find(|(number, _)| *number == field.number) {
                self.of_cpu(ts, cpu, (name, "ns"), field.signed());
            }
        }
    }

    /// Writes a frequency of a CPU or of a GPU (`generic_power.proto`, `generic_gpu_frequency.proto`).
    pub(in crate::perfetto) fn stated_frequency(&mut self, ts: i64, number: u64, event: &[u8]) {
        let part = |number| Fields::new(event).field(number);
        let (of, frequency) = (part(1).map_or(0, |of| id(&of)), part(2).map_or(0, |frequency| frequency.signed()));
        match number {
            kind::CPU_FREQUENCY => self.cpu_frequency(ts, of, frequency / 1000),
            _ => self.stated_gpu_frequency(ts, of, frequency / 1000),
        }
    }

    /// States a frequency of a CPU in kHz, as the kernel's events do.
    fn cpu_frequency(&mut self, ts: i64, cpu: u32, frequency: i64) {
        self.name_cpu(cpu);
        self.counter(ts, OwnerId::Name(CPUS_PID.into()), &format!("CPU {cpu} frequency"), "kHz", frequency);
    }

    fn stated_gpu_frequency(&mut self, ts: i64, gpu: u32, frequency: i64) {
        let counter = CounterName { name: "gpufreq", id: &format!("GPU {gpu}"), unit: "MHz" };
        self.counter_of(ts, Group::Gpu.process(), counter, Whole(frequency));
    }

    fn interrupts(&mut self, ts: i64, entry: Field<'_>, name: &str) {
        let [number, count] = [1, 2].map(|part| entry.message().field(part).map_or(0, |field| field.signed()));
        self.system(ts, (&format!("{name} (id: {number})"), ""), count);
    }

    fn frequency(&mut self, ts: i64, entry: Field<'_>) {
        let device = entry.message().field(1).map_or(&[][..], |key| key.bytes());
        let value = entry.message().field(2).map_or(0, |value| value.signed());
        self.system(ts, (&format!("{} Frequency", text(device)), "kHz"), value);
    }

    /// States the free blocks of memory, by the number of pages in a block.
    fn free_pages(&mut self, ts: i64, entry: Field<'_>) {
        let [node, zone] = [1, 2].map(|part| entry.message().field(part).map(|field| text(field.bytes()).into_owned()));
        let (node, zone) = (node.unwrap_or_default(), zone.unwrap_or_default());
        let orders = entry.message().filter(|field| field.number == 3);
        let counts: Vec<u64> = orders.flat_map(|field| field.numbers()).collect();
        for (order, count) in counts.into_iter().enumerate() {
            self.system(ts, (&format!("mem.buddyinfo[{node}][{zone}][2^{order} pages]"), ""), count.cast_signed());
        }
    }

    fn disk(&mut self, ts: i64, entry: Field<'_>) {
        let name = entry.message().field(1).map(|name| text(name.bytes()).into_owned()).unwrap_or_default();
        for field in entry.message() {
            if let Some((_, kind, unit, factor)) = DISK.iter().find(|(number, ..)| *number == field.number) {
                let value = field.signed().saturating_mul(*factor);
                self.system(ts, (&format!("diskstat.[{name}].{kind}"), unit), value);
            }
        }
    }

    fn pressure(&mut self, ts: i64, entry: Field<'_>) {
        let [resource, total] = [1, 2].map(|part| entry.message().field(part).map_or(0, |field| field.number()));
        match named(&PRESSURE, resource) {
            Some(name) => self.system(ts, (name, "ns"), total.cast_signed()),
            None => self.system(ts, (&format!("psi {resource}"), "ns"), total.cast_signed()),
        }
    }

    fn temperature(&mut self, ts: i64, entry: Field<'_>) {
        let (mut zone, mut kind, mut value) = (String::new(), String::new(), 0);
        for field in entry.message() {
            match field.number {
                1 => zone = text(field.bytes()).into_owned(),
                2 => value = field.signed(),
                3 => kind = text(field.bytes()).into_owned(),
                _ => {}
            }
        }
        let counter = CounterName { name: if kind.is_empty() { &zone } else { &kind }, id: &zone, unit: "°C" };
        self.counter_of(ts, Group::System.process(), counter, Whole(value));
    }

    fn idle_states(&mut self, ts: i64, entry: Field<'_>) {
        let cpu = entry.message().field(1).map_or(0, |cpu| id(&cpu));
        for state in entry.message().filter(|field| field.number == 2) {
            let name = state.message().field(1).map(|name| text(name.bytes()).into_owned()).unwrap_or_default();
            let value = state.message().field(2).map_or(0, |value| value.signed());
            self.of_cpu(ts, cpu, (&format!("cpuidle.{name}"), "µs"), value);
        }
    }

    fn kernel_objects(&mut self, ts: i64, entry: Field<'_>) {
        let name = entry.message().field(1).map(|name| text(name.bytes()).into_owned()).unwrap_or_default();
        let [pages, slabs] = [2, 3].map(|part| entry.message().field(part).map_or(0, |field| field.signed()));
        self.system(ts, (&format!("slab.{name}"), "pages"), pages.saturating_mul(slabs));
    }

    /// Writes the size of the memory of a GPU, of a process or of all.
    pub(in crate::perfetto) fn gpu_memory(&mut self, ts: i64, event: &[u8]) {
        let (mut gpu, mut pid, mut size) = (0, 0, 0);
        for field in Fields::new(event) {
            match field.number {
                1 => gpu = field.number(),
                2 => pid = field.signed(),
                3 => size = field.signed(),
                _ => {}
            }
        }
        let of_gpu = if gpu > 0 { format!("GPU {gpu}") } else { String::new() };
        let process = if pid > 0 { OwnerId::Number(pid) } else { Group::Gpu.process() };
        let counter = CounterName { name: "GPU Memory", id: &of_gpu, unit: "bytes" };
        self.counter_of(ts, process, counter, Whole(size));
    }

    /// Writes the state of the display when the recording began.
    pub(in crate::perfetto) fn display_state(&mut self, ts: i64, state: &[u8]) {
        for field in Fields::new(state) {
            match field.number {
                1 => self.system(ts, ("ScreenState", ""), field.signed()),
                2 => {
                    let counter = CounterName::new("ScreenBrightness", "");
                    self.counter_of(ts, Group::System.process(), counter, Double(field.double()));
                }
                _ => {}
            }
        }
    }

    /// Writes properties of the system: numbers as counters, other values as instants.
    pub(in crate::perfetto) fn system_properties(&mut self, ts: i64, properties: &[u8]) {
        const PREFIX: &str = "debug.tracing.";
        for entry in Fields::new(properties).filter(|field| field.number == 1) {
            let [name, value] =
                [1, 2].map(|part| entry.message().field(part).map_or(&[][..], |field| field.bytes())).map(text);
            let short = name.strip_prefix(PREFIX).unwrap_or(&name);
            let known = match short {
                "screen_state" => "ScreenState",
                "battery_status" => "BatteryStatus",
                "plug_type" => "PlugType",
                other => other,
            };
            match value.trim().parse() {
                Ok(number) => self.system(ts, (known, ""), number),
                Err(_) => self.system_instant(ts, "System properties", known, &[("value", &value)]),
            }
        }
    }
}
