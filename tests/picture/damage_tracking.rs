//! Partially redrawn frames: after any input, they equal a fully drawn frame pixel by pixel, and draw much less.

use egui::{Event, Key, Modifiers, PointerButton, Pos2, Vec2, pos2};

use flowline::app::{FrameTimes, Headless, RenderOptions};
use flowline::index::flows::{FlowRules, FlowSetup, RuleMatcher};

use crate::support::example;

fn window(size: [u32; 2], scale: f32) -> Headless {
    let options = RenderOptions { size, scale, ..RenderOptions::default() };
    let index = example();
    let rules = RuleMatcher::new(FlowRules::built_in(), index.profile());
    let setup = std::sync::Arc::new(FlowSetup::new(&index, rules, Vec::new()));
    let mut window = Headless::new(index, setup, std::path::Path::new("example"), &options)
        .unwrap_or_else(|error| panic!("{error}"));
    window.draw_reference();
    window
}

/// Draws a frame and compares it with a fully drawn one.
fn frame(window: &mut Headless, what: &str) -> FrameTimes {
    let times = window.frame();
    let (drawn, whole) = (window.picture(), window.reference_image());
    let (drawn, whole) = (drawn.expect("an image"), whole.expect("an image").expect("full frames are drawn"));
    if drawn != whole {
        let differs = |(at, (a, b)): (usize, (&[u8], &[u8]))| (a != b).then_some(at);
        let pixels = drawn.rgba.chunks(4).zip(whole.rgba.chunks(4));
        let places: Vec<usize> = pixels.enumerate().filter_map(differs).collect();
        let place = |at: usize| (at % drawn.width as usize, at / drawn.width as usize);
        let (first, last) = (places.first().map(|at| place(*at)), places.last().map(|at| place(*at)));
        panic!("after {what}: {} pixels from {first:?} to {last:?}, share {}", places.len(), times.share);
    }
    times
}

fn key(key: Key, modifiers: Modifiers, pressed: bool) -> Event {
    Event::Key { key, physical_key: None, pressed, repeat: false, modifiers }
}

fn random_events(random: &mut fastrand::Rng, size: Vec2) -> Vec<Event> {
    let mut place = || pos2(random.f32() * size.x, random.f32() * size.y);
    let (to, end): (Pos2, Pos2) = (place(), place());
    let button = |pos: Pos2, pressed: bool| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    let keys = [
        Key::W,
        Key::S,
        Key::A,
        Key::D,
        Key::L,
        Key::T,
        Key::K,
        Key::J,
        Key::G,
        Key::C,
        Key::Enter,
        Key::Escape,
        Key::N,
        Key::M,
        Key::Y,
        Key::I,
        Key::F,
        Key::P,
        Key::Z,
        Key::Num0,
        Key::ArrowDown,
        Key::ArrowRight,
        Key::PageDown,
        Key::PageUp,
        Key::OpenBracket,
        Key::CloseBracket,
        Key::Questionmark,
        Key::Slash,
    ];
    match random.u8(0..10) {
        0..3 => vec![Event::PointerMoved(to)],
        3 => vec![Event::PointerMoved(to), button(to, true), button(to, false)],
        4 => vec![Event::PointerMoved(to), button(to, true), Event::PointerMoved(end), button(end, false)],
        5 => {
            let modifiers = if random.bool() { Modifiers::CTRL } else { Modifiers::NONE };
            let (unit, phase) = (egui::MouseWheelUnit::Line, egui::TouchPhase::Move);
            let delta = Vec2::new(0.0, random.f32() * 4.0 - 2.0);
            vec![
                Event::PointerMoved(to),
                Event::MouseWheel { unit, delta, phase, modifiers, source: egui::MouseWheelSource::Unknown },
            ]
        }
        _ => {
            let chosen = keys[random.usize(0..keys.len())];
            let modifiers = [Modifiers::NONE, Modifiers::NONE, Modifiers::SHIFT, Modifiers::CTRL][random.usize(0..4)];
            vec![key(chosen, modifiers, true), key(chosen, modifiers, false)]
        }
    }
}

#[test]
fn partially_drawn_frames_equal_fully_drawn_ones() {
    for (seed, size, scale) in [(1, [1000, 700], 1.0), (2, [1000, 700], 1.5), (3, [640, 480], 1.0)] {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut window = window(size, scale);
        let points = Vec2::new(size[0] as f32, size[1] as f32) / scale;
        let (mut shares, mut frames) = (0.0, 0);
        for step in 0..70 {
            let events = random_events(&mut random, points);
            let what = format!("seed {seed}, step {step}: {events:?}");
            events.into_iter().for_each(|event| window.push_event(event));
            // Frames during motion are compared too.
            for _ in 0..random.usize(1..4) {
                shares += frame(&mut window, &what).share;
                frames += 1;
            }
        }
        let mean = shares / f64::from(frames);
        assert!(mean < 0.95, "{mean} of each of {frames} frames, seed {seed}");
    }
}

#[test]
fn unchanged_areas_are_not_redrawn() {
    let mut window = window([1280, 800], 1.0);
    window.settle();
    assert_eq!(frame(&mut window, "nothing").share, 0.0);
    window.push_event(Event::PointerMoved(pos2(700.0, 118.0)));
    frame(&mut window, "the pointer came");
    // The time line, and nothing under the pointer: this is the heading of a process.
    window.push_event(Event::PointerMoved(pos2(704.0, 118.0)));
    let moved = frame(&mut window, "the pointer moved").share;
    assert!(moved > 0.0 && moved < 0.35, "{moved}");
    window.push_event(key(Key::W, Modifiers::NONE, true));
    window.push_event(key(Key::W, Modifiers::NONE, false));
    let zoomed = frame(&mut window, "zoomed").share;
    assert!(zoomed > moved && zoomed < 0.9, "{zoomed}");
}
