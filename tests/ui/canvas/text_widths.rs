//! Texts have the widths with which the scene lays out the shapes around them.

use egui::{Color32, FontId};
use flowline::scene::text_ems;

use crate::harness::window::Window;

#[test]
fn texts_are_as_wide_as_the_scene_expects() {
    const SIZE: f32 = 100.0;
    let window = Window::example();
    for text in [
        "FCP 226 ms",
        "click, 224 ms to next paint",
        "118.98 MB",
        "1,040.238 ms",
        "Dropped, 250 ms",
        "WWW iii lll (x) [y] {z} ~ @ # $ % ^ & *",
        "The quick brown fox jumps over the lazy dog",
        "SPHINX OF BLACK QUARTZ, JUDGE MY VOW; 0123456789",
    ] {
        let font = FontId::proportional(SIZE);
        let galley = window.harness.ctx.fonts_mut(|fonts| fonts.layout_no_wrap(text.to_owned(), font, Color32::WHITE));
        let (shaped, expected) = (galley.size().x / SIZE, text_ems(text));
        assert!((shaped - expected).abs() < 0.02 * expected, "{text}: {shaped}, not {expected}");
    }
}
