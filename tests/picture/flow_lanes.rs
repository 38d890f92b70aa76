//! Flow lanes against the timelines of their flows: the contents of every pixel column, pointer hits, and the GPU's
//! image. Synthetic recordings of all lengths, at all zooms.

use std::path::PathBuf;
use std::sync::Arc;

use flowline::index::flows::{SegmentKind, TimelineSegment};
use flowline::index::{Index, Packed, Style};
use flowline::profile::{FlowId, MarkerId, Ns, TimeRange};
use flowline::scene::reference::coverage;
use flowline::scene::{
    FlowHit, FlowInstance, FlowShapeKind, FlowTarget, Frame, Item, ItemKind, MarkerInstance, PixelRect, Regions, Scene,
};
use flowline::session::Session;
use flowline::view::{Command, FlowLaneCommand, FlowLaneOrder};
use proptest::prelude::*;

use crate::flows::{index_of, marks};
use crate::renderer::{Renderer, expected_color, is_expected_color, without_text};
use crate::support::{example, synthetic};

const LEFT: f32 = 23.0;

/// A session that shows flow lanes on a canvas of a given size.
fn session_of(index: &Arc<Index>, size: [u32; 2], scale: f32, order: FlowLaneOrder) -> Session {
    let mut session = Session::new(PathBuf::new(), Arc::clone(index), Arc::new(|| {}));
    let [width, height] = size.map(|side| side as f32);
    let chart = PixelRect::new(LEFT, 11.0, width - LEFT, height - 11.0);
    session.canvas.regions = Regions { chart, ..Regions::default() };
    (session.canvas.size, session.canvas.scale) = (size, scale);
    session.view.axis.set_width(f64::from(chart.width));
    session.apply(Command::FlowLane(FlowLaneCommand::Order(order)));
    session.apply(Command::FlowLane(FlowLaneCommand::Show(true)));
    // Flows that take no time have lanes too, which follow the same rules.
    session.apply(Command::FlowLane(FlowLaneCommand::ShowInstants(true)));
    session.apply(Command::FlowLane(FlowLaneCommand::ShowOutside(true)));
    session.apply(Command::Show(index.extent()));
    session.refresh_and_wait();
    session
}

fn frame_of(session: &Session) -> Frame {
    Scene::default().build(&session.scene_input()).clone()
}

/// Expected contents of a lane: its segments, and the starts of members that do not run.
struct Expected {
    segments: Vec<TimelineSegment>,
    marks: Vec<MarkerId>,
}

impl Expected {
    fn of(session: &Session, flow: FlowId) -> Self {
        let (profile, graph, rules) = (session.index.profile(), session.index.flows(), &session.flows.rules);
        let segments = rules.timeline(profile, graph, flow).segments;
        let is_mark = |marker: &MarkerId| !rules.is_run(profile, graph, flow, *marker);
        Self { segments, marks: graph.members(flow).iter().copied().filter(is_mark).collect() }
    }

    /// Columns of the segments of a kind, or of the marks.
    fn columns(&self, session: &Session, kind: Option<SegmentKind>) -> Vec<((i32, i32), MarkerId)> {
        let (map, clock) = (session.scene_input().axis_map(), session.index.clock());
        let columns =
            |range: TimeRange, style| map.columns(Packed::new(clock.tick(range.start), clock.tick(range.end), style));
        match kind {
            Some(kind) => {
                let of_kind = self.segments.iter().filter(|segment| segment.kind == kind);
                of_kind.map(|segment| (columns(segment.range, Style::default()), segment.marker)).collect()
            }
            None => {
                let start = |marker: &MarkerId| session.view.times_of(*marker).expect("a marker").start;
                let at = |marker: &MarkerId| TimeRange { start: start(marker), end: start(marker) };
                let point = Style::default().with_instant(true);
                self.marks.iter().map(|marker| (columns(at(marker), point), *marker)).collect()
            }
        }
    }
}

fn covers(columns: &[((i32, i32), MarkerId)], column: i32) -> bool {
    columns.iter().any(|((first, end), _)| (*first..*end).contains(&column))
}

#[derive(Debug, Default)]
struct Seen {
    runs: usize,
    waits: usize,
    marks: usize,
    beside: usize,
}

/// Checks that every column of a lane shows the state of its flow, and that the pointer hits it.
fn check_lane(session: &Session, frame: &Frame, item: &Item, seen: &mut Seen) -> Result<(), TestCaseError> {
    let ItemKind::FlowLane(lane) = item.kind else {
        let is_known = match item.kind {
            ItemKind::FlowLaneHeading(_) => session.view.flow_lanes.order == FlowLaneOrder::Type,
            // The last line states the number of flows that take no time.
            ItemKind::InstantLanes(line) => line.shown && line.count > 0,
            // The line before it hides those outside the visible range.
            ItemKind::OutsideLanes(line) => line.shown && line.count == 0,
            _ => false,
        };
        return if is_known { Ok(()) } else { Err(TestCaseError::fail("only lanes, headings and the last line")) };
    };
    let input = session.scene_input();
    let (top, height) = (input.item_y(item), input.item_height(item));
    let on_item = |row: usize| (top..top + height).contains(&frame.rows[row].y);
    let waits: Vec<(i32, i32)> = frame
        .instances
        .flows
        .iter()
        .filter(|shape| shape.kind() == FlowShapeKind::Wait as u32 && on_item(shape.row()))
        .map(|shape: &FlowInstance| frame.axis.columns(shape.packed()))
        .collect();
    let (mut runs, mut marks) = (Vec::new(), Vec::new());
    for instance in frame.instances.markers.iter().filter(|instance: &&MarkerInstance| on_item(instance.row())) {
        let drawn = frame.axis.columns(instance.packed());
        if instance.packed().style().is_instant() { marks.push(drawn) } else { runs.push(drawn) }
    }
    let expected = Expected::of(session, lane.flow);
    let run = expected.columns(session, Some(SegmentKind::Run));
    let wait = expected.columns(session, Some(SegmentKind::Wait));
    let mark = expected.columns(session, None);
    let y = top + height / 2.0;
    #[expect(clippy::cast_possible_truncation, reason = "a width")]
    for column in 0..frame.axis.width as i32 {
        let is_drawn = |drawn: &[(i32, i32)]| drawn.iter().any(|(first, end)| (*first..*end).contains(&column));
        prop_assert_eq!(is_drawn(&runs), covers(&run, column), "runs in column {} of {:?}", column, lane);
        prop_assert_eq!(is_drawn(&marks), covers(&mark, column), "marks in column {} of {:?}", column, lane);
        prop_assert_eq!(is_drawn(&waits), covers(&wait, column), "waits in column {} of {:?}", column, lane);
        let hit = input.hits(LEFT + column as f32 + 0.5, y);
        let Some(FlowHit::Flow { flow, target }) = hit.flow else {
            return Err(TestCaseError::fail(format!("nothing in column {column} of {lane:?}")));
        };
        prop_assert_eq!(flow, lane.flow);
        match target {
            FlowTarget::Dot { .. } if covers(&mark, column) => seen.marks += 1,
            FlowTarget::Run { .. } if covers(&run, column) && !covers(&mark, column) => seen.runs += 1,
            FlowTarget::Wait { .. } if covers(&wait, column) && !covers(&run, column) && !covers(&mark, column) => {
                seen.waits += 1;
            }
            // If nothing is drawn there, the nearest shape within three points is hit.
            FlowTarget::Dot { .. } | FlowTarget::Run { .. } | FlowTarget::Row
                if !covers(&mark, column) && !covers(&run, column) && !covers(&wait, column) =>
            {
                seen.beside += 1;
            }
            other => return Err(TestCaseError::fail(format!("{other:?} in column {column} of {lane:?}"))),
        }
    }
    Ok(())
}

/// Shows a part of the recording around a marker.
#[expect(clippy::cast_possible_truncation, reason = "a length in view")]
fn look_at(session: &mut Session, around: Ns, zoom: f64) {
    let length = (session.index.extent().len().max(2) as f64).powf(zoom) as i64;
    session.apply(Command::Show(TimeRange::new(around - Ns(length / 3), around + Ns(length.max(1)))));
    session.refresh_and_wait();
}

#[test]
fn every_column_of_a_lane_shows_the_state_of_its_flow() {
    let mut seen = Seen::default();
    let recording = (marks(), 0.0..1.0, any::<prop::sample::Index>(), prop::sample::select(vec![1.0_f32, 1.5, 2.0]));
    let config = ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() };
    let seen_by = std::cell::RefCell::new(&mut seen);
    proptest!(config, |((marks, zoom, place, scale) in recording, order in prop::sample::select(FlowLaneOrder::ALL.to_vec()))| {
        let index = index_of(&marks);
        prop_assume!(!index.flows().is_empty());
        let mut session = session_of(&index, [311, 260], scale, order);
        let flow = FlowId::new(place.index(index.flows().len()));
        look_at(&mut session, index.flows().range(index.profile(), flow).start, zoom);
        let frame = frame_of(&session);
        let items = session.scene_input().visible_items().to_vec();
        prop_assert!(!items.is_empty());
        let bottom = session.canvas.regions.chart.bottom();
        for item in items.iter().filter(|item| session.scene_input().item_y(item) + session.scene_input().item_height(item) <= bottom) {
            check_lane(&session, &frame, item, &mut seen_by.borrow_mut())?;
        }
    });
    assert!(seen.runs > 500 && seen.waits > 500 && seen.marks > 100 && seen.beside > 500, "{seen:?}");
}

#[test]
fn lanes_of_real_flows_show_their_timelines() {
    let mut seen = Seen::default();
    for index in [example(), synthetic(flowline_synth::Format::Chrome, 6_000, 9)] {
        for order in [FlowLaneOrder::LongestWait, FlowLaneOrder::Run] {
            let session = session_of(&index, [700, 500], 1.0, order);
            let frame = frame_of(&session);
            let input = session.scene_input();
            // The last lane may be cut off in the middle.
            let whole = |item: &&Item| input.item_y(item) + input.item_height(item) <= input.regions.chart.bottom();
            for item in input.visible_items().iter().filter(whole) {
                check_lane(&session, &frame, item, &mut seen).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
    assert!(seen.runs > 100 && seen.waits > 1000, "{seen:?}");
}

/// Chart pixels covered only by a lane's waits, by column, on the middle line of its bar.
fn only_waiting(session: &Session, item: &Item) -> Vec<i32> {
    let ItemKind::FlowLane(lane) = item.kind else { return Vec::new() };
    let expected = Expected::of(session, lane.flow);
    let [run, wait, mark] =
        [Some(SegmentKind::Run), Some(SegmentKind::Wait), None].map(|kind| expected.columns(session, kind));
    #[expect(clippy::cast_possible_truncation, reason = "a width")]
    let width = session.canvas.regions.chart.width as i32;
    (0..width).filter(|at| covers(&wait, *at) && !covers(&run, *at) && !covers(&mark, *at)).collect()
}

#[test]
fn runs_are_drawn_solid_and_waits_hatched() {
    let mut renderer = Renderer::new();
    for scale in [1.0, 2.0] {
        let session = session_of(&example(), [900, 420], scale, FlowLaneOrder::LongestWait);
        let frame = without_text(&frame_of(&session));
        let picture = renderer.draw(&frame);
        let owners = coverage(&frame);
        let mut solid = 0;
        for y in 0..420_usize {
            for x in 0..900_usize {
                let Some(owner) = owners.owner(x, y) else { continue };
                let (px, py) = (u32::try_from(x).expect("small"), u32::try_from(y).expect("small"));
                let expected = expected_color(&frame, owner, x, y);
                assert!(is_expected_color(picture.pixel(px, py), expected), "{x} {y}: {:?}", picture.pixel(px, py));
                solid += 1;
            }
        }
        assert!(solid > 100, "{solid}");
        let input = session.scene_input();
        let mut hatched = 0;
        for item in input.visible_items() {
            let columns = only_waiting(&session, item);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "on screen")]
            let y = (input.item_y(item) + input.item_height(item) / 2.0) as u32;
            if columns.len() < 60 || y >= 420 {
                continue;
            }
            let tone = |column: &i32| {
                let column = u16::try_from(*column).expect("on screen");
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "on screen")]
                let x = (LEFT + f32::from(column)) as u32;
                picture.pixel(x, y)
            };
            let mut tones: Vec<[u8; 4]> = columns.iter().map(tone).collect();
            let changes = tones.windows(2).filter(|pair| pair[0] != pair[1]).count();
            tones.sort_unstable();
            tones.dedup();
            assert!(changes >= columns.len() / 12, "lines and gaps alternate: {changes} in {}", columns.len());
            assert!(tones.len() >= 2, "{tones:?}");
            hatched += 1;
        }
        assert!(hatched >= 3, "{hatched} lanes have long waits");
    }
}

#[test]
fn panning_by_whole_pixels_moves_the_image() {
    let mut renderer = Renderer::new();
    let mut session = session_of(&example(), [640, 200], 1.0, FlowLaneOrder::LongestWait);
    let extent = session.index.extent();
    session
        .apply(Command::Show(TimeRange::new(extent.start + Ns(extent.len() / 3), extent.end - Ns(extent.len() / 3))));
    session.refresh_and_wait();
    // An offset of a quarter pixel keeps edges away from column boundaries.
    session.apply(Command::Pan { pixels: 0.25, animated: false });
    session.refresh_and_wait();
    let picture = |session: &Session, renderer: &mut Renderer| {
        let mut frame = without_text(&frame_of(session));
        frame.instances.rects.clear();
        frame.batches.retain(|batch| batch.primitive != flowline::scene::PrimitiveKind::Rect);
        renderer.draw(&frame)
    };
    let before = picture(&session, &mut renderer);
    let moved = 37_u32;
    session.apply(Command::Pan { pixels: f64::from(moved), animated: false });
    session.refresh_and_wait();
    let after = picture(&session, &mut renderer);
    let (mut same, mut other) = (0, 0);
    for y in 12..199 {
        for x in 30..560 {
            let (old, new) = (before.pixel(x + moved, y), after.pixel(x, y));
            if old == new { same += 1 } else { other += 1 }
        }
    }
    assert!(other * 200 < same, "{other} of {} pixels differ", same + other);
}
