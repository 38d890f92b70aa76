//! Heap profiles of heapprofd (`profile_packet.proto`): sampled allocations and releases of memory by stack.
//!
//! A dump has several packets, the last of which is not continued; stacks may follow the samples that refer to them. A
//! dump states for each stack the bytes and the number of allocations, and of those released, since profiling began.
//! Differences between dumps become samples of a thread per process and heap. The samples of a stack are divided into
//! memory with the same address and life, so that trees of retained memory are exact. A second thread has the numbers of
//! allocations as weights.

use std::rc::Rc;

use foldhash::HashMap;

use super::heap_history::{Dump, Heap, HeapProfiles, HeapSample, Measures, StackHistory, lives};
use crate::perfetto::event::{Allocation, Owner, OwnerId, TraceEvent};
use crate::perfetto::json_text::text;
use crate::perfetto::output::Output;
use crate::perfetto::packet::Packet;
use crate::perfetto::stacks::{BUILD_ID, CALLSTACK, FRAME, FUNCTION, MAPPING, PATH};
use crate::perfetto::wire::{Field, Fields};
use crate::perfetto::writer::{Writer, emit};

/// The clocks of the times of dumps: the coarse monotonic clock, or the monotonic clock.
const CLOCKS: [u32; 2] = [4, 3];

impl<O: Output> Writer<'_, O> {
    /// Reads a packet of a dump.
    pub(in crate::perfetto) fn heap_profile(&mut self, packet: &Packet<'_>, time: Option<i64>, profile: &[u8]) {
        if !O::DERIVED {
            return;
        }
        let mut dump = self.heap_profiles.dumps.remove(&packet.sequence).unwrap_or_default();
        let (mut is_continued, mut index) = (false, 0);
        for entry in packet.interned.into_iter().flat_map(Fields::new) {
            dump.stacks.intern(entry);
        }
        for field in Fields::new(profile) {
            // All texts have one table.
            let numbers: &[u64] = match field.number {
                1 => &[FUNCTION, PATH, BUILD_ID],
                2 => &[FRAME],
                3 => &[CALLSTACK],
                4 => &[MAPPING],
                5 => {
                    self.heap_of_process(field, time, &mut dump.samples);
                    continue;
                }
                6 => {
                    is_continued = field.is_true();
                    continue;
                }
                7 => {
                    index = field.number();
                    continue;
                }
                _ => continue,
            };
            numbers.iter().for_each(|number| dump.stacks.intern(Field { number: *number, ..field }));
        }
        if dump.next.is_some_and(|next| next != index) {
            self.omit_derived("lost packets of heap profiles");
        }
        dump.next = Some(index.wrapping_add(1));
        if !is_continued {
            self.end_dump(&mut dump);
        }
        self.heap_profiles.dumps.insert(packet.sequence, dump);
    }

    /// Reads the samples of a process.
    fn heap_of_process(&mut self, field: Field<'_>, time: Option<i64>, samples: &mut Vec<HeapSample>) {
        let (mut pid, mut own, mut name) = (0, None, Rc::from("malloc"));
        for part in field.message() {
            match part.number {
                1 => pid = part.signed(),
                9 => own = Some(part.signed()),
                11 if !part.bytes().is_empty() => name = Rc::from(text(part.bytes())),
                4 | 6..=8 | 10 if part.is_true() => self.omit_derived("incomplete heap profiles"),
                14 if part.number() > 0 => self.omit_derived("incomplete heap profiles"),
                _ => {}
            }
        }
        let clocks = &self.facts.clocks;
        let own = own.and_then(|own| CLOCKS.iter().find_map(|clock| clocks.to_trace(0, *clock, own)));
        let Some(ts) = own.or(time) else { return self.omit_derived("heap profiles without a time") };
        for sample in field.message().filter(|part| part.number == 2) {
            let mut read = HeapSample { ts, heap: (pid, Rc::clone(&name)), stack: 0, totals: Measures::default() };
            let [bytes, count] = &mut read.totals;
            for part in sample.message() {
                match part.number {
                    1 => read.stack = part.number(),
                    // Profiles of the maximum state only what was in use then.
                    2 | 8 => bytes.allocated = bytes.allocated.max(part.number()),
                    3 => bytes.released = part.number(),
                    5 | 9 => count.allocated = count.allocated.max(part.number()),
                    6 => count.released = part.number(),
                    _ => {}
                }
            }
            samples.push(read);
        }
    }

    /// Adds the samples of a complete dump to the histories of their stacks.
    fn end_dump(&mut self, dump: &mut Dump) {
        let mut sums: Vec<(i64, (Heap, u32), Measures)> = Vec::new();
        let mut known: HashMap<(i64, Heap, u32), usize> = HashMap::default();
        for HeapSample { ts, heap, stack, totals } in std::mem::take(&mut dump.samples) {
            let Some(frame) = dump.stacks.innermost(stack, &self.facts.symbols, &mut self.frames) else {
                self.omit_derived("allocations without a stack");
                continue;
            };
            // Several stacks can have the same functions.
            let at = *known.entry((ts, heap.clone(), frame)).or_insert(sums.len());
            match sums.get_mut(at) {
                Some((.., sum)) => sum.iter_mut().zip(totals).for_each(|(sum, totals)| sum.add(totals)),
                None => sums.push((ts, (heap, frame), totals)),
            }
        }
        let HeapProfiles { histories, indexes, .. } = &mut self.heap_profiles;
        for (ts, key, totals) in sums {
            let at = *indexes.entry(key.clone()).or_insert(histories.len());
            if at == histories.len() {
                histories.push((key, StackHistory::default()));
            }
            let history = &mut histories[at].1;
            let change = [0, 1].map(|measure| totals[measure].since(history.last[measure]));
            history.last = totals;
            history.changes.push((ts, change));
        }
        // The next dump defines its stacks again.
        dump.stacks.forget_names();
        dump.next = None;
    }

    /// Writes all allocations.
    pub(in crate::perfetto) fn end_heap_profiles(&mut self) {
        let mut open: Vec<(u32, Dump)> = std::mem::take(&mut self.heap_profiles.dumps).into_iter().collect();
        open.sort_unstable_by_key(|(sequence, _)| *sequence);
        for (_, mut dump) in open {
            if !dump.samples.is_empty() {
                self.omit_derived("heap profiles without an end");
                self.end_dump(&mut dump);
            }
        }
        let mut address = 0;
        let histories = std::mem::take(&mut self.heap_profiles.histories);
        for (measure, unit) in ["bytes", "count"].into_iter().enumerate() {
            for ((heap, frame), history) in &histories {
                let owner = self.heap_owner(heap, unit);
                for (ts, weight, address) in lives(&history.changes, measure, &mut address) {
                    let event = TraceEvent {
                        name: Some("allocation".into()),
                        frame: Some(*frame),
                        allocation: Some(Allocation { weight, unit, address }),
                        ..TraceEvent::new(b'P', ts, &owner)
                    };
                    emit(&mut self.output, self.facts, &mut self.place, &event);
                }
            }
        }
    }

    /// Returns the thread of the samples of a heap, and names it.
    fn heap_owner(&mut self, (pid, name): &Heap, unit: &'static str) -> Owner {
        let (id, shown) = match unit {
            "bytes" => (format!("heap {name}"), format!("Heap profile: {name}")),
            _ => (format!("heap {name} count"), format!("Heap profile: {name} (number of allocations)")),
        };
        let owner = Owner { process: OwnerId::Number(*pid), thread: Some(OwnerId::Name(id.into())) };
        if self.named_heaps.insert(owner.clone()) {
            self.name_process(*pid);
            self.name(&owner, ["thread_name", "thread_sort_index"], &shown, None);
        }
        owner
    }
}
