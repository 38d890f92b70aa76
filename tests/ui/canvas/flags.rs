//! Flags of milestones that are not final, and of the slowest interaction; how the details and the table state both.

use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use flowline::index::Derived;
use flowline::insights::interactions::Interactions;
use flowline::insights::page_load::{MilestoneKind, Rating};
use flowline::scene::PlacedFlag;
use flowline::view::{Command, PathTarget};
use serde_json::{Value, json};

use crate::canvas::milestones::{self, FRAME, event, input, window_with};
use crate::harness::window::Window;

/// A click whose next paint follows after a time in milliseconds.
pub(crate) fn click(id: i64, ms: i64, length: i64) -> Vec<Value> {
    let data = json!({"type": "click", "interactionId": id, "timeStamp": 1, "processingStart": 3,
        "processingEnd": length - 5, "duration": length});
    let half = |ph: &str, ms: i64, args: Value| {
        let mut half = event("EventTiming", ms, args);
        (half["ph"], half["id"]) = (json!(ph), json!(format!("click{id}")));
        half
    };
    vec![half("b", ms, json!({"frame": FRAME, "data": data})), half("e", ms + length, json!({}))]
}

fn flag(window: &Window, kind: MilestoneKind) -> PlacedFlag {
    let flags = window.session().scene_input().placed_flags().to_vec();
    flags.into_iter().find(|flag| flag.kind == kind).expect("a flag")
}

#[test]
fn the_slowest_interaction_has_a_flag_at_its_paint() {
    let mut events = click(1, 1550, 90);
    events.extend(click(2, 1700, 232));
    let mut window = window_with(&events);
    window.wait("the flag", |window| window.has(Role::Button, "INP 232 ms"));
    let placed = flag(&window, MilestoneKind::InteractionToNextPaint);
    assert_eq!(placed.rating, Some(Rating::NeedsImprovement));
    let own = Interactions::of(&window.session().index).list()[1].clone();
    let x = f64::from(window.session().canvas.regions.chart.x) + window.view().axis.pixel(own.end.expect("a paint"));
    assert!((f64::from(placed.x) - x).abs() <= 1.0, "the pole is at {} instead of {x}", placed.x);
    let rect = window.get(Role::Button, "INP 232 ms").rect;
    window.point_at(rect.left_center() + vec2(1.0, 0.0));
    for line in [
        "Interaction to next paint 232 ms so far, needs improvement",
        "click, http://a.test/",
        "Click selects it, then K shows its critical path",
    ] {
        assert!(window.says(line), "{line}: {:#?}", window.texts());
    }
    window.click_at(rect.left_center() + vec2(1.0, 0.0));
    assert_eq!(window.selected(), own.marker);
    window.key(Key::K);
    assert_eq!(window.view().path, Some(PathTarget::end_of(own.marker)));
    // Its menu offers the same.
    window.apply(Command::ShowPath(None));
    let node = window.get(Role::Button, "INP 232 ms");
    window.choose(&node, "Critical path to INP 232 ms K");
    assert_eq!(window.view().path, Some(PathTarget::end_of(own.marker)));
}

#[test]
fn pages_without_interactions_have_no_such_flag() {
    let window = milestones::window(vec2(1600.0, 1000.0));
    assert!(!window.nodes_with_prefix(Role::Button, "LCP ").is_empty());
    assert!(window.nodes_with_prefix(Role::Button, "INP ").is_empty());
}

#[test]
fn each_navigation_has_the_flag_of_its_own_slowest_interaction() {
    let context = json!({"performanceTimelineNavigationId": "S1", "URL": "http://a.test/two",
        "firstContentfulPaint": 1_900_000});
    let soft = event("SoftNavigationStart", 1700, json!({"frame": FRAME, "context": context}));
    let mut events = vec![soft];
    events.extend(click(1, 1520, 60));
    events.extend(click(2, 1750, 100));
    let mut window = window_with(&events);
    window.key(Key::Num0);
    window.wait("the flags", |window| window.has(Role::Button, "INP* 100 ms"));
    let placed = window.session().scene_input().placed_flags().to_vec();
    let listed = placed.iter().flat_map(|flag| &flag.milestones).filter(|own| own.text.starts_with("INP"));
    assert_eq!(listed.map(|own| own.text.as_str()).collect::<Vec<_>>(), ["INP 60 ms", "INP* 100 ms"]);
}

#[test]
fn values_of_a_recording_that_ends_early_say_so_far() {
    let mut window = window_with(&click(1, 700, 150));
    // The flag, its tooltip, the details of the recording, the line of metrics and the row of the metric.
    let flag = window.get(Role::Button, "LCP 1,386 ms so far").rect;
    window.point_at(flag.left_center() + vec2(1.0, 0.0));
    window.wait("the tooltip", |window| {
        window.says("Largest contentful paint 1,386 ms so far after the navigation, good")
    });
    assert!(window.has(Role::Button, "LCP 1,386 ms so far, good"), "{:#?}", window.texts());
    assert!(window.has(Role::Button, "FCP 746 ms, good"), "a first paint is final");
    assert!(window.has(Role::Button, "INP 150 ms so far, good"), "the page was still open");
    window.chord(Modifiers::SHIFT, Key::G);
    window.wait("the insights", |window| window.session().insight_report().is_some());
    let line = "FCP 746 ms, good, LCP 1,386 ms so far, good, INP 150 ms so far, good";
    assert!(!window.nodes_with_prefix(Role::TreeItem, line).is_empty(), "{:#?}", window.texts());
    // An input settles the largest paint.
    let mut settled = window_with(&[input()]);
    assert!(settled.has(Role::Button, "LCP 1,386 ms") && !settled.says("so far"));
    settled.chord(Modifiers::SHIFT, Key::G);
    settled.wait("the insights", |window| window.says("LCP 1,386 ms, good, INP unknown"));
    assert!(!settled.says("so far"));
}

#[test]
fn prerendered_pages_are_named_so() {
    let committed =
        json!({"frame": FRAME, "processId": 7, "isOutermostMainFrame": true, "isInPrimaryMainFrame": false});
    let mut window = window_with(&[input(), event("FrameCommittedInBrowser", 101, json!({"data": committed}))]);
    assert!(window.has(Role::Label, "Prerendered"), "in the details of the recording: {:#?}", window.texts());
    let flag = window.get(Role::Button, "FCP 746 ms").rect;
    window.point_at(flag.left_center() + vec2(1.0, 0.0));
    window.wait("the tooltip", |window| {
        window.says("First contentful paint 746 ms after the navigation, good, prerendered")
    });
    window.chord(Modifiers::SHIFT, Key::G);
    window.wait("the insights", |window| window.session().insight_report().is_some());
    assert!(
        !window.nodes_with_prefix(Role::TreeItem, "http://a.test/, prerendered").is_empty(),
        "{:#?}",
        window.texts()
    );
    assert!(!milestones::window(vec2(1600.0, 1000.0)).says("rerendered"));
}
