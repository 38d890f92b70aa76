//! The critical path by keyboard: shown as a track, read as a table, followed into the chart; and the time origin.

use crate::harness::window::Window;
use egui::accesskit::Role;
use egui::{Key, Modifiers, pos2, vec2};
use flowline::index::waits::{CriticalPath, PathKind, PathOptions};
use flowline::profile::{MarkerId, Ns, TimeRange};
use flowline::view::{Command, PathTarget};

/// The marker whose path has the most waits.
fn with_waits(window: &Window) -> (MarkerId, CriticalPath) {
    let index = &window.session().index;
    let all = (0..index.profile().marker_count()).map(MarkerId::new);
    let path = |marker| (marker, CriticalPath::to_marker(index, marker, PathOptions::default()));
    let waits = |path: &CriticalPath| path.segments.iter().filter(|segment| segment.kind == PathKind::Wait).count();
    all.map(path).max_by_key(|(marker, path)| (waits(path), std::cmp::Reverse(*marker))).expect("a marker")
}

fn has_track(window: &Window) -> bool {
    window.session().canvas.regions.path.height > 0.0 && window.says("Critical path to ")
}

#[test]
fn the_path_is_shown_read_and_hidden_by_keys() {
    let mut window = Window::tall();
    let (marker, path) = with_waits(&window);
    window.apply(Command::Reveal(marker));
    assert!(!has_track(&window));
    window.key(Key::K);
    window.wait("the path", |window| window.session().critical.path().is_some());
    assert!(has_track(&window));
    assert_eq!(window.session().critical.path().map(|found| (**found).clone()), Some(path.clone()));
    assert!(window.says("Critical path to "), "the track describes its target");

    window.chord(Modifiers::SHIFT, Key::K);
    let rows = path.segments.len();
    window.wait("the table", |window| window.says(&format!("Critical path, {rows} row")));
    // Every share is a share of the whole path.
    let sum: i64 = path.segments.iter().map(|segment| segment.range.len()).sum();
    assert_eq!(sum, path.range().len());
    window.press("By kind");
    let kinds: std::collections::BTreeSet<PathKind> = path.segments.iter().map(|segment| segment.kind).collect();
    window.wait("the kinds", |window| window.says(&format!("Critical path, {} row", kinds.len())));
    window.press("Segments");
    // The longest segment is selected. The first row is the start of the path; Enter goes to its marker.
    let longest = path.segments.iter().map(|segment| segment.range.len()).max().expect("segments");
    let chosen = window.nodes_with_prefix(Role::Row, "").into_iter().find(|row| row.selected).expect("a chosen row");
    window.click_at(chosen.rect.center());
    let of = |marker| path.segments.iter().filter(move |segment| Some(segment.marker) == marker);
    assert!(of(window.view().selected).any(|segment| segment.range.len() == longest));
    window.key(Key::Home);
    window.key(Key::Enter);
    assert_eq!(window.view().selected, Some(path.segments[0].marker));
    window.key(Key::ArrowDown);
    window.key(Key::Enter);
    assert_eq!(window.view().selected, Some(path.segments[1].marker));

    window.press("Hide");
    assert!(!has_track(&window) && window.view().path.is_none());
}

#[test]
fn a_path_to_a_range_ends_at_the_last_running_marker() {
    let mut window = Window::tall();
    let index = std::sync::Arc::clone(&window.session().index);
    let extent = index.extent();
    let end = Ns(extent.start.0 + extent.len() / 2);
    window.apply(Command::Select(None));
    window.apply(Command::SelectRange(Some(TimeRange { start: extent.start, end })));
    window.key(Key::K);
    let threads = index.profile().threads_with_ids().map(|(thread, _)| thread);
    match flowline::index::waits::innermost_open(&index, threads, end) {
        None => assert_eq!(window.view().path, None),
        Some(marker) => {
            let target = PathTarget { marker, time: Some(end), assume_followed: true };
            assert_eq!(window.view().path, Some(target));
            window.wait("the path", |window| window.session().critical.path().is_some());
            assert_eq!(window.session().critical.path().map(|path| path.range().end), Some(end));
        }
    }
}

#[test]
fn a_marker_can_be_the_time_origin() {
    let mut window = Window::tall();
    let (marker, _) = with_waits(&window);
    window.apply(Command::Reveal(marker));
    let start = window.view().times_of(marker).expect("a marker").start;
    let own = window.session().view.clock().show(start);
    assert_ne!(own, Ns(0));
    window.key(Key::Z);
    assert_eq!(window.session().view.clock().show(start), Ns(0));
    assert_eq!(window.profile().clock().show(start), own, "names of flows keep their times");
    assert!(window.says("time origin: "));
    window.chord(Modifiers::SHIFT, Key::Z);
    assert_eq!(window.session().view.clock().show(start), own);
    assert!(!window.says("time origin: "));
}

#[test]
fn the_path_stays_below_the_ruler_and_leads_to_its_markers() {
    let mut window = Window::tall();
    let (marker, path) = with_waits(&window);
    window.apply(Command::ShowPath(Some(PathTarget::end_of(marker))));
    window.wait("the path", |window| window.session().critical.path().is_some());
    window.apply(Command::Show(path.range()));
    let strip = window.get(Role::Canvas, "Segments of the critical path").rect;
    assert_eq!(strip.max.y, window.chart().min.y, "the chart starts below it");
    window.apply(Command::Scroll(400.0));
    assert_eq!(window.get(Role::Canvas, "Segments of the critical path").rect, strip, "it does not scroll");

    let longest = path.segments.iter().max_by_key(|segment| segment.range.len()).expect("a segment");
    let middle = Ns(longest.range.start.0.midpoint(longest.range.end.0));
    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    let x = strip.min.x + (window.view().axis.pixel(middle) / f64::from(window.session().canvas.scale)) as f32;
    let place = pos2(x, strip.center().y);
    window.point_at(place);
    assert!(window.says(" of the path"), "a tooltip describes the segment: {:#?}", window.texts());
    window.click_at(place);
    assert_eq!(window.view().selected, Some(longest.marker));
    let row = window.session().item_of(longest.marker).expect("its row");
    let (top, height) = (window.view().scroll, f64::from(window.chart().height()));
    assert!(row.y + row.height > top && row.y < top + height, "the marker is brought into view");

    let before = window.view().axis.visible();
    window.drag(place, place + vec2(-60.0, 40.0), Modifiers::NONE);
    assert!(window.view().axis.visible().start > before.start, "a drag pans");
    let strip = window.get(Role::Canvas, "Segments of the critical path");
    window.choose(&strip, "Hide critical path K");
    assert!(window.view().path.is_none() && !has_track(&window));
}

#[test]
fn the_table_shows_the_path_to_the_last_selection() {
    let mut window = Window::tall();
    let (marker, _) = with_waits(&window);
    window.apply(Command::Reveal(marker));
    window.chord(Modifiers::SHIFT, Key::K);
    window.wait("the path", |window| window.session().critical.path().is_some());
    assert_eq!(window.view().path.map(|target| target.marker), Some(marker), "no other key is needed");
    window.chord(Modifiers::SHIFT, Key::K);
    // A range selected afterward becomes the target of the next path.
    let (start, profile) = (window.session().index.extent().start, window.profile());
    let (thread, local) = profile.locate(marker).expect("a marker");
    let end = profile.thread(thread).markers.end(local);
    window.apply(Command::SelectRange(Some(TimeRange::new(start, end))));
    window.key(Key::K);
    assert_eq!(window.view().path.and_then(|target| target.time), Some(end));
    // The same applies to a selected thread.
    window.apply(Command::PickThreads(vec![thread]));
    window.apply(Command::ShowPath(None));
    window.key(Key::K);
    let target = window.view().path.expect("a path");
    assert_eq!(window.profile().locate(target.marker).map(|(thread, _)| thread), Some(thread));
}

#[test]
fn a_path_to_a_milestone_comes_into_view() {
    let mut window = Window::example();
    window.wait("the milestones", |window| window.session().main_navigation().is_some());
    let extent = window.session().index.extent();
    let kind = flowline::insights::report::MetricKind::Load;
    let marker = window.session().late_moment(kind).expect("the example has a load event");
    let (thread, local) = window.profile().locate(marker).expect("a marker");
    let end = window.profile().thread(thread).markers.end(local);
    window.apply(Command::ZoomTo(TimeRange { start: extent.end - Ns(2_000), end: extent.end }));
    let is_shown = |window: &Window| {
        let visible = window.view().axis.visible();
        visible.start <= end && end <= visible.end
    };
    assert!(!is_shown(&window), "the end of the recording is after the load event");
    window.chord(Modifiers::COMMAND | Modifiers::CTRL, Key::P);
    window.wait("the names", |window| !window.says("Collecting names"));
    window.type_text("critical path to load");
    window.key(Key::Enter);
    window.wait("the path", |window| window.session().critical.path().is_some());
    assert!(is_shown(&window), "{:?}", window.view().axis.visible());
    // A path that is in view moves nothing.
    let before = window.view().axis.visible();
    window.apply(Command::ShowPath(Some(PathTarget::end_of(marker))));
    assert_eq!(window.view().axis.visible(), before);
}

#[test]
fn keys_without_an_effect_say_why() {
    let mut window = Window::tall();
    window.apply(Command::Select(None));
    window.key(Key::K);
    assert!(window.says("to see its critical path."), "{:#?}", window.texts());
    let flows = window.session().index.flows();
    let all = (0..window.profile().marker_count()).map(MarkerId::new);
    let lone = all.into_iter().find(|marker| flows.flows_of(*marker).is_empty()).expect("a marker without flows");
    window.apply(Command::Reveal(lone));
    for key in ["]", "["] {
        window.type_text(key);
        assert!(window.says("The selected marker belongs to no flow."), "{key}: {:#?}", window.texts());
    }
    window.pause();
    window.key(Key::Enter);
    assert!(window.says("The selected marker belongs to no flow."), "{:#?}", window.texts());
}
