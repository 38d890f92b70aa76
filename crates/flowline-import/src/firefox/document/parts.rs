//! Reads the parts of a profile: some ahead, while the outline is still being walked, and the others afterward.

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use foldhash::HashMap;
use rayon::prelude::*;

use super::meta::{self, Meta};
use super::outline::{self, Outline, OutlinePart};
use super::slabs::Slabs;
use super::{damage, pages};
use crate::firefox::dialect::Dialect;
use crate::firefox::joined::counters::RawCounter;
use crate::firefox::stacks::{self, ProcessTables};
use crate::firefox::threads::processed::{self, Shared};
use crate::firefox::threads::raw_thread::RawThread;
use crate::firefox::threads::read_thread::read_thread;
use crate::firefox::threads::{gecko, partial_thread};
use crate::io::memory::peak_of_parts;
use crate::progress::{Phase, Progress};
use flowline_json::Cursor;
use flowline_profile::{Ns, Page, Warnings};

/// Upper bounds of the memory per marker in addition to the parsed data, in bytes: while its thread is derived, and
/// afterward, when it is indexed and the parsed data is freed.
const BYTES_WHILE_DERIVED: u64 = 80;
const BYTES_AFTERWARDS: u64 = 24;
/// The same for a thread.
const BYTES_PER_THREAD: u64 = 2500;
/// The same for a sample, and for a stack or frame.
const BYTES_PER_SAMPLE: u64 = 24;
const BYTES_PER_STACK: u64 = 48;

/// Content of the parts of a profile.
pub(in crate::firefox) struct Parts {
    pub(in crate::firefox) threads: Vec<RawThread>,
    /// The root's first, then one per child process.
    pub(in crate::firefox) metas: Vec<Meta>,
    pub(in crate::firefox) counters: Vec<RawCounter>,
    pub(in crate::firefox) pages: Vec<Page>,
    pub(in crate::firefox) shared: Shared,
    /// Processed profiles: names of libraries, as offsets of strings.
    pub(in crate::firefox) libraries: Vec<u64>,
    /// Raw profiles: libraries and scripts of each process, by meta.
    pub(in crate::firefox) processes: Vec<ProcessTables>,
}

impl Parts {
    /// Upper bound of the memory for deriving and joining in addition to the parsed data, in bytes.
    pub(in crate::firefox) fn memory(&self) -> u64 {
        let of_thread = |thread: &RawThread| {
            let [samples, stacks] = thread.sampled.as_ref().map_or([0; 2], |sampled| sampled.size());
            samples as u64 * BYTES_PER_SAMPLE + stacks as u64 * BYTES_PER_STACK
        };
        let markers = self.threads.iter().map(|thread| thread.markers.len());
        let threads = self.threads.len() as u64 * BYTES_PER_THREAD;
        let shared = self.shared.stacks.stack_count() + self.shared.stacks.frame_count();
        threads
            + peak_of_parts(markers, BYTES_WHILE_DERIVED, BYTES_AFTERWARDS)
            + self.threads.iter().map(of_thread).sum::<u64>()
            + shared as u64 * BYTES_PER_STACK
    }
}

pub(in crate::firefox) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Parts that wait to be read, largest first: a large part that starts last would keep a single core busy.
#[derive(Default)]
pub(in crate::firefox) struct PartQueue<'a>(Mutex<BinaryHeap<QueuedPart<'a>>>);

struct QueuedPart<'a> {
    bytes: usize,
    part: OutlinePart<'a>,
}

impl<'a> PartQueue<'a> {
    pub(in crate::firefox) fn push(&self, part: OutlinePart<'a>) {
        let bytes = match part {
            OutlinePart::Thread(thread, end) => end.saturating_sub(thread.offset()),
            // There is only one, and it may be large.
            OutlinePart::Shared(_) => usize::MAX,
        };
        lock(&self.0).push(QueuedPart { bytes, part });
    }

    pub(in crate::firefox) fn pop(&self) -> Option<OutlinePart<'a>> {
        lock(&self.0).pop().map(|waiting| waiting.part)
    }
}

impl Ord for QueuedPart<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bytes.cmp(&other.bytes)
    }
}

impl PartialOrd for QueuedPart<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for QueuedPart<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for QueuedPart<'_> {}

/// Parts read ahead, while the outline is still being walked.
#[derive(Default)]
pub(in crate::firefox) struct ReadAhead {
    /// Set once the root's meta is known; the inner value is `None` if the meta does not determine the dialect.
    dialect: Cell<Option<Option<Dialect>>>,
    pub(in crate::firefox) parts: ReadParts,
}

/// Parts that have been read.
#[derive(Default)]
pub(in crate::firefox) struct ReadParts {
    /// By offset.
    pub(in crate::firefox) threads: Mutex<HashMap<usize, RawThread>>,
    /// The shared tables: their offset, content, and warnings.
    pub(in crate::firefox) shared: Mutex<Option<(usize, Shared, Warnings)>>,
}

impl ReadAhead {
    pub(in crate::firefox) fn dialect(&self, meta: Option<Cursor<'_>>) -> Option<Dialect> {
        if let Some(known) = self.dialect.get() {
            return known;
        }
        // The meta is read again later, which collects the warnings.
        let meta = meta::read(Some(meta?), &mut Warnings::default());
        let dialect = match (meta.processed_version, meta.version) {
            (Some(_), _) => Some(Dialect::Processed),
            (None, Some(_)) => Some(Dialect::Raw),
            (None, None) => None,
        };
        self.dialect.set(Some(dialect));
        dialect
    }

    /// The parts, if they were read in this dialect.
    pub(in crate::firefox) fn into_parts(self, dialect: Dialect) -> ReadParts {
        if self.dialect.get() == Some(Some(dialect)) { self.parts } else { ReadParts::default() }
    }
}

/// Reads all parts of a profile.
pub(in crate::firefox) struct PartsReader<'r, 'a> {
    pub(in crate::firefox) dialect: Dialect,
    pub(in crate::firefox) slabs: &'r Slabs<'a>,
    pub(in crate::firefox) beyond_part: Option<partial_thread::Whole<'a>>,
    pub(in crate::firefox) progress: &'r Progress,
}

/// A thread to read: cursor, clock offset and index of its process's meta.
type ThreadJob<'a> = (Cursor<'a>, Ns, usize);

impl<'a> PartsReader<'_, 'a> {
    /// Reads all threads in parallel, and the metas and counters of all processes. `known` contains the parts that were
    /// read ahead.
    pub(in crate::firefox) fn read(
        &self,
        outline: &Outline<'a>,
        meta: Meta,
        known: ReadParts,
        warnings: &mut Warnings,
    ) -> Parts {
        let root_start = meta.start_epoch_ms;
        let mut libraries = Vec::new();
        let mut processes = vec![self.process_tables(outline, warnings)];
        if let (Some(mut cursor), Dialect::Processed) = (outline.libs, self.dialect) {
            let result = stacks::read_libraries(&mut cursor, self.slabs, &mut libraries);
            if let Err(error) = outline::ignore_wrong_type(result) {
                damage::warn_damage(warnings, error, || "in libs".into());
            }
        }
        let mut metas = vec![meta];
        let mut jobs: Vec<ThreadJob<'a>> = outline.threads.iter().map(|&cursor| (cursor, Ns(0), 0)).collect();
        let mut counters = match (outline.counters, self.dialect) {
            (Some(cursor), Dialect::Raw) => gecko::read_counters(cursor, 0, Ns(0), warnings),
            (Some(cursor), Dialect::Processed) => processed::read_counters(cursor, self.slabs, warnings),
            (None, _) => Vec::new(),
        };
        let mut pages = Vec::new();
        pages::read(outline.pages, self.slabs, &mut pages, warnings);
        let mut pending: Vec<&Outline<'a>> = outline.processes.iter().rev().collect();
        while let Some(process) = pending.pop() {
            let child = meta::read(process.meta, warnings);
            // The start times are floats; the Firefox Profiler also uses their difference.
            let shift = child.start_epoch_ms.zip(root_start).and_then(|(own, root)| Ns::from_ms(own - root));
            let index = metas.len();
            jobs.extend(process.threads.iter().map(|&cursor| (cursor, shift.unwrap_or_default(), index)));
            if let Some(cursor) = process.counters {
                counters.extend(gecko::read_counters(cursor, index, shift.unwrap_or_default(), warnings));
            }
            pages::read(process.pages, self.slabs, &mut pages, warnings);
            processes.push(self.process_tables(process, warnings));
            metas.push(child);
            pending.extend(process.processes.iter().rev());
        }
        self.progress.begin(Phase::Parse, jobs.len() as u64);
        let ReadParts { threads, shared } = known;
        let (threads, shared) = rayon::join(
            || self.read_threads(&jobs, threads),
            || self.read_shared(outline, shared.into_inner().unwrap_or_else(PoisonError::into_inner)),
        );
        let (shared, found) = shared;
        warnings.merge(found);
        Parts { threads, metas, counters, pages: pages::sorted(pages), shared, libraries, processes }
    }

    /// The libraries and scripts that functions of a raw profile's process refer to.
    fn process_tables(&self, outline: &Outline<'a>, warnings: &mut Warnings) -> ProcessTables {
        match self.dialect {
            Dialect::Raw => ProcessTables::read(outline.libs, outline.sources, warnings),
            Dialect::Processed => ProcessTables::default(),
        }
    }

    /// Reads the shared tables unless they are `known`.
    fn read_shared(&self, outline: &Outline<'a>, known: Option<(usize, Shared, Warnings)>) -> (Shared, Warnings) {
        let mut warnings = Warnings::default();
        let Some(cursor) = outline.shared.filter(|_| self.dialect == Dialect::Processed) else {
            return (Shared::default(), warnings);
        };
        match known.filter(|(offset, ..)| *offset == cursor.offset()) {
            Some((_, shared, warnings)) => (shared, warnings),
            None => (processed::read_shared(cursor, self.slabs, &mut warnings), warnings),
        }
    }

    fn read_threads(&self, jobs: &[ThreadJob<'a>], known: Mutex<HashMap<usize, RawThread>>) -> Vec<RawThread> {
        let read = |&(cursor, shift, meta_index): &ThreadJob<'a>| {
            let known = lock(&known).remove(&cursor.offset());
            let read =
                || read_thread(self.dialect, (cursor, None), self.slabs, self.beyond_part.as_ref(), self.progress);
            let mut thread = known.unwrap_or_else(read);
            self.progress.advance(1);
            (thread.shift, thread.meta_index) = (shift, meta_index);
            thread
        };
        jobs.par_iter().with_max_len(1).map(read).collect()
    }
}
