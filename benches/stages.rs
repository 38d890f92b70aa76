//! Benchmarks of each stage on a synthetic recording: reading (compared with a plain `serde_json` reader), indexing,
//! searching, sorting the table, building a frame. `FLOWLINE_BENCH_MARKERS` sets the number of markers (default:
//! 300,000).

use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};

use flowline::import::{Progress, read};
use flowline::index::FlowGraph;
use flowline::index::search::{Query, run};
use flowline::index::{Arrangement, Index};
use flowline::profile::Direction;
use flowline::profile::{FlowId, Profile};
use flowline::scene::{MarkerInstance, PixelRect, Regions, Scene, Scope};
use flowline::session::{MarkerColumn, Session, ordered};
use flowline::view::{Command, FlowCommand};
use flowline_synth as synth;

fn main() {
    divan::main();
}

fn text() -> &'static Vec<u8> {
    static TEXT: OnceLock<Vec<u8>> = OnceLock::new();
    TEXT.get_or_init(|| written(synth::Format::Firefox))
}

fn trace() -> &'static Vec<u8> {
    static TEXT: OnceLock<Vec<u8>> = OnceLock::new();
    TEXT.get_or_init(|| written(synth::Format::Chrome))
}

fn written(format: synth::Format) -> Vec<u8> {
    let given = std::env::var("FLOWLINE_BENCH_MARKERS").ok().and_then(|count| count.parse().ok());
    let options =
        synth::Options { markers: given.unwrap_or(300_000), format, threads: None, flows: None, samples: 0, seed: 1 };
    let mut text = Vec::new();
    synth::write(&options, &mut text).expect("memory does not fail");
    text
}

fn profile() -> Arc<Profile> {
    static PROFILE: OnceLock<Arc<Profile>> = OnceLock::new();
    Arc::clone(PROFILE.get_or_init(|| {
        Arc::new(read(text().clone(), &Progress::default()).expect("synthetic recordings are valid").profile)
    }))
}

fn index() -> Arc<Index> {
    static INDEX: OnceLock<Arc<Index>> = OnceLock::new();
    Arc::clone(INDEX.get_or_init(|| Arc::new(Index::build(profile(), Arrangement::ByName))))
}

/// Reads trace events from text in memory and derives slices, operations and flows.
#[divan::bench(sample_count = 10)]
fn import_trace_events(bencher: Bencher<'_, '_>) {
    let bytes = BytesCount::of_slice(trace().as_slice());
    bencher.counter(bytes).bench(|| read(trace().as_slice(), &Progress::default()).map(|imported| imported.profile));
}

/// Lower bound for `serde_json` on trace events: skips the whole text on one core.
#[divan::bench(sample_count = 10)]
fn trace_events_skipped_by_serde_json(bencher: Bencher<'_, '_>) {
    let bytes = BytesCount::of_slice(trace().as_slice());
    bencher.counter(bytes).bench(|| serde_json::from_slice::<serde::de::IgnoredAny>(trace()));
}

fn packed(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text).and_then(|()| encoder.finish()).expect("memory does not fail")
}

fn packed_trace() -> &'static Vec<u8> {
    static PACKED: OnceLock<Vec<u8>> = OnceLock::new();
    PACKED.get_or_init(|| packed(trace()))
}

/// Reads and indexes a gzip-compressed trace, for comparison with inflating alone.
#[divan::bench(sample_count = 10)]
fn open_packed_trace(bencher: Bencher<'_, '_>) {
    let bytes = BytesCount::of_slice(trace().as_slice());
    bencher.counter(bytes).bench(|| {
        let imported = read(packed_trace().as_slice(), &Progress::default()).expect("a valid trace");
        Index::build(Arc::new(imported.profile), Arrangement::Stack)
    });
}

/// The same without compression.
#[divan::bench(sample_count = 10)]
fn open_trace(bencher: Bencher<'_, '_>) {
    let bytes = BytesCount::of_slice(trace().as_slice());
    bencher.counter(bytes).bench(|| {
        let imported = read(trace().as_slice(), &Progress::default()).expect("a valid trace");
        Index::build(Arc::new(imported.profile), Arrangement::Stack)
    });
}

/// Inflates the trace only, reusing one output block.
#[divan::bench(sample_count = 10)]
fn inflate_alone(bencher: Bencher<'_, '_>) {
    let bytes = BytesCount::of_slice(trace().as_slice());
    bencher.counter(bytes).bench(|| {
        let mut decoder = flate2::bufread::MultiGzDecoder::new(packed_trace().as_slice());
        std::io::copy(&mut decoder, &mut std::io::sink())
    });
}

/// Reads the same trace events into `serde_json` values.
#[divan::bench(sample_count = 3)]
fn trace_events_by_serde_json(bencher: Bencher<'_, '_>) {
    let bytes = BytesCount::of_slice(trace().as_slice());
    bencher.counter(bytes).bench(|| serde_json::from_slice::<serde_json::Value>(trace()));
}

/// Reads a Firefox profile from text in memory and derives its data.
#[divan::bench(sample_count = 10)]
fn import(bencher: Bencher<'_, '_>) {
    let bytes = BytesCount::of_slice(text().as_slice());
    bencher.counter(bytes).bench(|| read(text().as_slice(), &Progress::default()).map(|imported| imported.profile));
}

/// Baseline that keeps everything: reads the whole text into `serde_json` values.
#[divan::bench(sample_count = 3)]
fn serde_json_values(bencher: Bencher<'_, '_>) {
    let bytes = BytesCount::of_slice(text().as_slice());
    bencher.counter(bytes).bench(|| serde_json::from_slice::<serde_json::Value>(text()));
}

/// Lower bound for `serde_json`: skips the whole text on one core.
#[divan::bench(sample_count = 10)]
fn serde_json_skip(bencher: Bencher<'_, '_>) {
    let bytes = BytesCount::of_slice(text().as_slice());
    bencher.counter(bytes).bench(|| serde_json::from_slice::<serde::de::IgnoredAny>(text()));
}

/// Builds rows, pyramids, summaries and activity.
#[divan::bench(args = [Arrangement::ByName, Arrangement::Stack], sample_count = 10)]
fn build_index(bencher: Bencher<'_, '_>, arrangement: Arrangement) {
    let profile = profile();
    let markers = ItemsCount::new(profile.marker_count());
    bencher.counter(markers).bench(|| Index::build(Arc::clone(&profile), arrangement));
}

/// Searches names and fields.
#[divan::bench(
    args = ["paint", "name:dom", "zzzz", "dur:>5ms", "thread:gecko dur:>20ms", "paint -name:dom", "self:>1ms"],
    sample_count = 10
)]
fn search(bencher: Bencher<'_, '_>, query: &str) {
    let (profile, index) = (profile(), index());
    let query = Query::parse(query);
    bencher.counter(ItemsCount::new(profile.marker_count())).bench(|| run(&profile, index.flows(), &query, &|| true));
}

/// Builds the flow graph: flow fields, joined ids, flow segmentation, both directions of membership, context.
#[divan::bench(sample_count = 10)]
fn build_flows(bencher: Bencher<'_, '_>) {
    let profile = profile();
    let markers = ItemsCount::new(profile.marker_count());
    bencher.counter(markers).bench(|| FlowGraph::build(&profile));
}

/// Returns a flow from another part of the recording on each call.
fn flow_after_flow(index: &Index) -> impl FnMut() -> FlowId + use<> {
    let count = index.flows().len().max(1);
    let mut at = 0;
    move || {
        at = (at + 7_919) % count;
        FlowId::new(at)
    }
}

/// Enters a flow: computes its connected flows and the rows of the panel.
#[divan::bench]
fn enter_flow(bencher: Bencher<'_, '_>) {
    let index = index();
    let mut session = Session::new(PathBuf::new(), Arc::clone(&index), Arc::new(|| {}));
    (session.canvas.size, session.canvas.scale) = ([1920, 1080], 1.0);
    session.canvas.regions = Regions { flows: PixelRect::new(220.0, 700.0, 1700.0, 300.0), ..regions() };
    let mut next = flow_after_flow(&index);
    bencher.bench_local(|| {
        session.apply(Command::Flow(FlowCommand::Enter(vec![next()])));
        session.refresh();
    });
}

/// Goes to the next marker of a flow, including scrolling to its row.
#[divan::bench]
fn next_in_flow(bencher: Bencher<'_, '_>) {
    let index = index();
    let mut session = Session::new(PathBuf::new(), Arc::clone(&index), Arc::new(|| {}));
    (session.canvas.size, session.canvas.scale) = ([1920, 1080], 1.0);
    session.canvas.regions = regions();
    let mut next = flow_after_flow(&index);
    let with_input = || {
        let flow = next();
        (flow, index.flows().members(flow).first().copied())
    };
    let session = std::cell::RefCell::new(&mut session);
    bencher.with_inputs(with_input).bench_local_values(|(flow, first)| {
        let mut session = session.borrow_mut();
        let Some(first) = first else { return };
        session.view.selected = Some(first);
        session.apply(Command::Flow(FlowCommand::Choose(flow)));
        if let Some(marker) = session.along_flow(Direction::Forward) {
            session.apply(Command::Reveal(marker));
            session.refresh();
        }
    });
}

/// Computes the connected flows of a flow, for the three longest lists in the recording.
#[divan::bench(args = [0, 1, 2])]
fn connections_of_largest(bencher: Bencher<'_, '_>, rank: usize) {
    let index = index();
    let mut flows: Vec<FlowId> = index.flows().iter().collect();
    flows.sort_by_key(|flow| std::cmp::Reverse(index.flows().members(*flow).len()));
    let flow = flows[rank];
    let members = ItemsCount::new(index.flows().members(flow).len());
    bencher.counter(members).bench(|| index.flows().connections(&[flow]));
}

/// Follows outgoing flows to the end.
#[divan::bench]
fn chain_forward(bencher: Bencher<'_, '_>) {
    let index = index();
    let mut next = flow_after_flow(&index);
    bencher.bench_local(|| index.flows().chain(&[next()], Direction::Forward, usize::MAX, 10_000).len());
}

/// Sorts the marker table by duration, longest first.
#[divan::bench(sample_count = 10)]
fn sort_by_duration(bencher: Bencher<'_, '_>) {
    let profile = profile();
    let markers = ItemsCount::new(profile.marker_count());
    bencher.counter(markers).bench(|| ordered(&profile, &Scope::default(), MarkerColumn::Duration, true));
}

/// Returns the regions of a 1920x1080 window without the flow panel.
fn regions() -> Regions {
    Regions {
        overview: PixelRect::new(0.0, 38.0, 1920.0, 50.0),
        ruler: PixelRect::new(220.0, 88.0, 1700.0, 22.0),
        chart: PixelRect::new(220.0, 110.0, 1700.0, 948.0),
        ..Regions::default()
    }
}

/// Builds the frame of a 1920x1080 chart with all threads expanded, zoomed out by powers of four from one microsecond
/// per pixel.
#[divan::bench(args = [0, 2, 4, 6, 8])]
fn build_frame(bencher: Bencher<'_, '_>, zoom: i32) {
    let mut session = Session::new(PathBuf::new(), index(), Arc::new(|| {}));
    session.apply(Command::ExpandAll);
    (session.canvas.size, session.canvas.scale) = ([1920, 1080], 1.0);
    session.canvas.regions = regions();
    session.view.axis.set_width(1700.0);
    let factor = session.view.axis.ns_per_pixel() / (1000.0 * 4_f64.powi(zoom));
    session.apply(Command::Zoom { pixel: 850.0, factor, animated: false });
    session.refresh();
    let mut scene = Scene::default();
    let rectangles = scene.build(&session.scene_input()).count::<MarkerInstance>();
    bencher
        .counter(ItemsCount::new(rectangles))
        .bench_local(|| scene.build(&session.scene_input()).count::<MarkerInstance>());
}
