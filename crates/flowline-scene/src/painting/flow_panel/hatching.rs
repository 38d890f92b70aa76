//! Hatched columns of a flow's box: the columns in which the flow waits and no part of it runs.

use crate::geometry::AxisMap;
use flowline_index::flows::FlowShape;

/// The hatched columns between two ticks, as [first, end) ranges in order and without overlap.
pub(super) fn columns(shape: &FlowShape, axis: &AxisMap, from: u64, to: u64) -> Vec<(i32, i32)> {
    let (mut waits, mut runs) = (Vec::new(), Vec::new());
    shape.visit_waits(axis.ticks_per_pixel(), from, to, |span| waits.push(axis.columns(span.packed)));
    if !waits.is_empty() {
        shape.visit_runs(axis.ticks_per_pixel(), from, to, |span| runs.push(axis.columns(span.packed)));
    }
    without(&waits, &runs)
}

/// The columns of `waits` that are not in `runs`. Both ascend by start and by end.
fn without(waits: &[(i32, i32)], runs: &[(i32, i32)]) -> Vec<(i32, i32)> {
    let mut found: Vec<(i32, i32)> = Vec::new();
    let mut add = |first: i32, end: i32| match found.last_mut().filter(|last| last.1 >= first) {
        Some(last) => last.1 = last.1.max(end),
        None if first < end => found.push((first, end)),
        None => {}
    };
    let mut next = 0;
    for (first, end) in waits {
        let mut at = *first;
        while runs.get(next).is_some_and(|run| run.1 <= at) {
            next += 1;
        }
        for run in runs[next..].iter().take_while(|run| run.0 < *end) {
            if at < run.0 {
                add(at, run.0);
            }
            at = at.max(run.1);
        }
        if at < *end {
            add(at, *end);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

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
