//! Helpers shared by several test programs.

#![allow(dead_code, reason = "every test program uses only some of these helpers")]

pub(crate) mod csv;
pub(crate) mod folder;
pub(crate) mod frames;
pub(crate) mod program;
pub(crate) mod protobuf;
pub(crate) mod query_engine;
pub(crate) mod recording;
pub(crate) mod stacks;
pub(crate) mod xml;

use std::io::Read as _;
use std::sync::{Arc, OnceLock};

use flowline::import::{Options, Progress};
use flowline::index::Index;
use flowline_load::{Origin, UserRules, load};
use flowline_synth::Format;

/// The formats of synthetic recordings.
pub(crate) const FORMATS: [Format; 2] = [Format::Firefox, Format::Chrome];

/// The bundled recording, loaded once.
pub(crate) fn example() -> Arc<Index> {
    static EXAMPLE: OnceLock<Arc<Index>> = OnceLock::new();
    let read = || {
        load(&Origin::Example, Options::default(), &UserRules::built_in(), &Progress::default())
            .expect("the example can be read")
            .index
    };
    Arc::clone(EXAMPLE.get_or_init(read))
}

/// The bundled recording as JSON text.
pub(crate) fn example_text() -> Vec<u8> {
    let packed = include_bytes!("../../fixtures/example.json.gz");
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut text).expect("the fixture is gzip");
    text
}

/// A synthetic recording.
pub(crate) fn synthetic(format: Format, markers: u64, seed: u64) -> Arc<Index> {
    made_with(flowline_synth::Options { markers, format, threads: None, flows: None, samples: 0, seed })
}

/// A synthetic recording with half as many samples as markers.
#[allow(dead_code, reason = "not all suites need samples")]
pub(crate) fn sampled(format: Format, markers: u64, seed: u64) -> Arc<Index> {
    made_with(flowline_synth::Options { markers, format, threads: None, flows: None, samples: markers / 2, seed })
}

fn made_with(options: flowline_synth::Options) -> Arc<Index> {
    let mut text = Vec::new();
    flowline_synth::write(&options, &mut text).expect("writing to memory succeeds");
    let profile = flowline::import::read(text.leak(), &Progress::default()).expect("a recording").profile;
    let arrangement = profile.meta.arrangement();
    Arc::new(Index::build(Arc::new(profile), arrangement))
}
