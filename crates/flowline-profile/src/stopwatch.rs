//! Times that steps of loading take.

use std::ops::AddAssign;
use std::time::{Duration, Instant};

/// The time that a step took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeSpent {
    /// Elapsed time.
    pub wall: Duration,
    /// CPU time of all threads of the program.
    pub cpu: Duration,
}

impl TimeSpent {
    /// The share of the time of `threads` cores that the step used: 1 if it kept all of them busy, and `1 / threads` if it
    /// ran on one of them. `None` for a step without a measurable time.
    #[must_use]
    pub fn parallel_efficiency(&self, threads: usize) -> Option<f64> {
        let threads = u32::try_from(threads).unwrap_or(u32::MAX);
        let available = self.wall.as_secs_f64() * f64::from(threads);
        (available > 0.0).then(|| self.cpu.as_secs_f64() / available)
    }
}

impl AddAssign for TimeSpent {
    fn add_assign(&mut self, other: Self) {
        self.wall += other.wall;
        self.cpu += other.cpu;
    }
}

/// Measures a step.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    began: Instant,
    cpu: Duration,
}

impl Stopwatch {
    /// Begins a step.
    #[must_use]
    pub fn start() -> Self {
        Self { began: Instant::now(), cpu: cpu_time() }
    }

    /// The time since the step began.
    #[must_use]
    pub fn elapsed(&self) -> TimeSpent {
        TimeSpent { wall: self.began.elapsed(), cpu: cpu_time().saturating_sub(self.cpu) }
    }
}

/// CPU time of all threads of the program since it began.
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let (seconds, nanoseconds) = (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec));
    Duration::new(seconds.unwrap_or_default(), nanoseconds.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn efficiency_is_the_share_of_the_cores() {
        let spent = |wall, cpu| TimeSpent { wall: Duration::from_millis(wall), cpu: Duration::from_millis(cpu) };
        assert_eq!(spent(100, 200).parallel_efficiency(2), Some(1.0));
        assert_eq!(spent(100, 100).parallel_efficiency(4), Some(0.25));
        assert_eq!(spent(0, 0).parallel_efficiency(4), None);
        let mut sum = spent(1, 2);
        sum += spent(3, 5);
        assert_eq!(sum, spent(4, 7));
    }

    #[test]
    fn work_takes_cpu_time() {
        let watch = Stopwatch::start();
        let mut sum = 0_u64;
        while watch.elapsed().cpu < Duration::from_millis(2) {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(watch.elapsed().cpu >= Duration::from_millis(2));
    }
}
