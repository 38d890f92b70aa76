//! The flow panel against flows, chart and axis: synthetic recordings whose flows span several threads and share
//! markers, and the bundled example. Panel and chart are read back from the GPU. The expected contents are computed
//! marker by marker, without the panel's own lists.

mod boxes;
mod dots;
mod goldens;
mod hatches;
mod hits;
mod links;
mod many;
mod tints;

use std::path::PathBuf;
use std::sync::Arc;

use flowline::gpu::RenderedImage;
use flowline::index::{Arrangement, Index};
use flowline::profile::{FlowId, MarkerId, Ns, TimeRange};
use flowline::scene::{
    Area, Batch, FlowInstance, FlowItem, FlowItemKind, Frame, PixelRect, PrimitiveKind, Regions, Scene,
};
use flowline::session::Session;
use flowline::view::{Command, FlowCommand, Theme};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::recording::{self, Recording, Row, Track, instant, interval};
use crate::support::example;

/// Left and right margin of the axis, and heights of overview and ruler, in pixels.
const LEFT: u32 = 31;
const RIGHT: u32 = 9;
const TOP: u32 = 50;
/// Heights of chart, flow rows and pinned rows in points. Two pinned flows require scrolling.
const CHART: f32 = 90.0;
const FLOWS: f32 = 130.0;
const PINNED: f32 = 47.0;
/// Number of ids available to generated markers.
const IDS: u8 = 6;

/// A marker to generate: times in nanoseconds, its kind as bits (instant, stack-based, name), and its ids as bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    start: i64,
    length: i64,
    kind: u8,
    ids: u8,
}

/// Markers per thread.
pub(crate) type Marks = Vec<Vec<Mark>>;

/// Several threads with markers of all lengths; most are in a flow, many in two or three.
pub(crate) fn marks() -> impl Strategy<Value = Marks> {
    let one = || (0..IDS).prop_map(|id| 1_u8 << id);
    let two = (one(), one()).prop_map(|(a, b)| a | b);
    let ids =
        prop_oneof![4 => one(), 3 => two, 1 => (one(), one(), one()).prop_map(|(a, b, c)| a | b | c), 1 => Just(0)];
    let time = |bits: u32| prop_oneof![1 => Just(0_i64), 6 => (0..bits).prop_flat_map(|bits| 0..=(1_i64 << bits))];
    let thread = prop::collection::vec((time(28), time(30), any::<u8>(), ids), 1..24);
    (prop_oneof![Just(0_i64), 0_i64..1 << 40], prop::collection::vec(thread, 2..5)).prop_map(|(late, threads)| {
        let place = |parts: Vec<(i64, i64, u8, u8)>| {
            let mut start = late;
            let made = |(gap, length, kind, ids): (i64, i64, u8, u8)| {
                start += gap;
                Mark { start, length, kind, ids }
            };
            parts.into_iter().map(made).collect()
        };
        threads.into_iter().map(place).collect()
    })
}

fn ms(ns: i64) -> f64 {
    ns as f64 / 1e6
}

fn row_of(mark: Mark) -> Row {
    let name = ["post", "run", "paint"][usize::from(mark.kind >> 2) % 3];
    let row = if mark.kind & 1 == 1 {
        instant(name, ms(mark.start))
    } else {
        interval(name, ms(mark.start), ms(mark.start + mark.length))
    };
    let fields =
        (0..IDS).filter(|id| mark.ids >> id & 1 == 1).map(|id| (format!("flow{id}"), json!(format!("@id{id}"))));
    let mut data: Map<String, Value> = fields.collect();
    data.insert("type".into(), json!(if mark.kind & 2 == 2 { "Stack" } else { "Plain" }));
    row.of(u32::from(mark.kind >> 4) % 4).with(Value::Object(data))
}

/// The index of rows by thread. Every schema has a flow field for each id; categories have vivid colors.
fn index_of_rows(threads: Vec<Vec<Row>>) -> Arc<Index> {
    let fields: Vec<Value> = (0..IDS).map(|id| json!({"key": format!("flow{id}"), "format": "flow-id"})).collect();
    let schema = |name: &str, stack| json!({"name": name, "display": [], "fields": fields, "isStackBased": stack});
    let schemas = json!([schema("Plain", false), schema("Stack", true)]);
    let mut recording = Recording::of(Vec::new()).schemas(schemas);
    let time = |row: &Row| row.end.as_f64().or(row.start.as_f64()).unwrap_or(0.0);
    let end = threads.iter().flatten().map(time).fold(0.0, f64::max);
    let track = |rows| Track { name: "thread".into(), process: 0, samples: vec![0.0, end], rows };
    recording.tracks = threads.into_iter().map(track).collect();
    let mut raw = recording.raw();
    for (category, color) in ["green", "orange", "blue", "red", "purple"].into_iter().enumerate() {
        raw["meta"]["categories"][category]["color"] = json!(color);
    }
    Arc::new(Index::build(Arc::new(recording::read(&raw)), Arrangement::ByName))
}

pub(crate) fn index_of(marks: &Marks) -> Arc<Index> {
    index_of_rows(marks.iter().map(|thread| thread.iter().copied().map(row_of).collect()).collect())
}

/// View settings for a panel.
#[derive(Clone, Debug)]
struct Probe {
    width: u32,
    scale: f32,
    theme: Theme,
    /// Nanoseconds per pixel, as an exponent from 0 (closest zoom) to 1 (everything).
    zoom: f64,
    /// The marker at the center of the view, and the position of its start, 0 to 1.
    marker: prop::sample::Index,
    place: f64,
    /// Scroll positions of the flow rows and the pinned rows, 0 to 1; `None` for the position after entering.
    scroll: Option<(f64, f64)>,
    entered: Vec<prop::sample::Index>,
    pinned: Vec<prop::sample::Index>,
}

fn probe() -> impl Strategy<Value = Probe> {
    let flows = |count| prop::collection::vec(any::<prop::sample::Index>(), count);
    let screen = (prop::sample::select(vec![256_u32, 300, 517]), prop::sample::select(vec![1.0_f32, 1.5, 2.0]));
    let theme = prop_oneof![3 => Just(Theme::Dark), 1 => Just(Theme::Light)];
    let time = (0.0..1.0, any::<prop::sample::Index>(), 0.15..0.85);
    let scroll = prop::option::of((0.0..1.0, 0.0..1.0));
    (screen, theme, time, scroll, flows(1..3), flows(0..4)).prop_map(
        |((width, scale), theme, (zoom, marker, place), scroll, entered, pinned)| Probe {
            width,
            scale,
            theme,
            zoom,
            marker,
            place,
            scroll,
            entered,
            pinned,
        },
    )
}

/// A session with an open panel for flows and pins, showing the whole recording.
fn open(index: &Arc<Index>, width: u32, scale: f32, entered: &[FlowId], pinned: &[FlowId]) -> Session {
    opened(Session::new(PathBuf::new(), Arc::clone(index), Arc::new(|| {})), width, scale, entered, pinned)
}

fn opened(mut session: Session, width: u32, scale: f32, entered: &[FlowId], pinned: &[FlowId]) -> Session {
    let tall = |points: f32| (points * scale).round();
    let (left, wide, top) = (LEFT as f32, width as f32, TOP as f32);
    let band = |top: f32, points: f32| PixelRect::new(left, top, wide, tall(points));
    let chart = band(top, CHART);
    let flows = band(chart.bottom() + 26.0, FLOWS);
    let pins = band(flows.bottom(), if pinned.is_empty() { 0.0 } else { PINNED });
    session.canvas.regions = Regions {
        overview: PixelRect::new(0.0, 0.0, left + wide, 28.0),
        ruler: PixelRect::new(left, 28.0, wide, top - 28.0),
        chart,
        flows,
        pinned: pins,
        ..Regions::default()
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "canvas size")]
    let height = pins.bottom() as u32 + 13;
    (session.canvas.size, session.canvas.scale) = ([LEFT + width + RIGHT, height], scale);
    session.view.axis.set_width(f64::from(width));
    session.apply(Command::ExpandAll);
    session.refresh();
    for flow in pinned {
        session.apply(Command::Flow(FlowCommand::TogglePin(*flow)));
        session.refresh();
    }
    if !entered.is_empty() {
        session.apply(Command::Flow(FlowCommand::Enter(entered.to_vec())));
        session.refresh();
    }
    session.apply(Command::Show(session.index.extent()));
    session.refresh_and_wait();
    session
}

/// Shows a length in nanoseconds, with a time at a position of the view, 0 to 1.
#[expect(clippy::cast_possible_truncation, reason = "a length in view")]
fn look_at(session: &mut Session, time: Ns, length: i64, place: f64) {
    let start = time - Ns((length as f64 * place) as i64);
    session.apply(Command::Show(TimeRange::new(start, start + Ns(length.max(1)))));
    session.refresh();
}

/// A session with the settings of a probe, and its central marker, which the panel shows. `None` in a recording without
/// flows.
fn session_for(index: &Arc<Index>, probe: &Probe) -> Option<(Session, MarkerId)> {
    let graph = index.flows();
    if graph.is_empty() {
        return None;
    }
    let some = |places: &[prop::sample::Index]| {
        let mut flows: Vec<FlowId> = places.iter().map(|place| FlowId::new(place.index(graph.len()))).collect();
        flows.sort_unstable();
        flows.dedup();
        flows
    };
    let (entered, pinned) = (some(&probe.entered), some(&probe.pinned));
    let mut session = open(index, probe.width, probe.scale, &entered, &pinned);
    session.view.theme = probe.theme;
    let members: Vec<MarkerId> = entered.iter().chain(&pinned).flat_map(|flow| graph.members(*flow)).copied().collect();
    let marker = members[probe.marker.index(members.len())];
    let whole = index.extent().len().max(2);
    #[expect(clippy::cast_possible_truncation, reason = "a length in view")]
    let length = (whole as f64).powf(probe.zoom) as i64;
    let start = session.view.times_of(marker).expect("a marker").start;
    look_at(&mut session, start, length, probe.place);
    if let Some((rows, pins)) = probe.scroll {
        session.view.flows.scroll = session.flows.list.main.height() * rows;
        session.view.flows.pinned_scroll = session.flows.list.pinned.height() * pins;
    }
    session.refresh_and_wait();
    Some((session, marker))
}

fn frame_of(session: &Session) -> Frame {
    Scene::default().build(&session.scene_input()).clone()
}

/// A frame without text, with only some of its batches and flow shapes.
fn only(frame: &Frame, batches: impl Fn(&Batch) -> bool, shapes: impl Fn(&FlowInstance) -> bool) -> Frame {
    let mut kept = Frame { texts: Vec::new(), batches: Vec::new(), ..frame.clone() };
    kept.instances.flows.clear();
    for batch in frame.batches.iter().filter(|batch| batches(batch)) {
        if batch.primitive == PrimitiveKind::FlowShape {
            let all = &frame.instances.flows[batch.range.start as usize..batch.range.end as usize];
            kept.begin_layer(batch.layer);
            kept.draw(batch.clip, all.iter().copied().filter(&shapes));
        } else {
            kept.batches.push(batch.clone());
        }
    }
    kept
}

fn is_links(batch: &Batch) -> bool {
    batch.primitive == PrimitiveKind::Link
}

/// Coordinates of pixels that differ between two images.
fn differing(one: &RenderedImage, other: &RenderedImage) -> Vec<(u32, u32)> {
    let all = (0..one.height).flat_map(|y| (0..one.width).map(move |x| (x, y)));
    all.filter(|(x, y)| one.pixel(*x, *y) != other.pixel(*x, *y)).collect()
}

/// A flow's row in one of the two parts of the panel.
#[derive(Clone, Copy, Debug)]
struct DrawnFlow {
    flow: FlowId,
    /// 0: the entered flows and their connected flows; 1: the pinned flows.
    part: usize,
    /// Top and bottom of its box.
    top: f32,
    bottom: f32,
    /// Rectangle of the part.
    clip: PixelRect,
}

impl DrawnFlow {
    fn of(area: &Area<'_>, part: usize, item: &FlowItem) -> Option<Self> {
        let FlowItemKind::Flow { flow, .. } = item.kind else { return None };
        let place = area.place(item);
        Some(Self { flow, part, top: place.y, bottom: place.y + place.height, clip: area.rect })
    }

    fn middle(&self) -> f32 {
        f32::midpoint(self.top, self.bottom)
    }

    /// True if a line of pixels is visible with some pixels around it.
    fn sees(&self, y: f32, around: f32) -> bool {
        y - around >= self.clip.y && y + around <= self.clip.bottom()
    }

    /// The line of pixels at its middle, or just below it.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "on screen")]
    fn line(&self) -> u32 {
        self.middle().max(0.0) as u32
    }
}

/// All flow rows, visible or not, from top to bottom.
fn rows_of(session: &Session) -> Vec<DrawnFlow> {
    let input = session.scene_input();
    let areas = input.flow_areas().expect("the panel is open");
    let of_area = |(part, area): (usize, &Area<'_>)| -> Vec<DrawnFlow> {
        area.part.items().iter().filter_map(|item| DrawnFlow::of(area, part, item)).collect()
    };
    areas.iter().enumerate().filter(|(_, area)| area.rect.height >= 1.0).flat_map(of_area).collect()
}

/// The first column of a marker's rectangle and the one after its last, according to the axis.
fn columns_of(session: &Session, marker: MarkerId) -> (i32, i32) {
    let input = session.scene_input();
    let (times, clock) = (session.view.times_of(marker).expect("a marker"), session.index.clock());
    let style = session.index.source().styles.get(marker);
    input.axis_map().columns(flowline::index::Packed::new(clock.tick(times.start), clock.tick(times.end), style))
}

/// The x coordinate of a column in an image.
fn x_of(column: i32) -> u32 {
    LEFT + u32::try_from(column).expect("in view")
}
