//! Icons as strokes on a grid of 16x16 points: the fonts lack most of the symbols, and strokes take any color and scale.

use std::f32::consts::TAU;

use egui::{
    Button, Color32, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use super::style::color;
use super::surface::palette_of;

/// Side of the grid in points.
pub(super) const GRID: f32 = 16.0;
/// Width of most strokes, and of small shapes, on the grid.
const STROKE: f32 = 1.5;
const THIN: f32 = 1.4;
/// Size of an icon button in points.
pub(crate) const BUTTON: Vec2 = Vec2::splat(24.0);

/// A symbol of a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Icon {
    ChevronDown,
    ChevronUp,
    ChevronLeft,
    ChevronRight,
    Search,
    Close,
    Pin,
    Star,
    /// A star that is set.
    StarFilled,
    ZoomTo,
    CriticalPath,
    Copy,
    Columns,
    Export,
    Eye,
    /// An eye that is struck through.
    EyeOff,
    Dots,
    PanelRight,
    PanelBottom,
    Sliders,
    Help,
    Warning,
    File,
    Folder,
    Play,
    Check,
}

impl Icon {
    /// All icons.
    #[cfg(test)]
    const ALL: [Self; 26] = [
        Self::ChevronDown,
        Self::ChevronUp,
        Self::ChevronLeft,
        Self::ChevronRight,
        Self::Search,
        Self::Close,
        Self::Pin,
        Self::Star,
        Self::StarFilled,
        Self::ZoomTo,
        Self::CriticalPath,
        Self::Copy,
        Self::Columns,
        Self::Export,
        Self::Eye,
        Self::EyeOff,
        Self::Dots,
        Self::PanelRight,
        Self::PanelBottom,
        Self::Sliders,
        Self::Help,
        Self::Warning,
        Self::File,
        Self::Folder,
        Self::Play,
        Self::Check,
    ];

    /// Draws the icon in the center of `rect`, scaled down if `rect` is smaller than the grid.
    pub(crate) fn paint(self, painter: &Painter, rect: Rect, color: Color32) {
        painter.extend(self.shapes(rect, color));
    }

    fn shapes(self, rect: Rect, color: Color32) -> Vec<Shape> {
        let scale = (rect.size().min_elem() / GRID).min(1.0);
        let corner = rect.center() - Vec2::splat(GRID / 2.0 * scale);
        let mut pen = Pen { corner, scale, color, shapes: Vec::new() };
        self.draw(&mut pen);
        pen.shapes
    }

    fn draw(self, pen: &mut Pen) {
        match self {
            Self::ChevronDown => pen.line(&[[4.0, 6.0], [8.0, 10.0], [12.0, 6.0]]),
            Self::ChevronUp => pen.line(&[[4.0, 10.0], [8.0, 6.0], [12.0, 10.0]]),
            Self::ChevronLeft => pen.line(&[[10.0, 4.0], [6.0, 8.0], [10.0, 12.0]]),
            Self::ChevronRight => pen.line(&[[6.0, 4.0], [10.0, 8.0], [6.0, 12.0]]),
            Self::Close => {
                pen.line(&[[4.0, 4.0], [12.0, 12.0]]);
                pen.line(&[[12.0, 4.0], [4.0, 12.0]]);
            }
            Self::Check => pen.line(&[[3.5, 8.5], [6.5, 11.5], [12.5, 4.5]]),
            Self::Dots => [3.5, 8.0, 12.5].into_iter().for_each(|x| pen.dot([x, 8.0], 1.3)),
            Self::Play => pen.filled(&[[5.0, 3.5], [12.5, 8.0], [5.0, 12.5]]),
            Self::Star => pen.closed(&star()),
            Self::StarFilled => pen.star(),
            Self::Eye | Self::EyeOff => pen.eye(self == Self::EyeOff),
            Self::Search | Self::ZoomTo | Self::CriticalPath => self.draw_finding(pen),
            Self::Copy | Self::Columns | Self::Export | Self::PanelRight | Self::PanelBottom | Self::Sliders => {
                self.draw_frame(pen);
            }
            Self::Pin | Self::Help | Self::Warning | Self::File | Self::Folder => self.draw_thing(pen),
        }
    }

    fn draw_finding(self, pen: &mut Pen) {
        match self {
            Self::Search => {
                pen.circle([7.0, 7.0], 4.5);
                pen.line(&[[10.3, 10.3], [13.5, 13.5]]);
            }
            Self::ZoomTo => {
                for [x, y] in [[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]] {
                    pen.line(&[
                        [8.0 - 5.5 * x, 8.0 - 2.0 * y],
                        [8.0 - 5.5 * x, 8.0 - 5.5 * y],
                        [8.0 - 2.0 * x, 8.0 - 5.5 * y],
                    ]);
                }
            }
            _ => {
                pen.dot([3.0, 12.0], 2.0);
                pen.dot([13.0, 4.0], 2.0);
                pen.curve([5.0, 12.0], [11.0, 12.0], [5.0, 4.0], [11.0, 4.0]);
            }
        }
    }

    fn draw_frame(self, pen: &mut Pen) {
        match self {
            Self::Copy => {
                pen.frame([5.5, 5.5], [13.5, 13.5]);
                pen.line(&[[10.5, 2.7], [2.8, 2.7], [2.8, 10.4]]);
            }
            Self::Columns => {
                pen.frame([2.5, 3.0], [13.5, 13.0]);
                pen.line(&[[6.2, 3.0], [6.2, 13.0]]);
                pen.line(&[[9.8, 3.0], [9.8, 13.0]]);
            }
            Self::Export => {
                pen.line(&[[8.0, 10.0], [8.0, 2.5]]);
                pen.line(&[[5.0, 5.3], [8.0, 2.5], [11.0, 5.3]]);
                pen.line(&[[2.8, 9.5], [2.8, 13.2], [13.2, 13.2], [13.2, 9.5]]);
            }
            Self::PanelRight => {
                pen.frame([2.0, 3.0], [14.0, 13.0]);
                pen.line(&[[10.0, 3.0], [10.0, 13.0]]);
            }
            Self::PanelBottom => {
                pen.frame([2.0, 3.0], [14.0, 13.0]);
                pen.line(&[[2.0, 9.0], [14.0, 9.0]]);
            }
            _ => {
                for (y, knob) in [(5.0, 10.5), (11.0, 5.5)] {
                    pen.line(&[[2.5, y], [knob - 2.0, y]]);
                    pen.circle([knob, y], 1.9);
                    pen.line(&[[knob + 2.0, y], [13.5, y]]);
                }
            }
        }
    }

    fn draw_thing(self, pen: &mut Pen) {
        match self {
            Self::Pin => {
                pen.closed(&[[5.0, 2.5], [11.0, 2.5], [10.0, 7.0], [12.5, 9.5], [3.5, 9.5], [6.0, 7.0]]);
                pen.line(&[[8.0, 9.5], [8.0, 14.0]]);
            }
            Self::Help => {
                pen.circle([8.0, 8.0], 6.0);
                pen.curve([6.0, 6.6], [6.0, 4.2], [10.0, 4.2], [9.9, 6.7]);
                pen.curve([9.9, 6.7], [9.8, 7.9], [8.0, 7.9], [8.0, 9.3]);
                pen.dot([8.0, 11.5], 0.9);
            }
            Self::Warning => {
                pen.closed(&[[8.0, 2.3], [14.2, 13.1], [1.8, 13.1]]);
                pen.line(&[[8.0, 6.4], [8.0, 9.4]]);
                pen.dot([8.0, 11.4], 0.8);
            }
            Self::File => {
                pen.closed(&[[3.5, 2.0], [9.5, 2.0], [12.5, 5.0], [12.5, 14.0], [3.5, 14.0]]);
                pen.line(&[[9.0, 2.2], [9.0, 5.5], [12.3, 5.5]]);
            }
            _ => {
                pen.closed(&[[2.0, 3.5], [6.3, 3.5], [8.0, 5.5], [14.0, 5.5], [14.0, 13.0], [2.0, 13.0]]);
            }
        }
    }
}

/// Collects the shapes of an icon; its positions are on the grid.
struct Pen {
    corner: Pos2,
    scale: f32,
    color: Color32,
    shapes: Vec<Shape>,
}

impl Pen {
    fn place(&self, [x, y]: [f32; 2]) -> Pos2 {
        self.corner + vec2(x, y) * self.scale
    }

    fn places(&self, points: &[[f32; 2]]) -> Vec<Pos2> {
        points.iter().map(|point| self.place(*point)).collect()
    }

    fn stroke(&self, width: f32) -> Stroke {
        Stroke::new(width * self.scale, self.color)
    }

    /// A polyline with round ends.
    fn line(&mut self, points: &[[f32; 2]]) {
        let stroke = self.stroke(STROKE);
        for end in [points.first(), points.last()].into_iter().flatten() {
            self.dot(*end, STROKE / 2.0);
        }
        self.shapes.push(Shape::line(self.places(points), stroke));
    }

    fn closed(&mut self, points: &[[f32; 2]]) {
        self.shapes.push(Shape::closed_line(self.places(points), self.stroke(THIN)));
    }

    /// A convex area.
    fn filled(&mut self, points: &[[f32; 2]]) {
        self.shapes.push(Shape::convex_polygon(self.places(points), self.color, Stroke::NONE));
    }

    fn frame(&mut self, [left, top]: [f32; 2], [right, bottom]: [f32; 2]) {
        let rect = Rect::from_min_max(self.place([left, top]), self.place([right, bottom]));
        self.shapes.push(Shape::rect_stroke(rect, 1.5 * self.scale, self.stroke(THIN), egui::StrokeKind::Middle));
    }

    fn circle(&mut self, center: [f32; 2], radius: f32) {
        self.shapes.push(Shape::circle_stroke(self.place(center), radius * self.scale, self.stroke(THIN)));
    }

    fn dot(&mut self, center: [f32; 2], radius: f32) {
        self.shapes.push(Shape::circle_filled(self.place(center), radius * self.scale, self.color));
    }

    fn curve(&mut self, from: [f32; 2], first: [f32; 2], second: [f32; 2], to: [f32; 2]) {
        let points = [from, first, second, to].map(|point| self.place(point));
        let stroke = self.stroke(THIN);
        let curve = egui::epaint::CubicBezierShape::from_points_stroke(points, false, Color32::TRANSPARENT, stroke);
        self.shapes.push(curve.into());
    }

    /// A filled star. It is not convex, so it consists of triangles around its center.
    fn star(&mut self) {
        let points = star();
        for (number, point) in points.iter().enumerate() {
            self.filled(&[[8.0, 8.0], *point, points[(number + 1) % points.len()]]);
        }
    }

    fn eye(&mut self, is_struck: bool) {
        self.curve([1.8, 8.0], [5.0, 3.0], [11.0, 3.0], [14.2, 8.0]);
        self.curve([1.8, 8.0], [5.0, 13.0], [11.0, 13.0], [14.2, 8.0]);
        self.circle([8.0, 8.0], 2.1);
        if is_struck {
            self.line(&[[3.0, 13.0], [13.0, 3.0]]);
        }
    }
}

/// The corners of a star.
fn star() -> [[f32; 2]; 10] {
    let radii = [6.0, 2.5];
    let mut corner = 0.0_f32;
    [0_usize; 10].map(|_| {
        let angle = corner / 10.0 * TAU - TAU / 4.0;
        let radius = radii[usize::from(corner % 2.0 > 0.5)];
        corner += 1.0;
        [8.0 + radius * angle.cos(), 8.3 + radius * angle.sin()]
    })
}

/// Adds a button with an icon and no text. `name` is its accessible name; `hint` is its tooltip, with its key.
pub(crate) fn icon_button(ui: &mut Ui, icon: Icon, name: &str, hint: &str) -> Response {
    icon_toggle(ui, icon, name, hint, None)
}

/// Like [`icon_button`], for a switch; `on` is its state.
pub(crate) fn icon_toggle(ui: &mut Ui, icon: Icon, name: &str, hint: &str, on: Option<bool>) -> Response {
    let (rect, response) = ui.allocate_exact_size(BUTTON, Sense::click());
    paint_button(ui, &response, rect, icon, on == Some(true));
    response.widget_info(|| match on {
        Some(on) => WidgetInfo::selected(Role::Button, ui.is_enabled(), on, name),
        None => WidgetInfo::labeled(Role::Button, ui.is_enabled(), name),
    });
    response.on_hover_text(hint)
}

/// Draws an icon button that the caller has laid out itself.
pub(crate) fn paint_button(ui: &Ui, response: &Response, rect: Rect, icon: Icon, is_on: bool) {
    if !ui.is_rect_visible(rect) {
        return;
    }
    let visuals = ui.style().interact_selectable(response, is_on);
    if is_on || response.hovered() || response.is_pointer_button_down_on() {
        ui.painter().rect(
            rect,
            visuals.corner_radius,
            visuals.weak_bg_fill,
            visuals.bg_stroke,
            egui::StrokeKind::Inside,
        );
    }
    if response.has_focus() {
        focus_ring(ui, rect);
    }
    icon.paint(ui.painter(), rect, icon_color(ui, response, is_on));
}

fn icon_color(ui: &Ui, response: &Response, is_on: bool) -> Color32 {
    if is_on || response.hovered() || response.has_focus() {
        ui.style().interact_selectable(response, is_on).fg_stroke.color
    } else {
        ui.visuals().widgets.inactive.fg_stroke.color
    }
}

/// Draws the ring around a control with the keyboard focus.
pub(crate) fn focus_ring(ui: &Ui, rect: Rect) {
    let stroke = Stroke::new(2.0, color(palette_of(ui.ctx()).accent));
    ui.painter().rect_stroke(rect, 4.0, stroke, egui::StrokeKind::Outside);
}

/// A button with an icon before its text. The icon takes the place of blanks, so that the button's size fits both.
pub(crate) fn labeled_icon_button(ui: &mut Ui, icon: Icon, text: &str) -> Response {
    let left = GRID + 4.0;
    let padding = ui.spacing().button_padding;
    let font = egui::TextStyle::Button.resolve(ui.style());
    let galley = ui.painter().layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER);
    let size = vec2(galley.size().x + left + 2.0 * padding.x, BUTTON.y);
    let response = ui.add_sized(size, Button::new(""));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), text));
    let tint = ui.style().interact(&response).text_color();
    let rect = response.rect;
    let start = pos2(rect.min.x + padding.x, rect.center().y - GRID / 2.0);
    icon.paint(ui.painter(), Rect::from_min_size(start, Vec2::splat(GRID)), tint);
    let place = pos2(start.x + left, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley_with_override_text_color(place, galley, tint);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn icons_stay_on_their_grid_and_differ() {
        let rect = Rect::from_min_size(pos2(100.0, 50.0), Vec2::splat(GRID));
        let mut all = Vec::new();
        for icon in Icon::ALL {
            let shapes = icon.shapes(rect, Color32::WHITE);
            assert!(!shapes.is_empty(), "{icon:?}");
            for shape in &shapes {
                let bounds = shape.visual_bounding_rect();
                assert!(rect.expand(0.5).contains_rect(bounds), "{icon:?} {bounds:?}");
            }
            all.push(format!("{shapes:?}"));
        }
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count, "two icons look alike");
    }

    #[test]
    fn icons_shrink_into_a_small_place() {
        let rect = Rect::from_min_size(pos2(0.0, 0.0), Vec2::splat(10.0));
        for shape in Icon::Help.shapes(rect, Color32::WHITE) {
            assert!(rect.expand(0.5).contains_rect(shape.visual_bounding_rect()));
        }
    }
}
