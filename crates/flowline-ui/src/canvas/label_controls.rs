//! Buttons that replace the value of a thread or process while the pointer is over its label or the label is focused: pin, and
//! hide. A query track has a button that runs or stops its query at all times. The label's own menu has all other commands.

use egui::{Align2, CornerRadius, Painter, Rect, Role, Sense, Shape, Stroke, StrokeKind, TextStyle, Ui};
use egui::{WidgetInfo, pos2, vec2};

use crate::widgets::style::color;
use flowline_scene::{Item, ItemKind, Palette, SceneInput};
use flowline_view::{Command, QUERY_TRACKS, QueryTrackCommand};

/// Width of a button in points.
const WIDTH: f32 = 22.0;
/// Width of a button with a word in points.
const WORD_WIDTH: f32 = 44.0;

/// A button.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LabelControl {
    icon: Icon,
    /// Text for screen readers and the tooltip.
    name: &'static str,
    command: Command,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Icon {
    Pin { is_pinned: bool },
    Hide,
    Word(&'static str),
}

impl Icon {
    const fn width(self) -> f32 {
        if matches!(self, Self::Word(_)) { WORD_WIDTH } else { WIDTH }
    }
}

/// Width of the buttons that are shown although the pointer is elsewhere; the texts of the label are beside them.
pub(super) fn staying_width(controls: &[LabelControl]) -> f32 {
    let icons = controls.iter().map(|control| control.icon);
    icons.filter(|icon| matches!(icon, Icon::Word(_))).map(Icon::width).sum()
}

/// The button of a query track whose rows are not there.
fn of_query(input: &SceneInput<'_>, track: u32) -> Option<LabelControl> {
    let tracks = input.index.query_tracks();
    let state = tracks.get(&track)?;
    let (word, name, command) = if state.is_running() {
        ("Stop", "Stop query", QueryTrackCommand::Stop(track))
    } else if state.can_run() {
        ("Run", "Run query", QueryTrackCommand::Run(track))
    } else {
        return None;
    };
    Some(LabelControl { icon: Icon::Word(word), name, command: Command::QueryTrack(command) })
}

/// The buttons of an item from the left.
pub(super) fn of(input: &SceneInput<'_>, item: &Item) -> Vec<LabelControl> {
    match item.kind {
        ItemKind::Thread(heading) => {
            let is_pinned = input.view.tracks.order.pinned.contains(&heading.thread);
            let pin = if is_pinned { "Unpin thread" } else { "Pin thread to the top" };
            vec![
                LabelControl {
                    icon: Icon::Pin { is_pinned },
                    name: pin,
                    command: Command::TogglePinnedThread(heading.thread),
                },
                LabelControl { icon: Icon::Hide, name: "Hide thread", command: Command::HideThread(heading.thread) },
            ]
        }
        ItemKind::Process(heading) => {
            let (name, command) = ("Hide process", Command::HideProcess(heading.process));
            vec![LabelControl { icon: Icon::Hide, name, command }]
        }
        ItemKind::Track(heading) if heading.track.kind == QUERY_TRACKS => {
            of_query(input, heading.track.number).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Shows buttons at the right end of a label; returns the command of the pressed one.
pub(super) fn show(ui: &Ui, label: Rect, controls: &[LabelControl], palette: &Palette) -> Option<Command> {
    let mut pressed = None;
    let mut right = label.max.x - 2.0;
    for control in controls.iter().rev() {
        let rect = Rect::from_min_max(pos2(right - control.icon.width(), label.min.y), pos2(right, label.max.y));
        right -= control.icon.width();
        let id = ui.scope_id().with(("label control", control.name));
        let response = ui.interact(rect, id, Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, control.name));
        let tint = color(if response.hovered() || response.has_focus() { palette.text } else { palette.text2 });
        draw(ui, rect, control.icon, Stroke::new(1.4, tint));
        if response.on_hover_text(control.name).clicked() {
            pressed = Some(control.command.clone());
        }
    }
    pressed
}

/// Draws a word on a small button.
fn draw_word(ui: &Ui, rect: Rect, word: &str, stroke: Stroke) {
    let frame = rect.shrink2(vec2(2.0, 2.0));
    let outline = Stroke::new(1.0, ui.visuals().widgets.inactive.fg_stroke.color.gamma_multiply(0.5));
    ui.painter().rect(frame, CornerRadius::same(3), ui.visuals().faint_bg_color, outline, StrokeKind::Inside);
    let font = TextStyle::Small.resolve(ui.style());
    ui.painter().text(frame.center(), Align2::CENTER_CENTER, word, font, stroke.color);
}

fn draw(ui: &Ui, rect: Rect, icon: Icon, stroke: Stroke) {
    let painter: &Painter = ui.painter();
    let center = rect.center();
    match icon {
        Icon::Word(word) => draw_word(ui, rect, word, stroke),
        Icon::Pin { is_pinned } => {
            let at = |x: f32, y: f32| center + vec2(x, y);
            let head = vec![at(-2.5, -5.0), at(2.5, -5.0), at(2.5, -0.5), at(4.0, 1.5), at(-4.0, 1.5), at(-2.5, -0.5)];
            painter.add(if is_pinned {
                Shape::convex_polygon(head, stroke.color, stroke)
            } else {
                Shape::closed_line(head, stroke)
            });
            painter.line_segment([at(0.0, 1.5), at(0.0, 6.0)], stroke);
        }
        Icon::Hide => {
            let arc = |side: f32| {
                let point = |step: u8| {
                    let along = f32::from(step) / 8.0;
                    center + vec2(-6.0 + 12.0 * along, side * 4.0 * (std::f32::consts::PI * along).sin())
                };
                (0..=8).map(point).collect::<Vec<_>>()
            };
            painter.add(Shape::line(arc(1.0), stroke));
            painter.add(Shape::line(arc(-1.0), stroke));
            painter.circle_stroke(center, 1.7, stroke);
        }
    }
}
