//! Compressed input: windows, growth and damage. Memory is limited by libFuzzer (`-malloc_limit_mb`).
#![no_main]

use flowline_import::{self as import, Options, Progress};
use libfuzzer_sys::fuzz_target;

const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Maximum size of unpacked text.
const MAX_UNPACKED: u64 = 1 << 20;
/// Maximum window; larger ones must be refused before memory is reserved.
const MAX_WINDOW: u64 = 1 << 20;

fuzz_target!(
    init: {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        pool.build_global().expect("no pool was built before");
    },
    |bytes: &[u8]| {
        let mut input = bytes.to_vec();
        if !input.starts_with(&MAGIC) {
            input.splice(0..0, MAGIC);
        }
        let options =
            Options { max_unpacked: MAX_UNPACKED, max_window: MAX_WINDOW, spill: None, ..Options::default() };
        match import::read_with(input, &options, &Progress::default()) {
            Ok(imported) => assert!(imported.profile.source.bytes().len() as u64 <= MAX_UNPACKED),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
);
