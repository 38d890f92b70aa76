//! The track of jank: heading, tooltip, selection, steps.

use std::path::Path;
use std::sync::Arc;

use egui::{Key, vec2};
use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::jank::JankPeriodList;
use flowline::profile::TimeRange;
use flowline::ui::KeyMap;
use flowline::view::Command;

use crate::harness::window::{Window, session};
use crate::recording::jank::profile;
use crate::recording::read;

fn window() -> Window {
    let index = Arc::new(Index::build(Arc::new(read(&profile())), Arrangement::Stack));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1600.0, 1000.0), 1.0);
    window.wait("the track", |window| window.says("Jank, 3 periods"));
    window.apply(Command::ZoomTo(window.session().index.extent()));
    window.settle();
    window
}

#[test]
fn a_click_selects_a_period_and_arrow_keys_step_along_the_row() {
    let mut window = window();
    let index = Arc::clone(&window.session().index);
    let periods: Vec<TimeRange> = JankPeriodList::of(&index).all().iter().map(|own| own.times).collect();
    assert!(window.says("Jank, 3 periods, 191.00 ms"), "{:?}", window.texts());
    let place = window.on_track("jank", 170);
    window.point_at(place);
    window.settle();
    let reason = "libxul.so (no symbols) ran for 50.00 ms";
    assert!(window.says(reason) && window.says("61.00 ms"), "the tooltip: {:?}", window.texts());
    window.click_at(place);
    window.settle();
    assert_eq!(window.view().range, Some(periods[1]));
    for (key, wanted) in [(Key::ArrowRight, 2), (Key::ArrowRight, 2), (Key::ArrowLeft, 1), (Key::ArrowLeft, 0)] {
        window.key(key);
        window.settle();
        assert_eq!(window.view().range, Some(periods[wanted]), "{key:?}");
    }
}
