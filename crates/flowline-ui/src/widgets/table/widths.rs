//! Widths of columns that the user chose by dragging the edges of headings.

use std::collections::BTreeMap;

use egui::{CursorIcon, Rangef, Rect, Role, Sense, Ui, WidgetInfo};

use super::columns::{GAP, TableColumn};

/// Points on either side of an edge that receive the pointer.
const REACH: f32 = 4.0;
/// The narrowest and the widest column in points.
const LIMITS: (f32, f32) = (24.0, 4000.0);

/// The chosen widths of a table's columns in points, by heading. Other columns have their usual width.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Widths(BTreeMap<String, f32>);

impl Widths {
    /// Sets the width of a column in points. What is no width is left out.
    pub fn set(&mut self, title: &str, width: f32) {
        if width.is_finite() {
            self.0.insert(title.to_owned(), width.clamp(LIMITS.0, LIMITS.1));
        }
    }

    /// The widths that were chosen.
    pub fn chosen(&self) -> impl Iterator<Item = (&str, f32)> {
        self.0.iter().map(|(title, width)| (title.as_str(), *width))
    }

    /// Gives all columns their usual widths.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The columns with the chosen widths.
    pub(crate) fn apply(&self, columns: &[TableColumn]) -> Vec<TableColumn> {
        let chosen = |column: &TableColumn| self.0.get(column.title).map_or(*column, |width| column.fixed(*width));
        columns.iter().map(chosen).collect()
    }
}

/// Adds the edges of headings. A dragged one sets the width of the column before it; a double click makes that usual again.
/// The columns left of it keep their places meanwhile, so that the edge stays under the pointer.
pub(super) fn edges(ui: &Ui, headings: Rect, columns: &[TableColumn], spans: &[Rangef], widths: &mut Widths) {
    for (number, (column, span)) in columns.iter().zip(spans).enumerate() {
        let x = span.max + GAP / 2.0;
        let rect = Rect::from_x_y_ranges(x - REACH..=x + REACH, headings.y_range()).intersect(headings);
        if !rect.is_positive() {
            continue;
        }
        let id = ui.scope_id().with(("edge", number));
        let response = ui.interact(rect, id, Sense::CLICK | Sense::DRAG);
        response.widget_info(|| WidgetInfo::labeled(Role::Splitter, true, format!("Width of {}", column.title)));
        if response.hovered() || response.dragged() {
            ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
            ui.painter().vline(x, headings.y_range(), ui.visuals().widgets.hovered.fg_stroke);
        }
        if response.double_clicked() {
            widths.0.remove(column.title);
        }
        if response.drag_started() {
            columns[..number].iter().zip(spans).for_each(|(before, span)| widths.set(before.title, span.span()));
            ui.data_mut(|data| data.insert_temp(id, span.span()));
        }
        let pulled = ui.input(|input| Some(response.interact_pointer_pos()?.x - input.pointer.press_origin()?.x));
        if let (true, Some(pulled)) = (response.dragged() || response.drag_started(), pulled) {
            let from = ui.data(|data| data.get_temp::<f32>(id)).unwrap_or(span.span());
            widths.set(column.title, from + pulled);
            ui.ctx().request_repaint();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_widths_hold_and_the_others_share_the_rest() {
        let columns = [TableColumn::text("A", 100.0, 1.0), TableColumn::text("B", 100.0, 1.0)];
        let mut widths = Widths::default();
        let spans_of = |widths: &Widths| -> Vec<f32> {
            let spans = super::super::spans(&widths.apply(&columns), Rangef::new(0.0, 632.0));
            spans.iter().map(|span| span.span()).collect()
        };
        assert_eq!(spans_of(&widths), [300.0, 300.0]);
        widths.set("B", 50.0);
        assert_eq!(spans_of(&widths), [550.0, 50.0]);
        widths.set("A", 1.0);
        assert_eq!(spans_of(&widths), [LIMITS.0, 50.0], "room is left at the right");
        widths.set("B", f32::NAN);
        assert_eq!(widths.chosen().collect::<Vec<_>>(), [("A", LIMITS.0), ("B", 50.0)]);
        widths.clear();
        assert_eq!(spans_of(&widths), [300.0, 300.0]);
    }
}
