//! Import of recordings: every version, container and form has the same meaning, checked by naive readers and other
//! programs.

#[path = "../support/mod.rs"]
mod support;

mod chrome;
mod cpu_profiles;
mod cut;
mod derive;
mod example;
mod firefox_graphs;
mod firefox_sample_damage;
mod firefox_samples;
mod firefox_stacks;
mod json;
mod perfetto;
mod real_recordings;
mod real_samples;
mod samples;
mod synthetic;
mod text_forms;
mod versions;

use support::{recording, stacks};

use std::io::Write as _;

/// Compresses with gzip.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("writing to memory succeeds")
}
