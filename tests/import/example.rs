//! The bundled example equals the generator's output and contains its scenario. `FLOWLINE_UPDATE=1` rewrites it.

use std::io::{Read, Write};
use std::path::PathBuf;

use flowline::import::{Options, Progress};
use flowline::index::FlowGraph;
use flowline::index::search::{Query, run};
use flowline_load::{Origin, UserRules, load};

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/example.json.gz")
}

#[test]
fn the_fixture_matches_the_generator() {
    let mut text = Vec::new();
    flowline_synth::write_example(&mut text).expect("writing to memory succeeds");
    if std::env::var_os("FLOWLINE_UPDATE").is_some() {
        let file = std::fs::File::create(path()).expect("fixture");
        let mut encoder = flate2::write::GzEncoder::new(file, flate2::Compression::best());
        encoder.write_all(&text).expect("fixture");
        encoder.finish().expect("fixture");
    }
    let mut bundled = Vec::new();
    let file = std::fs::File::open(path()).expect("the fixture exists");
    flate2::read::GzDecoder::new(file).read_to_end(&mut bundled).expect("the fixture is gzip");
    assert!(bundled == text, "fixtures/example.json.gz is stale: run this test with FLOWLINE_UPDATE=1");
}

#[test]
fn the_example_opens_without_warnings_and_contains_its_scenario() {
    let loaded = load(&Origin::Example, Options::default(), &UserRules::built_in(), &Progress::default())
        .expect("the example opens");
    let profile = loaded.index.profile();
    assert_eq!(profile.warnings.list(), []);
    assert_eq!(profile.incomplete_count(), 0);
    assert!(profile.processes.len() >= 3 && profile.threads.len() >= 12);
    for (query, least) in [("aurora-hero", 5), ("name:layoutMasonry", 1), ("type:network", 12), ("cat:graphics", 50)] {
        let hits = run(profile, &FlowGraph::build(profile), &Query::parse(query), &|| true).expect("not canceled");
        assert!(hits.total() >= least, "{query}: {}", hits.total());
    }
}
