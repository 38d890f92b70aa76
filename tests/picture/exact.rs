//! Positions of times in exact integers. The axis uses dyadic numbers, so they scale by 2^64 without loss.

use std::ops::Range;

use flowline::profile::Ns;
use flowline::view::TimeAxis;

/// Scale of the integers.
const ONE: i128 = 1 << 64;

/// An axis in exact numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exact {
    origin: i128,
    fraction: i128,
    /// Nanoseconds per pixel.
    step: i128,
    /// True if floats compute edges on boundaries without rounding.
    whole: bool,
    pub(crate) width: i64,
}

/// Whole numbers around an edge: the lowest and highest acceptable value, and the exact one.
#[derive(Clone, Copy, Debug)]
struct Around {
    least: i64,
    most: i64,
    meant: i64,
}

impl Around {
    fn sure(value: i64) -> Self {
        Self { least: value, most: value, meant: value }
    }
}

/// Columns of a marker: certainly lit, lit at most, and lit in exact arithmetic.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    pub(crate) sure: Range<i64>,
    pub(crate) most: Range<i64>,
    pub(crate) meant: Range<i64>,
}

impl Exact {
    #[expect(clippy::cast_possible_truncation, reason = "whole numbers")]
    pub(crate) fn new(axis: &TimeAxis) -> Self {
        let scaled = |value: f64| (value * ONE as f64) as i128;
        let (origin, fraction) = axis.origin();
        let step = axis.ns_per_pixel();
        let power_of_two = step.to_bits().trailing_zeros() >= 52;
        Self {
            origin: i128::from(origin.0),
            fraction: scaled(fraction),
            step: scaled(step),
            whole: power_of_two && fraction == 0.0,
            width: axis.width() as i64,
        }
    }

    /// The nearest whole pixels below and above a time.
    #[expect(clippy::cast_possible_truncation, reason = "clamped")]
    fn around(&self, time: Ns) -> (Around, Around) {
        let distance = (i128::from(time.0) - self.origin) * ONE - self.fraction;
        let far = 1 << 40;
        let below = distance.div_euclid(self.step).clamp(-far, far) as i64;
        let rest = distance.rem_euclid(self.step);
        let (near, equal) = (self.step / 1000, self.step / 1_000_000_000);
        let (floor, ceil) = (Around::sure(below), Around::sure(if rest == 0 { below } else { below + 1 }));
        if rest == 0 && self.whole {
            (floor, ceil)
        } else if rest < near {
            let meant = if rest < equal { below } else { below + 1 };
            (Around { least: below - 1, ..floor }, Around { least: below, most: below + 1, meant })
        } else if self.step - rest < near {
            let meant = if self.step - rest < equal { below + 1 } else { below };
            (Around { most: below + 1, meant, ..floor }, Around { most: below + 2, ..ceil })
        } else {
            (floor, ceil)
        }
    }

    /// Columns of a marker inside the view. A marker covers at least one column.
    pub(crate) fn columns(&self, start: Ns, end: Ns) -> Columns {
        let (first, _) = self.around(start);
        let (_, last) = self.around(end);
        let inside = |from: i64, to: i64| from.max(0)..to.min(self.width);
        let least_end = if first.least == first.most { last.least.max(first.most + 1) } else { last.least };
        Columns {
            sure: inside(first.most, least_end),
            most: inside(first.least, last.most.max(first.most + 1)),
            meant: inside(first.meant, last.meant.max(first.meant + 1)),
        }
    }

    /// The column of a time, which may be outside the view, and true if the time is exactly at the column's start.
    #[expect(clippy::cast_possible_truncation, reason = "clamped")]
    pub(crate) fn column(&self, time: Ns) -> (i64, bool) {
        let distance = (i128::from(time.0) - self.origin) * ONE - self.fraction;
        (distance.div_euclid(self.step).clamp(-(1 << 40), 1 << 40) as i64, distance.rem_euclid(self.step) == 0)
    }

    /// True if a time is so close to a column boundary that floats may round it to either side.
    pub(crate) fn is_near(&self, time: Ns) -> bool {
        let (floor, ceil) = self.around(time);
        floor.least != floor.most || ceil.least != ceil.most
    }

    /// Columns affected by rounding of a time.
    pub(crate) fn doubtful(&self, time: Ns) -> Range<i64> {
        if !self.is_near(time) {
            return 0..0;
        }
        let (floor, ceil) = self.around(time);
        floor.least..ceil.most
    }
}

#[test]
fn exact_columns_match_long_division() {
    use flowline::profile::TimeRange;
    let mut axis = TimeAxis::new(TimeRange::new(Ns(0), Ns(1 << 40)), 512.0);
    axis.show(TimeRange::new(Ns(1 << 30), Ns((1 << 30) + (512 << 4))));
    let exact = Exact::new(&axis);
    let at = |ns: i64| Ns((1 << 30) + ns);
    assert_eq!(exact.columns(at(32), at(64)).sure, 2..4);
    assert_eq!(exact.columns(at(32), at(64)).most, 2..4, "exact on boundaries of a power of two");
    assert_eq!(exact.columns(at(31), at(65)).meant, 1..5);
    assert_eq!(exact.columns(at(32), at(32)).meant, 2..3, "an instant covers a column");
    axis.show(TimeRange::new(Ns(1 << 30), Ns((1 << 30) + 3 * 512)));
    let exact = Exact::new(&axis);
    let columns = exact.columns(at(6), at(9));
    assert_eq!((columns.sure, columns.most, columns.meant), (2..3, 1..4, 2..3));
}
