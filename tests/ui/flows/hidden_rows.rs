//! Steps along a flow while rows without contents in view are hidden: the row of the target is listed and in view.

use std::path::Path;
use std::sync::Arc;

use egui::vec2;
use flowline::import::{Progress, read};
use flowline::index::{Arrangement, Index};
use flowline::profile::{MarkerId, Ns, TimeRange};
use flowline::ui::KeyMap;
use flowline::view::Command;

use crate::harness::window::{Window, session};

/// Two threads with many rows each, at different times, and a flow from the first thread to the second.
fn window() -> Window {
    let slice = |tid: u32, name: &str, ts: u64, dur: u64| {
        format!(r#"{{"ph":"X","name":"{name}","pid":{tid},"tid":{tid},"ts":{ts},"dur":{dur}}}"#)
    };
    let flow = |phase: &str, tid: u32, ts: u64| {
        format!(r#"{{"ph":"{phase}","bp":"e","id":7,"name":"flow","cat":"f","pid":{tid},"tid":{tid},"ts":{ts}}}"#)
    };
    let mut events = vec![slice(1, "Begin", 10_000, 500), flow("s", 1, 10_100)];
    events.extend((0..60).map(|row| slice(1, &format!("Late {row:02}"), 1_500_000 + row * 1000, 900)));
    events.extend((0..60).map(|row| slice(1, &format!("Early {row:02}"), 5_000 + row * 10, 5)));
    events.extend((0..60).map(|row| slice(2, &format!("Second early {row:02}"), 5_000 + row * 100, 50)));
    events.extend([slice(2, "Continue", 2_000_000, 1_000), flow("f", 2, 2_000_100)]);
    let text = format!("[{}]", events.join(","));
    let profile = read(text.into_bytes(), &Progress::default()).expect("a recording").profile;
    let index = Arc::new(Index::build(profile.into(), Arrangement::ByName));
    let mut window =
        Window::showing(session(index, Path::new("recording.json")), KeyMap::Flowline, vec2(1440.0, 700.0), 1.0);
    window.apply(Command::SetArrangement(Arrangement::ByName));
    window.wait("the rows", |window| !window.session().is_busy());
    window
}

fn marker(window: &Window, name: &str) -> MarkerId {
    let profile = window.profile();
    let mut all = profile.threads_with_ids().flat_map(|(_, thread)| {
        let named = (0..thread.markers.len()).map(flowline::profile::LocalMarker::new);
        named.map(|local| (profile.strings.get(thread.markers.name(local)).to_owned(), thread.global(local)))
    });
    all.find(|(own, _)| own == name).expect("a marker").1
}

/// The selected marker is on a row that is completely in view, and its time is.
#[track_caller]
fn is_in_view(window: &Window, name: &str) {
    let selected = window.view().selected.expect("a selected marker");
    assert_eq!(selected, marker(window, name), "{name}");
    let session = window.session();
    let item = session.item_of(selected).expect("its row is listed");
    let (top, room) = (session.view.scroll, session.canvas.chart_height());
    assert!(item.y >= top - 0.5 && item.y + item.height <= top + room + 0.5, "{name}: {item:?} in {top} + {room}");
    let (thread, local) = window.profile().locate(selected).expect("known");
    let (range, shown) = (window.profile().thread(thread).markers.range(local), window.view().axis.visible());
    assert!(shown.start <= range.start && range.start <= shown.end, "{name}: {range:?} in {shown:?}");
}

#[test]
fn the_target_of_a_step_is_in_view_with_hidden_rows() {
    for collapses in [false, true] {
        let mut window = window();
        window.apply(Command::HideEmptyRows(true));
        window.apply(Command::Show(TimeRange::new(Ns(1_990_000_000), Ns(2_010_000_000))));
        window.settle();
        window.apply(Command::Reveal(marker(&window, "Continue")));
        window.wait("the flows of the marker", |window| {
            !window.session().is_busy() && window.session().selected_flow().is_some()
        });
        window.settle();
        is_in_view(&window, "Continue");
        if collapses {
            window.apply(Command::CollapseAll);
            window.settle();
        }
        window.type_text("[");
        window.wait("the rows", |window| !window.session().is_busy());
        window.settle();
        is_in_view(&window, "Begin");
        window.type_text("]");
        window.wait("the rows", |window| !window.session().is_busy());
        window.settle();
        is_in_view(&window, "Continue");
    }
}
