//! Columns of intervals: a flow's row tints exactly the columns that the chart lights, and all of it moves with the
//! axis.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use flowline::gpu::RenderedImage;
use flowline::index::Index;
use flowline::index::flows::{FlowRules, FlowSetup, RuleMatcher};
use flowline::profile::{FlowId, MarkerId, Ns};
use flowline::scene::{Batch, FlowShapeKind, ItemKind, Layer, MarkerRow, PrimitiveKind, line_width};
use flowline::session::Session;
use flowline::view::{Command, FlowCommand};
use proptest::prelude::*;
use serde_json::json;

use super::{
    LEFT, Probe, columns_of, example, frame_of, index_of, index_of_rows, look_at, marks, ms, only, open, opened, probe,
    rows_of, session_for,
};
use crate::random::check;
use crate::recording::{instant, interval};
use crate::renderer::Renderer;

/// Alternating intervals on two threads, all in one flow; instants on a third thread, also between intervals. Each part
/// has a gap, a length and a thread.
fn in_turns(parts: &[(i64, i64, bool)]) -> Arc<Index> {
    let mut threads = vec![Vec::new(), Vec::new(), Vec::new()];
    let mut time = 0;
    for (gap, length, which) in parts {
        time += gap;
        let data = json!({"type": "Plain", "flow0": "@id0"});
        let row = interval("run", ms(time), ms(time + length)).with(data.clone());
        threads[usize::from(*which)].push(row.of(u32::from(*which)));
        time += length;
        threads[2].push(instant("post", ms(time)).with(data).of(2));
    }
    index_of_rows(threads)
}

/// Columns in which two images differ on a line.
fn lit(width: u32, one: &RenderedImage, other: &RenderedImage, y: u32) -> Vec<bool> {
    (LEFT..LEFT + width).map(|x| one.pixel(x, y) != other.pixel(x, y)).collect()
}

/// Columns lit by the interval rows of the chart, for all threads together.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "screen coordinates")]
fn lit_in_chart(renderer: &mut Renderer, session: &Session, width: u32) -> Vec<bool> {
    let frame = frame_of(session);
    // On black: a pale mark can have the color of the grid line below it. The panel covers the lower rows of this chart.
    let is_chart = |batch: &Batch| batch.primitive == PrimitiveKind::Marker;
    let (with, without) =
        (renderer.draw(&only(&frame, is_chart, |_| false)), renderer.draw(&only(&frame, |_| false, |_| false)));
    let input = session.scene_input();
    let mut columns = vec![false; width as usize];
    let mut rows = 0;
    for item in input.visible_items() {
        let ItemKind::Row(MarkerRow { thread, row, .. }) = item.kind else { continue };
        let layout = session.index.layout(session.view.arrangement).thread(thread);
        let markers = &session.index.profile().thread(thread).markers;
        if layout.rows.row(row as usize).iter().any(|marker| markers.is_instant(*marker)) {
            continue;
        }
        let y = (input.item_y(item) + (input.item_height(item) / 2.0).floor()) as u32;
        columns.iter_mut().zip(lit(width, &with, &without, y)).for_each(|(column, lit)| *column |= lit);
        rows += 1;
    }
    assert_eq!(rows, 2, "both threads are on screen");
    columns
}

/// Columns tinted by the flow's row.
fn tinted(renderer: &mut Renderer, session: &Session, width: u32) -> Vec<bool> {
    let frame = frame_of(session);
    let is_panel = |batch: &Batch| matches!(batch.primitive, PrimitiveKind::Rect | PrimitiveKind::FlowShape);
    let (with, without) = (
        renderer.draw(&only(&frame, is_panel, |_| true)),
        renderer.draw(&only(&frame, is_panel, |shape| shape.kind() != FlowShapeKind::Tint as u32)),
    );
    let row = rows_of(session)[0];
    assert!(row.sees(row.middle(), 9.0));
    // Above the dots, inside the box.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "on screen")]
    let y = (row.top + 3.0 * session.canvas.scale) as u32;
    lit(width, &with, &without, y)
}

/// Panel and chart compute columns from the same ticks, so no rounding difference is allowed.
#[test]
fn a_flow_tints_the_columns_that_the_chart_lights() {
    let renderer = RefCell::new(Renderer::new());
    let (lit, dark) = (RefCell::new(0_usize), RefCell::new(0_usize));
    let time = |bits: u32| (0..bits).prop_flat_map(|bits| 1..=(1_i64 << bits));
    let burst = prop::collection::vec((0_i64..5, 1_i64..4, any::<bool>()), 100..300);
    let wild = prop::collection::vec((prop_oneof![Just(0), time(24)], time(24), any::<bool>()), 2..120);
    let views = prop::collection::vec((0.0..1.0, any::<prop::sample::Index>(), -0.1..1.1), 10);
    let parts = prop_oneof![2 => wild.boxed(), 1 => burst.boxed()];
    check(30, (parts, views, prop::sample::select(vec![1.0_f32, 1.5, 2.0])), |(parts, views, scale)| {
        prop_assume!(parts.iter().any(|part| part.2) && parts.iter().any(|part| !part.2));
        let index = in_turns(&parts);
        let width = 400;
        let mut session = open(&index, width, scale, &[FlowId(0)], &[]);
        session.canvas.regions.chart.height = (190.0 * scale).round();
        for (zoom, member, place) in views {
            let members = index.flows().members(FlowId(0));
            let marker = members[member.index(members.len())];
            #[expect(clippy::cast_possible_truncation, reason = "a length in view")]
            let length = (index.extent().len().max(2) as f64).powf(zoom) as i64;
            let start = session.view.times_of(marker).expect("a marker").start;
            look_at(&mut session, start, length, place);
            session.refresh_and_wait();
            let renderer = &mut *renderer.borrow_mut();
            let (chart, panel) = (lit_in_chart(renderer, &session, width), tinted(renderer, &session, width));
            prop_assert_eq!(&chart, &panel, "{} {}", zoom, place);
            *lit.borrow_mut() += panel.iter().filter(|lit| **lit).count();
            *dark.borrow_mut() += panel.iter().filter(|lit| !**lit).count();
        }
        Ok(())
    });
    let (lit, dark) = (lit.into_inner(), dark.into_inner());
    assert!(lit > 10_000 && dark > 3_000, "{lit} columns were tinted, {dark} were not");
}

/// The interval of a selected member is drawn again over the interval it was merged into.
#[test]
fn a_selected_interval_is_tinted_exactly() {
    let renderer = RefCell::new(Renderer::new());
    let seen = RefCell::new(0_usize);
    check(100, (marks(), probe()), |(marks, probe)| {
        let index = index_of(&marks);
        let Some((mut session, marker)) = session_for(&index, &probe) else { return Ok(()) };
        let times = session.view.times_of(marker).expect("a marker");
        session.apply(Command::Select(Some(marker)));
        session.refresh_and_wait();
        let frame = frame_of(&session);
        let is_panel = |batch: &Batch| matches!(batch.primitive, PrimitiveKind::Rect | PrimitiveKind::FlowShape);
        let is_own = |shape: &flowline::scene::FlowInstance| {
            shape.kind() == FlowShapeKind::Tint as u32 && shape.emphasis() == flowline::scene::Emphasis::Selected as u32
        };
        let mut renderer = renderer.borrow_mut();
        let with = renderer.draw(&only(&frame, is_panel, |_| true));
        let without = renderer.draw(&only(&frame, is_panel, |shape| !is_own(shape)));
        let (first, end) = columns_of(&session, marker);
        let of_marker = index.flows().flows_of(marker);
        for row in rows_of(&session).iter().filter(|row| row.sees(row.middle(), 9.0 * probe.scale)) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "on screen")]
            // A selected interval keeps its color inside a border; this is the upper line of the border.
            let y = (row.top + line_width(probe.scale)) as u32;
            let lit = lit(probe.width, &with, &without, y);
            let mine = of_marker.contains(&row.flow) && times.end > times.start;
            for (column, lit) in (0..).zip(lit) {
                prop_assert_eq!(lit, mine && (first..end).contains(&column), "column {} of {:?}", column, row);
                *seen.borrow_mut() += usize::from(lit);
            }
        }
        Ok(())
    });
    assert!(seen.into_inner() > 1000);
}

/// In a flow track, the fill of a box has the opacity of the rule's `fade`, which may be lower or higher than that of
/// the rest.
#[test]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "screen coordinates")]
fn a_fade_makes_the_box_fainter_or_fuller() {
    let point = |name: &str, at: f64| instant(name, at).with(json!({"type": "Plain", "flow0": "@id0"})).of(2);
    let index = index_of_rows(vec![vec![point("post", 0.0), point("answer", 5.0), point("done", 10.0)]]);
    let mut renderer = Renderer::new();
    for opacity in [0.0_f32, 0.05, 0.2, 0.4, 1.0] {
        let rule = json!({"rules": [{
            "name": "test", "when": {"first": ["post"]}, "track": "Test",
            "fade": {"from": "answer", "opacity": opacity}
        }]});
        let (rules, messages) = FlowRules::parse(&rule.to_string());
        assert!(messages.is_empty(), "{messages:?}");
        let setup = Arc::new(FlowSetup::new(&index, RuleMatcher::new(rules, index.profile()), Vec::new()));
        let session = Session::with_setup(PathBuf::new(), Arc::clone(&index), setup, Arc::new(|| {}));
        let session = opened(session, 500, 1.0, &[], &[]);
        let frame = frame_of(&session);
        let is_track = |batch: &Batch| matches!(batch.layer, Layer::Backdrop | Layer::FlowTracks);
        let picture = renderer.draw(&only(&frame, is_track, |_| true));
        let bare = renderer.draw(&only(&frame, |batch| batch.layer == Layer::Backdrop, |_| false));
        let input = session.scene_input();
        let is_row = |item: &&flowline::scene::Item| matches!(item.kind, ItemKind::FlowRow(_));
        let item = input.visible_items().iter().find(is_row).expect("an expanded flow track");
        let y = (input.item_y(item) + (input.item_height(item) / 2.0).floor()) as u32;
        let is_box = |batch: &&Batch| batch.layer == Layer::FlowTracks && batch.primitive == PrimitiveKind::Marker;
        let boxes = frame.batches.iter().find(is_box).expect("the flow's box").range.start as usize;
        let fill = frame.palette.fills[usize::from(frame.instances.markers[boxes].packed().style().color())];
        // Beside grid lines.
        for (at, expected) in [(0.27, 0.2), (0.77, opacity)] {
            let x = LEFT + (500.0 * at) as u32;
            let (bare, found) = (bare.pixel(x, y), picture.pixel(x, y));
            for ((under, full), found) in bare.into_iter().zip(fill).zip(found).take(3) {
                let (under, full, found) = (f32::from(under), f32::from(full), f32::from(found));
                let wanted = under + (full - under) * expected;
                assert!((found - wanted).abs() <= 4.0, "{opacity} at {at}: {found}, not {wanted}");
            }
        }
    }
}

/// Highlighted intervals are behind dots: in each row, no dot instance comes before an interval instance.
#[test]
fn dots_are_drawn_over_the_intervals_of_selected_markers() {
    let flow = json!({"type": "Plain", "flow0": "@id0"});
    let rows = vec![interval("run", 0.0, 9.0).with(flow.clone()), instant("post", 4.0).with(flow)];
    let index = index_of_rows(vec![rows]);
    let mut session = open(&index, 400, 1.0, &[FlowId(0)], &[]);
    session.apply(Command::Select(Some(MarkerId(0))));
    session.refresh_and_wait();
    let frame = frame_of(&session);
    let kinds: Vec<u32> = frame.instances.flows.iter().map(|shape| shape.kind()).collect();
    let last_tint = kinds.iter().rposition(|kind| *kind == FlowShapeKind::Tint as u32).expect("a tint");
    let first_dot = kinds.iter().position(|kind| *kind == FlowShapeKind::Dot as u32).expect("a dot");
    let selected = flowline::scene::Emphasis::Selected as u32;
    assert!(last_tint < first_dot && frame.instances.flows[last_tint].emphasis() == selected);
}

/// With a dot under the pointer, the dots at the other ends of its arrows light up too.
#[test]
fn dots_of_parents_and_children_light_up() {
    let stack = |name: &str, from: f64, to: f64, id: &str| {
        interval(name, from, to).with(json!({"type": "Stack", "flow0": format!("@{id}")}))
    };
    let rows = vec![stack("outer", 0.0, 20.0, "a"), stack("middle", 4.0, 16.0, "b"), stack("inner", 8.0, 12.0, "c")];
    let index = index_of_rows(vec![rows]);
    let mut session = open(&index, 400, 1.0, &[FlowId(1)], &[]);
    let lit = |session: &Session| {
        let frame = frame_of(session);
        let is_lit = |shape: &&flowline::scene::FlowInstance| {
            shape.kind() == FlowShapeKind::Dot as u32
                && [flowline::scene::Emphasis::Hovered as u32, flowline::scene::Emphasis::Linked as u32]
                    .contains(&shape.emphasis())
        };
        let mut starts: Vec<u64> =
            frame.instances.flows.iter().filter(is_lit).map(|shape| shape.packed().start()).collect();
        starts.sort_unstable();
        starts.dedup();
        starts.len()
    };
    assert_eq!(lit(&session), 0);
    session.apply(Command::Hover(Some(MarkerId(1))));
    session.refresh_and_wait();
    assert_eq!(lit(&session), 3, "the dots of the marker, its parent and its child");
    session.apply(Command::Hover(None));
    session.apply(Command::Select(Some(MarkerId(1))));
    session.refresh_and_wait();
    assert_eq!(lit(&session), 0, "selection highlights only the marker itself");
}

/// Pans a session, with a marker selected.
fn moving(session: &mut Session, marker: MarkerId, power: i32, place: f64) {
    session.apply(Command::Select(Some(marker)));
    session.refresh();
    let width = session.canvas.regions.chart.width;
    #[expect(clippy::cast_possible_truncation, reason = "whole pixels")]
    let width = width as i64;
    let length = if power >= 0 { width << power } else { width >> -power };
    let start = session.view.times_of(marker).expect("a marker").start;
    look_at(session, start, length, place);
    session.refresh_and_wait();
}

/// Compares the panel before and after panning by whole pixels. Returns the number of colorful pixels.
fn check_move(renderer: &mut Renderer, session: &mut Session, pixels: i64) -> Result<usize, TestCaseError> {
    let panel = |batch: &Batch| !matches!(batch.primitive, PrimitiveKind::Marker);
    let before = session.view.axis;
    let first = renderer.draw(&only(&frame_of(session), panel, |_| true));
    session.apply(Command::Pan { pixels: pixels as f64, animated: false });
    session.refresh();
    let moved = session.view.axis.pixel(before.origin().0) - before.pixel(before.origin().0);
    prop_assume!(moved == -pixels as f64, "the view stops at the recording's ends");
    session.refresh_and_wait();
    let second = renderer.draw(&only(&frame_of(session), panel, |_| true));
    let width = i64::from(first.width - LEFT - super::RIGHT);
    let mut colorful = 0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "on screen")]
    let (top, bottom) = (session.canvas.regions.flows.y as u32, session.canvas.regions.pinned.bottom() as u32);
    for (x, y) in (top..bottom).flat_map(|y| (0..width).map(move |x| (x, y))) {
        if (0..width).contains(&(x - pixels)) {
            let at = |x: i64| LEFT + u32::try_from(x).expect("inside");
            let (from, to) = (first.pixel(at(x), y), second.pixel(at(x - pixels), y));
            // Wide shapes are cut off beyond the view, so distances from smooth edges round differently in each layer.
            let same = from.iter().zip(to).all(|(from, to)| from.abs_diff(to) <= 8);
            prop_assert!(same, "{}, {} moved by {}: {:?} {:?}", x, y, -pixels, from, to);
            colorful +=
                usize::from(from[..3].iter().max().zip(from[..3].iter().min()).is_some_and(|(a, b)| a - b > 40));
        }
    }
    Ok(colorful)
}

#[test]
fn panning_by_whole_pixels_moves_the_panel() {
    let renderer = RefCell::new(Renderer::new());
    let colorful = RefCell::new(0);
    let pans = || prop_oneof![1_i64..60, -60_i64..0];
    check(150, (marks(), probe(), -8_i32..24, pans(), any::<bool>()), |(mut marks, probe, power, pixels, all)| {
        if all {
            // Causes are excluded: the drawing order of two lines in one column depends on the other contents of the
            // view.
            marks.iter_mut().flatten().for_each(|mark| mark.kind &= !2);
        }
        let index = index_of(&marks);
        let Some((mut session, marker)) = session_for(&index, &Probe { width: 256, ..probe.clone() }) else {
            return Ok(());
        };
        session.apply(Command::Flow(FlowCommand::AllConnections(all)));
        session.refresh();
        moving(&mut session, marker, power, probe.place);
        *colorful.borrow_mut() += check_move(&mut renderer.borrow_mut(), &mut session, pixels)?;
        Ok(())
    });
    let example = example();
    check(30, (probe(), 10_i32..22, pans()), |(probe, power, pixels)| {
        let (mut session, marker) = session_for(&example, &Probe { width: 256, ..probe.clone() }).expect("flows");
        moving(&mut session, marker, power, probe.place);
        *colorful.borrow_mut() += check_move(&mut renderer.borrow_mut(), &mut session, pixels)?;
        Ok(())
    });
    let colorful = colorful.into_inner();
    assert!(colorful > 100_000, "{colorful} colorful pixels");
}

/// The panel shows single nanoseconds as exactly as the chart.
#[test]
fn two_nanoseconds_are_two_columns_after_twenty_hours() {
    const HOURS: i64 = 72_000_000_000_000;
    let index = in_turns(&[(HOURS, 1, false), (1, 1, true), (1000, 1, false)]);
    let mut session = open(&index, 512, 1.0, &[FlowId(0)], &[]);
    let mut renderer = Renderer::new();
    for (from, length, first, second) in [(-2, 8, 128..192, 256..320), (-100, 512, 100..101, 102..103)] {
        let start = Ns(HOURS + from);
        session.apply(Command::Show(flowline::profile::TimeRange::new(start, start + Ns(length))));
        session.refresh_and_wait();
        let expected: Vec<bool> = (0..512).map(|x| first.contains(&x) || second.contains(&x)).collect();
        assert_eq!(tinted(&mut renderer, &session, 512), expected, "{from} {length}");
    }
}

/// With a dot under the pointer, the intervals of the markers at the other ends of its arrows light up, not only their dots.
#[test]
fn intervals_of_associated_markers_light_up() {
    let stack = |name: &str, from: f64, to: f64, id: &str| {
        interval(name, from, to).with(json!({"type": "Stack", "flow0": format!("@{id}")}))
    };
    let rows = vec![stack("outer", 0.0, 20.0, "a"), stack("middle", 4.0, 16.0, "b"), stack("inner", 8.0, 12.0, "c")];
    let index = index_of_rows(vec![rows]);
    let mut session = open(&index, 400, 1.0, &[FlowId(1)], &[]);
    let lit = |session: &Session| {
        let frame = frame_of(session);
        let is_lit = |shape: &&flowline::scene::FlowInstance| {
            shape.kind() == FlowShapeKind::Tint as u32
                && [flowline::scene::Emphasis::Hovered as u32, flowline::scene::Emphasis::Linked as u32]
                    .contains(&shape.emphasis())
        };
        let lit = frame.instances.flows.iter().filter(is_lit);
        let mut times: Vec<(u64, u64)> = lit.map(|shape| (shape.packed().start(), shape.packed().end())).collect();
        times.sort_unstable();
        times.dedup();
        times.len()
    };
    assert_eq!(lit(&session), 2, "those of its parent and its child");
    session.apply(Command::Hover(Some(MarkerId(1))));
    session.refresh_and_wait();
    assert_eq!(lit(&session), 3, "the intervals of the marker, its parent and its child");
    session.apply(Command::Hover(None));
    session.refresh_and_wait();
    assert_eq!(lit(&session), 2);
}
