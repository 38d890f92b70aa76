//! Each stage of the work, on a synthetic recording: reading (beside a plain `serde_json` reader), indexing, searching,
//! ordering the table, building a frame. `FLOWLINE_BENCH_MARKERS` sets the size; 300,000 unless given.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};

use flowline::import::{Progress, read};
use flowline::index::FlowGraph;
use flowline::index::search::{Query, run};
use flowline::index::{Arrangement, Index};
use flowline::profile::Profile;
use flowline::scene::{PixelRect, Regions, Scene};
use flowline::synth;
use flowline::ui::{Column, Document, ordered};
use flowline::view::Command;

fn main() {
    divan::main();
}

fn text() -> &'static Vec<u8> {
    static TEXT: OnceLock<Vec<u8>> = OnceLock::new();
    TEXT.get_or_init(|| {
        let given = std::env::var("FLOWLINE_BENCH_MARKERS").ok().and_then(|count| count.parse().ok());
        let options = synth::Options {
            markers: given.unwrap_or(300_000),
            format: synth::Format::Firefox,
            threads: None,
            flows: None,
            seed: 1,
        };
        let mut text = Vec::new();
        synth::write(&options, &mut text).expect("memory does not fail");
        text
    })
}

fn profile() -> Arc<Profile> {
    static PROFILE: OnceLock<Arc<Profile>> = OnceLock::new();
    Arc::clone(PROFILE.get_or_init(|| {
        Arc::new(read(text().clone(), &Progress::default()).expect("synthetic recordings are whole").profile)
    }))
}

fn index() -> Arc<Index> {
    static INDEX: OnceLock<Arc<Index>> = OnceLock::new();
    Arc::clone(INDEX.get_or_init(|| Arc::new(Index::build(profile(), Arrangement::ByName))))
}

/// Reading and deriving, from text in memory.
#[divan::bench(sample_count = 10)]
fn import(bencher: Bencher<'_, '_>) {
    let bytes = BytesCount::of_slice(text().as_slice());
    bencher.counter(bytes).bench(|| read(text().as_slice(), &Progress::default()).map(|imported| imported.profile));
}

/// What a reader that keeps everything would do: the whole text to `serde_json` values.
#[divan::bench(sample_count = 3)]
fn serde_json_values(bencher: Bencher<'_, '_>) {
    let bytes = BytesCount::of_slice(text().as_slice());
    bencher.counter(bytes).bench(|| serde_json::from_slice::<serde_json::Value>(text()));
}

/// The least that `serde_json` can do: skip over the whole text on one core.
#[divan::bench(sample_count = 10)]
fn serde_json_skip(bencher: Bencher<'_, '_>) {
    let bytes = BytesCount::of_slice(text().as_slice());
    bencher.counter(bytes).bench(|| serde_json::from_slice::<serde::de::IgnoredAny>(text()));
}

/// Rows, pyramids, summaries and activity.
#[divan::bench(args = [Arrangement::ByName, Arrangement::Stack], sample_count = 10)]
fn build_index(bencher: Bencher<'_, '_>, arrangement: Arrangement) {
    let profile = profile();
    let markers = ItemsCount::new(profile.marker_count());
    bencher.counter(markers).bench(|| Index::build(Arc::clone(&profile), arrangement));
}

/// A search over names and fields.
#[divan::bench(args = ["paint", "name:dom", "zzzz", "dur:>5ms"], sample_count = 10)]
fn search(bencher: Bencher<'_, '_>, query: &str) {
    let profile = profile();
    let query = Query::parse(query);
    bencher
        .counter(ItemsCount::new(profile.marker_count()))
        .bench(|| run(&profile, &FlowGraph::build(&profile), &query, &|| true));
}

/// The marker table by duration, longest first.
#[divan::bench(sample_count = 10)]
fn sort_by_duration(bencher: Bencher<'_, '_>) {
    let profile = profile();
    let markers = ItemsCount::new(profile.marker_count());
    bencher.counter(markers).bench(|| ordered(&profile, None, None, Column::Duration, true));
}

/// Building the frame of a 1920x1080 chart with all threads expanded, zoomed out by powers of four from a microsecond
/// a pixel.
#[divan::bench(args = [0, 2, 4, 6, 8])]
fn build_frame(bencher: Bencher<'_, '_>, zoom: i32) {
    let mut document = Document::new(PathBuf::new(), index(), Arc::new(|| {}));
    document.apply(Command::ExpandAll(true));
    document.canvas = ([1920, 1080], 1.0);
    document.regions = Regions {
        overview: PixelRect::new(0.0, 38.0, 1920.0, 50.0),
        ruler: PixelRect::new(220.0, 88.0, 1700.0, 22.0),
        chart: PixelRect::new(220.0, 110.0, 1700.0, 948.0),
    };
    document.view.axis.set_width(1700.0);
    let factor = document.view.axis.ns_per_pixel() / (1000.0 * 4_f64.powi(zoom));
    document.apply(Command::Zoom { pixel: 850.0, factor, animated: false });
    document.refresh();
    let mut scene = Scene::default();
    let rectangles = scene.build(&document.scene_input()).marker_count();
    bencher.counter(ItemsCount::new(rectangles)).bench_local(|| scene.build(&document.scene_input()).marker_count());
}
