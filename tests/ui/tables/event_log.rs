//! Trees of trace events and calls, and the event log: keyboard only, with screen reader texts.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use flowline::import::{Progress, read};
use flowline::index::{Arrangement, Index};
use flowline::profile::{Ns, TimeRange};
use flowline::ui::KeyMap;
use flowline::view::Command;

use crate::harness::window::{Window, session};

/// Two tasks: a script that calls `f`, and a timer that calls `g` and triggers a layout.
const TRACE: &str = r#"[{"ph":"I","name":"TracingStartedInBrowser","cat":"d","pid":9,"tid":9,"ts":1,"s":"t"},
{"ph":"X","name":"RunTask","cat":"d","pid":9,"tid":9,"ts":1000,"dur":20000},
{"ph":"X","name":"EvaluateScript","cat":"d","pid":9,"tid":9,"ts":1000,"dur":20000},
{"ph":"X","name":"v8::Debugger::AsyncTaskScheduled","cat":"v","pid":9,"tid":9,"ts":5000,"dur":4,"args":{"taskName":"setTimeout"}},
{"ph":"s","name":"task","cat":"v","id":7,"pid":9,"tid":9,"ts":5000},
{"ph":"X","name":"RunTask","cat":"d","pid":9,"tid":9,"ts":30000,"dur":4000},
{"ph":"X","name":"v8::Debugger::AsyncTaskRun","cat":"v","pid":9,"tid":9,"ts":30000,"dur":4000},
{"ph":"f","name":"task","cat":"v","id":7,"pid":9,"tid":9,"ts":30000,"bp":"e"},
{"ph":"X","name":"TimerFire","cat":"d","pid":9,"tid":9,"ts":30000,"dur":4000},
{"ph":"X","name":"FunctionCall","cat":"d","pid":9,"tid":9,"ts":30000,"dur":4000},
{"ph":"X","name":"Layout","cat":"d","pid":9,"tid":9,"ts":31000,"dur":2000},
{"ph":"P","name":"Profile","cat":"d","pid":9,"tid":9,"ts":1000,"id":1},
{"ph":"P","name":"ProfileChunk","cat":"d","pid":9,"tid":5,"ts":1,"id":1,"args":{"data":{"timeDeltas":[1000,9000,10000,9500,3000],
"cpuProfile":{"samples":[2,2,1,3,3],"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}},
{"id":2,"parent":1,"callFrame":{"functionName":"f","url":"a.js","scriptId":"4","lineNumber":0,"columnNumber":7}},
{"id":3,"parent":1,"callFrame":{"functionName":"g","url":"b.js","scriptId":"5","lineNumber":2,"columnNumber":1}}]}}}}]"#;

fn window() -> Window {
    let imported = read(TRACE.as_bytes().to_vec(), &Progress::default()).expect("a trace");
    let index = Arc::new(Index::build(Arc::new(imported.profile), Arrangement::Stack));
    Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1440.0, 1000.0), 1.0)
}

impl Window {
    fn rows_of(&self, role: Role) -> Vec<String> {
        let is_row = |text: &String| text.contains(", total ");
        self.items(role).into_iter().map(|node| node.text).filter(is_row).collect()
    }

    fn settle_samples(&mut self) {
        self.wait("the samples", |window| !window.panels().is_busy());
        self.settle();
    }
}

#[test]
fn the_call_tree_of_a_chrome_thread_contains_events_and_calls() {
    let mut window = window();
    window.key(Key::Y);
    window.settle_samples();
    let rows = window.rows_of(Role::TreeItem);
    assert!(rows[0].starts_with("EvaluateScript, 60.6 percent, total 20.00 ms, self 1.00 ms, once"), "{rows:?}");
    assert!(
        rows.iter().any(|row| row.starts_with("TimerFire, 12.1 percent, total 4.00 ms, self 0 ms, once")),
        "{rows:?}"
    );
    assert!(!rows.iter().any(|row| row.starts_with("RunTask")), "as in DevTools, its time belongs to its contents");
    let summary = window.node_with_prefix(Role::Image, "Time by kind of work");
    assert!(summary.text.contains("scripting 22.00 ms (66.7%), rendering 2.00 ms (6.1%)"), "{}", summary.text);
    // Transforms also work on events.
    window.key(Key::F);
    window.settle_samples();
    assert!(window.has(Role::Button, "Focus: EvaluateScript"), "{:?}", window.texts());
    window.click(Role::Button, "Complete");
    window.settle_samples();
    window.click_at(window.get(Role::Button, "Data source of the tree").rect.center());
    window.settle();
    window.press("Samples");
    window.settle_samples();
    let rows = window.rows_of(Role::TreeItem);
    assert!(rows[0].starts_with("f, ") && rows[1].starts_with("g, "), "{rows:?}");
}

#[test]
fn the_event_log_is_navigated_by_keys() {
    let mut window = window();
    window.key(Key::Y);
    window.settle_samples();
    window.click(Role::Button, "Event log");
    window.settle_samples();
    let names = |window: &Window| -> Vec<String> {
        let rows = window.rows_of(Role::TreeItem).into_iter();
        rows.map(|row| row.split(',').next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(names(&window), ["EvaluateScript", "TimerFire"]);
    window.key(Key::ArrowDown);
    window.settle();
    window.type_text("*");
    window.settle();
    assert_eq!(names(&window), ["EvaluateScript", "TimerFire", "FunctionCall", "g", "Layout"]);
    let rows = window.rows_of(Role::TreeItem);
    assert!(rows[1].starts_with("TimerFire, at ") && rows[1].contains("total 4.00 ms, self 0 ms"), "{rows:?}");
    // The chart selects the entry at the cursor.
    (0..3).for_each(|_| window.key(Key::ArrowDown));
    window.settle();
    let marker = window.session().view.selected.expect("a marker is selected");
    let profile = window.session().index.profile();
    let (thread, local) = profile.locate(marker).expect("known");
    assert_eq!(profile.marker_name(thread, local), "Layout");
    window.click(Role::Button, "≥ 15 ms");
    window.settle_samples();
    assert_eq!(names(&window), ["EvaluateScript"]);
    window.click(Role::Button, "Any length");
    window.apply(Command::SelectRange(Some(TimeRange::new(Ns(30_500_000), Ns(31_500_000)))));
    window.settle_samples();
    let rows = window.rows_of(Role::TreeItem);
    assert!(rows[0].starts_with("TimerFire") && rows[0].contains("total 1.00 ms"), "{rows:?}");
}

#[test]
fn a_call_selected_in_the_log_shows_its_async_stack() {
    let mut window = window();
    window.key(Key::Y);
    window.settle_samples();
    assert!(!window.says("Initiated by"), "nothing is selected");
    window.click(Role::Button, "Event log");
    window.settle_samples();
    window.click_at(window.node_with_prefix(Role::TreeItem, "TimerFire").rect.center());
    window.type_text("*");
    window.settle();
    window.click_at(window.node_with_prefix(Role::TreeItem, "g, ").rect.center());
    window.wait("the stack", |window| !window.session().is_busy());
    window.settle();
    assert!(window.says("Initiated by setTimeout"), "{:?}", window.texts());
    assert!(window.says("a.js:1:8"), "the source location of the request: {:?}", window.texts());
}

#[test]
fn bottom_up_groups_count_each_time_once() {
    let mut window = window();
    window.chord(Modifiers::SHIFT, Key::Y);
    window.settle_samples();
    window.click_at(window.get(Role::Button, "Groups above the first level of the tree").rect.center());
    window.settle();
    window.press("Group by category");
    window.settle_samples();
    let rows = window.rows_of(Role::TreeItem);
    assert!(rows[0].starts_with("scripting, 66.7 percent, total 22.00 ms, self 22.00 ms"), "{rows:?}");
    assert!(rows[1].starts_with("rendering, 6.1 percent, total 2.00 ms, self 2.00 ms"), "{rows:?}");
}
