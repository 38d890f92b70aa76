//! Cutting: a part of any recording is a recording. The first byte selects the part.
#![no_main]

use flowline_import::cut::{CutScope, Removal, check_format};
use flowline_import::{self as import, Options, Progress, write_part};
use flowline_profile::{Ns, Profile, TimeRange};
use libfuzzer_sys::{Corpus, fuzz_target};

const MAX_UNPACKED: u64 = 1 << 20;

fn read(bytes: &[u8]) -> Result<Profile, import::ImportError> {
    let options = Options { max_unpacked: MAX_UNPACKED, spill: None, ..Options::default() };
    import::read_with(bytes.to_vec(), &options, &Progress::default()).map(|imported| imported.profile)
}

/// The part that a byte selects: its range in quarters, every second thread, what is removed.
fn scope(profile: &Profile, choice: u8) -> CutScope<'_> {
    let whole = profile.meta.range;
    let quarter = |at: u8| Ns(whole.start.0.saturating_add(whole.len() / 4 * i64::from(at)));
    let from = choice & 3;
    let range = if choice & 4 == 0 {
        TimeRange { start: quarter(from), end: quarter(from + 1) }
    } else {
        TimeRange { start: Ns(i64::MIN), end: Ns(i64::MAX) }
    };
    let threads: Vec<bool> = (0..profile.threads.len()).map(|at| choice & 8 == 0 || at % 2 == 0).collect();
    let markers = profile
        .threads_with_ids()
        .map(|(id, thread)| if threads[id.index()] { thread.markers.in_range(range).collect() } else { Vec::new() });
    let markers = markers.collect();
    let removal = Removal { urls: choice & 32 != 0, screenshots: choice & 64 != 0 };
    CutScope { profile, range, threads, markers, is_searched: choice & 16 != 0, removal }
}

fuzz_target!(
    init: {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        pool.build_global().expect("no pool was built before");
    },
    |bytes: &[u8]| -> Corpus {
        let Some((choice, text)) = bytes.split_first() else { return Corpus::Reject };
        let Ok(profile) = read(text) else { return Corpus::Reject };
        if check_format(&profile).is_err() {
            return Corpus::Reject;
        }
        let mut part = Vec::new();
        match write_part(&scope(&profile, *choice), &mut part, &Progress::default()) {
            Ok(()) => {
                let again = read(&part);
                assert!(
                    again.is_ok(),
                    "the part cannot be opened: {:?}\n{}",
                    again.err(),
                    String::from_utf8_lossy(&part)
                );
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        Corpus::Keep
    }
);
