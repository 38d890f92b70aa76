//! Boxes and the measuring tool in the image: their rectangles cover whole pixels, at the rows and times they
//! represent.

use egui::{Event, vec2};
use flowline::profile::{Ns, TimeRange};
use flowline::scene::{ItemKind, Layer, PixelRect, RectInstance, line_width};
use flowline::ui::KeyMap;
use flowline::view::{Command, Measure, RowSelection};

use crate::harness::window::example;
use crate::support::frames::FrameWindow;

fn rects(window: &FrameWindow, layer: Layer) -> Vec<RectInstance> {
    let scene = window.scene();
    let batches = scene.batches_of::<RectInstance>().filter(|(batch, _)| batch.layer == layer);
    batches.flat_map(|(_, rects)| rects.to_vec()).collect()
}

fn part(range: TimeRange, from: i64, to: i64) -> TimeRange {
    TimeRange { start: range.start + Ns(range.len() / 100 * from), end: range.start + Ns(range.len() / 100 * to) }
}

#[test]
fn a_box_owns_its_edges() {
    for scale in [1.0, 1.5, 2.0] {
        let mut window = FrameWindow::new(example(), KeyMap::Flowline, vec2(1300.0, 900.0), scale);
        window.settle();
        let visible = window.session().view.axis.visible();
        let range = part(visible, 30, 61);
        let (rows, items) = {
            let input = window.session().scene_input();
            let rows: Vec<_> =
                input.visible_items().iter().filter(|item| matches!(item.kind, ItemKind::Row(_))).copied().collect();
            let items = [rows[1], rows[2], rows[5]];
            let mut choice = RowSelection::default();
            items.iter().for_each(|item| choice.add(&input.rows_of(&item.kind)));
            (choice, items)
        };
        window.session_mut().apply(Command::SelectBox(Some(range), rows));
        window.frame(0.02, Vec::<Event>::new());
        let accent = window.palette().accent;
        let shown = rects(&window, Layer::Ranges);
        let line = line_width(scale);
        let session = window.session();
        let input = session.scene_input();
        #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
        let edge = |time: Ns| input.regions.chart.x + (session.view.axis.pixel(time) + 0.5).floor() as f32;
        let (left, right) = (edge(range.start), edge(range.end));
        let boxes = [(items[0], items[1]), (items[2], items[2])].map(|(first, last)| {
            let (top, bottom) = (input.item_y(&first), input.item_y(&last) + input.item_height(&last));
            PixelRect::new(left, top, right - left, bottom - top)
        });
        for rect in boxes {
            let has = |side: PixelRect| {
                let wanted = RectInstance::filled(side, accent);
                assert!(shown.contains(&wanted), "{side:?} among {shown:?}");
            };
            has(PixelRect { width: line, ..rect });
            has(PixelRect { x: rect.right() - line, width: line, ..rect });
            has(PixelRect { height: line, ..rect });
            has(PixelRect { y: rect.bottom() - line, height: line, ..rect });
        }
        let chart = input.regions.chart;
        let tall = shown.iter().filter(|rect| rect.rect[3] == chart.height && rect.rect[2] > 2.0 * line).count();
        assert_eq!(tall, 0, "nothing else is tinted");
        assert!(shown.iter().all(|rect| rect.rect.iter().all(|number| number.fract() == 0.0)), "{shown:?}");
    }
}

#[test]
fn measuring_edges_and_distance_are_drawn_on_top() {
    let mut window = FrameWindow::new(example(), KeyMap::Flowline, vec2(1300.0, 900.0), 1.0);
    window.settle();
    let visible = window.session().view.axis.visible();
    assert!(rects(&window, Layer::Measure).is_empty());
    for (from, to) in [(20, 70), (50, 51), (-30, 40), (70, 130), (99, 100), (-60, -20)] {
        let range = part(visible, from, to);
        window.session_mut().apply(Command::Measure(Some(Measure { a: range.end, b: Some(range.start) })));
        window.frame(0.02, Vec::<Event>::new());
        let shown = rects(&window, Layer::Measure);
        let input = window.session().scene_input();
        let chart = input.regions.chart;
        let lines: Vec<f32> =
            shown.iter().filter(|rect| rect.rect[3] == chart.height).map(|rect| rect.rect[0]).collect();
        assert_eq!(lines.len(), 2);
        for (x, time) in lines.into_iter().zip([range.end, range.start]) {
            #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
            let wanted = chart.x + (window.session().view.axis.pixel(time) + 0.5).floor() as f32;
            let is_away = wanted < chart.x - 900.0 || wanted > chart.right() + 900.0;
            assert!(x == wanted || is_away, "{x} {wanted}");
        }
        let length = flowline::format::format_duration_ns(range.len());
        let label = window.scene().texts.iter().find(|text| *text.text == *length).expect("the distance");
        assert!(label.x >= chart.x && label.x < chart.right(), "{label:?}");
    }
}
