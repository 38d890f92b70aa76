//! Counters of raw and processed profiles: their display and their process.
//!
//! Profiles before version 62 do not define the display; category and name then determine it, as in the Firefox
//! Profiler.

use crate::firefox::document::damage::id_text;
use flowline_json::{Cursor, JsonError, Kind};
use flowline_profile::{Counter, CounterGraph, ProcessId, Profile};

type Result<T> = std::result::Result<T, JsonError>;

/// A counter as read, before threads and processes are known.
#[derive(Debug)]
pub(in crate::firefox) struct RawCounter {
    pub(in crate::firefox) counter: Counter,
    /// Raw profiles: index of the meta of the profile that contains it.
    pub(in crate::firefox) meta_index: Option<usize>,
    /// Processed profiles: index of the main thread of its process.
    pub(in crate::firefox) main_thread: Option<usize>,
    /// True if the profile defines its display.
    has_display: bool,
}

impl RawCounter {
    /// A counter with one empty series.
    pub(in crate::firefox) fn new(meta_index: Option<usize>) -> Self {
        let mut counter = Counter::default();
        counter.single();
        Self { counter, meta_index, main_thread: None, has_display: false }
    }

    /// Reads a member that both formats have, or skips it.
    pub(in crate::firefox) fn read_member(&mut self, key: &[u8], cursor: &mut Cursor<'_>) -> Result<()> {
        match key {
            b"name" => self.counter.name = id_text(cursor)?,
            b"category" => self.counter.category = id_text(cursor)?,
            b"pid" => self.counter.pid = id_text(cursor)?,
            b"mainThreadIndex" => self.main_thread = id_text(cursor)?.parse().ok(),
            b"display" if cursor.peek()? == Kind::Object => self.read_display(cursor)?,
            _ => cursor.skip_value()?,
        }
        Ok(())
    }

    /// Reads `{graphType, unit, color, label, …}`.
    fn read_display(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        self.has_display = true;
        let counter = &mut self.counter;
        let mut wrong = Ok(());
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            let slot = match key.bytes {
                b"unit" => &mut counter.unit,
                b"color" => &mut counter.color,
                b"label" => &mut counter.label,
                b"graphType" => {
                    let accumulates = cursor.peek()? == Kind::String && cursor.string()?.decode() == "line-accumulated";
                    counter.graph = if accumulates { CounterGraph::Relative } else { CounterGraph::Rate };
                    continue;
                }
                _ => {
                    cursor.skip_value()?;
                    continue;
                }
            };
            match id_text(cursor) {
                Ok(text) if text == "null" => {}
                Ok(text) => *slot = text,
                Err(error) if error.is_wrong_type() => wrong = Err(error),
                Err(error) => return Err(error),
            }
        }
        wrong
    }

    /// Sets the default display if the profile does not define one.
    fn set_default_display(&mut self) {
        let counter = &mut self.counter;
        if self.has_display {
            return;
        }
        let (graph, unit, color, label) = match (counter.category.as_str(), counter.name.as_str()) {
            ("Bandwidth", _) => (CounterGraph::Rate, "bytes", "blue", "Bandwidth"),
            ("Memory", _) => (CounterGraph::Relative, "bytes", "orange", "Memory"),
            ("power", _) => (CounterGraph::Rate, "pWh", "grey", ""),
            ("CPU", "processCPU") => (CounterGraph::Rate, "percent", "grey", "Process CPU"),
            _ => (CounterGraph::Rate, "", "grey", ""),
        };
        counter.graph = graph;
        counter.unit = unit.into();
        counter.color = color.into();
        counter.label = label.into();
    }
}

/// Adds the counters to the profile, each with its process; `meta_indexes` has one entry per thread.
pub(in crate::firefox) fn attach(profile: &mut Profile, raw: Vec<RawCounter>, meta_indexes: &[usize]) {
    for mut raw in raw {
        raw.set_default_display();
        let process = find_process(profile, &raw, meta_indexes);
        let mut counter = raw.counter;
        if let Some(owner) = process.and_then(|process| profile.processes.get(process.index()))
            && counter.pid.is_empty()
        {
            counter.pid = owner.pid.to_string();
        }
        counter.process = process;
        // Times of damaged recordings may decrease; the sort is stable.
        let samples = counter.single();
        if !samples.is_sorted_by_key(|sample| sample.time) {
            samples.sort_by_key(|sample| sample.time);
        }
        profile.counters.push(counter);
    }
}

/// The process of a counter. Raw profiles: that of the main thread in the same profile. Processed profiles: by pid,
/// else that of its main thread.
fn find_process(profile: &Profile, raw: &RawCounter, meta_indexes: &[usize]) -> Option<ProcessId> {
    if let Some(wanted) = raw.meta_index {
        let indexed = || profile.threads.iter().zip(meta_indexes);
        let siblings = || indexed().filter(|(_, index)| **index == wanted).map(|(thread, _)| thread);
        let found = siblings().find(|thread| thread.is_main).or_else(|| siblings().next());
        return found.map(|thread| thread.process);
    }
    let by_pid = profile.processes.iter().position(|process| process.pid == raw.counter.pid).map(ProcessId::new);
    by_pid.or_else(|| profile.threads.get(raw.main_thread?).map(|thread| thread.process))
}
