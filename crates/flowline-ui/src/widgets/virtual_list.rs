//! A scrolling list of any length. Only rows on screen are laid out and drawn.
//! The position is stored in rows, not points, so it is exact at a hundred million rows (egui's own scroll areas use
//! 32-bit points, which are inexact beyond a million rows).

use egui::{Rect, Sense, Ui, pos2, vec2};

/// Width of the scroll bar in points.
pub(crate) const BAR: f32 = 10.0;
/// Minimum height of the scroll bar's handle in points.
const HANDLE: f32 = 24.0;

/// Scroll position of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ListScroll {
    /// First visible row; the fraction of it above the view is the decimal part.
    pub top: f64,
}

impl ListScroll {
    /// Scrolls just enough to show a row in a view of `height_rows` rows.
    pub(crate) fn reveal(&mut self, row: usize, height_rows: f64) {
        #[expect(clippy::cast_precision_loss, reason = "exact up to 2^53 rows")]
        let row = row as f64;
        if row < self.top {
            self.top = row;
        } else if row + 1.0 > self.top + height_rows {
            self.top = row + 1.0 - height_rows;
        }
    }

    /// Shows the rows that fit the remaining space; `row` draws one into its rectangle. Returns how many rows fit.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "rows")]
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        rows: usize,
        row_height: f32,
        mut row: impl FnMut(&mut Ui, usize, Rect),
    ) -> f64 {
        let area = ui.available_rect_before_wrap();
        let view = Rect::from_min_max(area.min, pos2(area.max.x - BAR, area.max.y));
        // In a list wider than the clip rectangle, the bar stays at the visible right edge.
        let right = area.max.x.min(ui.clip_rect().max.x);
        let fits = f64::from((view.height() / row_height).max(0.0));
        let last_top = (rows as f64 - fits).max(0.0);
        if ui.rect_contains_pointer(area) {
            let delta = ui.input(|input| input.smooth_scroll_delta.y);
            self.top -= f64::from(delta / row_height);
        }
        let bar = Rect::from_min_max(pos2(right - BAR, area.min.y), pos2(right, area.max.y));
        self.bar(ui, bar, rows as f64, fits, last_top);
        self.top = self.top.clamp(0.0, last_top);

        let mut clipped = ui.new_child(egui::UiBuilder::new().max_rect(view));
        clipped.shrink_clip_rect(Rect::from_min_max(view.min, pos2(bar.min.x, view.max.y)));
        let first = self.top.floor() as usize;
        let end = ((self.top + fits).ceil() as usize).min(rows);
        for number in first..end {
            let y = view.min.y + ((number as f64 - self.top) * f64::from(row_height)) as f32;
            row(&mut clipped, number, Rect::from_min_size(pos2(view.min.x, y), vec2(view.width(), row_height)));
        }
        ui.advance_cursor_after_rect(area);
        fits
    }

    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    fn bar(&mut self, ui: &mut Ui, track: Rect, rows: f64, fits: f64, last_top: f64) {
        if last_top <= 0.0 {
            return;
        }
        let handle = (track.height() * (fits / rows) as f32).max(HANDLE).min(track.height());
        let travel = track.height() - handle;
        let response = ui.interact(track, ui.scope_id().with("scroll bar"), Sense::click_and_drag());
        if let Some(pointer) = response.interact_pointer_pos().filter(|_| travel > 0.0) {
            let part = f64::from((pointer.y - track.min.y - handle / 2.0) / travel);
            self.top = part.clamp(0.0, 1.0) * last_top;
        }
        let y = track.min.y + travel * (self.top / last_top).clamp(0.0, 1.0) as f32;
        let rect = Rect::from_min_size(pos2(track.min.x + 2.0, y), vec2(BAR - 4.0, handle));
        let visuals = ui.style().interact(&response);
        ui.painter().rect_filled(rect, 3.0, visuals.fg_stroke.color.gamma_multiply(0.4));
    }
}
