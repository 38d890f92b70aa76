//! The clocks of a trace. Clocks run independently, and snapshots relate them by their times at the same moment. All
//! times are converted to the trace clock.

use std::ops::Range;

use foldhash::HashMap;

use super::packet::id;
use super::wire::{Field, Fields};

/// A clock: its sequence, or 0 for a clock of the whole system, and its id.
type Clock = (u32, u32);

/// Time since boot, including suspend.
const BOOTTIME: u32 = 6;
/// Time since boot, excluding suspend.
const MONOTONIC: u32 = 3;
/// Time since boot, excluding suspend and clock adjustments.
const MONOTONIC_RAW: u32 = 5;
/// Ids of clocks that belong to a sequence.
const OF_SEQUENCES: std::ops::Range<u32> = 64..128;
/// Maximum number of clocks between a clock and the trace clock.
const MAX_STEPS: usize = 8;

/// Returns the clock of an id in a sequence.
fn clock(sequence: u32, id: u32) -> Clock {
    (if OF_SEQUENCES.contains(&id) { sequence } else { 0 }, id)
}

/// The entry of a clock in a snapshot.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClockReading {
    pub(super) id: u32,
    /// Time in units of the clock.
    time: u64,
    /// True if packet times are deltas to the previous packet.
    is_incremental: bool,
    /// Length of the unit in nanoseconds.
    unit: u64,
}

impl ClockReading {
    fn read(field: &Field<'_>) -> Self {
        let mut shown = Self { id: 0, time: 0, is_incremental: false, unit: 1 };
        for field in field.message() {
            match field.number {
                1 => shown.id = id(&field),
                2 => shown.time = field.number(),
                3 => shown.is_incremental = field.is_true(),
                4 => shown.unit = field.number().max(1),
                _ => {}
            }
        }
        shown
    }

    /// Returns the time in nanoseconds.
    fn ns(&self) -> i64 {
        i64::try_from(self.time.saturating_mul(self.unit)).unwrap_or(i64::MAX)
    }
}

/// Iterates over the clocks in a snapshot.
pub(super) fn shown(snapshot: &[u8]) -> impl Iterator<Item = ClockReading> + use<'_> {
    Fields::new(snapshot).filter(|field| field.number == 1).map(|field| ClockReading::read(&field))
}

/// Collects snapshots.
#[derive(Debug, Default)]
pub(super) struct Snapshots {
    list: Vec<Vec<(Clock, i64)>>,
    trace_clock: Option<u32>,
}

impl Snapshots {
    pub(super) fn add(&mut self, sequence: u32, snapshot: &[u8]) {
        let primary = Fields::new(snapshot).field(2).map(|field| id(&field)).filter(|id| *id > 0);
        self.trace_clock = self.trace_clock.or(primary);
        self.list.push(shown(snapshot).map(|shown| (clock(sequence, shown.id), shown.ns())).collect());
    }

    /// Computes the relations of all clocks to the trace clock.
    pub(super) fn finish(self) -> Clocks {
        let trace_clock = self.trace_clock.unwrap_or(BOOTTIME);
        let mut clocks = Clocks { trace_clock, tables: HashMap::default() };
        let mut waiting = self.list;
        clocks.relate(&mut waiting);
        // No snapshot contains the default clock: use another one as the trace clock.
        if clocks.tables.is_empty()
            && let Some(((_, id), _)) = waiting.first().and_then(|snapshot| snapshot.first())
        {
            clocks.trace_clock = *id;
            clocks.relate(&mut waiting);
        }
        #[expect(clippy::iter_over_hash_type, reason = "each table is sorted separately")]
        for table in clocks.tables.values_mut() {
            table.sort_unstable();
        }
        clocks
    }
}

/// Relations of all clocks to the trace clock.
#[derive(Debug)]
pub(super) struct Clocks {
    trace_clock: u32,
    /// For each clock, its times and the times of another clock at the same moments, ascending.
    tables: HashMap<Clock, Vec<(i64, Other)>>,
}

/// Time of another clock at the same moment: the trace clock, or a clock that is related to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Other {
    Trace(i64),
    Via(Clock, i64),
}

impl Clocks {
    /// Adds snapshots. A snapshot without the trace clock is usable after another snapshot relates one of its clocks to
    /// the trace clock.
    fn relate(&mut self, waiting: &mut Vec<Vec<(Clock, i64)>>) {
        for _ in 0..MAX_STEPS {
            let before = waiting.len();
            waiting.retain(|snapshot| !self.learn(snapshot));
            if waiting.len() == before {
                return;
            }
        }
    }

    /// Adds a snapshot; returns `false` if none of its clocks is known.
    fn learn(&mut self, snapshot: &[(Clock, i64)]) -> bool {
        let of_trace = snapshot.iter().find(|((_, id), _)| *id == self.trace_clock);
        let is_direct = |clock: &Clock| {
            self.tables
                .get(clock)
                .and_then(|table| table.first())
                .is_some_and(|first| matches!(first.1, Other::Trace(_)))
        };
        let known = || {
            let direct = snapshot.iter().find(|(clock, _)| is_direct(clock));
            direct.or_else(|| snapshot.iter().find(|(clock, _)| self.tables.contains_key(clock)))
        };
        let (other, via) = match of_trace {
            Some((_, time)) => (Other::Trace(*time), None),
            None => match known() {
                Some((clock, time)) => (Other::Via(*clock, *time), Some(*clock)),
                None => return false,
            },
        };
        // Clocks with a direct relation to the trace clock ignore indirect ones.
        let learning: Vec<_> = snapshot.iter().filter(|(clock, _)| via.is_none() || !is_direct(clock)).collect();
        for (clock, time) in learning.into_iter().filter(|(clock, _)| Some(*clock) != via) {
            self.tables.entry(*clock).or_default().push((*time, other));
        }
        true
    }

    /// Converts a time of a sequence's clock to the trace clock; `None` if no snapshot relates them.
    pub(super) fn to_trace(&self, sequence: u32, id: u32, time: i64) -> Option<i64> {
        Some(self.segment((sequence, id), time)?.0)
    }

    /// Converts a time of a clock, given by sequence and id. Also returns the times around it that differ from the trace
    /// clock by the same amount.
    pub(super) fn segment(&self, (sequence, id): (u32, u32), stated: i64) -> Option<(i64, Range<i64>)> {
        let mut range = i64::MIN..i64::MAX;
        // Programs without snapshots use a single clock.
        if id == self.trace_clock || (self.tables.is_empty() && !OF_SEQUENCES.contains(&id)) {
            return Some((stated, range));
        }
        let (mut clock, mut time) = (clock(sequence, id), stated);
        for _ in 0..MAX_STEPS {
            let table = self.tables.get(&clock)?;
            // The latest snapshot before the time, or the first snapshot.
            let after = table.partition_point(|(own, _)| *own <= time).max(1);
            let (own, other) = table.get(after - 1)?;
            let passed = time.saturating_sub(*own);
            let to_stated = |bound: i64| bound.saturating_sub(time).saturating_add(stated);
            if after > 1 {
                range.start = range.start.max(to_stated(*own));
            }
            if let Some((next, _)) = table.get(after) {
                range.end = range.end.min(to_stated(*next));
            }
            match other {
                Other::Trace(then) => return Some((passed.saturating_add(*then), range)),
                Other::Via(via, then) => (clock, time) = (*via, passed.saturating_add(*then)),
            }
        }
        None
    }

    /// Converts a time of kernel events, which count since boot.
    pub(super) fn kernel_to_trace(&self, time: i64) -> i64 {
        self.to_trace(0, BOOTTIME, time).unwrap_or(time)
    }

    /// Converts a time of the kernel's clock without adjustments.
    pub(super) fn raw_to_trace(&self, time: i64) -> i64 {
        self.to_trace(0, MONOTONIC_RAW, time).unwrap_or(time)
    }

    /// Converts a time inside an event of an old trace.
    pub(super) fn legacy_to_trace(&self, time: i64) -> i64 {
        self.to_trace(0, MONOTONIC, time).unwrap_or(time)
    }

    /// Returns the clock of packets that do not name one.
    pub(super) const fn default_clock(&self) -> u32 {
        self.trace_clock
    }
}

/// The clocks of a sequence, with the last time of incremental clocks.
#[derive(Clone, Debug, Default)]
pub(super) struct SequenceClocks(Vec<OwnClock>);

#[derive(Clone, Copy, Debug)]
struct OwnClock {
    id: u32,
    unit: i64,
    is_incremental: bool,
    /// The time of the last packet, in nanoseconds.
    now: i64,
    /// True if the time is relative to the start of a part of the trace.
    is_relative: bool,
}

impl SequenceClocks {
    /// Sets the clocks from a snapshot.
    pub(super) fn set(&mut self, snapshot: &[u8]) {
        for shown in shown(snapshot).filter(|shown| OF_SEQUENCES.contains(&shown.id)) {
            let unit = i64::try_from(shown.unit).unwrap_or(1);
            let known = OwnClock {
                id: shown.id,
                unit,
                is_incremental: shown.is_incremental,
                now: shown.ns(),
                is_relative: false,
            };
            self.0.retain(|clock| clock.id != shown.id);
            self.0.push(known);
        }
    }

    /// Returns the time of a packet on its clock, in nanoseconds.
    #[inline]
    pub(super) fn time(&mut self, id: u32, time: u64) -> i64 {
        let stated = i64::try_from(time).unwrap_or(i64::MAX);
        let Some(clock) = self.0.iter_mut().find(|clock| clock.id == id) else { return stated };
        let ns = stated.saturating_mul(clock.unit);
        if !clock.is_incremental {
            return ns;
        }
        // Sums that wrap do not depend on where parts of the trace begin.
        clock.now = clock.now.wrapping_add(ns);
        clock.now
    }

    /// Makes the times relative to this point.
    pub(super) fn start_part(&mut self) {
        for clock in &mut self.0 {
            (clock.now, clock.is_relative) = (0, true);
        }
    }

    /// Adds the times before the part to times that are relative to its start.
    pub(super) fn follow(&mut self, before: &Self) {
        for clock in self.0.iter_mut().filter(|clock| clock.is_relative) {
            let known = before.0.iter().find(|known| known.id == clock.id);
            clock.now = clock.now.wrapping_add(known.map_or(0, |known| known.now));
            clock.is_relative = false;
        }
    }

    /// Returns the time of the packet that was read last on a clock, in nanoseconds. `time` is the time that it states.
    pub(super) fn reached(&self, id: u32, time: u64) -> i64 {
        let stated = i64::try_from(time).unwrap_or(i64::MAX);
        match self.0.iter().find(|clock| clock.id == id) {
            None => stated,
            Some(clock) if clock.is_incremental => clock.now,
            Some(clock) => stated.saturating_mul(clock.unit),
        }
    }

    /// Returns the units by which an incremental clock is ahead of the same clock of another reader; 0 for other clocks.
    pub(super) fn ahead_of(&self, other: &Self, id: u32) -> u64 {
        let find = |clocks: &Self| clocks.0.iter().find(|clock| clock.id == id).copied();
        let Some((own, other)) = find(self).zip(find(other)).filter(|(own, _)| own.is_incremental) else { return 0 };
        u64::try_from(own.now.saturating_sub(other.now) / own.unit.max(1)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(field: u8, mut value: u64) -> Vec<u8> {
        let mut bytes = vec![field << 3];
        while value >= 0x80 {
            bytes.push(u8::try_from(value & 0x7f).expect("7 bits") | 0x80);
            value >>= 7;
        }
        bytes.push(u8::try_from(value).expect("7 bits"));
        bytes
    }

    /// A snapshot of clocks: id, time, whether it is incremental, unit.
    fn snapshot(clocks: &[(u64, u64, bool, u64)], primary: u64) -> Vec<u8> {
        let mut message = Vec::new();
        for &(id, time, is_incremental, unit) in clocks {
            let clock = [number(1, id), number(2, time), number(3, is_incremental.into()), number(4, unit)].concat();
            message.extend([&[1 << 3 | 2, u8::try_from(clock.len()).expect("short")], &clock[..]].concat());
        }
        message.extend(number(2, primary));
        message
    }

    #[test]
    fn times_follow_the_latest_snapshot_before() {
        let mut snapshots = Snapshots::default();
        snapshots.add(0, &snapshot(&[(6, 1000, false, 1), (3, 100, false, 1)], 6));
        snapshots.add(0, &snapshot(&[(6, 2000, false, 1), (3, 1050, false, 1)], 0));
        // A µs clock of sequence 5, related through the monotonic clock.
        snapshots.add(5, &snapshot(&[(3, 900, false, 1), (64, 2, true, 1000)], 0));
        let clocks = snapshots.finish();
        assert_eq!(clocks.default_clock(), 6);
        for (time, expected) in [(0, 900), (100, 1000), (1049, 1949), (1050, 2000), (2000, 2950)] {
            assert_eq!(clocks.to_trace(0, MONOTONIC, time), Some(expected), "{time}");
        }
        // It follows later snapshots of the monotonic clock.
        assert_eq!((clocks.to_trace(5, 64, 2000), clocks.to_trace(5, 64, 2200)), (Some(1800), Some(2050)));
        assert_eq!(clocks.to_trace(6, 64, 2000), None);
        assert_eq!((clocks.to_trace(0, 6, 7), clocks.to_trace(0, 9, 7), clocks.kernel_to_trace(7)), (Some(7), None, 7));
        assert_eq!((clocks.legacy_to_trace(0), Snapshots::default().finish().to_trace(1, 9, 7)), (900, Some(7)));
        assert_eq!(Snapshots::default().finish().to_trace(1, 64, 7), None);
    }

    #[test]
    fn incremental_clocks_add_up() {
        let mut own = SequenceClocks::default();
        own.set(&snapshot(&[(64, 5, true, 1000), (65, 5, false, 10)], 0));
        assert_eq!([own.time(64, 1), own.time(64, 2), own.time(65, 7), own.time(6, 9)], [6000, 8000, 70, 9]);
        own.set(&snapshot(&[(64, 100, true, 1000)], 0));
        assert_eq!([own.time(64, 0), own.time(64, 1)], [100_000, 101_000]);
    }
}
