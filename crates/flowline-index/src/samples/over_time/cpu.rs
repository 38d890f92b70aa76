//! CPU use between samples, as the Firefox Profiler computes it.

use rayon::prelude::*;

use flowline_profile::{CpuUnit, Ns, Profile, SampleTable};

/// CPU time, in the recording's unit, that a thread uses per millisecond at full load. Cycles have no fixed length; for
/// them it is the maximum of all threads. `None` if samples have no CPU times.
#[must_use]
pub fn reference_per_ms(profile: &Profile) -> Option<f64> {
    Some(match profile.meta.cpu_unit? {
        CpuUnit::Nanoseconds => 1e6,
        CpuUnit::Microseconds => 1e3,
        CpuUnit::Cycles => {
            let tables = profile.threads.par_iter().filter_map(|thread| thread.samples.as_ref());
            tables.map(|samples| most_per_ms(&samples.cpu)).reduce(|| 0.0, f64::max)
        }
    })
}

/// Maximum CPU time per millisecond between two samples.
fn most_per_ms(samples: &SampleTable) -> f64 {
    let speed = |sample: usize| {
        let length = length(samples, sample);
        if length == Ns(0) { 0.0 } else { delta(samples, sample).unwrap_or(0.0) / length.as_ms() }
    };
    (1..samples.len()).map(speed).fold(0.0, f64::max)
}

/// Time since the previous sample.
fn length(samples: &SampleTable, sample: usize) -> Ns {
    samples.time[sample] - samples.time[sample - 1]
}

#[expect(clippy::cast_precision_loss, reason = "only ratios are computed")]
fn delta(samples: &SampleTable, sample: usize) -> Option<f64> {
    samples.cpu_delta(sample).map(|delta| delta as f64)
}

/// CPU use in percent (0 to 100) from the previous sample to this one: 0 for the first sample, 100 if no time has passed.
/// `None` if it is unknown.
#[must_use]
pub fn percent_before(samples: &SampleTable, sample: usize, reference_per_ms: f64) -> Option<u8> {
    if sample == 0 {
        return Some(0);
    }
    let (delta, length) = (delta(samples, sample)?, length(samples, sample));
    Some(if length > Ns(0) { rounded(100.0 * delta / (reference_per_ms * length.as_ms())) } else { 100 })
}

/// [`percent_before`] of all samples, followed by a 0 after the last sample. Unknown use is 0, so a graph has a gap there.
/// `None` if the samples have no CPU times.
#[must_use]
#[inline]
pub fn per_cent(samples: &SampleTable, reference_per_ms: f64) -> Option<Vec<u8>> {
    let of_sample = |sample: usize| percent_before(samples, sample, reference_per_ms).unwrap_or(0);
    let after = (!samples.is_empty()).then_some(0);
    samples.has_cpu_deltas().then(|| (0..samples.len()).map(of_sample).chain(after).collect())
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "range checked")]
fn rounded(per_cent: f64) -> u8 {
    // Without any load, the reference is 0 and the ratio is not a number.
    if per_cent.is_nan() { 0 } else { (per_cent + 0.5).floor().clamp(0.0, 100.0) as u8 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_profile::samples::WeightUnit;
    use flowline_profile::{Thread, ThreadSamples};

    fn table(times: &[i64], deltas: &[Option<u64>]) -> SampleTable {
        let times = times.iter().map(|ms| Ns(ms * 1_000_000)).collect();
        SampleTable::with_columns(times, Vec::new(), deltas.to_vec(), Vec::new(), WeightUnit::Samples)
    }

    #[test]
    fn percentages_use_the_time_before_each_sample_and_unknown_ones_are_gaps() {
        let deltas = [Some(99_999), Some(1000), None, Some(500), Some(4001), Some(5000), Some(4)];
        let samples = table(&[100, 102, 104, 104, 108, 109, 110], &deltas);
        assert_eq!(per_cent(&samples, 1e3), Some(vec![0, 50, 0, 100, 100, 100, 0, 0]));
        assert_eq!(per_cent(&table(&[100, 102], &[]), 1e3), None);
        assert_eq!(per_cent(&table(&[100, 104], &[None, Some(18)]), 1e3), Some(vec![0, 0, 0]));
        assert_eq!(per_cent(&table(&[100, 104], &[None, Some(20)]), 1e3), Some(vec![0, 1, 0]), "halves are rounded up");
    }

    #[test]
    fn cycles_are_relative_to_the_busiest_interval() {
        let mut profile = Profile::default();
        for deltas in [[Some(900), Some(10), Some(400)], [None, Some(30), None]] {
            let cpu = table(&[0, 1, 3], &deltas);
            let samples = Some(Box::new(ThreadSamples { cpu, ..ThreadSamples::default() }));
            profile.threads.push(Thread { samples, ..Thread::default() });
        }
        assert_eq!(reference_per_ms(&profile), None);
        profile.meta.cpu_unit = Some(CpuUnit::Cycles);
        assert_eq!(reference_per_ms(&profile), Some(200.0));
        let samples = profile.threads[0].samples.as_ref().expect("samples");
        assert_eq!(per_cent(&samples.cpu, 200.0), Some(vec![0, 5, 100, 0]));
        assert_eq!(per_cent(&table(&[0, 1], &[None, Some(0)]), 0.0), Some(vec![0, 0, 0]));
    }
}
