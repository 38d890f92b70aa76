//! Comparison of two sets of groups: growth, new and removed groups, and a significance test for differences of
//! durations.

mod rank_sum;

use std::collections::HashMap;

use rayon::prelude::*;

pub use rank_sum::{RankSum, rank_sum};

use super::{Group, KeyValue, Statistics};

/// Minimum number of durations on each side for the significance test.
pub const MIN_SAMPLES: usize = 20;

/// A group of either side, or of both.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The common key values of its markers.
    pub key: Vec<KeyValue>,
    /// Index of the group in A; `None` for a new group.
    pub a: Option<usize>,
    /// Index of the group in B; `None` for a removed group.
    pub b: Option<usize>,
    /// Total of B minus total of A.
    pub difference: i128,
    /// Test for longer durations on one side; `None` with fewer than [`MIN_SAMPLES`] on a side.
    pub lengths: Option<RankSum>,
}

/// A comparison of two statistics.
#[derive(Debug)]
pub struct Comparison<'a> {
    /// The statistics A.
    pub a: &'a Statistics,
    /// The statistics B.
    pub b: &'a Statistics,
    /// The groups of both, by descending absolute difference of totals, then by key.
    pub rows: Vec<Row>,
}

impl<'a> Comparison<'a> {
    /// The group of a row in A.
    #[must_use]
    #[inline]
    pub fn group_a(&self, row: &Row) -> Option<&'a Group> {
        self.a.groups.get(row.a?)
    }

    /// The group of a row in B.
    #[must_use]
    #[inline]
    pub fn group_b(&self, row: &Row) -> Option<&'a Group> {
        self.b.groups.get(row.b?)
    }
}

/// The ratio of `b` to `a`; `None` if `a` is zero.
#[must_use]
#[inline]
pub fn ratio(a: f64, b: f64) -> Option<f64> {
    (a != 0.0).then(|| b / a)
}

/// Compares two statistics with the same keys. Groups match if their key values are equal, so statistics of two
/// recordings need [`super::Grouping::as_texts`]. Durations are compared if both sides have them. `None` if
/// `keep_going` returned `false`.
#[must_use]
pub fn compare<'a>(
    a: &'a Statistics,
    b: &'a Statistics,
    keep_going: &(impl Fn() -> bool + Sync),
) -> Option<Comparison<'a>> {
    let places: HashMap<&[KeyValue], usize> =
        b.groups.iter().enumerate().map(|(number, group)| (group.key.as_slice(), number)).collect();
    let mut is_matched = vec![false; b.groups.len()];
    let mut pairs: Vec<(Option<usize>, Option<usize>)> = Vec::new();
    for (number, group) in a.groups.iter().enumerate() {
        let other = places.get(group.key.as_slice()).copied();
        if let Some(other) = other {
            is_matched[other] = true;
        }
        pairs.push((Some(number), other));
    }
    let new = (0..b.groups.len()).filter(|number| !is_matched[*number]);
    pairs.extend(new.map(|number| (None, Some(number))));
    let row = |(in_a, in_b): (Option<usize>, Option<usize>)| {
        if !keep_going() {
            return None;
        }
        let of = |side: &'a Statistics, number: Option<usize>| number.and_then(|number| side.groups.get(number));
        let (first, second) = (of(a, in_a), of(b, in_b));
        let total = |group: Option<&Group>| group.map_or(0, |group| group.total);
        let lengths = in_a.zip(in_b).and_then(|(in_a, in_b)| {
            let least = |group: Option<&Group>| group.is_some_and(|group| group.timed >= MIN_SAMPLES as u64);
            if !least(first) || !least(second) {
                return None;
            }
            let (mut a, mut b) = (a.lengths(in_a), b.lengths(in_b));
            // Durations are missing if percentiles were not requested.
            (a.len().min(b.len()) >= MIN_SAMPLES).then(|| rank_sum(&mut a, &mut b))
        });
        let key = first.or(second)?.key.clone();
        Some(Row { key, a: in_a, b: in_b, difference: total(second) - total(first), lengths })
    };
    let rows: Option<Vec<Row>> = pairs.into_par_iter().with_max_len(8).map(row).collect();
    let mut rows = rows?;
    rows.sort_by(|a, b| b.difference.unsigned_abs().cmp(&a.difference.unsigned_abs()).then_with(|| a.key.cmp(&b.key)));
    Some(Comparison { a, b, rows })
}
