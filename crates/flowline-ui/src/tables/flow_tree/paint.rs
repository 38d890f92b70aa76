//! Draws the tree's rows: a triangle, a bar in the flow's color or a dot in the marker's color, the name, the columns.

use egui::accesskit::Action;
use egui::{Color32, Id, Rangef, Rect, Role, TextStyle, Ui, pos2, vec2};

use super::columns::FlowTreeColumn;
use super::outline::{Node, TreeItem};
use super::rows::{RowFormatter, RowText};
use crate::widgets::arrow;
use crate::widgets::style::color;
use crate::widgets::table::{self, ColumnKind, TableColumn};
use flowline_scene::{Palette, with_alpha};

/// Indentation per level and its maximum, in points.
const INDENT: f32 = 15.0;
const MAX_INDENT: f32 = 150.0;

/// User action on a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeAction {
    Click,
    DoubleClick,
    /// Expand or collapse it.
    Toggle,
}

/// Draws a row and announces it to screen readers; returns the user's action.
pub(super) fn row(
    ui: &Ui,
    formatter: RowFormatter<'_>,
    (node, columns): (&Node, &[TableColumn]),
    (id, rect, is_cursor): (Id, Rect, bool),
    palette: &Palette,
) -> Option<NodeAction> {
    let flow = if let TreeItem::Flow(flow) = node.item { Some(flow) } else { None };
    if flow.is_some_and(|flow| formatter.view.entered.contains(&flow)) {
        ui.painter().rect_filled(rect, 0.0, color(with_alpha(palette.accent, 34)));
    }
    let response = table::row(ui, id, rect, is_cursor, palette);
    let places = (node.path.last().copied().unwrap_or(0), node.siblings);
    table::announce_row(ui, &response, Role::TreeItem, is_cursor, places, || formatter.sentence(node));
    announce_level(ui, id, node);
    let text = formatter.row(node);
    let spans = table::spans(columns, rect.x_range());
    for ((cell, column), span) in text.cells.iter().zip(FlowTreeColumn::ALL).zip(&spans).skip(1) {
        let faint = matches!(column, FlowTreeColumn::Contents | FlowTreeColumn::Thread | FlowTreeColumn::Process);
        let tint = table::tint(palette, faint, is_cursor);
        table::cell(ui, rect, *span, FlowTreeColumn::LAYOUT[column as usize].kind, &cell.shown(), tint);
    }
    #[expect(clippy::cast_precision_loss, reason = "a level")]
    let left = spans[0].min + ((node.path.len() - 1) as f32 * INDENT).min(MAX_INDENT);
    let triangle = Rect::from_center_size(pos2(left + 5.0, rect.center().y), vec2(INDENT, rect.height()));
    if node.children > 0 {
        arrow(ui.painter(), triangle.center(), node.expanded, color(palette.text2));
    }
    name(ui, formatter, node, &text, is_cursor, (rect, Rangef::new(left + 15.0, spans[0].max)), palette);

    let asks = |action| ui.input(|input| input.has_accesskit_action_request(id, action));
    let on_triangle = response.interact_pointer_pos().is_some_and(|pointer| triangle.contains(pointer));
    if asks(Action::Expand) || asks(Action::Collapse) || (response.clicked() && on_triangle && node.children > 0) {
        Some(NodeAction::Toggle)
    } else if response.double_clicked() {
        Some(NodeAction::DoubleClick)
    } else {
        response.clicked().then_some(NodeAction::Click)
    }
}

/// Announces a row's level and expanded state to screen readers.
fn announce_level(ui: &Ui, id: Id, node: &Node) {
    ui.ctx().accesskit_node_builder(id, |accessible| {
        accessible.set_level(node.path.len());
        if node.children > 0 {
            accessible.set_expanded(node.expanded);
            accessible.add_action(if node.expanded { Action::Collapse } else { Action::Expand });
        }
    });
}

/// Draws the first column: the color, the name and, for flows, field and id.
fn name(
    ui: &Ui,
    formatter: RowFormatter<'_>,
    node: &Node,
    text: &RowText,
    is_cursor: bool,
    (rect, span): (Rect, Rangef),
    palette: &Palette,
) {
    let fill = color(palette.fill(text.color));
    let place = pos2(span.min + 2.0, rect.center().y);
    let span = Rangef::new(span.min + 9.0, span.max);
    let label = text.cells[0].shown();
    let TreeItem::Flow(flow) = node.item else {
        ui.painter().circle_filled(place, 2.5, fill);
        table::cell(ui, rect, span, ColumnKind::Text, &label, palette.text);
        return;
    };
    ui.painter().rect_filled(Rect::from_center_size(place, vec2(3.0, 12.0)), 1.5, fill);
    let label = if formatter.view.is_pinned(flow) { format!("★ {label}") } else { label.into_owned() };
    // If both do not fit, the id gets the width that the label leaves, but at least a third.
    let font = TextStyle::Body.resolve(ui.style());
    let width = |text: &str| crate::widgets::elide(ui, text, span.span(), font.clone(), Color32::WHITE).size().x;
    let divide = (span.min + width(&label)).min((span.max - width(&text.id) - 10.0).max(span.min + span.span() * 0.67));
    table::cell(ui, rect, Rangef::new(span.min, divide + 1.0), ColumnKind::Text, &label, palette.text);
    table::cell(
        ui,
        rect,
        Rangef::new(divide + 10.0, span.max),
        ColumnKind::Text,
        &text.id,
        table::tint(palette, true, is_cursor),
    );
}
