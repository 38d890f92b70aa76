//! The distribution of the group under the cursor: a histogram of its lengths, a scatter plot of lengths over time, and
//! examples.
//!
//! The dots of the scatter plot are cells of a grid. A cell is filled if and only if a marker starts in its column and
//! its length is in the row. The drawing cost depends only on the grid size, and every marker is visible.

use egui::{Align, Color32, Label, Layout, Mesh, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::distribution_panel::{Dragged, GRID, PlotData, extent};
use super::state::StatisticsTable;
use crate::widgets::style::{BODY, CAPTION, color};
use crate::widgets::{Segment, segmented};
use flowline_format::{format_count, format_counted, format_duration_ns};
use flowline_index::statistics::Bin;
use flowline_scene::{Palette, with_alpha};
use flowline_session::{Session, time_text};
use flowline_view::Command;

/// Height of the plots in points.
const HEIGHT: f32 = 64.0;

/// Shows the distribution of the group under the cursor; returns the user's commands.
pub(super) fn show(ui: &mut Ui, session: &Session, state: &mut StatisticsTable, palette: &Palette) -> Vec<Command> {
    let mut commands = Vec::new();
    let Some(key) = state.cursor.clone().filter(|_| state.current().is_some()) else { return commands };
    let Some(answer) = &state.answer else { return commands };
    let title = state.current().map(|at| answer.names[at].join(", ")).unwrap_or_default();
    let asked = (answer.question.clone(), key, state.distributed.is_linear);
    let distributed = &mut state.distributed;
    distributed.follow(session, &asked);
    // Names such as those of C++ templates can be longer than the drawer is wide.
    ui.horizontal(|ui| {
        ui.add_space(4.0);
        let instants = distributed.shown.as_ref().map_or(0, |(_, shown)| shown.distribution.instants);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if instants > 0 {
                let text = format!("{} with no duration", format_counted(instants, "instant"));
                ui.label(RichText::new(text).small().weak());
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(RichText::new(title).size(BODY)).truncate());
            });
        });
    });
    // Beside the groups, there may be too little room for one line.
    ui.horizontal_wrapped(|ui| {
        ui.add_space(4.0);
        let scale = ["Scale of the length axis"; 2];
        distributed.is_linear = switch(ui, ["Log", "Linear"], scale, distributed.is_linear, palette);
        let bars = ["Bar height is the number of markers", "Bar height is total time"];
        distributed.by_time = switch(ui, ["By count", "By time"], bars, distributed.by_time, palette);
        if let Some((_, shown)) = &distributed.shown {
            commands.extend(example_buttons(ui, session, shown));
        }
    });
    let Some((_, shown)) = &distributed.shown else {
        ui.allocate_space(vec2(ui.available_width(), HEIGHT));
        return commands;
    };
    if shown.distribution.bins.is_empty() {
        return commands;
    }
    ui.horizontal(|ui| {
        ui.add_space(4.0);
        let width = ((ui.available_width() - 20.0) / 2.0).max(120.0);
        let narrowed = histogram(ui, shown, &mut distributed.drag, distributed.by_time, width, palette);
        commands.extend(narrowed.map(|[from, to]| narrow(session, from, to)));
        dots(ui, session, shown, width, palette);
    });
    ui.add_space(4.0);
    commands
}

/// Two alternatives side by side; returns true if the second one is chosen.
fn switch(ui: &mut Ui, texts: [&str; 2], hints: [&str; 2], is_second: bool, palette: &Palette) -> bool {
    let segment = |number: usize| Segment {
        text: texts[number],
        hint: hints[number].to_owned(),
        is_chosen: is_second == (number == 1),
        is_enabled: true,
    };
    segmented(ui, &[segment(0), segment(1)], palette).map_or(is_second, |number| number == 1)
}

fn example_buttons(ui: &mut Ui, session: &Session, shown: &PlotData) -> Option<Command> {
    let examples = shown.examples?;
    let all =
        [("Shortest", examples.shortest), ("p50", examples.p50), ("p99", examples.p99), ("Longest", examples.longest)];
    let mut wanted = None;
    for (text, marker) in all {
        let length = extent(session.index.profile(), marker).map_or(0, |(_, length)| length);
        let hint = format!("Show a marker of this length: {}", duration(length));
        if ui.button(text).on_hover_text(hint).clicked() {
            wanted = Some(Command::Reveal(marker));
        }
    }
    wanted
}

fn duration(length: u64) -> String {
    format_duration_ns(i64::try_from(length).unwrap_or(i64::MAX))
}

/// Draws the histogram; returns the length range of a finished drag.
fn histogram(
    ui: &mut Ui,
    shown: &PlotData,
    drag: &mut Option<Dragged>,
    by_time: bool,
    width: f32,
    palette: &Palette,
) -> Option<[u64; 2]> {
    let bins = &shown.distribution.bins;
    let (rect, response) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::click_and_drag());
    response.widget_info(|| {
        let most = bins.iter().max_by_key(|bin| bin.count);
        let text = most
            .map_or_else(String::new, |bin| format!(", most between {} and {}", duration(bin.from), duration(bin.to)));
        WidgetInfo::labeled(Role::Image, true, format!("Histogram of lengths, {} bins{text}", bins.len()))
    });
    ui.painter().rect_filled(rect, 2.0, color(palette.stripe));
    #[expect(clippy::cast_precision_loss, reason = "a height")]
    let size = |bin: &Bin| if by_time { bin.time as f64 } else { bin.count as f64 };
    let highest = bins.iter().map(size).fold(0.0, f64::max);
    if bins.is_empty() || highest <= 0.0 {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "few bins")]
    let step = rect.width() / bins.len() as f32;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a bin")]
    let bin_at = |x: f32| (((x - rect.min.x) / step).max(0.0) as usize).min(bins.len() - 1);
    let pointer = response.interact_pointer_pos().or(response.hover_pos());
    let lengths_at = |x: f32| {
        let bin = &bins[bin_at(x)];
        [bin.from, bin.to]
    };
    if response.drag_started() {
        *drag = pointer.map(|pointer| [lengths_at(pointer.x); 2]);
    }
    if let (Some(drag), Some(pointer)) = (drag.as_mut().filter(|_| response.dragged()), pointer) {
        drag[1] = lengths_at(pointer.x);
    }
    let between = |[one, other]: Dragged| [one[0].min(other[0]), one[1].max(other[1])];
    let chosen = drag.map(between);
    let mut mesh = Mesh::default();
    for (at, bin) in bins.iter().enumerate().filter(|(_, bin)| bin.count > 0) {
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "points")]
        let (left, height) = (rect.min.x + step * at as f32, ((size(bin) / highest) as f32 * (HEIGHT - 4.0)).max(1.0));
        let is_selected_row = chosen.is_none_or(|[from, to]| from <= bin.from && bin.to <= to);
        let tint = color(if is_selected_row { palette.accent } else { palette.text2 });
        let bar = Rect::from_min_max(pos2(left, rect.max.y - height), pos2(left + (step - 0.5).max(0.5), rect.max.y));
        mesh.add_colored_rect(bar, tint);
    }
    ui.painter().add(mesh);
    ends(ui, rect, &duration(bins[0].from), &duration(bins[bins.len() - 1].to), palette);
    let done = response.drag_stopped().then(|| drag.take()).flatten();
    if let Some(pointer) = pointer.filter(|pointer| rect.contains(*pointer)) {
        let bin = &bins[bin_at(pointer.x)];
        let time = i64::try_from(bin.time).unwrap_or(i64::MAX);
        let text = format!(
            "{} to {}\n{} markers, {}\nDrag to search by length",
            duration(bin.from),
            duration(bin.to),
            format_count(bin.count),
            format_duration_ns(time)
        );
        response.on_hover_text_at_pointer(text);
    }
    done.map(between)
}

/// Draws the labels of the left and the right end of a plot.
fn ends(ui: &Ui, rect: Rect, left: &str, right: &str, palette: &Palette) {
    let font = egui::FontId::proportional(CAPTION);
    let tint = color(palette.text2);
    for (text, is_left) in [(left, true), (right, false)] {
        let galley = ui.painter().layout_no_wrap(text.to_owned(), font.clone(), tint);
        let x = if is_left { rect.min.x + 3.0 } else { rect.max.x - 3.0 - galley.size().x };
        let place = Rect::from_min_size(pos2(x, rect.min.y + 1.0), galley.size());
        // A background keeps the label readable over the plot.
        ui.painter().rect_filled(place.expand2(vec2(2.0, 0.0)), 2.0, color(with_alpha(palette.panel, 215)));
        ui.painter().galley(place.min, galley, tint);
    }
}

/// Draws the scatter plot of lengths over time.
fn dots(ui: &mut Ui, session: &Session, shown: &PlotData, width: f32, palette: &Palette) {
    let (rect, response) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::hover());
    let [least, most] = shown.lengths;
    let span = shown.span;
    let zero = session.view.clock().origin;
    let text = format!(
        "Lengths over time, from {} to {}; {} to {}",
        time_text(span.start - zero),
        time_text(span.end - zero),
        duration(least),
        duration(most)
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &text));
    response.on_hover_text(&text);
    ui.painter().rect_filled(rect, 2.0, color(palette.stripe));
    let tint: Color32 = color(palette.accent);
    let mut mesh = Mesh::default();
    #[expect(clippy::cast_precision_loss, reason = "few cells")]
    let cell = vec2(rect.width() / GRID[0] as f32, rect.height() / GRID[1] as f32);
    for (row, line) in shown.dots.chunks(GRID[0]).enumerate() {
        for column in (0..GRID[0]).filter(|column| line[*column]) {
            #[expect(clippy::cast_precision_loss, reason = "few cells")]
            let corner = rect.min + vec2(cell.x * column as f32, cell.y * row as f32);
            mesh.add_colored_rect(Rect::from_min_size(corner, vec2(cell.x.max(1.0), cell.y.max(1.0))), tint);
        }
    }
    ui.painter().add(mesh);
    ends(ui, rect, &time_text(span.start - zero), &time_text(span.end - zero), palette);
}

/// Command that adds a range of lengths to the current search.
fn narrow(session: &Session, from: u64, to: u64) -> Command {
    let kept = session.view.search.split_whitespace().filter(|term| !term.starts_with("dur:"));
    let term = format!("dur:{from}ns..{to}ns");
    Command::Search(kept.chain([term.as_str()]).collect::<Vec<_>>().join(" "))
}
