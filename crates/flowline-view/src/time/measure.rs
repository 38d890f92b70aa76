//! The measuring tool: two time edges that stay in place, and the distance between them.

use flowline_profile::{Ns, TimeRange};

/// One of the two edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureEdge {
    /// The edge that was set first.
    A,
    /// The other edge. It may be before the first.
    B,
}

impl MeasureEdge {
    /// Both edges.
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    /// Letter of the edge.
    #[must_use]
    #[inline]
    pub const fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }
}

/// The edges that are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// The first edge.
    pub a: Ns,
    /// The second edge; `None` until it is set.
    pub b: Option<Ns>,
}

impl Measure {
    /// Measures a range from its start to its end.
    #[must_use]
    #[inline]
    pub const fn of(range: TimeRange) -> Self {
        Self { a: range.start, b: Some(range.end) }
    }

    /// The state after setting an edge: first A, then B; the third click clears both.
    #[must_use]
    pub const fn next(measure: Option<Self>, time: Ns) -> Option<Self> {
        match measure {
            None => Some(Self { a: time, b: None }),
            Some(Self { a, b: None }) => Some(Self { a, b: Some(time) }),
            Some(_) => None,
        }
    }

    /// Time of an edge.
    #[must_use]
    #[inline]
    pub const fn edge(self, edge: MeasureEdge) -> Option<Ns> {
        match edge {
            MeasureEdge::A => Some(self.a),
            MeasureEdge::B => self.b,
        }
    }

    /// The same with one edge moved.
    #[must_use]
    #[inline]
    pub const fn with(self, edge: MeasureEdge, time: Ns) -> Self {
        match edge {
            MeasureEdge::A => Self { a: time, ..self },
            MeasureEdge::B => Self { b: Some(time), ..self },
        }
    }

    /// The same edges on a clock that is `by` ahead.
    #[must_use]
    #[inline]
    pub fn shifted(self, by: Ns) -> Self {
        Self { a: self.a + by, b: self.b.map(|b| b + by) }
    }

    /// The range between both edges.
    #[must_use]
    #[inline]
    pub fn range(self) -> Option<TimeRange> {
        self.b.map(|b| TimeRange::new(self.a, b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_set_in_turn_and_may_cross() {
        let first = Measure::next(None, Ns(50));
        assert_eq!(first, Some(Measure { a: Ns(50), b: None }));
        let both = Measure::next(first, Ns(20)).expect("two edges");
        assert_eq!((both.range(), both.edge(MeasureEdge::B)), (Some(TimeRange::new(Ns(20), Ns(50))), Some(Ns(20))));
        assert_eq!(both.with(MeasureEdge::A, Ns(5)).range().map(TimeRange::len), Some(15));
        assert_eq!(Measure::next(Some(both), Ns(7)), None, "the third click clears both");
    }
}
