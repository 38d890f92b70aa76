//! Steps from one insight to the next by keys, and the critical paths of all insights with a late moment.

use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use flowline::index::Derived;
use flowline::index::waits::PathKind;
use flowline::insights::insights::{Insight, InsightState, Insights};
use flowline::profile::MarkerId;
use flowline::ui::TableKind;
use flowline::view::{Command, PathTarget};
use serde_json::{Value, json};

use crate::canvas::flags::click;
use crate::canvas::milestones::{self, FRAME, event, input, window_with};
use crate::harness::window::Window;

/// A request of the page; times are in milliseconds.
fn request(id: &str, (url, kind, mime): (&str, &str, &str), [sent, answered, done]: [i64; 3]) -> Vec<Value> {
    let blocking = if kind == "Stylesheet" { "blocking" } else { "non_blocking" };
    let data = json!({"requestId": id, "url": url, "resourceType": kind, "frame": FRAME, "requestMethod": "GET",
        "priority": "VeryHigh", "renderBlocking": blocking, "initiator": {"type": "parser", "url": "http://a.test/"}});
    let wait = answered - sent;
    let timing = json!({"requestTime": sent as f64 / 1e3, "sendStart": 1, "sendEnd": 2, "receiveHeadersStart": wait,
        "receiveHeadersEnd": wait, "dnsStart": -1, "dnsEnd": -1, "connectStart": -1, "connectEnd": -1, "sslStart": -1,
        "sslEnd": -1});
    let response = json!({"requestId": id, "statusCode": 200, "mimeType": mime, "timing": timing,
        "headers": [{"name": "content-type", "value": mime}]});
    let finish = json!({"requestId": id, "encodedDataLength": 90_000, "decodedBodyLength": 300_000, "didFail": false,
        "finishTime": done as f64 / 1e3});
    vec![
        event("ResourceSendRequest", sent, json!({"data": data})),
        event("ResourceReceiveResponse", answered, json!({"data": response})),
        event("ResourceFinish", done, json!({"data": finish})),
    ]
}

/// A page load with requests, an interaction, and one long task.
fn window() -> Window {
    let mut events = vec![input()];
    events.extend(request("N1", ("http://a.test/", "Document", "text/html"), [101, 200, 280]));
    events.extend(request("2", ("http://a.test/a.css", "Stylesheet", "text/css"), [290, 500, 700]));
    events.extend(request("3", ("http://b.test/b.js", "Script", "text/javascript"), [295, 400, 600]));
    events.extend(click(1, 1550, 250));
    let mut window = window_with(&events);
    window.wait("the requests", |window| window.session().index.network_if_built().is_some());
    window
}

/// The insights in the order in which they are listed.
fn listed(window: &Window) -> Vec<Insight> {
    let report = window.session().insight_report().expect("insights");
    let all = Insights::of(&window.session().index).list();
    report.sections.iter().flat_map(|own| &own.insights).map(|at| all[*at].clone()).collect()
}

/// Names and navigations of the insights that a step leads to.
fn steps(window: &Window) -> Vec<(String, Option<u32>)> {
    let is_step = |own: &&Insight| matches!(own.finding.state, InsightState::Fail | InsightState::Informative);
    listed(window).iter().filter(is_step).map(|own| (own.name.name().to_owned(), own.navigation)).collect()
}

fn focus(window: &Window) -> Option<(String, Option<u32>)> {
    window.view().insight.as_ref().map(|focus| (focus.name.clone(), focus.navigation))
}

#[test]
fn braces_step_through_the_insights_and_the_table_follows() {
    let mut window = window();
    window.type_text("}");
    window.wait("the insights", |window| window.session().insight_report().is_some());
    assert_eq!(window.table(), Some(TableKind::Insights), "the table opens");
    let steps = steps(&window);
    assert!(steps.len() >= 4, "{steps:?}");
    let first = steps.iter().position(|(_, navigation)| *navigation == Some(0)).expect("insights of the page load");
    if focus(&window).is_none() {
        window.type_text("}");
    }
    for step in &steps[first..] {
        assert_eq!(focus(&window).as_ref(), Some(step));
        let title = flowline::insights::insights::InsightName::find(&step.0).expect("a name").title();
        assert!(window.cursor_row().starts_with(title), "{step:?}: {}", window.cursor_row());
        assert!(window.cursor_row().ends_with(", shown on the chart"), "{}", window.cursor_row());
        assert!(window.says(&format!("The chart shows {title}")));
        window.type_text("}");
    }
    assert_eq!(focus(&window).as_ref(), steps.last(), "the last one stays");
    for step in steps[..steps.len() - 1].iter().rev() {
        window.type_text("{");
        assert_eq!(focus(&window).as_ref(), Some(step), "back");
    }
    window.type_text("{");
    assert_eq!(focus(&window).as_ref(), steps.first(), "the first one stays");
    // The view follows, and Escape leaves the emphasis: first the focus of the table, then the emphasis.
    let range = window.view().insight.as_ref().and_then(|focus| focus.range).expect("a range");
    let visible = window.view().axis.visible();
    assert!(visible.start <= range.start && range.end <= visible.end, "{range:?} in {visible:?}");
    window.key(Key::Escape);
    window.key(Key::Escape);
    assert_eq!(focus(&window), None);
}

#[test]
fn a_step_unfolds_the_section_of_its_insight() {
    let mut window = window();
    window.chord(Modifiers::SHIFT, Key::G);
    window.wait("the insights", |window| window.session().insight_report().is_some());
    window.go_to("http://a.test/");
    window.key(Key::ArrowLeft);
    assert!(!window.insight_rows().iter().any(|row| row.starts_with("Long tasks, ")), "it is folded");
    window.type_text("}");
    assert!(window.cursor_row().ends_with(", shown on the chart"), "{}", window.cursor_row());
    // Steps are in the palette, too.
    let before = focus(&window);
    window.chord(Modifiers { ctrl: true, command: true, ..Modifiers::NONE }, Key::P);
    window.wait("the names", |window| !window.says("Collecting names"));
    window.type_text("next insight");
    window.key(Key::Enter);
    assert!(focus(&window).is_some() && focus(&window) != before, "{before:?}");
}

#[test]
fn every_late_moment_has_a_critical_path_and_paths_go_through_requests() {
    let mut window = window();
    window.chord(Modifiers::SHIFT, Key::G);
    window.wait("the insights", |window| window.session().insight_report().is_some());
    let edge = window.get(Role::Splitter, "Height of the table").rect.center();
    window.drag(edge, edge - vec2(0.0, 260.0), Modifiers::NONE);
    // Those that passed are folded, and have nothing late.
    let is_shown = |own: &Insight| matches!(own.finding.state, InsightState::Fail | InsightState::Informative);
    let own = listed(&window).into_iter().filter(|own| own.navigation == Some(0) && is_shown(own));
    let late: Vec<(&'static str, MarkerId)> =
        own.filter_map(|own| Some((own.name.title(), own.finding.late?))).collect();
    assert!(late.len() >= 4, "{late:?}");
    let mut through_requests = 0;
    for (title, marker) in late {
        window.apply(Command::ShowPath(None));
        window.go_to(&format!("{title}, "));
        window.key(Key::K);
        assert_eq!(window.view().path, Some(PathTarget::end_of(marker)), "{title}");
        window.wait("the path", |window| window.session().critical.path().is_some());
        let path = window.session().critical.path().expect("a path");
        assert!(!path.segments.is_empty(), "{title}");
        through_requests += usize::from(path.segments.iter().any(|segment| segment.kind == PathKind::Network));
    }
    assert!(through_requests >= 2, "{through_requests} paths go through a request");
}

#[test]
fn recordings_without_insights_have_no_steps() {
    let mut window = Window::example();
    window.type_text("}");
    let has_insights = flowline::session::InsightReport::may_exist(&window.profile());
    assert_eq!(window.table() == Some(TableKind::Insights), has_insights);
    // A page load without requests still has insights about its tasks.
    let mut window = milestones::window(vec2(1600.0, 1000.0));
    window.type_text("{");
    window.wait("the insights", |window| window.session().insight_report().is_some());
    window.type_text("{");
    assert!(focus(&window).is_some());
}

#[test]
fn the_table_opens_at_the_page_load_that_the_recording_shows() {
    let mut window = window();
    window.chord(Modifiers::SHIFT, Key::G);
    window.wait("the insights", |window| window.session().insight_report().is_some());
    assert!(window.cursor_row().starts_with("http://a.test/"), "{}", window.cursor_row());
}
