//! Two recordings in one window: opening, aligning, selecting in both, comparing statistics, closing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Rect, pos2, vec2};
use flowline::app::{OutputGuard, save_table};
use flowline::index::{Arrangement, Index};
use flowline::profile::{LocalMarker, MarkerId, Ns, ThreadId, TimeRange};
use flowline::session::{Alignment, Session, TableFormat};
use flowline::ui::{AppRequest, KeyMap, PaneContents};
use flowline::view::{Command, Pane};
use serde_json::{Value, json};

use crate::canvas::milestones;
use crate::harness::window::{Window, session};
use crate::recording::read_bytes;

/// A trace: name, start and length of each slice in milliseconds, each on its own thread.
fn index(slices: &[(&str, u64, u64)]) -> Arc<Index> {
    let event = |(at, (name, start, length)): (usize, &(&str, u64, u64))| json!({"name": name, "ph": "X", "ts": start * 1000, "dur": length * 1000, "pid": 1, "tid": at + 1});
    let trace = Value::from(slices.iter().enumerate().map(event).collect::<Vec<_>>());
    let profile = read_bytes(trace.to_string().into_bytes()).expect("a trace");
    Arc::new(Index::build(Arc::new(profile), Arrangement::Stack))
}

const A: [(&str, u64, u64); 4] =
    [("load", 1_000, 100), ("paint", 1_200, 50), ("paint", 1_500, 50), ("old", 1_900, 100)];
/// Equally long, an hour later. Loading takes longer, and some names differ.
const B: [(&str, u64, u64); 4] =
    [("load", 3_601_000, 300), ("paint", 3_601_400, 50), ("new 7", 3_601_700, 20), ("last", 3_601_990, 10)];

/// Offset from a time in B to the corresponding time in A, aligned by start.
const SHIFT: Ns = Ns(-3_600_000_000_000);

fn second(slices: &[(&str, u64, u64)]) -> Session {
    session(index(slices), Path::new("second.json"))
}

fn compared() -> Window {
    let first = session(index(&A), Path::new("first.json"));
    let mut window = Window::showing(first, KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    let wake: flowline::session::Wake = Arc::new(|| {});
    window.shell().open_second_recording(second(&B), Alignment::Start, &wake);
    window.settle();
    window
}

impl Window {
    fn other(&self) -> &PaneContents {
        self.harness.state().shell.pane(Pane::B).expect("a second recording is open")
    }

    fn apply_to(&mut self, pane: Pane, command: Command) {
        self.shell().apply_to(pane, command);
        self.settle();
    }

    /// The chart of the second recording, in points.
    fn other_chart(&self) -> Rect {
        let canvas = self.other().session.canvas;
        let chart = canvas.regions.chart;
        Rect::from_min_size(pos2(chart.x, chart.y) / canvas.scale, vec2(chart.width, chart.height) / canvas.scale)
    }

    /// Position on screen of the only marker on a thread of the second recording.
    fn other_place(&self, thread: u32) -> egui::Pos2 {
        let session = &self.other().session;
        let input = session.scene_input();
        let marker = session.index.profile().thread(ThreadId(thread)).global(LocalMarker::new(0));
        let item = session.item_of(marker).expect("its row is listed");
        let times = session.view.times_of(marker).expect("a marker");
        let middle = session.view.axis.pixel(Ns(times.start.0.midpoint(times.end.0)));
        #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
        let x = input.regions.chart.x + middle as f32;
        pos2(x, input.item_y(&item) + input.item_height(&item) / 2.0) / input.scale
    }

    #[track_caller]
    fn check_axis(&self) {
        let (a, b) = (&self.view().axis, &self.other().session.view.axis);
        let shift = self.other().pairing.as_ref().expect("aligned").shift();
        assert_eq!(b.visible().shifted(shift), a.visible());
        assert_eq!(a.width(), b.width());
        let time = a.visible().start + Ns(12_345_678);
        assert_eq!(a.pixel(time), b.pixel(time - shift));
    }
}

#[test]
fn both_recordings_share_one_axis() {
    let mut window = compared();
    assert!(window.has(Role::Label, "first.json") && window.has(Role::Label, "second.json"));
    assert!(window.says("Aligned by start"));
    assert_eq!(window.other().pairing.as_ref().expect("aligned").shift(), SHIFT);
    window.check_axis();
    let whole = window.view().axis.visible();
    for (place, key) in [(window.chart().center(), Key::W), (window.other_chart().center(), Key::D)] {
        window.point_at(place);
        window.key(key);
        window.check_axis();
    }
    window.wheel(window.other_chart().center(), vec2(0.0, 3.0), Modifiers::COMMAND);
    window.check_axis();
    assert!(window.view().axis.visible().len() < whole.len() / 2, "the wheel over B zooms both");
    window.key(Key::Num0);
    window.check_axis();
    assert_eq!(window.view().axis.visible().len(), whole.len());
    let extent = window.view().bounds().extent;
    assert_eq!(extent, window.session().index.extent().union(window.other().session.index.extent().shifted(SHIFT)));
}

#[test]
fn range_and_search_apply_to_both() {
    let mut window = compared();
    let ruler = window.node_with_prefix(Role::Slider, "Time ruler of the second recording").rect;
    window.drag(ruler.center(), ruler.center() + vec2(200.0, 0.0), Modifiers::NONE);
    let of_b = window.other().session.view.range.expect("a range");
    assert_eq!(window.view().range, Some(of_b.shifted(SHIFT)));
    assert!(window.other().session.index.extent().overlaps(of_b.start, of_b.end), "on its own clock");
    window.point_at(window.other_chart().center());
    let chart = window.other().session.canvas.regions.chart;
    assert!(window.session().canvas.pointer.is_none_or(|(_, y)| y < chart.y));
    assert!(window.session().canvas.other_pointer.is_some_and(|x| (x - chart.x - chart.width / 2.0).abs() < 2.0));
    window.key(Key::Escape);
    assert_eq!((window.view().range, window.other().session.view.range), (None, None));
    window.type_text("/");
    window.type_text("paint");
    window.wait_for_search("paint");
    window.wait("the other search", |window| {
        let other = &window.other().session;
        !other.is_searching() && other.hits().is_some_and(|hits| hits.total() == 1)
    });
    assert_eq!(window.session().hits().map(|hits| hits.total()), Some(2));
    window.apply_to(Pane::B, Command::Search(String::new()));
    assert!(window.view().search.is_empty() && window.other().session.view.search.is_empty());
}

#[test]
fn a_click_selects_in_the_clicked_recording() {
    let mut window = compared();
    assert!(window.has(Role::Label, "Recording A, active"));
    window.apply_to(Pane::B, Command::ExpandAll);
    window.click_at(window.other_place(0));
    assert!(window.has(Role::Label, "Recording B, active") && window.has(Role::Label, "Recording A"));
    let of_b = &window.other().session;
    assert_eq!((of_b.view.selected, window.view().selected), (Some(MarkerId(0)), None));
    assert!(window.says("300.00 ms"), "the details belong to B: {:#?}", window.texts());
    // Keys apply to the recording that was clicked last.
    window.key(Key::R);
    assert_eq!(window.view().range.map(TimeRange::len), Some(300_000_000));
    window.key(Key::Escape);
    window.key(Key::Escape);
    assert_eq!(window.other().session.view.selected, None);
    let collapsed = window.other().session.list().items().len();
    window.apply_to(Pane::B, Command::CollapseAll);
    assert!(window.other().session.list().items().len() < collapsed);
    window.click_at(window.chart().center_bottom() - vec2(0.0, 3.0));
    assert!(window.has(Role::Label, "Recording A, active"));
}

#[test]
fn an_offset_can_be_typed() {
    let mut window = compared();
    window.click_at(window.node_with_prefix(Role::Button, "Aligned by start").rect.center());
    let number = window.get(Role::SpinButton, "Milliseconds from the start of A to the start of B").rect.center();
    window.click_at(number);
    window.chord(Modifiers::COMMAND, Key::A);
    window.type_text("-150");
    window.key(Key::Enter);
    assert_eq!(window.other().pairing.as_ref().expect("aligned").after(), Ns(-150_000_000), "{:#?}", window.texts());
}

#[test]
fn selected_markers_align_both() {
    let mut window = compared();
    window.click_at(window.node_with_prefix(Role::Button, "Aligned by start").rect.center());
    let entry = window.get(Role::Button, "By selected markers").rect.center();
    window.click_at(entry);
    assert_eq!(window.other().pairing.as_ref().expect("aligned").alignment(), Alignment::Start, "nothing is selected");
    window.key(Key::Escape);
    // The first "paint" of each: 200 ms after the start of A, 400 ms after the start of B.
    window.apply_to(Pane::A, Command::Select(Some(MarkerId(1))));
    window.apply_to(Pane::B, Command::Select(Some(MarkerId(1))));
    window.click_at(window.node_with_prefix(Role::Button, "Aligned by start").rect.center());
    window.press("By selected markers");
    let pixel = |session: &Session| {
        let times = session.view.times_of(MarkerId(1)).expect("a marker");
        session.view.axis.pixel(times.start)
    };
    assert!((pixel(window.session()) - pixel(&window.other().session)).abs() < 1e-6);
    assert_eq!(window.other().pairing.as_ref().expect("aligned").after(), Ns(-200_000_000));
    assert!(window.says("Aligned by markers: starts 200.00 ms before A"), "{:#?}", window.texts());
    window.check_axis();
    window.shell().align(Alignment::Zero);
    window.settle();
    window.check_axis();
    assert!(window.says("it starts"), "B starts an hour later: {:#?}", window.texts());
    window.press("Show recording");
    window.settle();
    assert!(window.says("first.json is out of view"));
    window.check_axis();
    window.shell().align(Alignment::Offset(Ns(50_000_000)));
    window.key(Key::Num0);
    assert!(window.says("starts 50.00 ms after A") && !window.says("is out of view"));
}

/// A window with two page loads: the second one has its navigation later, and paints and ends later.
fn pages() -> Window {
    let mut window = milestones::window(vec2(1600.0, 1000.0));
    let other = session(milestones::slow_page(), Path::new("slow.json"));
    let wake: flowline::session::Wake = Arc::new(|| {});
    window.shell().open_second_recording(other, Alignment::Start, &wake);
    window.settle();
    window.wait("the milestones", |window| {
        let sessions = [window.session(), &window.other().session];
        sessions.iter().all(|session| !session.is_busy() && session.main_navigation().is_some())
    });
    window
}

#[test]
fn page_loads_are_aligned_by_navigation_or_milestone() {
    let mut window = pages();
    // A: navigation at 100 ms, LCP at 1,486 ms. B: 350 ms and 2,400 ms.
    for (entry, shift) in [("By navigation", -250), ("By LCP", -914), ("By FCP", -350)] {
        window.click_at(window.node_with_prefix(Role::Button, "Aligned ").rect.center());
        window.press(entry);
        let pairing = *window.other().pairing.as_ref().expect("aligned");
        assert_eq!(pairing.after(), Ns(shift * 1_000_000), "{entry}");
        assert!(matches!(pairing.alignment(), Alignment::Milestone { .. }));
        window.check_axis();
    }
    let name = window.node_with_prefix(Role::Button, "Aligned ").text;
    assert!(name.starts_with("Aligned by FCP: starts 350.00 ms before A"), "{name}");
    // Recordings without pages offer none.
    let mut plain = compared();
    plain.click_at(plain.node_with_prefix(Role::Button, "Aligned ").rect.center());
    assert!(plain.has(Role::Button, "By clock") && !plain.has(Role::Button, "By navigation"));
}

#[test]
fn the_figures_of_both_pages_are_side_by_side() {
    let mut window = pages();
    window.press("Compare statistics");
    window.wait("the figures", |window| window.says("LCP ms, A 1,386, B 2,050, difference +664"));
    for row in ["FCP ms, A 746, B 846, difference +100", "Load ms, A 1,390, B 2,060, difference +670"] {
        assert!(window.has(Role::Label, row), "{row}: {:#?}", window.texts());
    }
    // Recordings without pages have none.
    let mut plain = compared();
    plain.press("Compare statistics");
    plain.wait("the comparison", |window| !window.panels().is_busy() && window.says("vanished"));
    assert!(plain.nodes_with_prefix(Role::Label, "LCP").is_empty());
}

#[test]
fn statistics_of_both_are_compared_and_exported() {
    let mut window = compared();
    window.press("Compare statistics");
    let ready = |window: &Window| !window.panels().is_busy() && window.says("vanished");
    window.wait("the comparison", ready);
    let rows: Vec<String> = window.items(Role::Row).into_iter().map(|node| node.text).collect();
    let row = |name: &str| rows.iter().find(|row| row.starts_with(name)).unwrap_or_else(|| panic!("{name}: {rows:?}"));
    assert!(row("load").contains("+200.00 ms") && row("load").contains("× 3.00"), "{}", row("load"));
    assert!(row("paint").contains("Count A 2, Count B 1") && row("paint").contains("× 0.50"), "{}", row("paint"));
    assert!(row("old").contains("vanished") && row("new 7").contains("new"));
    assert!(window.says(&format!("{} groups", rows.len())), "all rows are counted: {rows:?}");
    // Headings sort rows, and the column menu belongs to this table.
    let first = |window: &Window| window.items(Role::Row)[0].text.clone();
    window.press("Count A");
    assert!(first(&window).starts_with("paint"), "{}", first(&window));
    window.press("Total ratio");
    assert!(first(&window).starts_with("new"), "{}", first(&window));
    window.click(Role::Button, "Columns");
    window.click(Role::CheckBox, "Max A");
    window.click(Role::CheckBox, "p99 B");
    window.key(Key::Escape);
    let load = window.items(Role::Row).into_iter().find(|row| row.text.starts_with("load")).expect("a row").text;
    assert!(load.contains("Max A 100.00 ms") && load.contains("p99 B 300.00 ms"), "{load}");
    window.click(Role::Button, "Columns");
    window.press("Reset columns");
    window.press("Sort by difference");
    window.key(Key::Escape);
    assert!(first(&window).starts_with("load"), "{}", first(&window));
    window.press("Export…");
    window.click(Role::RadioButton, TableFormat::Json.name());
    window.press("Save");
    let requests = std::mem::take(&mut window.harness.state_mut().requests);
    let Some(AppRequest::WriteTable { table, .. }) = requests.into_iter().next() else { panic!("no table") };
    assert_eq!((table.name, table.len()), ("comparison", 5));
    for format in TableFormat::ALL {
        let path = std::env::temp_dir().join(format!("flowline-{}-compared{}", std::process::id(), format.ending()));
        save_table(&OutputGuard::default(), &table, &path, format, &mut |_| true).expect("written");
        let text = std::fs::read_to_string(&path).expect("a file");
        std::fs::remove_file(path).expect("removed");
        assert!(text.contains("vanished") && text.contains("Total difference (ms)"), "{format:?}: {text}");
        if format == TableFormat::Json {
            let rows: Vec<Value> = serde_json::from_str(&text).expect("JSON");
            let load = rows.iter().find(|row| row["Name"] == "load").expect("a row");
            assert_eq!((&load["Total A (ms)"], &load["Total B (ms)"]), (&json!(100), &json!(300)));
            assert_eq!((&load["Total difference (ms)"], &load["Max ratio"]), (&json!(200), &json!(3)));
            assert_eq!(
                (&load["Count difference"], &load["Status"], &load["p"]),
                (&json!(0), &json!("both"), &Value::Null)
            );
        }
    }
    // A range that contains markers of A only.
    let range = TimeRange::new(Ns(1_850_000_000), Ns(1_950_000_000));
    window.apply_to(Pane::A, Command::SelectRange(Some(range)));
    window.wait("the comparison of a range", |window| {
        !window.panels().is_busy() && window.says("No matching markers in B.")
    });
    window.apply_to(Pane::A, Command::SelectRange(None));
    window.wait("the comparison of all", ready);
    window.press("More");
    window.press("End comparison");
    assert!(!window.says("vanished"));
    window.press("More");
    window.press("Compare recordings");
    window.wait("the comparison", ready);
    window.press("Close the second recording");
    assert!(!window.says("vanished") && !window.says("second.json"));
}

#[test]
fn the_second_recording_closes_alone_or_with_the_first() {
    let mut window = compared();
    window.press("Close the second recording");
    assert!(!window.harness.state().shell.compares() && !window.says("second.json"));
    let extent = window.session().index.extent();
    assert_eq!((window.view().bounds().extent, window.view().axis.extent()), (extent, extent));
    let wake: flowline::session::Wake = Arc::new(|| {});
    window.shell().open_second_recording(second(&B), Alignment::Zero, &wake);
    window.settle();
    window.shell().open(second(&A), &wake);
    window.settle();
    assert!(!window.harness.state().shell.compares(), "opening another closes both");
    assert!(!window.says("Recording A"));
}

/// A file that was dropped.
#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        Err("the application reads it".into())
    }
}

#[test]
fn dropped_files_are_opened_or_compared() {
    let first = session(index(&A), Path::new("first.json"));
    let mut window = Window::showing(first, KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    let (x, y) = (PathBuf::from("/x.json"), PathBuf::from("/y.json"));
    for (files, shift, expected) in [
        (vec![&x], false, vec![AppRequest::OpenFile(x.clone())]),
        (vec![&x], true, vec![AppRequest::OpenSecondFile(x.clone())]),
        (vec![&x, &y], false, vec![AppRequest::OpenFile(x.clone()), AppRequest::OpenSecondFile(y.clone())]),
    ] {
        window.harness.state_mut().requests.clear();
        let modifiers = if shift { Modifiers::SHIFT } else { Modifiers::NONE };
        window.event(egui::Event::ModifiersChanged(modifiers));
        let dropped = files.into_iter().map(|path| Arc::new(Dropped(path.clone())) as egui::DroppedFileHandle);
        window.harness.input_mut().dropped_files.extend(dropped);
        window.harness.step();
        window.event(egui::Event::ModifiersChanged(Modifiers::NONE));
        window.settle();
        assert_eq!(window.harness.state().requests, expected);
    }
}

#[test]
fn the_dialog_opens_the_second_file() {
    let mut window = compared();
    window.chord(Modifiers { ctrl: true, command: true, shift: true, ..Modifiers::NONE }, Key::O);
    assert!(window.says("Compare with a recording"));
    window.key(Key::Escape);
    assert!(!window.says("Compare with a recording"));
    window.press("Analyze");
    let entry = window.node_with_prefix(Role::Button, "Compare with a recording…").rect.center();
    window.click_at(entry);
    assert!(window.says("Compare with a recording"));
}
