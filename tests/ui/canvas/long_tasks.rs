//! Keys go from one period without reaction to the next, wherever the view is.

use std::path::Path;
use std::sync::Arc;

use egui::{Key, Modifiers, vec2};
use flowline::index::{Arrangement, Index};
use flowline::profile::{MarkerId, Ns, TimeRange};
use flowline::ui::KeyMap;
use flowline::view::Command;
use serde_json::{Value, json};

use crate::harness::window::{Window, session};
use crate::recording::{self, Recording, interval};

/// A page whose events waited before 1,000 ms and before 9,000 ms.
fn window() -> Window {
    let delays = [(900.0, 0.0), (1_000.0, 90.0), (1_001.0, 0.0), (9_000.0, 70.0), (9_001.0, 0.0)];
    let samples: Vec<Value> = delays.iter().map(|(ms, delay)| json!([null, ms, delay])).collect();
    let mut raw = Recording::of(vec![interval("work", 10.0, 9_900.0)]).raw();
    raw["threads"][0]["processName"] = json!("Web Content");
    raw["threads"][0]["samples"] = json!({"schema": {"stack": 0, "time": 1, "eventDelay": 2}, "data": samples});
    let index = Arc::new(Index::build(Arc::new(recording::read(&raw)), Arrangement::ByName));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    window.wait("the lanes", |window| window.session().has_long_tasks());
    window
}

#[test]
fn the_next_period_without_reaction_comes_into_view_and_is_what_is_selected() {
    let mut window = window();
    window.apply(Command::Select(Some(MarkerId(0))));
    let start = window.session().index.extent().start;
    let away = TimeRange::new(start + Ns(3_000_000_000), start + Ns(4_000_000_000));
    for _ in 0..2 {
        window.apply(Command::Show(away));
        window.chord(Modifiers::ALT, Key::Period);
        window.settle();
        let range = window.view().range.expect("a period");
        let visible = window.view().axis.visible();
        assert!(visible.start <= range.start && range.end <= visible.end, "{range:?} is in {visible:?}");
        assert_eq!(window.view().selected, None, "the details describe the period, not an earlier marker");
    }
}

#[test]
fn a_notice_says_that_no_period_follows() {
    let mut window = window();
    let start = window.session().index.extent().start;
    window.apply(Command::Show(TimeRange::new(start + Ns(9_500_000_000), start + Ns(9_800_000_000))));
    window.settle();
    window.chord(Modifiers::ALT, Key::Period);
    window.settle();
    assert!(window.says("There is no later jank period."), "{:#?}", window.texts());
    assert_eq!(window.view().range, None);
}
