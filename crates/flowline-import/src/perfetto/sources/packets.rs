//! Dispatches the packets of other data sources than events of programs and of the kernel.

use super::packet_kinds as kind;
use super::skipped_packets::skipped;
use crate::perfetto::output::Output;
use crate::perfetto::writer::Writer;

impl<O: Output> Writer<'_, O> {
    /// Reads a packet with the given field number of a sequence, or counts it.
    pub(in crate::perfetto) fn other_packet(&mut self, sequence: u32, time: Option<i64>, number: u64, data: &[u8]) {
        match (number, time) {
            // Read in the first pass.
            (kind::MODULE_SYMBOLS, _) => {}
            // Their entries have times of their own.
            (kind::ANDROID_LOG, _) => self.android_log(data),
            (kind::POWER_RAILS, _) => self.power_rails(sequence, time, data),
            (number, Some(ts)) if kind::ALL.contains(&number) => self.timed_packet((sequence, ts), number, data),
            (number, None) if kind::ALL.contains(&number) => self.omit("packets without a time"),
            (number, _) => {
                if let Some(what) = skipped(number) {
                    self.omit(what);
                }
            }
        }
    }

    fn timed_packet(&mut self, (sequence, ts): (u32, i64), number: u64, data: &[u8]) {
        match number {
            kind::SYSTEM_STATS => self.system_stats(ts, data),
            kind::BATTERY => self.battery(ts, data),
            kind::TRIGGER | kind::CHROME_TRIGGER | kind::CLONE_TRIGGER => self.trigger(ts, data),
            kind::GPU_COUNTERS => self.gpu_counters(sequence, ts, data),
            kind::GPU_LOG => self.gpu_log(ts, data),
            kind::MAPPINGS => self.mappings(ts, data),
            kind::DISPLAY_STATE => self.display_state(ts, data),
            kind::GPU_MEMORY => self.gpu_memory(ts, data),
            kind::FRAME_TIMELINE => self.frame_timeline(ts, data),
            kind::ENERGY => self.energy(sequence, ts, data),
            kind::SYSTEM_PROPERTIES => self.system_properties(ts, data),
            kind::ENTITY_STATES => self.power_states(sequence, ts, data),
            kind::CPU_FREQUENCY | kind::GPU_FREQUENCY => self.stated_frequency(ts, number, data),
            kind::JOURNAL => self.journal(ts, data),
            _ => self.omit("unsupported packets"),
        }
    }
}
