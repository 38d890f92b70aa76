//! A thin bar that shows the progress of a task.

use egui::{Rect, Role, Sense, Ui, WidgetInfo, vec2};

use crate::widgets::palette_of;
use crate::widgets::style::color;

/// Height of the bar, and of the line that contains it, in points.
const BAR: f32 = 4.0;
const LINE: f32 = 8.0;

/// Adds a bar that is as wide as its place. `part` is the part that is done, 0 to 1; `None` if it is unknown.
pub(crate) fn progress_bar(ui: &mut Ui, part: Option<f32>) {
    let (line, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
    let palette = palette_of(ui.ctx());
    let track = Rect::from_center_size(line.center(), vec2(line.width(), BAR));
    ui.painter().rect_filled(track, BAR / 2.0, color(palette.line));
    let part = part.map(|part| part.clamp(0.0, 1.0));
    if let Some(part) = part.filter(|part| *part > 0.0) {
        let done = Rect::from_min_size(track.min, vec2((track.width() * part).max(BAR), BAR));
        ui.painter().rect_filled(done, BAR / 2.0, color(palette.accent));
    }
    response.widget_info(|| {
        let mut info = WidgetInfo::new(Role::ProgressIndicator);
        info.value = part.map(|part| f64::from(part * 100.0).floor());
        info
    });
}
