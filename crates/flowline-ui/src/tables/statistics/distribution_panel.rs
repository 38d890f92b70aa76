//! State of the distribution: the plot data of a group, computed on the pool, and its display settings.

use std::sync::Arc;

use super::statistics_result::{Question, subject};
use flowline_index::Index;
use flowline_index::statistics::{Distribution, Examples, KeyValue, Scale, distribution, examples, members};
use flowline_profile::{MarkerId, Ns, Profile, TimeRange};
use flowline_session::{Job, PoolTask, Session, Task, Wake};

/// Number of bins of the histogram.
const BINS: usize = 60;
/// Columns and rows of the scatter plot.
pub(super) const GRID: [usize; 2] = [240, 44];
/// Plot data of a group.
pub(super) struct PlotData {
    pub(super) distribution: Distribution,
    pub(super) examples: Option<Examples>,
    /// Filled cells of the scatter plot, row by row from the top.
    pub(super) dots: Vec<bool>,
    /// Shortest and longest length of the scatter plot.
    pub(super) lengths: [u64; 2],
    pub(super) span: TimeRange,
}

/// Length ranges of the first and the current bin of a drag. Lengths stay valid if the bins change during the drag.
pub(super) type Dragged = [[u64; 2]; 2];

/// Inputs of the plot data: the statistics, the group, and true for a linear scale.
pub(super) type Requested = (Question, Vec<KeyValue>, bool);

/// The distribution of a group, and its display settings.
pub(super) struct DistributionPanel {
    task: Task<Requested, Option<PlotData>>,
    pub(super) shown: Option<(Requested, PlotData)>,
    pub(super) is_linear: bool,
    /// True if the bar height is the total time of the markers instead of their number.
    pub(super) by_time: bool,
    /// Length ranges of the bins at both ends of the current drag.
    pub(super) drag: Option<Dragged>,
}

impl DistributionPanel {
    pub(super) fn new(wake: Wake) -> Self {
        Self { task: Task::new(wake), shown: None, is_linear: false, by_time: false, drag: None }
    }

    pub(super) fn follow(&mut self, session: &Session, asked: &Requested) {
        if self.shown.as_ref().is_none_or(|(known, _)| known != asked) && !self.task.is_for(asked) {
            let (index, scope, asked) = (Arc::clone(&session.index), session.scope().clone(), asked.clone());
            self.task.replace(asked.clone(), move |running| {
                let wanted = || running.is_wanted();
                let (question, key, is_linear) = &asked;
                let subject = subject(&index, &scope, question.rule);
                let markers = members(&subject, &question.grouping, key, &wanted)?;
                let scale = if *is_linear { Scale::Linear } else { Scale::Log };
                let distribution = distribution(index.profile(), &markers, scale, BINS, &wanted)?;
                Some(PlotData::new(index.profile(), distribution, &markers, subject.span(), *is_linear))
            });
        }
        self.poll(&session.index);
    }
}

impl Job for DistributionPanel {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.task]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        if let Some((asked, Some(shown))) = self.task.poll() {
            self.shown = Some((asked, shown));
        }
    }
}

impl PlotData {
    fn new(
        profile: &Profile,
        distribution: Distribution,
        markers: &[MarkerId],
        span: TimeRange,
        is_linear: bool,
    ) -> Self {
        let bins = &distribution.bins;
        let lengths = [bins.first().map_or(0, |bin| bin.from), bins.last().map_or(0, |bin| bin.to)];
        let mut dots = vec![false; GRID[0] * GRID[1]];
        for marker in markers {
            let Some((start, length)) = extent(profile, *marker) else { continue };
            let (column, row) = (column_of(start, span), row_of(length, lengths, is_linear));
            dots[row * GRID[0] + column] = true;
        }
        Self { examples: examples(profile, markers), distribution, dots, lengths, span }
    }
}

/// Start and length of a marker; `None` for an instant.
pub(super) fn extent(profile: &Profile, marker: MarkerId) -> Option<(Ns, u64)> {
    let (thread, local) = profile.locate(marker)?;
    let markers = &profile.thread(thread).markers;
    let range = markers.range(local);
    let length = range.end.0.saturating_sub(range.start.0).max(0).cast_unsigned();
    (!markers.is_instant(local)).then_some((range.start, length))
}

/// Column of a start time; starts before the span are in the first column.
#[expect(clippy::cast_sign_loss, reason = "a part of a span of time")]
fn column_of(start: Ns, span: TimeRange) -> usize {
    let since = i128::from(start.0) - i128::from(span.start.0);
    let length = (i128::from(span.end.0) - i128::from(span.start.0)).max(1);
    ((since * GRID[0] as i128 / length).max(0) as usize).min(GRID[0] - 1)
}

/// Row of a length; the longest is at the top.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a part of a span of lengths"
)]
fn row_of(length: u64, [least, most]: [u64; 2], is_linear: bool) -> usize {
    let scaled = |length: u64| if is_linear { length as f64 } else { (length.max(1) as f64).ln() };
    let (low, high) = (scaled(least), scaled(most));
    let part = if high > low { (scaled(length) - low) / (high - low) } else { 0.5 };
    (((1.0 - part) * GRID[1] as f64) as usize).min(GRID[1] - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_and_time_has_a_cell() {
        let span = TimeRange::new(Ns(10), Ns(20));
        for (start, column) in [(i64::MIN, 0), (9, 0), (10, 0), (19, GRID[0] * 9 / 10), (i64::MAX, GRID[0] - 1)] {
            assert_eq!(column_of(Ns(start), span), column, "{start}");
        }
        assert_eq!(column_of(Ns(5), TimeRange::new(Ns(5), Ns(5))), 0);
        for is_linear in [false, true] {
            assert_eq!(row_of(0, [0, 1000], is_linear), GRID[1] - 1);
            assert_eq!(row_of(1000, [0, 1000], is_linear), 0);
            assert_eq!(row_of(7, [7, 7], is_linear), GRID[1] / 2);
            assert!(row_of(u64::MAX, [0, u64::MAX], is_linear) == 0);
        }
        assert!(row_of(500, [0, 1000], false) < row_of(500, [0, 1000], true), "log scale");
    }
}
