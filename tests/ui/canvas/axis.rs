//! Elements along the chart's axis: scroll bars with marks, the overview, and the line with its time.

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, pos2};
use flowline::profile::notes::{Note, NoteKind};
use flowline::profile::{MarkerId, Ns, TimeRange};
use flowline::scene::{LinkInstance, PixelRect, RectInstance, Scene};
use flowline::view::{Command, FlowCommand, NoteCommand};

use crate::harness::window::Window;

const BAR: &str = "Scroll bar of the chart";

impl Window {
    /// Everything expanded, so that the contents exceed the window.
    fn expanded() -> Self {
        let mut window = Self::example();
        window.apply(Command::ExpandAll);
        window.wait("the rows", |window| window.session().list().missing.is_empty());
        window
    }

    fn scene_rects(&self) -> Vec<(PixelRect, RectInstance)> {
        let mut scene = Scene::default();
        let frame = scene.build(&self.session().scene_input());
        frame
            .batches_of::<RectInstance>()
            .flat_map(|(batch, rects)| rects.iter().map(|rect| (batch.clip, *rect)))
            .collect()
    }

    fn texts_of_scene(&self) -> Vec<String> {
        let mut scene = Scene::default();
        scene.build(&self.session().scene_input()).texts.iter().map(|run| run.text.to_string()).collect()
    }
}

#[test]
fn zooming_to_a_long_marker_never_zooms_out() {
    let mut window = Window::example();
    window.key(Key::Num0);
    let (whole, profile) = (window.view().axis.visible(), window.profile());
    let length = |marker: usize| {
        let (thread, local) = profile.locate(MarkerId::new(marker)).expect("a marker");
        profile.thread(thread).markers.range(local).len()
    };
    let longest = (0..profile.marker_count()).max_by_key(|marker| length(*marker)).expect("markers");
    assert!(length(longest) > whole.len() / 2, "it takes most of the recording");
    window.apply(Command::ZoomToMarker(MarkerId::new(longest)));
    window.settle();
    let shown = window.view().axis.visible();
    assert!(whole.start <= shown.start && shown.end <= whole.end + Ns(1), "{shown:?} of {whole:?}");
}

#[test]
fn a_click_on_the_overview_moves_the_window_and_stays_within() {
    let mut window = Window::example();
    window.key(Key::Num0);
    let whole = window.view().axis.visible();
    let overview = window.node_with_prefix(Role::Canvas, "Overview").rect;
    let at = |part: f32| pos2(overview.min.x + overview.width() * part, overview.center().y);
    window.click_at(at(0.2));
    assert_eq!(window.view().axis.visible(), whole, "everything is visible");
    let third = Ns(whole.len() / 3);
    window.apply(Command::Show(TimeRange::new(whole.start + third, whole.start + third + third)));
    for (part, start) in [(0.01, whole.start), (0.99, whole.end - third)] {
        window.click_at(at(part));
        let shown = window.view().axis.visible();
        assert!((shown.start - start).0.abs() <= third.0 / 50, "{shown:?} of {whole:?}");
    }
}

#[test]
fn the_scroll_bar_scrolls_by_click_by_drag_and_by_keys() {
    let mut window = Window::expanded();
    let bar = window.node_with_prefix(Role::ScrollBar, BAR).rect;
    let chart = window.chart();
    assert!((bar.min.x - chart.max.x).abs() < 1.0 && (bar.height() - chart.height()).abs() < 1.0, "beside the chart");
    let most = window.session().list().height() - f64::from(chart.height());
    assert!(most > 100.0, "there is something to scroll");
    let at = |part: f32| pos2(bar.center().x, bar.min.y + bar.height() * part);

    window.click_at(at(0.5));
    assert!((window.view().scroll / most - 0.5).abs() < 0.05, "a click scrolls there: {}", window.view().scroll / most);
    window.click_at(at(0.999));
    assert!((window.view().scroll - most).abs() < 1.0, "the lowest point scrolls to the end");
    // The thumb is at the end now.
    window.drag(at(0.99), at(0.0), Modifiers::NONE);
    assert!(window.view().scroll < 1.0, "{}", window.view().scroll);

    let id = window.node_with_prefix(Role::ScrollBar, BAR);
    assert!(!id.focused);
    for _ in 0..60 {
        if window.node_with_prefix(Role::ScrollBar, BAR).focused {
            break;
        }
        window.key(Key::Tab);
    }
    assert!(window.node_with_prefix(Role::ScrollBar, BAR).focused, "Tab focuses the scroll bar");
    let selected = window.view().selected;
    window.key(Key::ArrowDown);
    assert!(window.view().scroll > 1.0 && window.view().selected == selected, "arrow keys scroll");
    window.key(Key::ArrowUp);
    assert!(window.view().scroll < 1.0);
}

#[test]
fn the_scroll_bar_reports_hits_and_notes() {
    let mut window = Window::expanded();
    assert_eq!(window.node_with_prefix(Role::ScrollBar, BAR).text, BAR, "nothing is marked");
    let (marker, _) = window.marker_with_fields();
    window.apply(Command::Select(Some(marker)));
    window.key(Key::N);
    window.key(Key::Enter);
    assert_eq!(window.node_with_prefix(Role::ScrollBar, BAR).text, format!("{BAR}: 1 position with notes"));
    window.apply(Command::Search("runnable".into()));
    window.wait_for_search("runnable");
    let text = window.node_with_prefix(Role::ScrollBar, BAR).text;
    assert!(text.contains("rows with hits"), "{text}");
    let hits = window.session().hits().expect("a search").total();
    let rows: usize = text.trim_start_matches(BAR).trim_start_matches(": ").split(' ').next().unwrap().parse().unwrap();
    assert!(rows > 1 && rows < hits, "rows are counted, not the {hits} markers");
}

#[test]
fn the_overview_uses_the_axis_of_the_chart() {
    let mut window = Window::example();
    window.key(Key::Num0);
    let (overview, chart) = (window.get(Role::Canvas, "Overview of the whole recording").rect, window.chart());
    assert!((overview.min.x - chart.min.x).abs() < 0.5 && (overview.max.x - chart.max.x).abs() < 0.5);
    // The selection has the same x position in both.
    let (marker, _) = window.marker_with_fields();
    window.apply(Command::Select(Some(marker)));
    let session = window.session();
    let start = session.view.times_of(marker).expect("a marker").start;
    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    let x = session.canvas.regions.chart.x + session.view.axis.pixel(start) as f32;
    let region = session.canvas.regions.overview;
    let lines = window.scene_rects().into_iter().filter(|(clip, rect)| {
        *clip == region && rect.rect[2] <= 2.0 && rect.rect[3] == region.height && (rect.rect[0] - x).abs() <= 1.5
    });
    assert!(lines.count() > 0, "a line at {x}");
}

#[test]
fn shift_shows_a_line_with_its_time_through_all_parts() {
    let mut window = Window::example();
    let flow = flowline::profile::FlowId(0);
    window.apply(Command::Flow(FlowCommand::Enter(vec![flow])));
    let chart = window.chart();
    window.point_at(pos2(chart.min.x + 200.0, chart.center().y));
    assert!(!window.session().canvas.shows_ruler);
    window.event(Event::ModifiersChanged(Modifiers::SHIFT));
    window.settle();
    assert!(window.session().canvas.shows_ruler);
    let regions = window.session().canvas.regions;
    let time = window.session().scene_input().ruler_time().expect("a time");
    crate::harness::window::near(&window, time.0, window.time_at(chart.min.x + 200.0), 1.0);
    let rects = window.scene_rects();
    let accent = flowline::scene::Palette::for_theme(window.view().theme).accent;
    for region in [regions.chart, regions.ruler, regions.flows] {
        let is_line = |(clip, rect): &&(PixelRect, RectInstance)| {
            *clip == region && rect.fill == accent && rect.rect[2] <= 2.0 && rect.rect[3] == region.height
        };
        let line = rects.iter().find(is_line).expect("a line");
        assert!((line.1.rect[0] - regions.chart.x - 200.0).abs() <= 1.0, "{line:?}");
    }
    assert!(rects.iter().any(|(clip, rect)| *clip == regions.overview && rect.fill == accent && rect.rect[2] <= 2.0));
    // The ruler shows the time at the pointer and the length of a selected range.
    let visible = window.view().axis.visible();
    window.apply(Command::SelectRange(Some(visible)));
    let texts = window.texts_of_scene();
    let length = window.view().clock().length(visible.len());
    assert!(texts.contains(&length), "{length} in {texts:?}");
}

#[test]
fn ten_thousand_notes_exist_but_few_are_drawn() {
    let mut window = Window::example();
    window.key(Key::Num0);
    let extent = window.session().index.extent();
    let step = extent.len() / 10_000;
    let notes = (0..10_000).map(|number| Note {
        kind: NoteKind::Bookmark(extent.start + flowline::profile::Ns(step * number)),
        text: format!("note {number}"),
    });
    let notes: Vec<Note> = notes.collect();
    let links = |window: &Window| {
        let mut scene = Scene::default();
        scene.build(&window.session().scene_input()).batches_of::<LinkInstance>().count()
    };
    let before = links(&window);
    window.shell().session_mut().expect("open").set_notes(notes);
    window.settle();
    let placed = window.session().scene_input().placed_notes().to_vec();
    assert_eq!(placed.iter().map(|note| 1 + note.others).sum::<usize>(), 10_000);
    assert!(placed.len() < 500, "{}", placed.len());
    assert!(window.nodes().iter().any(|node| node.role == Role::Note && node.text.contains("more notes")));
    assert_eq!(links(&window), before, "bookmarks have no links");
    // The last note is selected instantly, and deleted.
    window.apply(Command::Note(NoteCommand::Delete(flowline::view::NoteId(9_999))));
    let input = window.session().scene_input();
    assert_eq!(input.placed_notes().iter().map(|note| 1 + note.others).sum::<usize>(), 9_999);
}
