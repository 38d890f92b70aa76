//! Memory and CPU times of processes (`process_stats.proto`, `smaps.proto`), with the counter names of Perfetto's tools.

use super::named_groups::CounterName;
use crate::perfetto::counter_number::CounterNumber::Whole;
use crate::perfetto::event::OwnerId;
use crate::perfetto::output::Output;
use crate::perfetto::wire::Fields;
use crate::perfetto::writer::Writer;

/// Factor and unit of a counter.
const KILOBYTES: (i64, &str) = (1024, "bytes");
const TIME: (i64, &str) = (1, "ns");
const PLAIN: (i64, &str) = (1, "");

const COUNTERS: [(u64, &str, (i64, &str)); 20] = [
    (2, "mem.virt", KILOBYTES),
    (3, "mem.rss", KILOBYTES),
    (4, "mem.rss.anon", KILOBYTES),
    (5, "mem.rss.file", KILOBYTES),
    (6, "mem.rss.shmem", KILOBYTES),
    (7, "mem.swap", KILOBYTES),
    (8, "mem.locked", KILOBYTES),
    (9, "mem.rss.watermark", KILOBYTES),
    (10, "oom_score_adj", PLAIN),
    (13, "chrome.private_footprint_kb", KILOBYTES),
    (14, "chrome.peak_resident_set_kb", KILOBYTES),
    (16, "mem.smaps.rss", KILOBYTES),
    (17, "mem.smaps.pss", KILOBYTES),
    (18, "mem.smaps.pss.anon", KILOBYTES),
    (19, "mem.smaps.pss.file", KILOBYTES),
    (20, "mem.smaps.pss.shmem", KILOBYTES),
    (21, "runtime.user_ns", TIME),
    (22, "runtime.kernel_ns", TIME),
    (23, "mem.smaps.swap.pss", KILOBYTES),
    (24, "mem.dmabuf_rss", KILOBYTES),
];

/// The sums of the mappings of a process.
const MAPPINGS: [(u64, &str); 8] = [
    (2, "smaps.size"),
    (3, "smaps.private_dirty"),
    (4, "smaps.swap"),
    (11, "smaps.private_clean_resident"),
    (12, "smaps.shared_dirty_resident"),
    (13, "smaps.shared_clean_resident"),
    (14, "smaps.locked"),
    (15, "smaps.proportional_resident"),
];

impl<O: Output> Writer<'_, O> {
    /// Writes the counters of processes.
    pub(in crate::perfetto) fn process_stats(&mut self, time: Option<i64>, stats: &[u8]) {
        let Some(ts) = time else { return self.omit("process statistics without a time") };
        for process in Fields::new(stats).filter(|field| field.number == 1) {
            let pid = process.message().field(1).map_or(0, |pid| pid.signed());
            for field in process.message() {
                match COUNTERS.iter().find(|(number, ..)| *number == field.number) {
                    Some((_, name, (factor, unit))) => {
                        let value = Whole(field.signed().saturating_mul(*factor));
                        self.counter_of(ts, OwnerId::Number(pid), CounterName::new(name, unit), value);
                    }
                    // The process itself, its threads, and a property of a counter.
                    None if matches!(field.number, 1 | 11 | 12) => {}
                    None if field.number == 15 => self.omit("open files of processes"),
                    None => self.omit("process statistics of unknown kind"),
                }
            }
        }
    }

    /// Writes the sums of the memory mappings of a process.
    pub(in crate::perfetto) fn mappings(&mut self, ts: i64, packet: &[u8]) {
        const PACKED: u64 = 3;
        let (mut pid, mut sums) = (0, [None; MAPPINGS.len()]);
        for field in Fields::new(packet) {
            match field.number {
                1 => pid = field.signed(),
                2 => {
                    for part in field.message() {
                        let found = MAPPINGS.iter().position(|(number, _)| *number == part.number);
                        if let Some(sum) = found.and_then(|at| sums.get_mut(at)) {
                            *sum = Some(sum.unwrap_or(0_i64).saturating_add(part.signed()));
                        }
                    }
                }
                PACKED => self.omit("packed memory mappings"),
                _ => {}
            }
        }
        for ((_, name), sum) in MAPPINGS.iter().zip(sums) {
            if let Some(sum) = sum {
                let value = Whole(sum.saturating_mul(1024));
                self.counter_of(ts, OwnerId::Number(pid), CounterName::new(name, "bytes"), value);
            }
        }
    }
}
