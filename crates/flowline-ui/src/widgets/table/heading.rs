//! A heading that sorts its column. Tab reaches it, Enter and Space press it.

use egui::{Rect, Response, Role, Sense, TextStyle, Ui, Vec2, WidgetInfo, pos2};

use super::columns::ColumnKind;
use crate::widgets::elide;
use crate::widgets::icon::{Icon, focus_ring};

/// Side of the arrow in points. It is right of the text, in the gap between columns, so that the text stays aligned.
const ARROW: f32 = 12.0;

/// Shows the heading in the whole `ui`. Its text may name a unit, its accessible name does not. `order` is true for
/// descending, and `None` if the table is sorted otherwise.
pub(super) fn show(ui: &mut Ui, (title, name): (&str, &str), kind: ColumnKind, order: Option<bool>) -> Response {
    let cell = ui.max_rect();
    let font = TextStyle::Small.resolve(ui.style());
    let visuals = ui.visuals();
    let strong = visuals.override_text_color.unwrap_or_else(|| visuals.text_color());
    let tint = if order.is_some() { strong } else { visuals.weak_text_color() };
    let galley = elide(ui, title, cell.width(), font, tint);
    let left = match kind {
        ColumnKind::Text | ColumnKind::Picture => cell.min.x,
        ColumnKind::Numbers | ColumnKind::Shares | ColumnKind::Lengths | ColumnKind::Times => {
            cell.max.x - galley.size().x
        }
    };
    let text = Rect::from_min_size(pos2(left, cell.min.y), Vec2::new(galley.size().x, cell.height()));
    let response = ui.interact(text.expand2(Vec2::new(2.0, 0.0)), ui.scope_id().with(name), Sense::click());
    let tint = if response.hovered() { strong } else { tint };
    let place = pos2(left, cell.center().y - galley.size().y / 2.0);
    ui.painter().galley_with_override_text_color(place, galley, tint);
    let words = match order {
        Some(true) => ", sorted descending",
        Some(false) => ", sorted ascending",
        None => "",
    };
    if let Some(descending) = order {
        let icon = if descending { Icon::ChevronDown } else { Icon::ChevronUp };
        let arrow = Rect::from_center_size(pos2(text.max.x + 2.0 + ARROW / 2.0, cell.center().y), Vec2::splat(ARROW));
        icon.paint(ui.painter(), arrow, tint);
    }
    if response.has_focus() {
        focus_ring(ui, text.shrink2(Vec2::new(0.0, 3.0)));
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{name}{words}")));
    response.on_hover_text("Sort by this column")
}
