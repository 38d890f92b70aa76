//! The window as SVG: the canvas's frames, and above them the widgets as laid out by egui. Text stays text.
//!
//! Shapes outside their clip rectangle are skipped, so the visible content bounds the size.

use egui::epaint::text::ByteIndex;
use egui::epaint::{ClippedShape, ColorMode, PathShape, RectShape, TextShape};
use egui::{
    Color32, Context, CornerRadius, FontFamily, FontId, Mesh, Pos2, Rect, Shape, Stroke, StrokeKind, TextFormat,
};

use flowline_scene::svg::{Paint, SvgWriter, TextLine, write_frame};
use flowline_scene::{Frame, PixelRect, Rgba};

/// Maximum number of triangles of a mesh; larger meshes are skipped because hand-drawn shapes never need as many.
const MAX_TRIANGLES: usize = 20_000;

/// Renders the window at `size` device pixels. `context` contains the fonts.
#[must_use]
pub fn svg_picture(
    context: &Context,
    size: [u32; 2],
    background: Rgba,
    frames: &[&Frame],
    shapes: &[ClippedShape],
) -> String {
    let scale = context.pixels_per_point();
    let mut svg = SvgWriter::new(size, background);
    context.fonts_mut(|fonts| {
        let mut measure = |text: &str, size: f32| {
            let font = FontId::proportional(size / scale);
            fonts.layout_no_wrap(text.to_owned(), font, Color32::WHITE).size().x * scale
        };
        for frame in frames {
            write_frame(&mut svg, frame, &mut measure);
        }
    });
    svg.begin_part("widgets");
    let mut widgets = Widgets { svg: &mut svg, scale };
    for clipped in shapes {
        widgets.shape(clipped.clip_rect, &clipped.shape);
    }
    svg.end_part();
    svg.finish()
}

/// Writes egui's shapes, which are in points.
struct Widgets<'a> {
    svg: &'a mut SvgWriter,
    scale: f32,
}

fn rgba(color: Color32) -> Rgba {
    color.to_srgba_unmultiplied()
}

fn paint(color: Color32) -> Paint {
    if color.a() == 0 { Paint::None } else { Paint::Color(rgba(color)) }
}

impl Widgets<'_> {
    fn pixels(&self, rect: Rect) -> PixelRect {
        let scale = self.scale;
        PixelRect::new(rect.min.x * scale, rect.min.y * scale, rect.width() * scale, rect.height() * scale)
    }

    fn stroke(&self, stroke: Stroke) -> Option<(Rgba, f32)> {
        (!stroke.is_empty()).then(|| (rgba(stroke.color), stroke.width * self.scale))
    }

    fn point(&self, point: Pos2) -> String {
        format!("{:.2} {:.2}", point.x * self.scale, point.y * self.scale)
    }

    fn line(&self, points: &[Pos2], closed: bool) -> String {
        let points: Vec<String> = points.iter().map(|point| self.point(*point)).collect();
        if points.is_empty() {
            return String::new();
        }
        format!("M{}{}", points.join("L"), if closed { "Z" } else { "" })
    }

    fn shape(&mut self, clip: Rect, shape: &Shape) {
        if let Shape::Vec(shapes) = shape {
            shapes.iter().for_each(|shape| self.shape(clip, shape));
            return;
        }
        let bounds = shape.visual_bounding_rect();
        if !clip.is_positive() || !bounds.intersects(clip) {
            return;
        }
        if clip.contains_rect(bounds) {
            self.svg.unclip();
        } else {
            self.svg.clip(self.pixels(clip));
        }
        match shape {
            Shape::Rect(rect) => self.rect(rect),
            Shape::Text(text) => self.text(clip, text),
            Shape::LineSegment { points, stroke } => {
                self.svg.path(&self.line(&self.snapped(*points, *stroke), false), Paint::None, self.stroke(*stroke));
            }
            Shape::Path(path) => self.path(path),
            Shape::Circle(circle) => {
                let rect = Rect::from_center_size(circle.center, egui::Vec2::splat(2.0 * circle.radius));
                self.round(rect, circle.radius, circle.fill, circle.stroke);
            }
            Shape::Ellipse(ellipse) => {
                let rect = Rect::from_center_size(ellipse.center, 2.0 * ellipse.radius);
                self.round(rect, ellipse.radius.min_elem(), ellipse.fill, ellipse.stroke);
            }
            Shape::QuadraticBezier(curve) => {
                let stroke = solid(&curve.stroke.color).map(|color| Stroke::new(curve.stroke.width, color));
                let line = self.line(&curve.flatten(None), curve.closed);
                self.svg.path(&line, paint(curve.fill), stroke.and_then(|stroke| self.stroke(stroke)));
            }
            Shape::CubicBezier(curve) => {
                let stroke = solid(&curve.stroke.color).map(|color| Stroke::new(curve.stroke.width, color));
                let points = curve.flatten(None);
                let line = self.line(&points, curve.closed);
                self.svg.path(&line, paint(curve.fill), stroke.and_then(|stroke| self.stroke(stroke)));
            }
            Shape::Mesh(mesh) => self.mesh(mesh),
            // Bands and callbacks are not used.
            Shape::Noop | Shape::Vec(_) | Shape::Band(_) | Shape::Callback(_) => {}
        }
    }

    /// Snaps vertical and horizontal lines to whole pixels, like egui.
    fn snapped(&self, mut points: [Pos2; 2], stroke: Stroke) -> [Pos2; 2] {
        let [a, b] = &mut points;
        if a.x == b.x {
            stroke.round_center_to_pixel(self.scale, &mut a.x);
            b.x = a.x;
        }
        if a.y == b.y {
            stroke.round_center_to_pixel(self.scale, &mut a.y);
            b.y = a.y;
        }
        points
    }

    fn round(&mut self, rect: Rect, radius: f32, fill: Color32, stroke: Stroke) {
        let rect = self.pixels(rect.expand(stroke.width / 2.0));
        let (border, width) =
            self.stroke(stroke).map_or((Paint::None, 0.0), |(color, width)| (Paint::Color(color), width));
        self.svg.rect(rect, (radius + stroke.width / 2.0) * self.scale, paint(fill), border, width);
    }

    fn rect(&mut self, shape: &RectShape) {
        if shape.brush.is_some() {
            return;
        }
        let outside = match shape.stroke_kind {
            StrokeKind::Inside => 0.0,
            StrokeKind::Middle => shape.stroke.width / 2.0,
            StrokeKind::Outside => shape.stroke.width,
        };
        let stroke = if shape.stroke.is_empty() { Stroke::NONE } else { shape.stroke };
        let outside = if stroke.is_empty() { 0.0 } else { outside };
        // The soft edge of a blurred shadow is approximated by a sharp edge at its middle.
        let fill = if shape.blur_width > 0.0 { shape.fill.gamma_multiply(0.5) } else { shape.fill };
        let snap = |value: f32| (value * self.scale).round() / self.scale;
        let rect = Rect::from_min_max(
            Pos2::new(snap(shape.rect.min.x), snap(shape.rect.min.y)),
            Pos2::new(snap(shape.rect.max.x), snap(shape.rect.max.y)),
        );
        let CornerRadius { nw, ne, sw, se } = shape.corner_radius;
        let radius = f32::from(nw.max(ne).max(sw).max(se)) + outside;
        let (border, width) =
            self.stroke(stroke).map_or((Paint::None, 0.0), |(color, width)| (Paint::Color(color), width));
        let (fill, rect) = (paint(fill), self.pixels(rect.expand(outside)));
        if fill != Paint::None || border != Paint::None {
            self.svg.rect(rect, radius * self.scale, fill, border, width);
        }
    }

    fn path(&mut self, path: &PathShape) {
        let stroke = solid(&path.stroke.color).map(|color| Stroke::new(path.stroke.width, color));
        let line = self.line(&path.points, path.closed);
        self.svg.path(&line, paint(path.fill), stroke.and_then(|stroke| self.stroke(stroke)));
    }

    /// Merges consecutive triangles of one color into one path.
    fn mesh(&mut self, mesh: &Mesh) {
        if mesh.indices.len() / 3 > MAX_TRIANGLES {
            return;
        }
        let corner = |at: u32| mesh.vertices.get(at as usize);
        let (mut data, mut color) = (String::new(), Color32::TRANSPARENT);
        for triangle in mesh.indices.chunks_exact(3) {
            let [Some(a), Some(b), Some(c)] = [triangle[0], triangle[1], triangle[2]].map(corner) else { continue };
            if a.color != color {
                self.svg.path(&data, paint(color), None);
                (data, color) = (String::new(), a.color);
            }
            data.push_str(&self.line(&[a.pos, b.pos, c.pos], true));
        }
        self.svg.path(&data, paint(color), None);
    }

    fn text(&mut self, clip: Rect, shape: &TextShape) {
        let job = &shape.galley.job;
        let mut rest = job.text.char_indices().peekable();
        for row in &shape.galley.rows {
            let place = row.rect().translate(shape.pos.to_vec2());
            let is_seen = place.max.y >= clip.min.y && place.min.y <= clip.max.y;
            let mut run = Run::default();
            for glyph in &row.glyphs {
                let at = rest.peek().map_or(job.text.len().saturating_sub(1), |(at, _)| *at);
                rest.next();
                let x = shape.pos.x + row.pos.x + glyph.pos.x;
                let section = job.sections.iter().position(|section| section.byte_range.contains(&ByteIndex(at)));
                let section = section.unwrap_or(0);
                if run.section != section {
                    self.run(shape, &std::mem::take(&mut run), is_seen);
                }
                if run.text.is_empty() {
                    let y = shape.pos.y + row.pos.y + glyph.pos.y;
                    run = Run { section, left: x, baseline: y, rows: [place.min.y, place.max.y], ..Run::default() };
                }
                // Text that was faded after layout has its color in the mesh.
                if run.color.is_none() && !glyph.uv_rect.is_nothing() && !glyph.is_color {
                    run.color = row.visuals.mesh.vertices.get(glyph.first_vertex as usize).map(|vertex| vertex.color);
                }
                run.text.push(glyph.chr);
                run.right = x + glyph.advance_width;
            }
            self.run(shape, &run, is_seen);
            if row.ends_with_newline {
                rest.next();
            }
        }
    }

    /// Writes a run of text of one format.
    fn run(&mut self, shape: &TextShape, run: &Run, is_seen: bool) {
        let Some(section) = shape.galley.job.sections.get(run.section).filter(|_| is_seen && !run.text.is_empty())
        else {
            return;
        };
        let TextFormat { font_id, color, background, italics, underline, strikethrough, .. } = &section.format;
        let known = |color: Color32| if color == Color32::PLACEHOLDER { shape.fallback_color } else { color };
        let seen = |color: Color32| known(color).gamma_multiply(shape.opacity_factor);
        if background.a() > 0 {
            let rect = Rect::from_x_y_ranges(run.left..=run.right, run.rows[0]..=run.rows[1]);
            self.svg.rect(self.pixels(rect), 0.0, paint(seen(*background)), Paint::None, 0.0);
        }
        let color = seen(shape.override_text_color.or(run.color).unwrap_or(*color));
        let scale = self.scale;
        // Trailing spaces do not count toward the visible width.
        let text = run.text.trim_end();
        let width = if text.len() == run.text.len() { run.right - run.left } else { 0.0 };
        if color.a() > 0 {
            self.svg.text(TextLine {
                text,
                x: run.left * scale,
                y: run.baseline * scale,
                size: font_id.size * scale,
                width: width * scale,
                color: rgba(color),
                monospace: font_id.family == FontFamily::Monospace,
                italics: *italics,
            });
        }
        let whole = if shape.underline.is_empty() { *underline } else { shape.underline };
        for (stroke, y) in [(whole, run.baseline + 2.0), (*strikethrough, run.rows[0].midpoint(run.rows[1]))] {
            let stroke = Stroke { color: seen(stroke.color), ..stroke };
            let line = self.line(&[Pos2::new(run.left, y), Pos2::new(run.right, y)], false);
            if let Some(stroke) = self.stroke(stroke) {
                self.svg.path(&line, Paint::None, Some(stroke));
            }
        }
    }
}

/// Adjacent characters of one format.
#[derive(Default)]
struct Run {
    section: usize,
    text: String,
    left: f32,
    right: f32,
    baseline: f32,
    color: Option<Color32>,
    /// Top and bottom of the row.
    rows: [f32; 2],
}

const fn solid(mode: &ColorMode) -> Option<Color32> {
    match mode {
        ColorMode::Solid(color) => Some(*color),
        ColorMode::UV(_) => None,
    }
}
