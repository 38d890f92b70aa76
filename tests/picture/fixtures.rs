//! Random recordings and views of them, without a window.

use std::path::PathBuf;
use std::sync::Arc;

use flowline::index::{Arrangement, Index};
use flowline::profile::{LocalMarker, MarkerId, Ns, ThreadId, TimeRange};
use flowline::scene::{CollapsedGroup, Item, ItemKind, MarkerRow, PixelRect, Regions, ThreadHeading};
use flowline::session::Session;
use flowline::view::{Command, Theme};
use proptest::prelude::*;
use serde_json::json;

use crate::exact::{Columns, Exact};
use crate::recording::{self, Recording, Row, Track, instant, interval, opening};

/// Margins of the chart inside the canvas, in pixels.
const LEFT: u32 = 31;
const TOP: u32 = 50;
const RIGHT: u32 = 9;
const BOTTOM: u32 = 13;

/// A marker to generate: times in nanoseconds, and its kind as bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MarkerSpec {
    pub(crate) start: i64,
    pub(crate) length: i64,
    pub(crate) kind: u8,
}

/// Markers per thread.
pub(crate) type Threads = Vec<Vec<MarkerSpec>>;

fn magnitude(bits: u32) -> impl Strategy<Value = i64> {
    prop_oneof![2 => Just(0_i64), 1 => Just(1), 5 => (0..bits).prop_flat_map(|bits| 0..=(1_i64 << bits))]
}

/// Markers with gaps and lengths of all magnitudes, or bursts of short ones; at the start or late in a long recording.
pub(crate) fn threads() -> impl Strategy<Value = Threads> {
    let wild = prop::collection::vec((magnitude(30), magnitude(32), 0_u8..32), 1..250);
    let gap = prop_oneof![6 => 0_i64..4, 1 => 0_i64..400];
    let burst = prop::collection::vec((gap, prop_oneof![Just(0_i64), 0_i64..3], 0_u8..12), 64..400);
    let late = prop_oneof![Just(0_i64), Just(72_000_000_000_000), 0_i64..1 << 44];
    let thread = prop_oneof![2 => wild.boxed(), 1 => burst.boxed()];
    (late, prop::collection::vec(thread, 1..3)).prop_map(|(late, threads)| {
        let place = |parts: Vec<(i64, i64, u8)>| {
            let mut start = late;
            let made = |(gap, length, kind): (i64, i64, u8)| {
                start += gap;
                MarkerSpec { start, length, kind }
            };
            parts.into_iter().map(made).collect()
        };
        threads.into_iter().map(place).collect()
    })
}

const NAMES: [&str; 4] = ["Styles", "Reflow (sync)", "Événement très long, with a tail", "gc"];

fn row_of(made: MarkerSpec) -> Row {
    let ms = |ns: i64| ns as f64 / 1e6;
    let number = usize::from(made.kind % 4);
    let row = match made.kind {
        31 => opening("never closed", ms(made.start)),
        kind if kind & 4 != 0 => instant(NAMES[number], ms(made.start)),
        _ => interval(NAMES[number], ms(made.start), ms(made.start + made.length)),
    };
    let row = row.of(u32::try_from(number).expect("small"));
    if made.kind & 8 == 0 { row } else { row.with(json!({"type": "SB"})) }
}

/// The index of generated threads; marker categories have several colors.
pub(crate) fn index_of(threads: &Threads) -> Arc<Index> {
    let schemas = json!([{"name": "SB", "display": [], "fields": [], "isStackBased": true}]);
    let mut recording = Recording::of(Vec::new()).schemas(schemas);
    let end = threads.iter().flatten().map(|made| made.start + made.length).max().unwrap_or(0);
    let track = |made: &Vec<MarkerSpec>| Track {
        name: "thread".into(),
        process: 0,
        samples: vec![0.0, end as f64 / 1e6],
        rows: made.iter().copied().map(row_of).collect(),
    };
    recording.tracks = threads.iter().map(track).collect();
    let mut raw = recording.raw();
    for (category, color) in ["green", "orange", "transparent", "blue"].into_iter().enumerate() {
        raw["meta"]["categories"][category]["color"] = json!(color);
    }
    Arc::new(Index::build(Arc::new(recording::read(&raw)), Arrangement::ByName))
}

/// View settings for a recording.
#[derive(Clone, Debug)]
pub(crate) struct ViewSetup {
    pub(crate) width: u32,
    pub(crate) scale: f32,
    pub(crate) arrangement: Arrangement,
    /// One bit per thread: set if its rows are shown.
    pub(crate) expanded: u8,
    /// One bit per group of rows: set if it is collapsed into one.
    pub(crate) collapsed: u8,
    pub(crate) theme: Theme,
    /// Vertical scroll position, 0 to 1.
    pub(crate) scroll: f64,
    pub(crate) zoom: Zoom,
    /// A marker in view, and the position of its start or end, 0 to 1.
    pub(crate) marker: prop::sample::Index,
    pub(crate) place: f64,
    /// Pixels to pan afterward.
    pub(crate) pan: f64,
}

/// Length of the visible time.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Zoom {
    Whole,
    /// Nanoseconds per pixel, as a power of two.
    Power(i32),
    /// Share of the whole, as an exponent from 0 (one nanosecond) to 1 (everything).
    Part(f64),
}

pub(crate) fn setup() -> impl Strategy<Value = ViewSetup> {
    let zoom = prop_oneof![
        1 => Just(Zoom::Whole),
        3 => (-8..30).prop_map(Zoom::Power),
        6 => (0.0..1.0).prop_map(Zoom::Part),
    ];
    let pan = prop_oneof![Just(0.0), -40.0..40.0];
    let arrangement = prop_oneof![Just(Arrangement::ByName), Just(Arrangement::Stack)];
    let collapsed = prop_oneof![2 => Just(0), 1 => any::<u8>()];
    (
        (prop::sample::select(vec![61_u32, 256, 300, 1024, 1701]), prop::sample::select(vec![1.0_f32, 1.5, 2.0, 2.5])),
        (arrangement, any::<u8>(), collapsed, prop_oneof![Just(Theme::Dark), Just(Theme::Light)]),
        (prop_oneof![2 => Just(0.0), 1 => 0.0..1.0], zoom, any::<prop::sample::Index>(), -0.1..1.1, pan),
    )
        .prop_map(
            |((width, scale), (arrangement, expanded, collapsed, theme), (scroll, zoom, marker, place, pan))| {
                ViewSetup { width, scale, arrangement, expanded, collapsed, theme, scroll, zoom, marker, place, pan }
            },
        )
}

/// A session with its canvas laid out, showing the whole recording in `width` pixels.
pub(crate) fn session(index: &Arc<Index>, width: u32, scale: f32) -> Session {
    let mut session = Session::new(PathBuf::new(), Arc::clone(index), Arc::new(|| {}));
    let height = 190.0;
    let (left, top) = (LEFT as f32, TOP as f32);
    (session.canvas.size, session.canvas.scale) = ([LEFT + width + RIGHT, TOP + 190 + BOTTOM], scale);
    session.canvas.regions = Regions {
        overview: PixelRect::new(0.0, 0.0, left + width as f32, 28.0),
        ruler: PixelRect::new(left, 28.0, width as f32, top - 28.0),
        chart: PixelRect::new(left, top, width as f32, height),
        ..Regions::default()
    };
    session.view.axis.set_width(f64::from(width));
    session.apply(Command::Show(index.extent()));
    session
}

/// A session with the given view settings.
pub(crate) fn session_for(index: &Arc<Index>, setup: &ViewSetup) -> Session {
    let mut session = session(index, setup.width, setup.scale);
    session.view.theme = setup.theme;
    session.apply(Command::SetArrangement(setup.arrangement));
    session.apply(Command::CollapseAll);
    for thread in (0..index.profile().threads.len()).filter(|thread| setup.expanded >> thread & 1 == 1) {
        session.apply(Command::ToggleThread(ThreadId::new(thread)));
        let groups = &index.layout(setup.arrangement).thread(ThreadId::new(thread)).rows.groups;
        let kinds = groups.iter().enumerate().filter(|(at, _)| setup.collapsed >> (at % 8) & 1 == 1);
        for kind in kinds.map(|(_, group)| group.kind) {
            session.apply(Command::ToggleGroup(ThreadId::new(thread), kind));
        }
    }
    let marker = MarkerId(u32::try_from(setup.marker.index(index.profile().marker_count())).expect("few"));
    let times = session.view.times_of(marker).expect("a marker");
    let width = i64::from(setup.width);
    let whole = index.extent().len().max(1);
    #[expect(clippy::cast_possible_truncation, reason = "a length in view")]
    let length = match setup.zoom {
        Zoom::Whole => whole,
        Zoom::Power(power @ 0..) => width << power,
        Zoom::Power(power) => width >> -power,
        Zoom::Part(part) => (whole as f64).powf(part) as i64,
    };
    let length = length.clamp(1, whole);
    let time = if setup.marker.index(2) == 0 { times.start } else { times.end };
    #[expect(clippy::cast_possible_truncation, reason = "a length in view")]
    let start = time - Ns((length as f64 * setup.place) as i64);
    session.apply(Command::Show(TimeRange::new(start, start + Ns(length))));
    session.apply(Command::Pan { pixels: setup.pan, animated: false });
    session.refresh();
    session.view.scroll = session.list().height() * setup.scroll;
    session.refresh_and_wait();
    session
}

/// A row of markers on screen: its item, a line of pixels through it, and all its markers.
pub(crate) struct Line {
    pub(crate) item: Item,
    pub(crate) thread: ThreadId,
    pub(crate) y: usize,
    pub(crate) markers: Vec<LocalMarker>,
    /// Times of the calls stacked with the markers.
    pub(crate) calls: Vec<TimeRange>,
    /// True if an activity graph shows the markers of a collapsed thread.
    pub(crate) is_graph: bool,
}

impl Line {
    /// True if it represents a collapsed thread or group.
    pub(crate) fn is_summary(&self) -> bool {
        matches!(self.item.kind, ItemKind::Thread(_) | ItemKind::CollapsedGroup(_))
    }
}

/// The visible rows that draw their markers and calls, without collapsed threads that have an activity graph.
pub(crate) fn drawn_lines(session: &Session) -> Vec<Line> {
    lines(session).into_iter().filter(|line| !line.is_graph).collect()
}

/// The visible rows.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "screen coordinates")]
pub(crate) fn lines(session: &Session) -> Vec<Line> {
    let input = session.scene_input();
    let chart = session.canvas.regions.chart;
    let profile = session.index.profile();
    let (shown, arrangement) = (input.list.shown(), session.view.arrangement);
    let rows_of =
        |thread: ThreadId| &shown.layout(&session.index, arrangement, thread).expect("listed rows are built").rows;
    let mut lines = Vec::new();
    for item in input.visible_items() {
        let (mut calls, mut is_graph) = (Vec::new(), false);
        let (thread, markers) = match item.kind {
            ItemKind::Row(MarkerRow { thread, row, .. }) => {
                let merged = shown.merged(&session.index, thread).filter(|_| arrangement == Arrangement::Stack);
                if let Some(chart) =
                    merged.map(|merged| &merged.calls).filter(|chart| (row as usize) < chart.rows().len())
                {
                    let times = |call: &u32| chart.times(profile, *call).expect("a call");
                    calls.extend(chart.rows().row(row as usize).iter().map(times));
                }
                (thread, rows_of(thread).row(row as usize).to_vec())
            }
            ItemKind::CollapsedGroup(CollapsedGroup { thread, group, .. }) => {
                let rows = rows_of(thread);
                (thread, rows.markers_in(&rows.groups[group as usize]))
            }
            ItemKind::Thread(ThreadHeading { thread, expanded: false }) => {
                is_graph = session.search().is_none() && session.index.activity_of(thread).is_some();
                (thread, (0..profile.thread(thread).markers.len()).map(LocalMarker::new).collect())
            }
            _ => continue,
        };
        let y = input.item_y(item) + (input.item_height(item) / 2.0).floor();
        if y >= chart.y && y < chart.bottom() {
            lines.push(Line { item: *item, thread, y: y as usize, markers, calls, is_graph });
        }
    }
    lines
}

/// Start and end of a marker.
pub(crate) fn times_of(session: &Session, thread: ThreadId, marker: LocalMarker) -> (Ns, Ns) {
    let TimeRange { start, end } = session.index.profile().thread(thread).markers.range(marker);
    (start, end)
}

/// The exact columns of a marker.
pub(crate) fn columns_of(session: &Session, exact: &Exact, thread: ThreadId, marker: LocalMarker) -> Columns {
    let (start, end) = times_of(session, thread, marker);
    exact.columns(start, end)
}

/// Height of the chart in pixels.
pub(crate) const CHART_HEIGHT: usize = 190;

/// Top left corner of the chart, in pixels.
pub(crate) const CHART: (usize, usize) = (LEFT as usize, TOP as usize);
