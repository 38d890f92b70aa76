//! Column widths set by dragging the edges of headings.

use std::collections::BTreeMap;

use egui::{CursorIcon, Rangef, Rect, Role, Sense, Ui, WidgetInfo};

use super::columns::{GAP, NamedColumn};

/// Points on either side of an edge that respond to the pointer.
const REACH: f32 = 4.0;
/// Minimum and maximum column width in points.
const LIMITS: (f32, f32) = (24.0, 4000.0);

/// Custom column widths of a table in points, by heading. Other columns have their default width.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Widths(BTreeMap<String, f32>);

impl Widths {
    /// Sets the width of a column in points, clamped to the limits. Ignores NaN and infinity.
    pub fn set(&mut self, title: &str, width: f32) {
        if width.is_finite() {
            self.0.insert(title.to_owned(), width.clamp(LIMITS.0, LIMITS.1));
        }
    }

    /// The custom widths, by heading.
    pub fn chosen(&self) -> impl Iterator<Item = (&str, f32)> {
        self.0.iter().map(|(title, width)| (title.as_str(), *width))
    }

    /// Resets all columns to their default widths.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The columns with the custom widths applied.
    pub(crate) fn apply<'a>(&self, columns: &[NamedColumn<'a>]) -> Vec<NamedColumn<'a>> {
        let chosen = |column: &NamedColumn<'a>| self.0.get(column.title).map_or(*column, |width| column.fixed(*width));
        columns.iter().map(chosen).collect()
    }
}

/// Adds draggable edges to headings. Dragging an edge sets the width of the column before it; a double click resets it.
/// The drag fixes the columns to its left, so that the edge stays under the pointer.
pub(super) fn edges(ui: &Ui, headings: Rect, columns: &[NamedColumn<'_>], spans: &[Rangef], widths: &mut Widths) {
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
    use super::super::TableColumn;
    use super::*;

    #[test]
    fn custom_widths_stay_and_other_columns_share_the_rest() {
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
        assert_eq!(spans_of(&widths), [LIMITS.0, 50.0], "space remains at the right");
        widths.set("B", f32::NAN);
        assert_eq!(widths.chosen().collect::<Vec<_>>(), [("A", LIMITS.0), ("B", 50.0)]);
        widths.clear();
        assert_eq!(spans_of(&widths), [300.0, 300.0]);
    }
}
