//! Facts from the markers of main threads about the windows of tabs: which process has them, how often they painted, and
//! when they were in the foreground.

use std::collections::BTreeMap;

use rayon::prelude::*;

use flowline_profile::text::WINDOW_KEY;
use flowline_profile::{LocalMarker, Ns, ProcessId, Profile, Thread, ThreadId, Value, parallel_chunk_size};

/// Names of the markers that state whether a tab was in the foreground. All of them are read, up to [`MAX_READ`].
const PAINTS: [&str; 2] = ["FirstContentfulComposite", "FirstContentfulPaint"];
/// The end of their texts for a tab in the foreground.
const FOREGROUND: &str = "foreground tab";
/// Name of the markers for the frames that a page made.
const TICK: &str = "RefreshDriverTick";
/// At most this many markers of one of these names are read in a thread.
const MAX_READ: usize = 1_000;
/// Number of markers of each other name that are read in a thread.
const SAMPLED: usize = 16;
/// If so many of them name no window, the name is passed over.
const TRIED: usize = 4;

/// The markers of a process that name a window.
#[derive(Clone, Copy, Debug)]
pub(super) struct WindowUse {
    pub(super) process: ProcessId,
    /// Their number, estimated from those that were read.
    pub(super) count: u64,
}

/// The marks of all windows.
#[derive(Debug, Default)]
pub(super) struct TabMarks {
    uses: BTreeMap<(i64, ProcessId), u64>,
    painted: BTreeMap<i64, u64>,
    foreground: BTreeMap<i64, Ns>,
}

impl TabMarks {
    /// Reads the main threads, in parallel.
    pub(super) fn read(profile: &Profile) -> Self {
        let job_len = parallel_chunk_size(profile.threads.len());
        let threads = profile.threads.par_iter().with_max_len(job_len).enumerate();
        let main = threads.filter(|(_, thread)| thread.is_main);
        let parts: Vec<Self> =
            main.map(|(index, thread)| Self::of_thread(profile, ThreadId::new(index), thread)).collect();
        let mut all = Self::default();
        for part in parts {
            part.uses.into_iter().for_each(|(key, count)| *all.uses.entry(key).or_default() += count);
            part.painted.into_iter().for_each(|(key, count)| *all.painted.entry(key).or_default() += count);
            for (window, time) in part.foreground {
                let known = all.foreground.entry(window).or_insert(time);
                *known = time.min(*known);
            }
        }
        all
    }

    fn of_thread(profile: &Profile, id: ThreadId, thread: &Thread) -> Self {
        let mut marks = Self::default();
        let attributes = thread.markers.attributes();
        let mut of_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let names: Vec<&str> = attributes.items().iter().map(|own| profile.strings.get(own.name)).collect();
        for (marker, number) in attributes.numbers().enumerate() {
            of_name.entry(names[number]).or_default().push(marker);
        }
        for (name, markers) in of_name {
            let is_paint = PAINTS.contains(&name);
            let step = if is_paint { 1 } else { markers.len().div_ceil(SAMPLED) };
            let read = markers.iter().step_by(step.max(1)).take(MAX_READ);
            let mut without = 0;
            for marker in read.map(|marker| LocalMarker::new(*marker)) {
                let payload = profile.payload(id, marker);
                let Some(window) = payload.get(WINDOW_KEY).and_then(Value::as_i64) else {
                    without += 1;
                    if without == TRIED && !is_paint {
                        break;
                    }
                    continue;
                };
                without = 0;
                let count = step as u64;
                *marks.uses.entry((window, thread.process)).or_default() += count;
                if name == TICK {
                    *marks.painted.entry(window).or_default() += count;
                }
                let text = payload.get("name").and_then(Value::as_str).unwrap_or_default();
                if is_paint && text.ends_with(FOREGROUND) {
                    marks.foreground.entry(window).or_insert_with(|| thread.markers.end(marker));
                }
            }
        }
        marks
    }

    /// The processes with markers of a window.
    pub(super) fn uses(&self, window: i64) -> impl Iterator<Item = WindowUse> {
        let own = self.uses.range((window, ProcessId(0))..=(window, ProcessId(u32::MAX)));
        own.map(|((_, process), count)| WindowUse { process: *process, count: *count })
    }

    /// Number of markers of a window in a process.
    pub(super) fn count(&self, window: i64, process: ProcessId) -> u64 {
        self.uses.get(&(window, process)).copied().unwrap_or(0)
    }

    /// Number of frames that a window made.
    pub(super) fn painted(&self, window: i64) -> u64 {
        self.painted.get(&window).copied().unwrap_or(0)
    }

    /// The first time at which a window is known to have been in the foreground.
    pub(super) fn foreground(&self, window: i64) -> Option<Ns> {
        self.foreground.get(&window).copied()
    }
}
