//! Stacks that contain calls: the calls of a CPU profile are on the rows below the slices that contain them, can be pointed
//! at, selected, searched and hidden, and the stack chart stays available.

use std::path::Path;
use std::sync::Arc;

use crate::harness::window::{Window, session};
use egui::{Pos2, pos2, vec2};
use flowline::import::{Progress, read};
use flowline::index::{Arrangement, Index};
use flowline::profile::{Ns, ThreadId, TimeRange};
use flowline::scene::{ItemKind, MarkerInstance, Scene};
use flowline::ui::KeyMap;
use flowline::view::Command;

/// A task with a script that calls `f`, which triggers a layout; the call is inside the script, and the layout inside the
/// call.
const TRACE: &str = r#"[{"ph":"I","name":"TracingStartedInBrowser","cat":"d","pid":9,"tid":9,"ts":1,"s":"t"},
{"ph":"X","name":"RunTask","cat":"d","pid":9,"tid":9,"ts":1000,"dur":30000},
{"ph":"X","name":"EvaluateScript","cat":"d","pid":9,"tid":9,"ts":1500,"dur":25000},
{"ph":"X","name":"Layout","cat":"d","pid":9,"tid":9,"ts":13000,"dur":3000},
{"ph":"P","name":"Profile","cat":"d","pid":9,"tid":9,"ts":1000,"id":1},
{"ph":"P","name":"ProfileChunk","cat":"d","pid":9,"tid":5,"ts":1,"id":1,"args":{"data":{"timeDeltas":[1000,9000,10000,9500,3000],
"cpuProfile":{"samples":[1,2,2,1,1],"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}},
{"id":2,"parent":1,"callFrame":{"functionName":"f","url":"a.js","scriptId":"4","lineNumber":0,"columnNumber":7}}]}}}}]"#;

fn window() -> (Window, ThreadId) {
    window_of(TRACE)
}

fn window_of(trace: &str) -> (Window, ThreadId) {
    let imported = read(trace.as_bytes().to_vec(), &Progress::default()).expect("a trace");
    let index = Arc::new(Index::build(Arc::new(imported.profile), Arrangement::Stack));
    let threads = index.profile().threads_with_ids();
    let thread = threads.into_iter().find(|(_, thread)| thread.markers.has_slices()).expect("a thread with slices").0;
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1440.0, 1000.0), 1.0);
    if !window.view().tracks.expanded.contains(&thread) {
        window.apply(Command::ToggleThread(thread));
    }
    window.wait("calls in the stack", |window| {
        window.session().list().shown().merged(&window.session().index, thread).is_some()
    });
    window.settle();
    (window, thread)
}

/// Names of what the rows of a thread's stack contain, from top to bottom.
fn stack(window: &Window, thread: ThreadId) -> Vec<String> {
    let (session, profile) = (window.session(), window.profile());
    let merged = session.list().shown().merged(&session.index, thread).expect("it was built");
    let name = |row: usize| {
        let markers = merged.layout.rows.row(row).iter().map(|marker| profile.marker_name(thread, *marker).to_owned());
        let stacks = &profile.stacks;
        let calls = merged.calls.rows().row(row).iter();
        let calls =
            calls.map(|call| profile.func_name(stacks.func(merged.calls.calls(&profile).stack[*call as usize])));
        markers.chain(calls.map(str::to_owned)).collect::<Vec<_>>().join(" ")
    };
    (0..merged.calls.rows().len()).map(name).collect()
}

fn place(window: &Window, row: u32, time_us: i64) -> Pos2 {
    let input = window.session().scene_input();
    let is_row = |kind: &ItemKind| matches!(kind, ItemKind::Row(shown) if shown.row == row);
    let item = input.visible_items().iter().find(|item| is_row(&item.kind)).expect("on screen");
    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    let x = input.regions.chart.x + window.session().view.axis.pixel(Ns(time_us * 1000)) as f32;
    pos2(x, input.item_y(item) + input.item_height(item) / 2.0) / input.scale
}

#[test]
fn calls_are_between_the_slices_that_contain_them_and_those_inside_them() {
    let (mut window, thread) = window();
    assert_eq!(stack(&window, thread), ["TracingStartedInBrowser RunTask", "EvaluateScript", "f", "Layout"]);
    let here = place(&window, 2, 12_000);
    window.point_at(here);
    window.settle();
    assert!(window.view().hovered_call.is_some() && window.view().hovered.is_none(), "the call is under the pointer");
    window.click_at(here);
    window.settle();
    let selected = window.view().selected_call.expect("a selected call").call;
    let calls = window.session().index.charts().calls(thread).expect("calls of the recording");
    let profile = window.profile();
    assert_eq!(profile.func_name(profile.stacks.func(calls.stack[selected.call as usize])), "f");
    let slice = place(&window, 3, 14_000);
    window.point_at(slice);
    window.settle();
    assert!(window.view().hovered_call.is_none() && window.view().hovered.is_some(), "a slice is under the pointer");
}

#[test]
fn a_search_for_a_function_keeps_the_stack_with_its_call() {
    let (mut window, thread) = window();
    window.apply(Command::Search("\"f\"".to_owned()));
    window.wait("the search", |window| window.session().search().is_some_and(|search| search.complete));
    window.settle();
    let search = window.session().search().expect("a search");
    assert!(search.merged.has(thread), "the call is found");
    let items = window.session().list().items();
    assert!(items.iter().any(|item| matches!(item.kind, ItemKind::Row(row) if row.thread == thread && row.row == 2)));
}

/// Start in microseconds of the first call on a row of the stack.
fn call_start(window: &Window, thread: ThreadId, row: usize) -> i64 {
    let session = window.session();
    let merged = session.list().shown().merged(&session.index, thread).expect("it was built");
    let call = *merged.calls.rows().row(row).first().expect("a call");
    merged.calls.times(&window.profile(), call).expect("a call").start.0 / 1000
}

#[test]
fn names_and_diamonds_of_instants_leave_calls_of_their_row_free() {
    let (plain, thread) = window();
    let start = call_start(&plain, thread, 2);
    let mark =
        |name: &str, us: i64| format!(r#"{{"ph":"I","name":"{name}","cat":"d","pid":9,"tid":9,"ts":{us},"s":"t"}},"#);
    // Far from the call, close to it, and beside it.
    let marks = [("FarAwayFromTheCall", 3_000), ("NearTheCall", start - 900), ("BesideTheCall", start - 50)];
    let marks: String = marks.into_iter().map(|(name, us)| mark(name, us)).collect();
    let (mut window, thread) = window_of(&TRACE.replacen('[', &format!("[{marks}"), 1));
    let row = stack(&window, thread).iter().position(|row| row.contains("FarAwayFromTheCall")).expect("a row");
    assert_eq!(call_start(&window, thread, row), start, "{:?}", stack(&window, thread));
    let row_number = u32::try_from(row).expect("few rows");
    let begin = window.session().index.extent().start;
    let mut named = 0;
    for length in [30_000, 20_000, 14_000] {
        window.apply(Command::Show(TimeRange::new(begin, begin + Ns(length * 1_000))));
        window.settle();
        let input = window.session().scene_input();
        let call = place(&window, row_number, start).x * input.scale;
        let mut scene = Scene::default();
        let frame = scene.build(&input);
        for run in frame.texts.iter().filter(|run| run.text.ends_with("TheCall")) {
            named += 1;
            assert!(run.clip.x + run.clip.width <= call, "{} covers the call: {run:?}, {call}", run.text);
        }
        let beside = place(&window, row_number, start - 50).x * input.scale - input.regions.chart.x;
        for diamond in frame.instances.markers.iter().filter(|marker| marker.has(MarkerInstance::ALONE)) {
            #[expect(clippy::cast_precision_loss, reason = "a pixel column")]
            let column = frame.axis.columns(diamond.packed()).0 as f32;
            assert!((column - beside).abs() > 1.5, "a diamond is over the call at {length} us");
        }
    }
    assert!(named > 0, "an instant far from the call has a name");
}
