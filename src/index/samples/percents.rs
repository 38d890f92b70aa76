//! How busy a thread was between two samples, in per cent of one core.

use rayon::prelude::*;

use crate::profile::{CpuUnit, Profile, SampleTable};

/// The CPU time that means 100 per cent, per nanosecond, in the recording's unit; `None` if the recording has none. Cycles have
/// no fixed length, so the most of all threads is 100 per cent.
pub(super) fn reference(profile: &Profile) -> Option<f64> {
    Some(match profile.meta.cpu_unit? {
        CpuUnit::Nanoseconds => 1.0,
        CpuUnit::Microseconds => 0.001,
        CpuUnit::Cycles => {
            let tables = profile.threads.par_iter().filter_map(|thread| Some(&thread.samples.as_ref()?.cpu));
            tables.map(most_per_ns).reduce(|| 0.0, f64::max)
        }
    })
}

/// The most CPU time per nanosecond between two samples.
fn most_per_ns(table: &SampleTable) -> f64 {
    let rate = |sample: usize| Some(delta(table, sample)? / length(table, sample)?);
    (1..table.len()).filter_map(rate).fold(0.0, f64::max)
}

/// Nanoseconds since the sample before; `None` if there are none.
#[expect(clippy::cast_precision_loss, reason = "a length of time")]
fn length(table: &SampleTable, sample: usize) -> Option<f64> {
    let since = table.time[sample] - table.time[sample.checked_sub(1)?];
    (since.0 > 0).then_some(since.0 as f64)
}

#[expect(clippy::cast_precision_loss, reason = "an amount of CPU time")]
fn delta(table: &SampleTable, sample: usize) -> Option<f64> {
    table.cpu_delta(sample).map(|delta| delta as f64)
}

/// Per cent from the sample before to this one, at most 100. The first sample has no time before it; where CPU time or length
/// is unknown it is 100.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 100")]
pub(super) fn percent(table: &SampleTable, sample: usize, reference: f64) -> u8 {
    match (sample, delta(table, sample).zip(length(table, sample))) {
        (0, _) => 0,
        (_, None) => 100,
        (_, Some((delta, length))) => {
            let part = 100.0 * delta / (reference * length);
            if part.is_finite() { part.round().min(100.0) as u8 } else { 0 }
        }
    }
}

/// The per cent of every sample.
pub(super) fn percents(table: &SampleTable, reference: f64) -> Vec<u8> {
    (0..table.len()).map(|sample| percent(table, sample, reference)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::samples::{NONE, WeightUnit};
    use crate::profile::{Ns, Thread, ThreadSamples};

    fn table(samples: &[(i64, Option<u64>)]) -> SampleTable {
        let (time, delta) = samples.iter().map(|(time, delta)| (Ns(*time), *delta)).unzip();
        SampleTable::with_columns(time, vec![NONE; samples.len()], delta, Vec::new(), WeightUnit::Samples)
    }

    #[test]
    fn the_time_before_a_sample_is_its_own() {
        let samples =
            [(0, Some(900)), (1000, Some(250)), (2000, None), (2000, Some(5)), (3000, Some(4000)), (4000, Some(4))];
        let table = table(&samples);
        assert_eq!(percents(&table, 1.0), [0, 25, 100, 100, 100, 0]);
        assert_eq!(percents(&table, 0.001), [0, 100, 100, 100, 100, 100], "microseconds");
    }

    #[test]
    fn cycles_are_compared_with_the_most_of_all_threads() {
        let thread = |samples: &[(i64, Option<u64>)]| {
            let samples = ThreadSamples { cpu: table(samples), ..ThreadSamples::default() };
            Thread { samples: Some(Box::new(samples)), ..Thread::default() }
        };
        let threads = vec![
            thread(&[(0, Some(1 << 60)), (10, Some(30)), (10, Some(1000))]),
            thread(&[(0, None), (10, Some(60)), (30, Some(60))]),
        ];
        let mut profile = Profile { threads, ..Profile::default() };
        assert_eq!(reference(&profile), None);
        profile.meta.cpu_unit = Some(CpuUnit::Cycles);
        let most = reference(&profile).expect("a unit");
        assert!((most - 6.0).abs() < 1e-9, "the first delta and one of no time are left out: {most}");
        let of = |thread: usize| percents(&profile.threads[thread].samples.as_ref().expect("samples").cpu, most);
        assert_eq!(of(0), [0, 50, 100]);
        assert_eq!(of(1), [0, 100, 50]);
    }

    #[test]
    fn nothing_measured_is_nothing_used() {
        assert_eq!(percents(&table(&[(0, Some(0)), (10, Some(0))]), 0.0), [0, 0]);
    }
}
