//! Buttons that replace the value of a thread or process while the pointer is over its label or the label is focused: pin, and
//! hide. The label's own menu has all other commands.

use egui::{Painter, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::widgets::style::color;
use flowline_scene::{Item, ItemKind, Palette, SceneInput};
use flowline_view::Command;

/// Width of a button in points.
const WIDTH: f32 = 22.0;

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
        _ => Vec::new(),
    }
}

/// Shows buttons at the right end of a label; returns the command of the pressed one.
pub(super) fn show(ui: &Ui, label: Rect, controls: &[LabelControl], palette: &Palette) -> Option<Command> {
    let mut pressed = None;
    let mut right = label.max.x - 2.0;
    for control in controls.iter().rev() {
        let rect = Rect::from_min_max(pos2(right - WIDTH, label.min.y), pos2(right, label.max.y));
        right -= WIDTH;
        let id = ui.scope_id().with(("label control", control.name));
        let response = ui.interact(rect, id, Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, control.name));
        let tint = color(if response.hovered() || response.has_focus() { palette.text } else { palette.text2 });
        draw(ui.painter(), rect, control.icon, Stroke::new(1.4, tint));
        if response.on_hover_text(control.name).clicked() {
            pressed = Some(control.command.clone());
        }
    }
    pressed
}

fn draw(painter: &Painter, rect: Rect, icon: Icon, stroke: Stroke) {
    let center = rect.center();
    match icon {
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
