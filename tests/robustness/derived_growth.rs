//! The time of everything that is derived about page loads grows with the recording, not with its square.

use std::sync::Arc;
use std::time::Duration;

use flowline::index::{Arrangement, Index};
use flowline::insights::timings::derive_timed;
use flowline_synth::{Format, Options, write};

use crate::recording::read_bytes;

/// Sizes in markers; the greater one is eight times the other.
const SIZES: [u64; 2] = [30_000, 240_000];
/// A part that grows with the square takes 64 times as long; this leaves room for noise.
const MOST: u32 = 24;
/// Shorter times are noise.
const LEAST: Duration = Duration::from_millis(4);
const RUNS: usize = 3;

/// The shortest time of each part over several runs.
fn times(markers: u64) -> Vec<(&'static str, Duration)> {
    let options = Options { markers, format: Format::Page, threads: None, flows: None, samples: markers / 6, seed: 3 };
    let mut text = Vec::new();
    write(&options, &mut text).expect("memory does not fail");
    let profile = Arc::new(read_bytes(text).expect("a recording"));
    let mut shortest: Vec<(&'static str, Duration)> = Vec::new();
    for _ in 0..RUNS {
        let index = Index::without_flows(Arc::clone(&profile), Arrangement::Stack);
        let (run, _) = derive_timed(&index);
        if shortest.is_empty() {
            shortest = run;
        } else {
            shortest.iter_mut().zip(run).for_each(|(own, (_, time))| own.1 = own.1.min(time));
        }
    }
    shortest
}

#[test]
fn no_derived_part_grows_with_the_square_of_the_recording() {
    let [small, large] = SIZES.map(times);
    for ((part, small), (_, large)) in small.into_iter().zip(large) {
        assert!(
            large <= small.max(LEAST) * MOST,
            "{part}: {small:?} of {} markers, {large:?} of {}",
            SIZES[0],
            SIZES[1]
        );
    }
}
