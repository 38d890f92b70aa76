//! The toasts that are shown: a stack at the bottom of the chart, the latest at the bottom. Reports disappear by the
//! clock of the frames; failures and a change of the recording's file stay until the user closes them.

use std::time::Duration;

use egui::accesskit::Live;
use egui::{Area, Context, Id, Label, Order, Rect, Response, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::toast::{Toast, ToastAction, ToastKind};
use crate::widgets::icon::{self, Icon, focus_ring, paint_button};
use crate::widgets::style::{BODY, color};
use crate::widgets::{palette_of, surface};
use flowline_scene::Palette;

/// Duration of a report in seconds.
const SHOWN: f64 = 5.0;
/// Height of a toast, its maximum width, and the gap between two, in points.
const HEIGHT: f32 = 36.0;
const WIDTH: f32 = 480.0;
const GAP: f32 = 8.0;
/// Distance to the edges of the chart in points.
const MARGIN: f32 = 12.0;
/// Maximum number of failures; older ones are dropped.
const MAX_FAILURES: usize = 3;

/// The shown toasts, oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Toasts {
    shown: Vec<ShownToast>,
    next: u64,
}

#[derive(Clone, Debug)]
struct ShownToast {
    number: u64,
    toast: Toast,
    /// Time of the first frame that showed it, in seconds.
    since: Option<f64>,
}

/// The contents of a toast: its text, and the label of its button.
#[derive(Clone, Copy)]
pub(crate) struct ToastText<'a> {
    pub(crate) text: &'a str,
    pub(crate) button: Option<&'a str>,
    pub(crate) is_failure: bool,
}

/// The button of a toast that was pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pressed {
    Action,
    Close,
}

impl Toasts {
    /// Shows a toast. A report replaces the report before it, and a failure replaces an equal one.
    pub(crate) fn push(&mut self, toast: Toast) {
        let is_replaced =
            |shown: &Toast| shown.kind == toast.kind && (toast.kind == ToastKind::Report || shown.text == toast.text);
        self.shown.retain(|shown| !is_replaced(&shown.toast));
        self.shown.push(ShownToast { number: self.next, toast, since: None });
        self.next += 1;
        let failures = self.shown.len().saturating_sub(MAX_FAILURES + 1);
        self.shown.drain(..failures);
    }

    /// Shows several toasts.
    pub(crate) fn extend(&mut self, toasts: impl IntoIterator<Item = Toast>) {
        toasts.into_iter().for_each(|toast| self.push(toast));
    }

    /// Hides the reports.
    pub(crate) fn clear_reports(&mut self) {
        self.shown.retain(|shown| shown.toast.kind == ToastKind::Failure);
    }

    /// Closes the latest failure; returns false if there is none.
    pub(crate) fn close_failure(&mut self) -> bool {
        let last = self.shown.iter().rposition(|shown| shown.toast.kind == ToastKind::Failure);
        last.map(|last| self.shown.remove(last)).is_some()
    }

    /// Shows the toasts above the bottom of `chart`, except for the lowest `taken` places. Returns the effect of a
    /// button once.
    pub(crate) fn show(&mut self, context: &Context, chart: Rect, taken: usize) -> Option<ToastAction> {
        let now = context.input(|input| input.time);
        let mut action = None;
        let mut closed = Vec::new();
        for (place, shown) in self.shown.iter_mut().rev().enumerate() {
            let since = *shown.since.get_or_insert(now);
            let is_report = shown.toast.kind == ToastKind::Report;
            if is_report && now - since >= SHOWN {
                closed.push(shown.number);
                continue;
            }
            if is_report {
                context.request_repaint_after(Duration::from_secs_f64((since + SHOWN - now).max(0.01)));
            }
            let text = ToastText {
                text: &shown.toast.text,
                button: shown.toast.action.as_ref().map(|(label, _)| label.as_str()),
                is_failure: !is_report,
            };
            let Some(pressed) =
                show(context, Id::unique(("toast", shown.number)), text, place_of(chart, taken + place))
            else {
                continue;
            };
            closed.push(shown.number);
            if pressed == Pressed::Action {
                action = shown.toast.action.clone().map(|(_, action)| action);
            }
        }
        self.shown.retain(|shown| !closed.contains(&shown.number));
        action
    }
}

/// True for the duration of a report after the first frame that asked for this id.
pub(crate) fn is_in_time(context: &Context, id: Id) -> bool {
    let now = context.input(|input| input.time);
    let since = context.data_mut(|data| *data.get_temp_mut_or(id, now));
    let left = since + SHOWN - now;
    if left > 0.0 {
        context.request_repaint_after(Duration::from_secs_f64(left.max(0.01)));
    }
    left > 0.0
}

/// The place of a toast: the area between the edges of the chart, at the height of the toast.
pub(crate) fn place_of(chart: Rect, number: usize) -> Rect {
    #[expect(clippy::cast_precision_loss, reason = "a few toasts")]
    let bottom = chart.max.y - MARGIN - number as f32 * (HEIGHT + GAP);
    let (left, right) = (chart.min.x + MARGIN, (chart.max.x - MARGIN).max(chart.min.x + MARGIN));
    Rect::from_min_max(pos2(left, bottom - HEIGHT), pos2(right, bottom))
}

/// Shows a toast in the middle of a place; returns the button that was pressed.
pub(crate) fn show(context: &Context, id: Id, text: ToastText<'_>, place: Rect) -> Option<Pressed> {
    let palette = palette_of(context);
    let area = Area::new(id).order(Order::Foreground).constrain(false);
    let mut pressed = None;
    let room = place.width().min(WIDTH);
    let width = natural_width(context, text).min(room);
    let corner = pos2((place.center().x - width / 2.0).round(), place.min.y.round());
    area.fixed_pos(corner).show(context, |ui| {
        let frame = surface(context, palette.raised, 6);
        frame.show(ui, |ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::hover());
            pressed = contents(ui, text, rect, palette);
        });
    });
    pressed
}

/// Width of a toast without elision.
fn natural_width(context: &Context, text: ToastText<'_>) -> f32 {
    let font = egui::FontId::proportional(BODY);
    let width = |text: &str| {
        let text = text.to_owned();
        context.fonts_mut(|fonts| fonts.layout_no_wrap(text, font.clone(), egui::Color32::PLACEHOLDER).size().x)
    };
    let button = text.button.map_or(0.0, |label| width(label) + 2.0 * MARGIN);
    (MARGIN + width(text.text) + button + MARGIN + icon::BUTTON.x + 6.0).ceil() + 1.0
}

fn contents(ui: &mut Ui, text: ToastText<'_>, rect: Rect, palette: &Palette) -> Option<Pressed> {
    let mut pressed = None;
    let close = Rect::from_center_size(
        pos2(rect.max.x - 6.0 - icon::BUTTON.x / 2.0, rect.center().y),
        vec2(icon::BUTTON.x, icon::BUTTON.x),
    );
    let mut right = close.min.x - MARGIN / 2.0;
    if let Some(label) = text.button {
        let font = egui::FontId::proportional(BODY);
        let galley = ui.painter().layout_no_wrap(label.to_owned(), font, color(palette.link));
        let size = vec2(galley.size().x + MARGIN, icon::BUTTON.x);
        let place = Rect::from_min_size(pos2(right - size.x, rect.center().y - icon::BUTTON.x / 2.0), size);
        let response = button(ui, place, label);
        if response.hovered() {
            ui.painter().rect_filled(place, 4.0, color(palette.panel));
        }
        if response.has_focus() {
            focus_ring(ui, place);
        }
        ui.painter().galley(place.center() - galley.size() / 2.0, galley, color(palette.link));
        pressed = response.clicked().then_some(Pressed::Action);
        right = place.min.x - MARGIN / 2.0;
    }
    let mut left = rect.min.x + MARGIN;
    if text.is_failure {
        // The bar tells failures apart without their color.
        let bar = Rect::from_min_max(pos2(rect.min.x, rect.min.y + 6.0), pos2(rect.min.x + 3.0, rect.max.y - 6.0));
        ui.painter().rect_filled(bar, 1.0, color(palette.bad));
        left += 2.0;
    }
    let place = Rect::from_min_max(pos2(left, rect.min.y), pos2(right.max(left), rect.max.y));
    let mut child =
        ui.new_child(egui::UiBuilder::new().max_rect(place).layout(egui::Layout::left_to_right(egui::Align::Center)));
    let words = RichText::new(text.text).size(BODY).color(color(palette.text));
    let label = child.add(Label::new(words).truncate().selectable(false));
    // Screen readers read the text of a live region when it appears.
    ui.ctx().accesskit_node_builder(label.id, |node| node.set_live(Live::Polite));
    let response = button(ui, close, "Dismiss");
    paint_button(ui, &response, close, Icon::Close, false);
    pressed.or(response.clicked().then_some(Pressed::Close))
}

fn button(ui: &Ui, rect: Rect, name: &str) -> Response {
    let response = ui.interact(rect, ui.scope_id().with(name), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_replaces_a_report_and_failures_stay() {
        let mut toasts = Toasts::default();
        for number in 0..5 {
            toasts.push(Toast::failure(format!("failure {number}"), "why"));
            toasts.push(Toast::report(format!("report {number}")));
        }
        let texts: Vec<&str> = toasts.shown.iter().map(|shown| shown.toast.text.as_str()).collect();
        assert_eq!(texts, ["failure 2", "failure 3", "failure 4", "report 4"]);
        assert!(toasts.close_failure() && toasts.close_failure() && toasts.close_failure() && !toasts.close_failure());
        assert_eq!(toasts.shown.len(), 1);
    }

    #[test]
    fn toasts_are_stacked_within_the_chart() {
        let chart = Rect::from_min_max(pos2(100.0, 50.0), pos2(700.0, 450.0));
        let [lowest, next] = [0, 1].map(|number| place_of(chart, number));
        assert!(chart.contains_rect(lowest) && chart.contains_rect(next) && next.max.y < lowest.min.y);
    }
}
