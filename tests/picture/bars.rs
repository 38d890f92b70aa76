//! Bars with several colors, compared with their parts in the shader and in an SVG drawing.

use flowline::scene::{AxisMap, BarInstance, Frame, PALETTE_LEN, Palette, PixelRect};
use flowline::view::Theme;
use proptest::prelude::*;
use std::cell::RefCell;

use crate::random::check;
use crate::renderer::{Renderer, is_expected_color};

const SIZE: [u32; 2] = [120, 90];

fn heights() -> impl Strategy<Value = [f32; PALETTE_LEN]> {
    let part = || prop_oneof![4 => Just(0.0_f32), 3 => 0.0..9.0_f32, 1 => (0_u8..12).prop_map(f32::from)];
    prop::array::uniform16(part())
}

fn frame_of(bars: &[[f32; PALETTE_LEN]], theme: Theme, bottom: f32) -> Frame {
    let axis = AxisMap { origin: 0, fraction: 0.0, pixels_per_tick: 1.0, width: 100.0 };
    let mut frame = Frame::new(SIZE, 1.0, Palette::for_theme(theme), axis, 0.0);
    let all = PixelRect::new(0.0, 0.0, 120.0, 90.0);
    frame.draw(
        all,
        (0_u16..)
            .zip(bars)
            .map(|(at, heights)| BarInstance::new(3.0 + f32::from(at) * 4.0, bottom, 2.0 + f32::from(at % 3), heights)),
    );
    frame
}

#[test]
fn every_pixel_of_a_bar_has_the_color_of_its_part() {
    let renderer = RefCell::new(Renderer::new());
    let lit = RefCell::new(0_usize);
    let theme = prop_oneof![Just(Theme::Dark), Just(Theme::Light)];
    check(60, (prop::collection::vec(heights(), 1..25), theme, 30_u8..100), |(bars, theme, bottom)| {
        let frame = frame_of(&bars, theme, f32::from(bottom));
        let mut expected = vec![[0.0_f32; 3]; (SIZE[0] * SIZE[1]) as usize];
        for (color, place) in frame.instances.bars.iter().flat_map(|bar| bar.parts()) {
            let fill = frame.palette.fills[color];
            for (at, pixel) in expected.iter_mut().enumerate() {
                let at = u32::try_from(at).expect("a small image");
                let (x, y) = (at % SIZE[0], at / SIZE[0]);
                if place.contains(x as f32 + 0.5, y as f32 + 0.5) {
                    *pixel = std::array::from_fn(|channel| {
                        let below = pixel[channel] * (1.0 - BarInstance::OPACITY);
                        f32::from(fill[channel]) / 255.0 * BarInstance::OPACITY + below
                    });
                    *lit.borrow_mut() += 1;
                }
            }
        }
        let picture = renderer.borrow_mut().draw(&frame);
        for (x, y) in (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| (x, y))) {
            let (found, wanted) = (picture.pixel(x, y), expected[(y * SIZE[0] + x) as usize]);
            prop_assert!(is_expected_color(found, wanted), "{}, {}: {:?}, not {:?}", x, y, found, wanted);
        }
        Ok(())
    });
    assert!(lit.into_inner() > 10_000, "bars were drawn");
}

#[test]
fn bars_change_with_the_palette_and_not_with_the_axis() {
    let bars = [std::array::from_fn(|color| color as f32)];
    let before = frame_of(&bars, Theme::Dark, 80.0);
    let mut now = before.clone();
    now.axis.origin = 7;
    assert_eq!(flowline::scene::frame_changes(&now, &before), []);
    now.palette = Palette::for_theme(Theme::Light);
    assert_eq!(flowline::scene::frame_changes(&now, &before).len(), 2);
}
