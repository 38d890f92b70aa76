//! Repeated layout switches in a real window during scrolling, and the time until a recording appears.

use serde_json::Value;

use crate::screen::{Area, Desktop};

/// Without the lower edge of the chart, where a notice stands for some seconds.
const CHART: Area = [240, 130, 1100, 800];

#[test]
fn the_layout_can_be_switched_thirty_times() {
    let mut desktop = Desktop::open("layout", &[]);
    let first = desktop.shows("the example recording", |shot| shot.colorful(CHART) > 0.01 && shot.colors(CHART) > 20);
    desktop.keys(&["l"]);
    let other = desktop.shows("the other layout", |shot| shot.change(&first, CHART) > 0.02);
    desktop.keys(&["l"]);
    desktop.shows("the first layout", |shot| shot.change(&first, CHART) < 0.005);
    // All keys arrive within a few frames.
    desktop.keys(&["l"; 29]);
    desktop.shows("an odd number of switches", |shot| shot.change(&other, CHART) < 0.005);
    for _ in 0..10 {
        desktop.point(700, 500);
        desktop.xdotool(&["click", "--repeat", "6", "--delay", "5", "5"]);
        desktop.keys(&["l", "Prior", "l", "Next", "l"]);
        desktop.xdotool(&["click", "--repeat", "12", "--delay", "5", "4"]);
    }
    desktop.keys(&["l", "Prior", "Prior", "Prior", "Prior", "Prior"]);
    desktop.move_pointer_away();
    desktop
        .shows("the top of a layout", |shot| shot.change(&first, CHART) < 0.005 || shot.change(&other, CHART) < 0.005);
    assert!(desktop.close().success(), "closing the window exits successfully");
}

#[test]
fn the_time_until_a_recording_appears_is_measured() {
    let desktop = Desktop::open("measure", &[]);
    let output = desktop.run_beside(&["--measure-load", "--no-cache"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let times: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let ms = |key: &str| times[key].as_f64().expect("a time");
    assert!(ms("window_ms") > 0.0 && ms("first_picture_ms") >= ms("window_ms"), "{times}");
    assert!(ms("whole_ms") >= ms("first_picture_ms"), "{times}");
}
