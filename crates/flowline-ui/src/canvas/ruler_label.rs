//! The cell left of the ruler: the visible range of the whole recording, with links back to larger ranges.

use egui::{Rect, RichText, Ui};

use crate::canvas::layout::CanvasLayout;
use flowline_profile::TimeRange;
use flowline_session::Session;
use flowline_view::Command;

/// Maximum number of links shown; with more, those in the middle are in a menu.
const MAX_SHOWN: usize = 2;
/// Distance in points between the cell's left edge and its text.
const INDENT: f32 = 12.0;

/// The duration of a range; if another range has the same duration to the shown digits, its start and end.
fn range_text(session: &Session, range: TimeRange, all: &[TimeRange]) -> String {
    let length = |range: TimeRange| session.view.clock().length(range.len());
    let own = length(range);
    if all.iter().all(|other| *other == range || length(*other) != own) {
        return own;
    }
    let time = |time| session.view.clock().position(time);
    format!("{} – {}", time(range.start), time(range.end))
}

/// "417.90 ms of 6.511 s"; a unit that is a word is written once: "120 of 13,961 samples".
fn part_of(part: &str, whole: &str) -> String {
    const LONGEST_SYMBOL: usize = 3;
    match part.rsplit_once(' ') {
        Some((number, unit)) if unit.len() > LONGEST_SYMBOL && whole.ends_with(unit) => format!("{number} of {whole}"),
        _ => format!("{part} of {whole}"),
    }
}

/// The range of the whole recording. Markers may be outside of it, and count only if they can be in view.
fn total(session: &Session) -> TimeRange {
    let (bounds, visible) = (session.view.bounds(), session.view.axis.visible());
    // The view ends with a whole pixel.
    #[expect(clippy::cast_possible_truncation, reason = "saturating on purpose")]
    let pixel = session.view.axis.ns_per_pixel().ceil() as i64;
    let is_within = bounds.whole.start.0.saturating_sub(pixel) <= visible.start.0
        && visible.end.0 <= bounds.whole.end.0.saturating_add(pixel);
    if is_within { bounds.whole } else { bounds.extent }
}

/// Shows the visible range in the cell, up to `right`; with committed ranges, each but the last as a link back to it.
pub(crate) fn show(ui: &mut Ui, session: &Session, layout: &CanvasLayout, right: f32) -> Option<Command> {
    let cell = layout.ruler_label;
    let place = Rect::from_min_max(cell.min + egui::vec2(INDENT, 0.0), egui::pos2(right, cell.max.y));
    if place.width() < 24.0 || place.height() < 1.0 || session.index.is_blank() {
        return None;
    }
    let direction = egui::Layout::left_to_right(egui::Align::Center);
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(place).layout(direction));
    child.shrink_clip_rect(place);
    child.spacing_mut().item_spacing = egui::vec2(3.0, 0.0);
    child.spacing_mut().button_padding = egui::Vec2::ZERO;
    let ranges = session.view.breadcrumbs.ranges();
    let extent = total(session);
    let outer: Vec<TimeRange> = std::iter::once(extent).chain(ranges.iter().copied()).collect();
    let shown = ranges.last().copied().unwrap_or(extent);
    let visible = session.view.axis.visible().within(shown);
    let all: Vec<TimeRange> = outer.iter().copied().chain([visible]).collect();
    let text = |range: TimeRange| range_text(session, range, &all);
    // Without `extend`, a label would break across lines.
    let label = |ui: &mut Ui, text: RichText| ui.add(egui::Label::new(text.small()).extend());
    if ranges.is_empty() {
        let clock = session.view.clock();
        let text = part_of(&clock.length(visible.len()), &clock.length(extent.len()));
        label(&mut child, RichText::new(text));
        return None;
    }
    let command = links(&mut child, &outer[..ranges.len()], &text);
    label(&mut child, RichText::new(text(shown)));
    if visible != shown {
        label(&mut child, RichText::new(format!("({} in view)", text(visible))).weak());
    }
    command
}

/// The links to larger ranges, from the whole recording on.
fn links(ui: &mut Ui, outer: &[TimeRange], text: &dyn Fn(TimeRange) -> String) -> Option<Command> {
    let link = |ui: &mut Ui, number: usize, range: TimeRange| {
        let label = if number == 0 { format!("Full range {}", text(range)) } else { text(range) };
        let button = egui::Button::new(RichText::new(label).small()).frame(false);
        let hint = if number == 0 { "Show the whole recording" } else { "Return to this range" };
        ui.add(button).on_hover_text(hint).clicked().then_some(Command::Breadcrumb(number))
    };
    let separator = |ui: &mut Ui| ui.add(egui::Label::new(RichText::new("›").small().weak()).extend());
    let mut command = None;
    // The first range and the last ones are shown; the others are in a menu.
    let in_menu = 1..outer.len().saturating_sub(MAX_SHOWN - 1).max(1);
    for (number, range) in outer.iter().enumerate() {
        if number == in_menu.start && !in_menu.is_empty() {
            let menu = egui::Button::new(RichText::new("…").small()).frame(false);
            let menu = egui::containers::menu::MenuButton::from_button(menu);
            let (response, _) = menu.ui(ui, |ui| {
                let chosen = in_menu.clone().find_map(|number| link(ui, number, outer[number]));
                // While the menu is open, a link outside it may have been clicked.
                command = command.take().or(chosen);
            });
            response.on_hover_text("More ranges");
            separator(ui);
        }
        if !in_menu.contains(&number) {
            command = link(ui, number, *range).or(command);
            separator(ui);
        }
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_written_once_and_symbols_with_each_number() {
        assert_eq!(part_of("120 samples", "13,961 samples"), "120 of 13,961 samples");
        assert_eq!(part_of("1 sample", "13,961 samples"), "1 sample of 13,961 samples");
        assert_eq!(part_of("417.90 ms", "6.511 s"), "417.90 ms of 6.511 s");
        assert_eq!(part_of("2.200 s", "2.200 s"), "2.200 s of 2.200 s");
    }
}
