//! Tests that strips and rectangles produce the same pixels.

use super::*;
use flowline_index::{Packed, Style};
use flowline_scene::reference::coverage;
use flowline_scene::{AxisMap, Emphasis, Palette, PixelRect, RowBounds};
use flowline_view::Theme;

/// Rows of non-overlapping markers, narrow and wide, with and without gaps.
fn frame(scale: f32, seed: u64) -> Frame {
    // From several pixels per tick to a million ticks per pixel, from before the first tick to far after it.
    let zoom = [0.37, 3.7, 1.0, 0.05, 1e-6][usize::try_from(seed % 5).expect("small")];
    let origin = [20, -30, 0, 1 << 40][usize::try_from(seed % 4).expect("small")];
    let axis = AxisMap { origin, fraction: 0.25, pixels_per_tick: zoom, width: 200.0 };
    let mut frame = Frame::new([260, 64], scale, Palette::for_theme(Theme::Dark), axis, 31.0);
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut random = |below: u64| rng.u64(..below);
    for row in 0..6 {
        frame.rows.push(RowBounds::new(row as f32 * 10.0, 8.0));
        // Recording ticks per tenth of a pixel, so that every zoom level has rows of all densities.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a scale")]
        let unit = ((0.37 / zoom) as u64).max(1);
        let (mut tick, most) = (random(60), [1, 3, 8, 40][row % 4]);
        while tick < 640 {
            let length = random(most) * random(2);
            let style = Style::new(u8::try_from(random(16)).expect("small"))
                .with_instant(length == 0)
                .with_incomplete(random(9) == 0);
            let style = style.with_point_end(random(3) == 0);
            let emphasis = if random(5) == 0 { Emphasis::Faint } else { Emphasis::Normal };
            let place = |tick: u64| {
                let jitter = if unit > 1 { random(unit) } else { 0 };
                u64::try_from(origin.max(0)).expect("not negative") + tick * unit + jitter
            };
            let [start, end] = [tick, tick + length].map(place);
            let packed = Packed::new(start, end.max(start), style);
            frame.instances.markers.push(MarkerInstance::new(packed, row, emphasis));
            tick += length + random(most).min(6) + u64::from(length == 0);
        }
    }
    frame.draw_since::<MarkerInstance>(PixelRect::new(31.0, 0.0, 200.0, 64.0), 0);
    frame
}

/// The last thing drawn at each pixel column of a row: rectangles first, then strips.
fn painted(frame: &Frame, strips: &RowTextures, row: usize) -> Vec<Option<u16>> {
    let width = columns_of(frame);
    let mut seen = vec![None; width];
    for marker in strips.rectangles.iter().filter(|marker| marker.row() == row) {
        let (first, end) = frame.axis.columns(marker.packed());
        let clamp = |column: i32| usize::try_from(column).unwrap_or(0).min(width);
        seen[clamp(first)..clamp(end)].fill(Some(cell(*marker)));
    }
    for [slot, line, low, high] in strips.strips.iter().map(|strip| strip.map(|word| word as usize)) {
        assert!(high <= width, "within the axis");
        let cells = &strips.cells[line * strips.stride..][low..high];
        for (column, lit) in (low..).zip(cells).filter(|(_, cell)| slot == row && u32::from(**cell) & CELL_LIT != 0) {
            seen[column] = Some(*lit);
        }
    }
    seen
}

#[test]
fn every_pixel_shows_the_marker_that_was_drawn_last() {
    let mut strips = RowTextures::new(MIN_MARKERS);
    let (mut lines, mut singles) = (0, 0);
    for seed in 0..300 {
        for scale in [1.0, 2.0, 2.5] {
            let frame = frame(scale, seed);
            strips.begin(&frame);
            let (single, strip) = strips.add(&frame, &(0..frame.count::<MarkerInstance>()));
            assert_eq!((single.end as usize, strip.end as usize), (strips.rectangles.len(), strips.strips.len()));
            (lines, singles) = (lines + strips.strips.len(), singles + strips.rectangles.len());
            let expected = coverage(&frame);
            for (row, place) in frame.rows.iter().enumerate() {
                let painted = painted(&frame, &strips, row);
                for (column, seen) in painted.iter().enumerate() {
                    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small place")]
                    let owner = expected.owner(column + 31, place.y as usize);
                    let owner = owner.map(|owner| cell(frame.instances.markers[owner as usize]));
                    assert_eq!(*seen, owner, "seed {seed}, scale {scale}, row {row}, column {column}");
                }
            }
        }
    }
    assert!(lines > 500 && singles > 500, "{lines} strips, {singles} rectangles");
}

#[test]
fn few_markers_and_wide_screens_stay_rectangles() {
    let mut strips = RowTextures::new(MIN_MARKERS);
    let mut frame = frame(1.0, 1);
    let range = 0..u32::try_from(MIN_MARKERS - 1).expect("few");
    strips.begin(&frame);
    let row = frame.instances.markers[0].row();
    assert!(frame.instances.markers[..MIN_MARKERS].iter().all(|marker| marker.row() == row));
    assert_eq!(strips.add(&frame, &range), (range, 0..0));
    frame.axis.width = 5_000.0;
    strips.begin(&frame);
    let all = 0..frame.count::<MarkerInstance>();
    assert_eq!(strips.add(&frame, &all), (all.clone(), 0..0));
    frame.axis.width = 200.0;
    let mut strips = RowTextures::new(usize::MAX);
    strips.begin(&frame);
    assert_eq!(strips.add(&frame, &all), (all, 0..0));
}
