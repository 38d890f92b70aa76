//! Nested event loops of main threads.
//!
//! A task that waits for a reply (a synchronous request, a modal prompt) runs other tasks meanwhile, so all work of the
//! thread until the reply is nested in that task. The task is a *hub*, the parent of thousands of flow markers. The
//! position of hubs is computed from the numbers of the thread and the step: the recording is divided into one stretch
//! for each hub of a thread, and the hub is at a random position in it. Together, the hubs last less than a quarter of
//! the recording, so most flow markers are not in a hub.

use crate::random::{mix, pick};
use crate::share::share;
use std::ops::Range;

/// Length of each hub of a thread in thousandths of the recording; threads start at different positions of the list.
const LENGTHS: [u64; 4] = [165, 40, 20, 10];
/// Minimum number of steps of a hub; shorter hubs are omitted.
const FEWEST_STEPS: u64 = 4;
/// Maximum number of steps of a hub. About seven flow markers per step become children of the hub.
const MOST_STEPS: u64 = 2_000;
/// Salt that makes this use of the mixer independent.
const SALT: u64 = 0x4B0B;

/// Returns the steps of a main thread's hub that contains `step`; it ends before the recording.
pub(crate) fn hub(seed: u64, thread: usize, steps: u64, step: u64) -> Option<Range<u64>> {
    let stretch = (steps / LENGTHS.len() as u64).max(1);
    let number = step / stretch;
    let length = share(steps, pick(&LENGTHS, number + thread as u64), 1_000).min(MOST_STEPS);
    if number >= LENGTHS.len() as u64 || length < FEWEST_STEPS {
        return None;
    }
    let start = number * stretch + mix(seed ^ SALT, thread as u64 * 8 + number) % (stretch - length);
    Some(start..start + length).filter(|hub| hub.contains(&step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_has_few_hubs_and_all_of_them_end() {
        for steps in [0, 1, 7, 40, 606, 10_309, 1_000_000] {
            for thread in 0..6 {
                let mut hubs: Vec<Range<u64>> = (0..steps).filter_map(|step| hub(5, thread, steps, step)).collect();
                let inside = hubs.len() as u64;
                hubs.dedup();
                assert!(hubs.len() <= LENGTHS.len() && hubs.iter().all(|hub| hub.end < steps), "{steps} steps");
                assert_eq!(hubs.iter().map(|hub| hub.end - hub.start).sum::<u64>(), inside, "hubs do not overlap");
                assert!(inside <= steps / 4 && (steps < 600 || hubs.len() == LENGTHS.len()), "{steps} steps");
            }
        }
    }
}
