//! Three lines below the name of an open main thread: its CPU or busy time, its long tasks, its forced layouts. They stand beside the
//! rows of its stack without labels.

use egui::{Rect, Role, Sense, TextStyle, Ui, WidgetInfo, pos2, vec2};

use crate::widgets::elide;
use crate::widgets::style::color;
use flowline_format::{format_count, format_duration_ns};
use flowline_index::Derived;
use flowline_insights::harm::HarmSums;
use flowline_profile::{GroupKind, ThreadId};
use flowline_scene::{Item, ItemKind, Palette, SceneInput, TrackLabel};

/// Height of a line in points, and its left edge.
const LINE: f32 = 18.0;
const LEFT: f32 = 42.0;
/// A narrower label column has no summary.
const LEAST_WIDTH: f32 = 220.0;
/// Names of the main threads of processes that show pages.
const MAIN_THREADS: [&str; 2] = ["CrRendererMain", "GeckoMain"];

/// Shows the summaries of the open main threads on screen; `labels` are those of the visible items.
pub(super) fn show(ui: &Ui, input: &SceneInput<'_>, labels: &[TrackLabel], area: Rect, palette: &Palette) {
    if area.width() < LEAST_WIDTH {
        return;
    }
    let items = input.visible_items();
    for (at, item) in items.iter().enumerate() {
        let ItemKind::Thread(heading) = item.kind else { continue };
        if !heading.expanded {
            continue;
        }
        let lines = lines(input, heading.thread);
        if lines.is_empty() {
            continue;
        }
        let is_above = |item: &Item| match item.kind {
            ItemKind::Samples(_) => true,
            // The label of the stack, if the thread has other rows, too.
            ItemKind::Row(row) => row.collapses == Some(GroupKind::Stack),
            _ => false,
        };
        let has_label = |(item, label): &(&Item, &TrackLabel)| is_above(item) && !label.spoken.is_empty();
        let below = items.iter().zip(labels).skip(at + 1).skip_while(has_label);
        let is_free = |(item, label): &(&Item, &TrackLabel)| item.kind.is_of_thread() && label.spoken.is_empty();
        let free: Vec<&Item> = below.take_while(is_free).map(|(item, _)| item).collect();
        let (Some(first), Some(last)) = (free.first(), free.last()) else { continue };
        let y = |item: &Item| (input.item_y(item) - input.regions.chart.y) / input.scale + area.min.y;
        let (top, bottom) = (y(first), y(last) + input.item_height(last) / input.scale);
        let mut place = Rect::from_min_size(pos2(area.min.x, top), vec2(area.width(), LINE));
        for (name, value) in lines {
            if place.max.y > bottom + 0.5 {
                break;
            }
            show_line(ui, heading.thread, place, (name, &value), palette);
            place = place.translate(vec2(0.0, LINE));
        }
    }
}

fn show_line(ui: &Ui, thread: ThreadId, place: Rect, (name, value): (&str, &str), palette: &Palette) {
    let response = ui.interact(place, ui.scope_id().with(("summary", thread, name)), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{name}, {value}")));
    let (font, tint) = (TextStyle::Small.resolve(ui.style()), color(palette.text2));
    let value = elide(ui, value, place.width() - LEFT - 12.0, font.clone(), tint);
    let right = place.max.x - 12.0 - value.size().x;
    let name = elide(ui, name, (right - 8.0 - place.min.x - LEFT).max(0.0), font, tint);
    let y = place.center().y - value.size().y / 2.0;
    ui.painter().galley(pos2(right, y), value, tint);
    ui.painter().galley(pos2(place.min.x + LEFT, y), name, tint);
}

/// Names and values of the lines of a main thread; none for other threads.
fn lines(input: &SceneInput<'_>, thread: ThreadId) -> Vec<(&'static str, String)> {
    let Some(sums) = HarmSums::if_built(input.index) else { return Vec::new() };
    let sum = sums.thread(thread);
    let name = input.index.profile().thread(thread).name.as_str();
    if !MAIN_THREADS.contains(&name) && sum.long + sum.forced == 0 {
        return Vec::new();
    }
    let time = input.times().and_then(|times| times.of_thread(thread));
    let counted = |count: u64, of: &str, time: i64| match count {
        0 => format_count(0),
        count => format!("{}, {of}{}", format_count(count), format_duration_ns(time)),
    };
    vec![
        (time.map_or("CPU time", |time| time.measure.label()), input.figure_text(time, false)),
        ("Long tasks", counted(sum.long, "blocking ", sum.blocking.0)),
        ("Forced layouts", counted(sum.forced, "", sum.forced_time.0)),
    ]
}
