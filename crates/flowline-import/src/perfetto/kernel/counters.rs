//! Counters in kernel events: frequencies and idle states of CPUs, of the GPU and of clocks, and memory of processes.
//!
//! | event | number | fields |
//! |---|---|---|
//! | `cpu_frequency`, `cpu_idle` | 11, 13 | 1 `state`, 2 `cpu_id` |
//! | `cpu_frequency_limits` | 12 | 1 `min_freq`, 2 `max_freq`, 3 `cpu_id` |
//! | `clock_enable`, `clock_disable`, `clock_set_rate` | 14, 15, 16 | 1 `name`, 2 `state` |
//! | `oom_score_adj_update` | 326 | 2 `oom_score_adj`, 3 `pid` |
//! | `mm_event_record` | 328 | 1 `avg_lat`, 2 `count`, 3 `max_lat`, 4 `type` |
//! | `gpu_frequency` | 332 | 1 `gpu_id`, 2 `state` |

use super::cpu_rows::cpus;
use crate::perfetto::event::OwnerId;
use crate::perfetto::json_text::text;
use crate::perfetto::output::Output;
use crate::perfetto::packet::id;
use crate::perfetto::wire::Field;
use crate::perfetto::writer::Writer;

/// Kinds of memory events by number.
const MEMORY_EVENTS: [&str; 7] = ["min_flt", "maj_flt", "read_io", "compaction", "reclaim", "swp_flt", "kern_alloc"];

impl<O: Output> Writer<'_, O> {
    /// Writes the frequency or idle state of a CPU.
    pub(in crate::perfetto) fn cpu_counter(&mut self, (ts, cpu): (i64, u32), event: Field<'_>) {
        let (mut state, mut of) = (0, cpu);
        for field in event.message() {
            match field.number {
                1 => state = field.signed(),
                2 => of = id(&field),
                _ => {}
            }
        }
        let is_frequency = event.number == 11;
        // All bits set means that the CPU left the idle state.
        let state = if !is_frequency && state == i64::from(u32::MAX) { -1 } else { state };
        self.name_cpu(of);
        let name = if is_frequency { "frequency" } else { "idle state" };
        let unit = if is_frequency { "kHz" } else { "" };
        self.counter(ts, cpus(), &format!("CPU {of} {name}"), unit, state);
    }

    /// Writes the limits of the frequency of a CPU.
    pub(in crate::perfetto) fn frequency_limits(&mut self, (ts, cpu): (i64, u32), event: Field<'_>) {
        let (mut limits, mut of) = ([None, None], cpu);
        for field in event.message() {
            match field.number {
                1 => limits[0] = Some(field.signed()),
                2 => limits[1] = Some(field.signed()),
                3 => of = id(&field),
                _ => {}
            }
        }
        self.name_cpu(of);
        for (limit, name) in limits.into_iter().zip(["min", "max"]) {
            if let Some(limit) = limit {
                self.counter(ts, cpus(), &format!("CPU {of} {name} frequency limit"), "kHz", limit);
            }
        }
    }

    /// Writes the rate of a clock, or whether it is enabled.
    pub(in crate::perfetto) fn clock_counter(&mut self, (ts, cpu): (i64, u32), event: Field<'_>) {
        let (mut name, mut state) = (String::new(), 0);
        for field in event.message() {
            match field.number {
                1 => name = text(field.bytes()).into_owned(),
                2 => state = field.signed(),
                _ => {}
            }
        }
        self.name_cpu(cpu);
        let (kind, unit) = if event.number == 16 { ("frequency", "Hz") } else { ("state", "") };
        self.counter(ts, cpus(), &format!("{name} {kind}"), unit, state);
    }

    /// Writes the frequency of a GPU.
    pub(in crate::perfetto) fn gpu_frequency(&mut self, (ts, cpu): (i64, u32), event: Field<'_>) {
        let (mut gpu, mut state) = (0, 0);
        for field in event.message() {
            match field.number {
                1 => gpu = id(&field),
                2 => state = field.signed(),
                _ => {}
            }
        }
        self.name_cpu(cpu);
        self.counter(ts, cpus(), &format!("GPU {gpu} frequency"), "kHz", state);
    }

    /// Writes how soon the kernel ends a process when memory is short. Lists of processes state the same counter.
    pub(in crate::perfetto) fn oom_score(&mut self, ts: i64, event: Field<'_>) {
        let (mut score, mut tid) = (0, 0);
        for field in event.message() {
            match field.number {
                2 => score = field.signed(),
                3 => tid = field.signed(),
                _ => {}
            }
        }
        let (pid, _) = self.printing(tid);
        self.name_process(pid);
        self.counter(ts, OwnerId::Number(pid), "oom_score_adj", "", score);
    }

    /// Writes the memory events of a process since the previous ones: their number and latencies.
    pub(in crate::perfetto) fn memory_events(&mut self, (ts, tid): (i64, i64), event: Field<'_>) {
        let (mut values, mut kind) = ([None; 3], 0);
        for field in event.message() {
            match field.number {
                1 => values[0] = Some(field.signed()),
                2 => values[1] = Some(field.signed()),
                3 => values[2] = Some(field.signed()),
                4 => kind = field.number(),
                _ => {}
            }
        }
        let Some(kind) = usize::try_from(kind).ok().and_then(|kind| MEMORY_EVENTS.get(kind)) else {
            return self.omit("memory events of newer kinds");
        };
        let (pid, _) = self.printing(tid);
        self.name_process(pid);
        for (value, name) in values.into_iter().zip(["avg_lat", "count", "max_lat"]) {
            if let Some(value) = value {
                self.counter(ts, OwnerId::Number(pid), &format!("mem.mm.{kind}.{name}"), "", value);
            }
        }
    }
}
