//! Selects the samples of a thread or counter that belong to a part, by time, and carries over the deltas of the
//! others.

use crate::firefox::threads::sentinels::NO_TIME;
use flowline_profile::{Ns, TimeRange};

/// Selects samples of a thread: those in the range, the last one before it and the first one after it, because CPU
/// times are deltas. The very first and last samples are always kept, because they define the lifetime of the thread.
pub(super) fn of_samples(times: &[Ns], shift: Ns, range: Option<TimeRange>) -> Vec<bool> {
    let mut kept = range.map_or_else(|| vec![false; times.len()], |range| of_counter(times, shift, range));
    let valid = || times.iter().copied().enumerate().filter(|(_, time)| *time != NO_TIME);
    let bounds = [valid().min_by_key(|(_, time)| *time), valid().max_by_key(|(_, time)| *time)];
    for (at, _) in bounds.into_iter().flatten() {
        kept[at] = true;
    }
    kept
}

/// Selects samples of a counter: those in the range, the last one before it and the first one after it.
pub(super) fn of_counter(times: &[Ns], shift: Ns, range: TimeRange) -> Vec<bool> {
    let is_valid = |time: Ns| time != NO_TIME;
    let is_inside = |time: &Ns| is_valid(*time) && range.start <= *time + shift && *time + shift < range.end;
    let mut kept: Vec<bool> = times.iter().map(is_inside).collect();
    let before = times.iter().rposition(|time| is_valid(*time) && *time + shift < range.start);
    let after = times.iter().position(|time| is_valid(*time) && *time + shift >= range.end);
    for at in [before, after].into_iter().flatten() {
        kept[at] = true;
    }
    kept
}

/// Keeps the row with the smallest running sum: memory levels are shown relative to the minimum.
pub(super) fn keep_minimum(counts: &[f64], kept: &mut [bool]) {
    let (mut sum, mut least) = (0.0, None);
    for (at, count) in counts.iter().enumerate() {
        let next: f64 = sum + count;
        if next.is_finite() {
            sum = next;
            least = least.filter(|(_, level)| *level <= sum).or(Some((at, sum)));
        }
    }
    if let Some(slot) = least.and_then(|(at, _)| kept.get_mut(at)) {
        *slot = true;
    }
}

/// The deltas that kept rows need so that running sums do not change; `None` if a delta stays unchanged. Values that
/// are not numbers count as zero.
pub(super) fn carried_counts(counts: &[f64], kept: &[bool]) -> Vec<Option<f64>> {
    let (mut sum, mut written, mut is_omitted) = (0.0, 0.0, false);
    let difference = |(count, is_kept): (&f64, &bool)| {
        let next: f64 = sum + count;
        if next.is_finite() {
            sum = next;
        }
        if !is_kept {
            is_omitted = true;
            return None;
        }
        let own = sum - written;
        written = sum;
        (std::mem::take(&mut is_omitted) && own != *count).then_some(own)
    };
    counts.iter().zip(kept).map(difference).collect()
}

/// Like [`carried_counts`], for time deltas.
pub(super) fn carried_deltas(deltas: &[Ns], kept: &[bool]) -> Vec<Option<Ns>> {
    let mut omitted = Ns(0);
    let delta = |(delta, is_kept): (&Ns, &bool)| {
        let own = if *delta == NO_TIME { Ns(0) } else { *delta };
        if !is_kept {
            omitted = omitted + own;
            return None;
        }
        let before = std::mem::take(&mut omitted);
        (before != Ns(0)).then_some(before + own)
    };
    deltas.iter().zip(kept).map(delta).collect()
}

/// A time in milliseconds, exact.
pub(super) fn milliseconds(time: Ns) -> String {
    let (sign, magnitude) = (if time < Ns(0) { "-" } else { "" }, time.0.unsigned_abs());
    format!("{sign}{}.{:06}", magnitude / 1_000_000, magnitude % 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_around_the_range_stay() {
        let times = [0, 10, 20, 30, 40, 50, 60].map(Ns);
        let kept = |shift, start, end| -> Vec<usize> {
            let range = TimeRange::new(Ns(start), Ns(end));
            let kept = of_samples(&times, Ns(shift), Some(range));
            (0..times.len()).filter(|at| kept[*at]).collect()
        };
        assert_eq!(kept(0, 20, 40), [0, 1, 2, 3, 4, 6]);
        assert_eq!(kept(5, 46, 47), [0, 4, 5, 6], "between two samples");
        assert_eq!(kept(0, -9, -3), [0, 6]);
        assert_eq!(of_samples(&times, Ns(0), None).iter().filter(|kept| **kept).count(), 2);
        assert_eq!(of_samples(&[NO_TIME, Ns(3), NO_TIME], Ns(0), None), [false, true, false]);
    }

    #[test]
    fn running_sums_do_not_change() {
        let counts = [5.0, -2.0, f64::NAN, 4.0, 1.0, 8.0];
        let kept = [false, true, false, true, true, false];
        assert_eq!(carried_counts(&counts, &kept), [None, Some(3.0), None, None, None, None]);
        let kept = [true, false, false, true, false, true];
        assert_eq!(carried_counts(&counts, &kept), [None, None, None, Some(2.0), None, Some(9.0)]);
        let mut kept = [true, false, false, true, true, false];
        keep_minimum(&[5.0, -2.0, f64::NAN, 4.0, -4.0, 8.0], &mut kept);
        assert_eq!(kept, [true, true, false, true, true, false], "the first of equal ones");
        let deltas = [100, 20, 3, 4].map(Ns);
        assert_eq!(carried_deltas(&deltas, &[false, true, true, true]), [None, Some(Ns(120)), None, None]);
        for (time, text) in [(0, "0.000000"), (-1, "-0.000001"), (1_234_567_890, "1234.567890")] {
            assert_eq!(milliseconds(Ns(time)), text);
        }
    }
}
