//! When a main thread waits in a nested event loop.
//!
//! A task that waits for its answer (a synchronous request, a modal prompt) runs other tasks meanwhile, so that all the
//! thread does until the answer is there lies inside that one task: the task is a *hub*, the parent of thousands of flow
//! markers. When there is one is arithmetic on the thread's and the step's number: the recording is cut into as many
//! stretches as a thread has hubs, and each stretch has one somewhere. Together they last less than a quarter of the
//! recording, so most flow markers are none of a hub's children.

use super::random::{mix, pick};
use super::share::share;
use std::ops::Range;

/// Thousandths of the recording that each hub of a thread lasts; threads begin at different places of the list.
const LENGTHS: [u64; 4] = [165, 40, 20, 10];
/// No hub lasts fewer steps; where it would, there is none.
const FEWEST_STEPS: u64 = 4;
/// No hub lasts more steps. Of the flow markers of a step, about seven become children of the hub around them.
const MOST_STEPS: u64 = 2_000;
/// Keeps this use of the mixer apart.
const SALT: u64 = 0x4B0B;

/// The steps of the hub in which a main thread is at `step`; it ends before the recording does.
pub(super) fn hub(seed: u64, thread: usize, steps: u64, step: u64) -> Option<Range<u64>> {
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
    fn a_thread_has_a_handful_of_hubs_that_end() {
        for steps in [0, 1, 7, 40, 606, 10_309, 1_000_000] {
            for thread in 0..6 {
                let mut hubs: Vec<Range<u64>> = (0..steps).filter_map(|step| hub(5, thread, steps, step)).collect();
                let inside = hubs.len() as u64;
                hubs.dedup();
                assert!(hubs.len() <= LENGTHS.len() && hubs.iter().all(|hub| hub.end < steps), "{steps} steps");
                assert_eq!(hubs.iter().map(|hub| hub.end - hub.start).sum::<u64>(), inside, "none interrupts another");
                assert!(inside <= steps / 4 && (steps < 600 || hubs.len() == LENGTHS.len()), "{steps} steps");
            }
        }
    }
}
