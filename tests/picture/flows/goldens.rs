//! Two small reference images of the panel. `FLOWLINE_UPDATE=1` updates them.
//!
//! They contain no text, which other tests cover. Small differences are allowed, because drivers smooth edges
//! differently.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};

use flowline::gpu::RenderedImage;
use flowline::profile::{FlowId, MarkerId};
use flowline::scene::{PixelRect, Regions};
use flowline::session::Session;
use flowline::view::{Command, FlowCommand, Theme};

use super::{example, frame_of, look_at, open};
use crate::renderer::{Renderer, without_text};

const SIZE: [u32; 2] = [400, 160];
/// Maximum difference per channel, and maximum number of pixels that may differ more.
const CHANNEL: u8 = 6;
const PIXELS: usize = 24;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/goldens").join(name)
}

fn read(path: &Path) -> Option<RenderedImage> {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).ok()?)).read_info().ok()?;
    let mut rgba = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut rgba).ok()?;
    let is_rgba = frame.color_type == png::ColorType::Rgba && frame.bit_depth == png::BitDepth::Eight;
    is_rgba.then_some(RenderedImage { width: frame.width, height: frame.height, rgba })
}

fn write(path: &Path, picture: &RenderedImage) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be created");
    let file = BufWriter::new(File::create(path).expect("the image can be written"));
    let mut encoder = png::Encoder::new(file, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&picture.rgba).expect("pixels");
}

/// A session on a small canvas: part of the chart, the panel, and a pinned row.
fn small(scale: f32, entered: &[FlowId], pinned: &[FlowId], marker: MarkerId, span: i64) -> Session {
    let mut session = open(&example(), SIZE[0], scale, entered, pinned);
    let band = |top: f32, height: f32| PixelRect::new(0.0, top, SIZE[0] as f32, height);
    session.canvas.regions =
        Regions { chart: band(0.0, 30.0), flows: band(34.0, 78.0), pinned: band(112.0, 48.0), ..Regions::default() };
    session.canvas.size = SIZE;
    session.apply(Command::Select(Some(marker)));
    session.refresh();
    let start = session.view.times_of(marker).expect("a marker").start;
    look_at(&mut session, start, span, 0.4);
    session.refresh_and_wait();
    let row = session.flows.list.main.items().iter().find(|item| item.flow() == Some(entered[0])).expect("its row");
    session.view.flows.scroll = row.y - 2.0;
    session.view.scroll = session.item_of(marker).expect("its place").y - 8.0;
    session.refresh_and_wait();
    session
}

fn compare(name: &str, session: &Session) {
    let picture = Renderer::new().draw(&without_text(&frame_of(session)));
    assert_eq!([picture.width, picture.height], SIZE);
    let path = golden(name);
    if std::env::var_os("FLOWLINE_UPDATE").is_some() {
        write(&path, &picture);
    }
    let seen = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let advice = "FLOWLINE_UPDATE=1 redraws it";
    let Some(expected) = read(&path) else {
        panic!("{} is missing or not an image: {advice}", path.display());
    };
    assert_eq!([expected.width, expected.height], SIZE, "{}: {advice}", path.display());
    let pixels = expected.rgba.chunks_exact(4).zip(picture.rgba.chunks_exact(4));
    let off = |(a, b): &(&[u8], &[u8])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > CHANNEL);
    let differing = pixels.filter(off).count();
    if differing > PIXELS {
        write(&seen, &picture);
        panic!(
            "{differing} pixels differ from {}; the drawn image is in {}; if it is correct, {advice}",
            path.display(),
            seen.display()
        );
    }
}

/// The flow with the most members, and its first marker that is shared with another flow.
fn longest() -> (FlowId, MarkerId) {
    let index = example();
    let graph = index.flows();
    let flow = graph.iter().max_by_key(|flow| graph.members(*flow).len()).expect("flows");
    let is_shared = |marker: &&MarkerId| graph.flows_of(**marker).len() > 1;
    (flow, *graph.members(flow).iter().find(is_shared).expect("a shared marker"))
}

#[test]
fn a_marker_in_two_flows_matches_the_dark_reference_image() {
    let (flow, marker) = longest();
    let other = example().flows().flows_of(marker).iter().copied().find(|other| *other != flow).expect("another flow");
    compare("flows-dark.png", &small(1.0, &[flow], &[other], marker, 4_000_000));
}

#[test]
fn all_connections_match_the_light_reference_image() {
    let (flow, _) = longest();
    let last = *example().flows().members(flow).last().expect("members");
    let mut session = small(1.5, &[flow], &[flow], last, 900_000_000);
    session.view.theme = Theme::Light;
    session.apply(Command::Flow(FlowCommand::AllConnections(true)));
    session.apply(Command::Flow(FlowCommand::Path(true)));
    session.refresh_and_wait();
    compare("flows-light.png", &session);
}
