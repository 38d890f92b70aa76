//! Naive drawing, marker by marker, to compare frames with.

use flowline::index::Index;
use flowline::profile::MarkerId;
use flowline::scene::reference::{Coverage, coverage};
use flowline::scene::{Frame, ItemKind, Scene, diamond_reach};
use flowline::session::Session;
use proptest::prelude::*;

use crate::exact::{Columns, Exact};
use crate::fixtures::{CHART, Line, columns_of, times_of};

/// A frame with the owners of its pixels.
pub(crate) struct Drawn {
    pub(crate) frame: Frame,
    pub(crate) seen: Coverage,
}

impl Drawn {
    pub(crate) fn of(session: &Session) -> Self {
        let mut scene = Scene::default();
        let frame = scene.build(&session.scene_input()).clone();
        let seen = coverage(&frame);
        Self { frame, seen }
    }

    /// The instance that owns a column of the chart on a line.
    pub(crate) fn owner(&self, column: i64, y: usize) -> Option<u32> {
        self.seen.owner(CHART.0 + usize::try_from(column).expect("inside"), y)
    }

    pub(crate) fn emphasis(&self, column: i64, y: usize) -> Option<u32> {
        self.owner(column, y).map(|owner| self.frame.instances.markers[owner as usize].emphasis())
    }
}

pub(crate) fn some_marker(index: &Index, which: prop::sample::Index) -> MarkerId {
    MarkerId(u32::try_from(which.index(index.profile().marker_count())).expect("few"))
}

/// Columns of a set of markers, each drawn separately: certainly lit, lit at most, and exactly lit. The middle line of an
/// instant that stands alone may be lit beside its column.
pub(crate) struct Naive {
    pub(crate) sure: Vec<bool>,
    pub(crate) most: Vec<bool>,
    pub(crate) meant: Vec<bool>,
    pub(crate) diamonds: Vec<bool>,
}

impl Naive {
    pub(crate) fn of(session: &Session, line: &Line, keep: impl Fn(flowline::profile::LocalMarker) -> bool) -> Self {
        let exact = Exact::new(&session.view.axis);
        let width = usize::try_from(exact.width).expect("a width");
        let dark = || vec![false; width];
        let mut naive = Self { sure: dark(), most: dark(), meant: dark(), diamonds: dark() };
        for marker in line.markers.iter().copied().filter(|marker| keep(*marker)) {
            let columns = columns_of(session, &exact, line.thread, marker);
            let (start, end) = times_of(session, line.thread, marker);
            if start == end && matches!(line.item.kind, ItemKind::Row(_)) {
                naive.diamond(session, &columns);
            }
            naive.light(columns);
        }
        naive
    }

    /// All markers and calls of a row.
    pub(crate) fn all(session: &Session, line: &Line) -> Self {
        let (mut naive, exact) = (Self::of(session, line, |_| true), Exact::new(&session.view.axis));
        line.calls.iter().for_each(|times| naive.light(exact.columns(times.start, times.end)));
        naive
    }

    /// The columns around an instant that its diamond may cover, with the outline of a selected one.
    fn diamond(&mut self, session: &Session, columns: &Columns) {
        let scale = session.canvas.scale;
        #[expect(clippy::cast_possible_truncation, reason = "a few pixels")]
        let reach = (diamond_reach(scale) + 2.0 * flowline::scene::line_width(scale)) as i64;
        let width = i64::try_from(self.sure.len()).expect("a width");
        for column in (columns.most.start - reach).max(0)..(columns.most.end + reach).min(width) {
            self.diamonds[usize::try_from(column).expect("inside")] = true;
        }
    }

    pub(crate) fn light(&mut self, columns: Columns) {
        let light = |lit: &mut Vec<bool>, range: std::ops::Range<i64>| {
            range.for_each(|column| lit[usize::try_from(column).expect("inside")] = true);
        };
        light(&mut self.sure, columns.sure);
        light(&mut self.most, columns.most);
        light(&mut self.meant, columns.meant);
    }

    /// Fails unless exactly these columns are lit, up to rounding. Returns the number of accepted rounding differences.
    pub(crate) fn compare(
        &self,
        lit: impl Fn(i64) -> bool,
        what: &dyn std::fmt::Debug,
    ) -> Result<usize, TestCaseError> {
        let mut excused = 0;
        for column in 0..self.sure.len() {
            let lit = lit(i64::try_from(column).expect("small"));
            prop_assert!(lit || !self.sure[column], "column {} is dark: {:?}", column, what);
            prop_assert!(!lit || self.most[column] || self.diamonds[column], "column {} is lit: {:?}", column, what);
            excused += usize::from(lit != self.meant[column] && !self.diamonds[column]);
        }
        Ok(excused)
    }
}
