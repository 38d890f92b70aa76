//! The measuring tool: two edges in time that stay where they were put, and the distance between them.

use flowline_profile::{Ns, TimeRange};

/// One of the two edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureEdge {
    /// The one that was put first.
    A,
    /// The other one. It may lie before the first.
    B,
}

impl MeasureEdge {
    /// Both edges.
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    /// Its letter.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }
}

/// The edges that have been put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// The first edge.
    pub a: Ns,
    /// The second edge, once it is put.
    pub b: Option<Ns>,
}

impl Measure {
    /// From the start of a range to its end.
    #[must_use]
    pub const fn of(range: TimeRange) -> Self {
        Self { a: range.start, b: Some(range.end) }
    }

    /// The next edge at a time: first A, then B, then it starts anew with nothing.
    #[must_use]
    pub const fn next(measure: Option<Self>, time: Ns) -> Option<Self> {
        match measure {
            None => Some(Self { a: time, b: None }),
            Some(Self { a, b: None }) => Some(Self { a, b: Some(time) }),
            Some(_) => None,
        }
    }

    /// The place of an edge.
    #[must_use]
    pub const fn edge(self, edge: MeasureEdge) -> Option<Ns> {
        match edge {
            MeasureEdge::A => Some(self.a),
            MeasureEdge::B => self.b,
        }
    }

    /// The same with an edge elsewhere.
    #[must_use]
    pub const fn with(self, edge: MeasureEdge, time: Ns) -> Self {
        match edge {
            MeasureEdge::A => Self { a: time, ..self },
            MeasureEdge::B => Self { b: Some(time), ..self },
        }
    }

    /// The same edges on a clock that shows `by` more.
    #[must_use]
    pub fn shifted(self, by: Ns) -> Self {
        Self { a: self.a + by, b: self.b.map(|b| b + by) }
    }

    /// The range between both edges.
    #[must_use]
    pub fn range(self) -> Option<TimeRange> {
        self.b.map(|b| TimeRange::new(self.a, b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_put_one_after_the_other_and_may_cross() {
        let first = Measure::next(None, Ns(50));
        assert_eq!(first, Some(Measure { a: Ns(50), b: None }));
        let both = Measure::next(first, Ns(20)).expect("two edges");
        assert_eq!((both.range(), both.edge(MeasureEdge::B)), (Some(TimeRange::new(Ns(20), Ns(50))), Some(Ns(20))));
        assert_eq!(both.with(MeasureEdge::A, Ns(5)).range().map(TimeRange::len), Some(15));
        assert_eq!(Measure::next(Some(both), Ns(7)), None, "a third press clears it");
    }
}
