//! Hatched columns of a flow's box: the columns in which the flow waits and no part of it runs.

use crate::geometry::AxisMap;
use flowline_index::Style;
use flowline_index::flows::FlowShape;

/// Columns from the first to one past the last, and the style of the waits there.
type Hatched<S> = (i32, i32, S);

/// The hatched columns between two ticks, in order and without overlap.
pub(super) fn columns(shape: &FlowShape, axis: &AxisMap, from: u64, to: u64) -> Vec<Hatched<Style>> {
    let (mut waits, mut runs) = (Vec::new(), Vec::new());
    shape.visit_waits(axis.ticks_per_pixel(), from, to, |span| {
        let (first, end) = axis.columns(span.packed);
        waits.push((first, end, Style::new(span.packed.style().color())));
    });
    if !waits.is_empty() {
        shape.visit_runs(axis.ticks_per_pixel(), from, to, |span| runs.push(axis.columns(span.packed)));
    }
    without(&waits, &runs)
}

/// The columns of `waits` that are not in `runs`. Both ascend by start and by end. Where waits of different styles share a
/// column, it belongs to the first one.
fn without<S: Copy + PartialEq>(waits: &[Hatched<S>], runs: &[(i32, i32)]) -> Vec<Hatched<S>> {
    let mut found: Vec<Hatched<S>> = Vec::new();
    let mut add = |first: i32, end: i32, style: S| {
        let first = found.last().map_or(first, |last| first.max(last.1));
        match found.last_mut().filter(|last| last.1 == first && last.2 == style) {
            Some(last) => last.1 = last.1.max(end),
            None if first < end => found.push((first, end, style)),
            None => {}
        }
    };
    let mut next = 0;
    for (first, end, style) in waits {
        let mut at = *first;
        while runs.get(next).is_some_and(|run| run.1 <= at) {
            next += 1;
        }
        for run in runs[next..].iter().take_while(|run| run.0 < *end) {
            if at < run.0 {
                add(at, run.0, *style);
            }
            at = at.max(run.1);
        }
        if at < *end {
            add(at, *end, *style);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without styles.
    fn without(waits: &[(i32, i32)], runs: &[(i32, i32)]) -> Vec<(i32, i32)> {
        let waits: Vec<Hatched<()>> = waits.iter().map(|(first, end)| (*first, *end, ())).collect();
        super::without(&waits, runs).into_iter().map(|(first, end, ())| (first, end)).collect()
    }

    #[test]
    fn waits_of_different_styles_do_not_merge() {
        let found = super::without(&[(0, 4, 'w'), (3, 6, 'n'), (6, 8, 'n'), (7, 9, 'w')], &[(1, 2)]);
        assert_eq!(found, [(0, 1, 'w'), (2, 4, 'w'), (4, 8, 'n'), (8, 9, 'w')]);
    }

    #[test]
    fn a_run_keeps_its_columns() {
        assert_eq!(without(&[(0, 10)], &[]), [(0, 10)]);
        assert_eq!(without(&[(0, 5), (4, 9)], &[(4, 5)]), [(0, 4), (5, 9)]);
        assert_eq!(without(&[(0, 2), (1, 3), (2, 4)], &[]), [(0, 4)], "adjacent waits merge");
        assert_eq!(without(&[(3, 4)], &[(3, 4)]), []);
    }

    /// Spans that ascend by start and by end, like those of a row.
    fn spans(rng: &mut fastrand::Rng) -> Vec<(i32, i32)> {
        let mut at = 0;
        (0..rng.usize(..12))
            .map(|_| {
                let first = at + rng.i32(0..4);
                at = first + 1 + rng.i32(0..5);
                let span = (first, at);
                at -= rng.i32(0..2);
                span
            })
            .collect()
    }

    #[test]
    fn exactly_the_columns_of_waits_without_those_of_runs_are_hatched() {
        let mut rng = fastrand::Rng::with_seed(5);
        for _ in 0..20_000 {
            let (waits, runs) = (spans(&mut rng), spans(&mut rng));
            let has = |spans: &[(i32, i32)], column: i32| spans.iter().any(|span| (span.0..span.1).contains(&column));
            let found = without(&waits, &runs);
            for column in -1..120 {
                let expected = has(&waits, column) && !has(&runs, column);
                assert_eq!(has(&found, column), expected, "{column} of {waits:?} {runs:?}: {found:?}");
            }
            assert!(found.windows(2).all(|pair| pair[0].1 < pair[1].0), "{found:?}");
        }
    }
}
