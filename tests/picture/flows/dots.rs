//! A dot is drawn over the first column of its marker's rectangle in the chart, in every row that contains the marker.

use std::cell::RefCell;

use flowline::gpu::RenderedImage;
use flowline::profile::MarkerId;
use flowline::scene::{Emphasis, FlowShapeKind, Frame, PrimitiveKind, diamond_reach};
use flowline::session::Session;
use flowline::view::{Command, Theme};
use proptest::prelude::*;

use super::{
    DrawnFlow, columns_of, differing, example, frame_of, index_of, look_at, marks, only, open, probe, rows_of,
    session_for, x_of,
};
use crate::random::check;
use crate::renderer::Renderer;

/// Coverage counters, so that no test passes for lack of dots.
#[derive(Debug, Default)]
struct Seen {
    markers: usize,
    rows: usize,
    pinned: usize,
    /// Markers found in several rows.
    shared: usize,
    /// Isolated dots, compared pixel by pixel.
    alone: usize,
    /// Markers whose rectangle in the chart was read back too.
    in_chart: usize,
}

/// Without connections and their linked dots, without intervals of selected or hovered markers, and without the outlines
/// of markers with the name of the selected one. The remaining differences are the dots and the rectangle of one marker.
fn dotted(frame: &Frame) -> Frame {
    let tint = |kind: u32, emphasis: u32| kind == FlowShapeKind::Tint as u32 && emphasis != Emphasis::Normal as u32;
    let mut kept = only(
        frame,
        |batch| matches!(batch.primitive, PrimitiveKind::Rect | PrimitiveKind::Marker | PrimitiveKind::FlowShape),
        |shape| !tint(shape.kind(), shape.emphasis()) && shape.emphasis() != Emphasis::Linked as u32,
    );
    for instance in &mut kept.instances.markers {
        if instance.emphasis() == Emphasis::Alike as u32 {
            *instance = instance.emphasized(Emphasis::Normal);
        }
    }
    kept
}

fn mix(a: [u8; 4], b: [f32; 3], part: f32) -> [f32; 3] {
    std::array::from_fn(|channel| f32::from(a[channel]) * (1.0 - part) + b[channel] * part)
}

fn is(pixel: [u8; 4], color: [f32; 3]) -> bool {
    is_within(pixel, color, 2.0)
}

fn is_within(pixel: [u8; 4], color: [f32; 3], reach: f32) -> bool {
    (0..3).all(|channel| (f32::from(pixel[channel]) - color[channel]).abs() <= reach)
}

fn plain(color: [u8; 4]) -> [f32; 3] {
    [color[0], color[1], color[2]].map(f32::from)
}

/// The first column in which selecting a marker changes the image of its chart row.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "screen coordinates")]
fn first_in_chart(session: &Session, marker: MarkerId, changed: &[(u32, u32)]) -> Option<u32> {
    let input = session.scene_input();
    let item = session.item_of(marker)?;
    let middle = input.item_y(&item) + (input.item_height(&item) / 2.0).floor();
    let chart = input.regions.chart;
    if middle < chart.y || middle >= chart.bottom() {
        return None;
    }
    changed.iter().filter(|(_, y)| *y == middle as u32).map(|(x, _)| *x).min()
}

/// Compares a normal dot with its expected look: a background-colored center with a ring in the marker's color.
fn check_look(session: &Session, picture: &RenderedImage, row: &DrawnFlow, marker: MarkerId, column: i32) -> bool {
    let scale = session.canvas.scale;
    let near = |other: &MarkerId| {
        #[expect(clippy::cast_precision_loss, reason = "columns")]
        let apart = (columns_of(session, *other).0 - column).abs() as f32;
        *other != marker && apart <= 7.0 * scale + 2.0
    };
    if session.index.flows().members(row.flow).iter().any(near) {
        return false;
    }
    let palette = flowline::scene::Palette::for_theme(session.view.theme);
    let ink = if session.view.theme == Theme::Dark { [255.0; 3] } else { [0.0; 3] };
    let fill = palette.fills[usize::from(session.index.source().styles.get(marker).color())];
    let (x, y) = (x_of(column), row.line());
    assert!(is(picture.pixel(x, y), plain(palette.canvas)), "the center at {x}, {y} is background");
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few pixels")]
    let ring = (3.0 * scale).floor() as u32;
    for x in [x - ring, x + ring] {
        let pixel = picture.pixel(x, y);
        // The middle of a row of even height is between two pixels, so 4 % of the bar below shows through.
        assert!(
            is_within(pixel, mix(fill, ink, 0.25), 11.0),
            "the ring at {x}, {y} has the marker's color: {pixel:?}, {fill:?}"
        );
    }
    true
}

/// Checks a selected or hovered marker: its dots in the panel, and its rectangle in the chart.
fn check_marker(renderer: &mut Renderer, session: &mut Session, marker: MarkerId, hover: bool, seen: &mut Seen) {
    // Scroll its row in the chart into view.
    if let Some(item) = session.item_of(marker) {
        session.view.scroll = (item.y - 30.0).max(0.0);
    }
    session.refresh_and_wait();
    let before = renderer.draw(&dotted(&frame_of(session)));
    session.apply(if hover { Command::Hover(Some(marker)) } else { Command::Select(Some(marker)) });
    session.refresh_and_wait();
    let after = renderer.draw(&dotted(&frame_of(session)));
    let changed = differing(&before, &after);
    let column = columns_of(session, marker).0;
    let scale = session.canvas.scale;
    let radius = 5.0 * scale;
    if (column as f32) < radius + 1.0 || column as f32 > session.canvas.regions.flows.width - radius - 2.0 {
        // The edge of the view cuts its dots.
        return;
    }
    let x = x_of(column);
    if let Some(first) = first_in_chart(session, marker, &changed) {
        // The outline of a selected marker and the diamond of an instant are around its columns.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few pixels")]
        let [outline, reach] = [2.0 * scale, diamond_reach(scale)].map(|side| side.round() as u32);
        let is_instant = session.view.times_of(marker).is_some_and(|times| times.is_empty());
        let starts = match (is_instant, hover) {
            (false, true) => x..=x,
            (false, false) => x - outline..=x - outline,
            (true, _) => x - reach - outline - 1..=x,
        };
        assert!(starts.contains(&first), "the rectangle of {marker:?} starts at {starts:?}, not at {first}");
        seen.in_chart += 1;
    }

    let of_marker = session.index.flows().flows_of(marker).to_vec();
    let rows: Vec<DrawnFlow> = rows_of(session).into_iter().filter(|row| of_marker.contains(&row.flow)).collect();
    let palette = flowline::scene::Palette::for_theme(session.view.theme);
    let fill = palette.fills[usize::from(session.index.source().styles.get(marker).color())];
    let mut whole = 0;
    for row in rows.iter().filter(|row| row.sees(row.middle(), radius + 1.0)) {
        let y = row.line();
        let on_line: Vec<u32> = changed.iter().filter(|(_, at)| *at == y).map(|(x, _)| *x).collect();
        let (first, last) =
            on_line.iter().min().zip(on_line.iter().max()).unwrap_or_else(|| panic!("no dot in {row:?}"));
        assert_eq!(x - first, last - x, "the dot of {marker:?} in {row:?} is centered on column {column}");
        assert!((last - first) as f32 >= 2.0 * radius - 2.0, "{first}..={last} is a dot");
        assert!(is(after.pixel(x, y), plain(fill)), "the dot is filled with the marker's color");
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few pixels")]
        let ring = (4.0 * scale) as u32;
        for x in [x - ring, x + ring] {
            assert!(is(after.pixel(x, y), plain(palette.select)), "and ringed: {:?}", after.pixel(x, y));
        }
        seen.alone += usize::from(check_look(session, &before, row, marker, column));
        whole += 1;
        seen.pinned += usize::from(row.part == 1);
    }
    seen.markers += 1;
    seen.rows += whole;
    seen.shared += usize::from(whole > 1);
    // No other part of the panel changes.
    let (flows, pinned) = (session.canvas.regions.flows, session.canvas.regions.pinned);
    for (x_at, y_at) in changed {
        let (dx, y) = ((x_at.abs_diff(x)) as f32, y_at as f32 + 0.5);
        if flows.contains(x_at as f32, y) || pinned.contains(x_at as f32, y) {
            let in_dot =
                |row: &DrawnFlow| (y - row.middle()).abs() <= radius + 1.0 && row.clip.contains(x_at as f32, y);
            assert!(dx <= radius + 1.0 && rows.iter().any(in_dot), "{x_at}, {y_at} is outside the dots of {marker:?}");
        }
    }
}

#[test]
fn dots_are_above_their_markers_in_every_row() {
    let renderer = RefCell::new(Renderer::new());
    let seen = RefCell::new(Seen::default());
    check(250, (marks(), probe(), any::<bool>()), |(marks, probe, hover)| {
        let index = index_of(&marks);
        let Some((mut session, marker)) = session_for(&index, &probe) else { return Ok(()) };
        check_marker(&mut renderer.borrow_mut(), &mut session, marker, hover, &mut seen.borrow_mut());
        Ok(())
    });
    let seen = seen.into_inner();
    let enough = seen.markers > 200 && seen.rows > 300 && seen.pinned > 40 && seen.shared > 60;
    assert!(enough && seen.alone > 60 && seen.in_chart > 150, "{seen:?}");
}

/// A marker in several flows is entered by one of them and pinned by another, so it appears in three rows.
#[test]
fn dots_of_the_example_are_above_their_markers() {
    let renderer = RefCell::new(Renderer::new());
    let seen = RefCell::new(Seen::default());
    let index = example();
    let graph = index.flows();
    let of_several: Vec<MarkerId> = (0..index.profile().marker_count())
        .map(MarkerId::new)
        .filter(|marker| graph.flows_of(*marker).len() > 1)
        .collect();
    let places = (any::<prop::sample::Index>(), 0.0..1.0, 0.1..0.9);
    check(80, (places, prop::sample::select(vec![1.0_f32, 1.5, 2.0]), any::<bool>()), |(view, scale, hover)| {
        let (which, zoom, place) = view;
        let marker = of_several[which.index(of_several.len())];
        let of_marker = graph.flows_of(marker);
        let mut session = open(&index, 517, scale, &of_marker[..1], &of_marker[1..2]);
        #[expect(clippy::cast_possible_truncation, reason = "a length in view")]
        let length = (index.extent().len() as f64).powf(zoom) as i64;
        let start = session.view.times_of(marker).expect("a marker").start;
        look_at(&mut session, start, length, place);
        session.refresh_and_wait();
        check_marker(&mut renderer.borrow_mut(), &mut session, marker, hover, &mut seen.borrow_mut());
        Ok(())
    });
    let seen = seen.into_inner();
    assert!(
        seen.rows > 100 && seen.pinned > 30 && seen.shared > 40 && seen.alone > 30 && seen.in_chart > 30,
        "{seen:?}"
    );
}
