//! The sections of the details. Each keeps its open state for all recordings.

use egui::{Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use serde::{Deserialize, Serialize};

use super::metrics::{PAD, TEXT};
use super::text;
use crate::widgets::icon::{Icon, focus_ring};
use crate::widgets::style::{BODY, SMALL, color};
use flowline_scene::Palette;

/// Height of a heading in points.
const HEADING: f32 = 32.0;
/// Space below the contents in points.
const BELOW: f32 = 6.0;

/// A section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Timing,
    Flow,
    Arguments,
    Stack,
    Context,
}

impl Section {
    const fn title(self) -> &'static str {
        match self {
            Self::Timing => "Timing",
            Self::Flow => "Flow",
            Self::Arguments => "Arguments",
            Self::Stack => "Stack",
            Self::Context => "Context",
        }
    }
}

/// The collapsed sections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CollapsedSections {
    /// Times, and time by kind.
    #[serde(skip_serializing_if = "is_off")]
    pub timing: bool,
    /// Flows.
    #[serde(skip_serializing_if = "is_off")]
    pub flow: bool,
    /// The payload.
    #[serde(skip_serializing_if = "is_off")]
    pub arguments: bool,
    /// The stack.
    #[serde(skip_serializing_if = "is_off")]
    pub stack: bool,
    /// Parents, children and causes.
    #[serde(skip_serializing_if = "is_off")]
    pub context: bool,
}

const fn is_off(flag: &bool) -> bool {
    !*flag
}

impl CollapsedSections {
    const fn flag(&mut self, section: Section) -> &mut bool {
        match section {
            Section::Timing => &mut self.timing,
            Section::Flow => &mut self.flow,
            Section::Arguments => &mut self.arguments,
            Section::Stack => &mut self.stack,
            Section::Context => &mut self.context,
        }
    }
}

/// Shows a section with a text at the right of its heading. `contents` are laid out only while it is open.
pub(super) fn show(
    ui: &mut Ui,
    (section, right): (Section, &str),
    collapsed: &mut CollapsedSections,
    palette: &Palette,
    contents: impl FnOnce(&mut Ui),
) {
    show_with(ui, (section, right, None), collapsed, palette, contents);
}

/// Like [`show`], with a button at the right of the heading; returns true if it was pressed.
pub(super) fn show_with(
    ui: &mut Ui,
    (section, right, button): (Section, &str, Option<(&str, &str)>),
    collapsed: &mut CollapsedSections,
    palette: &Palette,
    contents: impl FnOnce(&mut Ui),
) -> bool {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEADING), Sense::hover());
    ui.painter().hline(rect.x_range(), rect.min.y + 0.5, (1.0, color(palette.line)));
    let row = Rect::from_min_max(pos2(rect.min.x, rect.min.y + 1.0), pos2(rect.max.x, rect.max.y - 1.0));
    let id = ui.scope_id().with(("section", section as u8));
    let mut right_edge = row.max.x - PAD;
    let mut pressed = false;
    if let Some((text, hint)) = button {
        let galley = crate::widgets::elide(ui, text, 120.0, egui::FontId::proportional(SMALL), color(palette.text2));
        let area = Rect::from_min_max(pos2(right_edge - galley.size().x, row.min.y), pos2(right_edge, row.max.y));
        right_edge = area.min.x - 8.0;
        let response = ui.interact(area, id.with("button"), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, text));
        let lit = response.hovered() || response.has_focus();
        let tint = color(if lit { palette.text } else { palette.text2 });
        ui.painter().galley_with_override_text_color(
            pos2(area.min.x, row.center().y - galley.size().y / 2.0),
            galley,
            tint,
        );
        if response.has_focus() {
            focus_ring(ui, area.shrink2(vec2(0.0, 6.0)));
        }
        pressed = response.clicked();
        response.on_hover_text(hint);
    }
    let flag = collapsed.flag(section);
    let head = Rect::from_min_max(row.min, pos2(right_edge, row.max.y));
    let response = ui.interact(head, id, Sense::click());
    let state = if *flag { "collapsed" } else { "expanded" };
    response.widget_info(|| {
        let parts = [section.title(), right, state].into_iter().filter(|part| !part.is_empty());
        WidgetInfo::labeled(Role::DisclosureTriangle, true, parts.collect::<Vec<_>>().join(", "))
    });
    if response.clicked() {
        *flag = !*flag;
        ui.ctx().request_repaint();
    }
    let icon = Rect::from_center_size(pos2(row.min.x + 14.0, row.center().y), vec2(16.0, 16.0));
    let chevron = if *flag { Icon::ChevronRight } else { Icon::ChevronDown };
    chevron.paint(ui.painter(), icon, color(if response.hovered() { palette.text } else { palette.text2 }));
    let title = Rect::from_min_max(pos2(row.min.x + TEXT, row.min.y), pos2(right_edge, row.max.y));
    let width = text::draw(ui, title, section.title(), BODY, color(palette.text));
    let rest = Rect::from_min_max(pos2(title.min.x + width + 8.0, row.min.y), pos2(right_edge, row.max.y));
    text::draw_right(ui, rest, right, SMALL, color(palette.text2));
    if response.has_focus() {
        focus_ring(ui, head.shrink2(vec2(4.0, 4.0)));
    }
    if !*flag {
        contents(ui);
        ui.add_space(BELOW);
    }
    pressed
}
