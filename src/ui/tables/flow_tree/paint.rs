//! Rows of the tree as drawn: a triangle, a bar of the flow's colour or a dot of the marker's, names, columns.

use egui::accesskit::Action;
use egui::{Color32, Id, Rangef, Rect, Role, TextStyle, Ui, pos2, vec2};

use super::Column;
use super::outline::{Item, Node};
use super::rows::{RowText, Teller};
use crate::scene::{Palette, with_alpha};
use crate::ui::widgets::arrow;
use crate::ui::widgets::style::color;
use crate::ui::widgets::table::{self, Holds};

/// Points by which a level is indented, and the most of all levels.
const INDENT: f32 = 15.0;
const MOST_INDENT: f32 = 150.0;

/// What is done to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Click,
    DoubleClick,
    /// Expand or collapse it.
    Toggle,
}

/// Draws a row and tells of it; returns what is done to it.
pub(super) fn row(
    ui: &Ui,
    teller: Teller<'_>,
    node: &Node,
    (id, rect, is_cursor): (Id, Rect, bool),
    palette: &Palette,
) -> Option<Act> {
    let flow = if let Item::Flow(flow) = node.item { Some(flow) } else { None };
    if flow.is_some_and(|flow| teller.view.entered.contains(&flow)) {
        ui.painter().rect_filled(rect, 0.0, color(with_alpha(palette.accent, 34)));
    }
    let response = table::row(ui, id, rect, is_cursor, palette);
    let places = (node.path.last().copied().unwrap_or(0), node.siblings);
    table::tell_row(ui, &response, Role::TreeItem, is_cursor, places, || teller.sentence(node));
    tell_level(ui, id, node);
    let text = teller.row(node);
    let spans = table::spans(&Column::SHAPES, rect.x_range());
    for ((cell, column), span) in text.cells.iter().zip(Column::ALL).zip(&spans).skip(1) {
        let faint = matches!(column, Column::Contents | Column::Thread | Column::Process);
        let tint = table::tint(palette, faint, is_cursor);
        table::cell(ui, rect, *span, Column::SHAPES[column as usize].holds, &cell.shown(), tint);
    }
    #[expect(clippy::cast_precision_loss, reason = "a level")]
    let left = spans[0].min + ((node.path.len() - 1) as f32 * INDENT).min(MOST_INDENT);
    let triangle = Rect::from_center_size(pos2(left + 5.0, rect.center().y), vec2(INDENT, rect.height()));
    if node.children > 0 {
        arrow(ui.painter(), triangle.center(), node.expanded, color(palette.faint_text));
    }
    name(ui, teller, node, &text, is_cursor, (rect, Rangef::new(left + 15.0, spans[0].max)), palette);

    let asks = |action| ui.input(|input| input.has_accesskit_action_request(id, action));
    let on_triangle = response.interact_pointer_pos().is_some_and(|pointer| triangle.contains(pointer));
    if asks(Action::Expand) || asks(Action::Collapse) || (response.clicked() && on_triangle && node.children > 0) {
        Some(Act::Toggle)
    } else if response.double_clicked() {
        Some(Act::DoubleClick)
    } else {
        response.clicked().then_some(Act::Click)
    }
}

/// Tells screen readers how deep in the tree a row stands, and whether it is expanded.
fn tell_level(ui: &Ui, id: Id, node: &Node) {
    ui.ctx().accesskit_node_builder(id, |told| {
        told.set_level(node.path.len());
        if node.children > 0 {
            told.set_expanded(node.expanded);
            told.add_action(if node.expanded { Action::Collapse } else { Action::Expand });
        }
    });
}

/// The first column: a sign of the colour, the name, and of flows what names them.
fn name(
    ui: &Ui,
    teller: Teller<'_>,
    node: &Node,
    text: &RowText,
    is_cursor: bool,
    (rect, span): (Rect, Rangef),
    palette: &Palette,
) {
    let fill = color(palette.fills[usize::from(text.color) % palette.fills.len()]);
    let place = pos2(span.min + 2.0, rect.center().y);
    let span = Rangef::new(span.min + 9.0, span.max);
    let label = text.cells[0].shown();
    let Item::Flow(flow) = node.item else {
        ui.painter().circle_filled(place, 2.5, fill);
        table::cell(ui, rect, span, Holds::Text, &label, palette.text);
        return;
    };
    ui.painter().rect_filled(Rect::from_center_size(place, vec2(3.0, 12.0)), 1.5, fill);
    let label = if teller.view.is_pinned(flow) { format!("★ {label}") } else { label.into_owned() };
    // Where there is no room for both, the id gets what the label leaves it, but not less than a third.
    let font = TextStyle::Body.resolve(ui.style());
    let width = |text: &str| crate::ui::widgets::elide(ui, text, span.span(), font.clone(), Color32::WHITE).size().x;
    let divide = (span.min + width(&label)).min((span.max - width(&text.id) - 10.0).max(span.min + span.span() * 0.67));
    table::cell(ui, rect, Rangef::new(span.min, divide + 1.0), Holds::Text, &label, palette.text);
    table::cell(
        ui,
        rect,
        Rangef::new(divide + 10.0, span.max),
        Holds::Text,
        &text.id,
        table::tint(palette, true, is_cursor),
    );
}
