//! The values of a sequence that later packets add to: incremental clocks and counters, and the times of old traces.
//!
//! Parts of a trace are read at the same time, so the values before a part are unknown at first. They are then read
//! relative to the start of the part, and [`Bases::follow`] adds the parts up in file order. Sums of integers wrap, so
//! that they do not depend on where the parts begin; sums of floating-point numbers are added one by one.

use foldhash::HashMap;

use super::clocks::SequenceClocks;
use super::counter_number::CounterNumber;

/// The values that later packets of a sequence add to.
#[derive(Clone, Debug, Default)]
pub(super) struct Bases {
    pub(super) clocks: SequenceClocks,
    /// The last values of incremental counters, except that of `last_count`.
    counts: HashMap<u64, i64>,
    /// The incremental counter that changed last, and its value.
    last_count: Option<(u64, i64)>,
    /// The floating-point numbers added to counters.
    sums: HashMap<u64, f64>,
    /// The last times in old traces, in µs: clock time, and CPU time of the thread.
    now_us: Option<i64>,
    ran_us: i64,
    relative: Option<Box<Relative>>,
}

/// The values that are relative to the start of a part.
#[derive(Clone, Debug)]
struct Relative {
    counters: bool,
    now: bool,
    ran: bool,
    /// Values added to floating-point counters, in order.
    added: Vec<(u64, f64)>,
}

impl Bases {
    /// Makes all values relative to this point.
    pub(super) fn start_part(&mut self) {
        self.clocks.start_part();
        self.clear_counters();
        self.now_us = self.now_us.map(|_| 0);
        self.ran_us = 0;
        self.relative = Some(Box::new(Relative { counters: true, now: true, ran: true, added: Vec::new() }));
    }

    /// Adds the values at the end of a part, which are relative to these.
    pub(super) fn follow(&mut self, mut end: Self) {
        let Some(relative) = end.relative.take() else {
            *self = end;
            return;
        };
        end.clocks.follow(&self.clocks);
        end.counts.extend(end.last_count.take());
        end.sums.clear();
        if relative.counters {
            self.counts.extend(self.last_count.take());
            #[expect(clippy::iter_over_hash_type, reason = "each counter is added up separately")]
            for (counter, added) in end.counts.drain() {
                let known = self.counts.entry(counter).or_default();
                *known = known.wrapping_add(added);
            }
            std::mem::swap(&mut end.counts, &mut self.counts);
            std::mem::swap(&mut end.sums, &mut self.sums);
        }
        for (counter, added) in relative.added {
            *end.sums.entry(counter).or_default() += added;
        }
        if relative.now {
            end.now_us = end.now_us.map(|now| now.wrapping_add(self.now_us.unwrap_or_default()));
        }
        if relative.ran {
            end.ran_us = end.ran_us.wrapping_add(self.ran_us);
        }
        *self = end;
    }

    /// Forgets the values of all counters.
    pub(super) fn clear_counters(&mut self) {
        self.counts.clear();
        self.last_count = None;
        self.sums.clear();
        if let Some(relative) = &mut self.relative {
            relative.counters = false;
            relative.added.clear();
        }
    }

    /// Adds the difference that a counter states, and returns its value. A counter has one sum, whether it states whole
    /// numbers or floating-point numbers.
    pub(super) fn add(&mut self, counter: u64, stated: CounterNumber) -> CounterNumber {
        let known = match self.last_count {
            Some((last, known)) if last == counter => known,
            last => {
                self.counts.extend(last);
                self.counts.get(&counter).copied().unwrap_or_default()
            }
        };
        let whole = match stated {
            CounterNumber::Whole(stated) => known.wrapping_add(stated),
            CounterNumber::Double(stated) => {
                if let Some(relative) = &mut self.relative {
                    relative.added.push((counter, stated));
                }
                *self.sums.entry(counter).or_default() += stated;
                known
            }
        };
        self.last_count = Some((counter, whole));
        let whole = CounterNumber::Whole(whole);
        match self.sums.get(&counter) {
            Some(sum) if !self.sums.is_empty() => CounterNumber::Double(whole.as_float() + sum),
            _ => whole,
        }
    }

    /// Time of the last event in an old trace, in µs; `None` before the base time.
    pub(super) const fn now_us(&self) -> Option<i64> {
        self.now_us
    }

    /// Adds to the time in µs, and returns it.
    pub(super) fn pass(&mut self, us: i64) -> Option<i64> {
        self.now_us = self.now_us.map(|now| now.wrapping_add(us));
        self.now_us
    }

    /// CPU time of the thread in an old trace, in µs.
    pub(super) const fn ran_us(&self) -> i64 {
        self.ran_us
    }

    /// The sums of the whole and of the floating-point numbers of a counter.
    pub(super) fn parts_of(&self, counter: u64) -> (i64, f64) {
        let last = self.last_count.filter(|(last, _)| *last == counter).map(|(_, count)| count);
        let whole = last.or_else(|| self.counts.get(&counter).copied());
        (whole.unwrap_or_default(), self.sums.get(&counter).copied().unwrap_or_default())
    }

    /// Adds to the CPU time of the thread in µs, and returns it.
    pub(super) const fn run(&mut self, us: i64) -> i64 {
        self.ran_us = self.ran_us.wrapping_add(us);
        self.ran_us
    }

    /// Sets the time in µs.
    pub(super) fn set_now(&mut self, us: i64) {
        self.now_us = Some(us);
        if let Some(relative) = &mut self.relative {
            relative.now = false;
        }
    }

    /// Sets the CPU time of the thread in µs.
    pub(super) fn set_ran(&mut self, us: i64) {
        self.ran_us = us;
        if let Some(relative) = &mut self.relative {
            relative.ran = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_has_one_sum() {
        use CounterNumber::{Double, Whole};
        let mut bases = Bases::default();
        let large = i64::MAX - 5;
        assert_eq!([bases.add(7, Whole(large)), bases.add(7, Whole(3))], [Whole(large), Whole(large + 3)]);
        let stated = [Whole(3), Double(1.5), Whole(1)];
        assert_eq!(stated.map(|stated| bases.add(8, stated)), [Whole(3), Double(4.5), Double(5.5)]);
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        // Steps: a counter, its value; counter 0 clears, 1 sets the time.
        let steps: [(u64, i64); 9] = [(7, 1), (8, 5), (7, 2), (1, 100), (7, 3), (0, 0), (8, 4), (7, i64::MAX), (7, 9)];
        let step = |bases: &mut Bases, (counter, value): (u64, i64)| match counter {
            0 => bases.clear_counters(),
            1 => bases.set_now(value),
            _ => {
                bases.add(counter, CounterNumber::Whole(value));
                bases.add(counter + 2, CounterNumber::Double(0.1 * CounterNumber::Whole(value & 0x7f).as_float()));
                bases.run(value);
                bases.pass(value);
            }
        };
        let values = |bases: &mut Bases| {
            let values = [7, 8, 9, 10].map(|counter| bases.add(counter, CounterNumber::Whole(0)));
            (values, bases.run(0), bases.now_us())
        };
        let mut whole = Bases::default();
        steps.into_iter().for_each(|one| step(&mut whole, one));
        for first in 0..=steps.len() {
            for second in first..=steps.len() {
                let mut exact = Bases::default();
                for part in [&steps[..first], &steps[first..second], &steps[second..]] {
                    // A part starts out knowing only that a base time was stated.
                    let mut bases = Bases { now_us: exact.now_us, ..Bases::default() };
                    bases.start_part();
                    part.iter().for_each(|one| step(&mut bases, *one));
                    exact.follow(bases);
                }
                assert_eq!(values(&mut exact), values(&mut whole.clone()), "{first} {second}");
            }
        }
    }
}
