//! Draws frames on a GPU and reads them back; the marker shader's colors in Rust.

use flowline::gpu::{FORMAT, Gpu, Painter, RenderedImage, Target, hatch_period};
use flowline::index::Style;
use flowline::scene::reference::diamond_reach_in;
use flowline::scene::{
    Batch, Emphasis, Frame, Layer, MarkerInstance, PrimitiveKind, RectInstance, line_width, min_bordered_width,
};

/// A device with its painter.
pub(crate) struct Renderer {
    gpu: Gpu,
    painter: Painter,
}

impl Renderer {
    /// Panics with advice if there is no driver.
    pub(crate) fn new() -> Self {
        let gpu = Gpu::headless().unwrap_or_else(|error| panic!("{error}"));
        let painter = Painter::new(&gpu, FORMAT, flowline::ui::style::font_bytes());
        Self { gpu, painter }
    }

    /// The image of a frame on black.
    pub(crate) fn draw(&mut self, frame: &Frame) -> RenderedImage {
        self.draw_all(&[frame])
    }

    /// The image of several frames of one size on black.
    pub(crate) fn draw_all(&mut self, frames: &[&Frame]) -> RenderedImage {
        let target = Target::new(&self.gpu, frames[0].size);
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.painter.prepare(frames, &[], [0, 0, 0, 255], &mut encoder);
        {
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &target.view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..wgpu::RenderPassDescriptor::default()
            });
            self.painter.draw(frames, None, &mut pass.forget_lifetime());
        }
        self.gpu.queue.submit([encoder.finish()]);
        self.painter.recall();
        target.read(&self.gpu).unwrap_or_else(|error| panic!("{error}"))
    }
}

/// A frame without text.
pub(crate) fn without_text(frame: &Frame) -> Frame {
    Frame { texts: Vec::new(), ..frame.clone() }
}

/// A frame without text and without the backgrounds of the scales of counters, which cover curves and stay in place.
pub(crate) fn without_scales(frame: &Frame) -> Frame {
    let canvas = &frame.palette.canvas[..3];
    let is_scale = |batch: &Batch, rects: &[RectInstance]| {
        batch.layer == Layer::Counters && rects.iter().all(|rect| rect.fill[..3] == *canvas)
    };
    let rects = frame.batches_of::<RectInstance>();
    let scales: Vec<&Batch> = rects.filter(|(batch, rects)| is_scale(batch, rects)).map(|(batch, _)| batch).collect();
    let batches = frame.batches.iter().filter(|batch| !scales.contains(batch)).cloned().collect();
    Frame { batches, ..without_text(frame) }
}

/// A frame with everything except markers and text.
pub(crate) fn all_but_markers(frame: &Frame) -> Frame {
    let batches = frame.batches.iter().filter(|batch| batch.primitive != PrimitiveKind::Marker).cloned().collect();
    Frame { batches, ..without_text(frame) }
}

/// A frame without markers, counters and text.
pub(crate) fn without_markers(frame: &Frame) -> Frame {
    let batches = frame
        .batches
        .iter()
        .filter(|batch| matches!(batch.primitive, PrimitiveKind::Rect | PrimitiveKind::Bar))
        .cloned()
        .collect();
    Frame { batches, ..without_text(frame) }
}

type Color = [f32; 3];

fn mix(a: Color, b: Color, part: f32) -> Color {
    std::array::from_fn(|channel| a[channel] * (1.0 - part) + b[channel] * part)
}

fn color(rgba: [u8; 4]) -> Color {
    [rgba[0], rgba[1], rgba[2]].map(|channel| f32::from(channel) / 255.0)
}

/// The fragment stage of `shaders/marker.wgsl`: the color of an instance at a pixel.
pub(crate) fn expected_color(frame: &Frame, owner: u32, x: usize, y: usize) -> Color {
    let (shown, is_corner) = square_color(frame, owner, x, y);
    if is_corner { mix(shown, color(frame.palette.canvas), 0.55) } else { shown }
}

/// The color of an instance at a pixel if its corners were square, as in drawings, and true if the pixel is a corner.
pub(crate) fn square_color(frame: &Frame, owner: u32, x: usize, y: usize) -> (Color, bool) {
    let instance = frame.instances.markers[owner as usize];
    let style: Style = instance.packed().style();
    let place = frame.rows[instance.row()];
    let (first, end) = frame.axis.columns(instance.packed());
    let extent = [(end - first) as f32, place.height];
    let local = [x as f32 + 0.5 - frame.axis_left - first as f32, y as f32 + 0.5 - place.y];
    let edge = (0..2).map(|side| local[side].min(extent[side] - local[side])).fold(f32::MAX, f32::min);
    let line = line_width(frame.scale);
    let bordered = extent[0] >= min_bordered_width(frame.scale);
    let palette = frame.palette;
    let (background, selected) = (color(palette.canvas), color(palette.select));
    let ink = if palette.canvas[0] > 127 { [0.0; 3] } else { [1.0; 3] };
    let entry = usize::from(place.entry(style.color()));
    if instance.has(MarkerInstance::ALONE) {
        return (diamond_color(frame, instance, first, (x, y)), false);
    }
    let fill = color(if bordered { palette.fills[entry] } else { palette.edges[entry] });
    let plain = if style.is_instant() {
        mix(fill, ink, 0.18)
    } else if bordered && edge < line {
        color(palette.borders()[entry])
    } else if style.bits() & Style::new(0).with_incomplete(true).bits() != 0 {
        let period = hatch_period(frame.scale);
        let across = x as f32 + 0.5 - frame.axis_left + frame.axis.phase(period) + local[1].floor();
        mix(fill, background, if (across / period).fract() < 0.5 { 0.32 } else { 0.12 })
    } else {
        fill
    };
    let plain = mix(plain, background, instance.background_part());
    let plain =
        mix(plain, color(palette.bad), harm_at(frame, instance, x as f32 + 0.5 - frame.axis_left, local, extent));
    let emphasis = instance.emphasis();
    let shown = if emphasis == Emphasis::Dimmed as u32 {
        mix(plain, background, 0.75)
    } else if emphasis == Emphasis::Faint as u32 {
        mix(plain, background, 0.6)
    } else if emphasis == Emphasis::Match as u32 && extent[1] - local[1] < 2.0 * line {
        color(palette.search_match)
    } else if [Emphasis::Hovered as u32, Emphasis::Linked as u32].contains(&emphasis) && (!bordered || edge < line) {
        mix(plain, selected, 0.6)
    } else if emphasis == Emphasis::Alike as u32 && bordered && edge < line {
        mix(plain, selected, 0.5)
    } else {
        plain
    };
    let is_corner = bordered && (0..2).all(|side| local[side].min(extent[side] - local[side]) < line);
    (shown, is_corner)
}

/// Part of the color of harm at a pixel of a slice.
fn harm_at(frame: &Frame, instance: MarkerInstance, across: f32, local: [f32; 2], extent: [f32; 2]) -> f32 {
    let size = |width: f32, height: f32| [width, height].map(|side| (side * frame.scale).round());
    let is_in = |[width, height]: [f32; 2], right: f32, away: f32| {
        right * height + away * width < width * height - 0.5 * (width + height)
    };
    let (right, up, down) = ((extent[0] - local[0]).floor(), (extent[1] - local[1]).floor(), local[1].floor());
    let is_long = instance.has(MarkerInstance::LONG);
    if is_long && is_in(size(11.0, 10.0), right, down) {
        return 1.0;
    }
    let period = hatch_period(frame.scale);
    let from = frame.axis.pixel(instance.packed().start()).floor() + frame.long_after;
    if is_long && across > from && ((across + frame.axis.phase(period) + down) / period).fract() < 0.25 {
        return 0.55;
    }
    if instance.has(MarkerInstance::FORCED) && is_in(size(8.0, 7.0), right, up) { 1.0 } else { 0.0 }
}

/// The color of an instant's diamond at a pixel.
fn diamond_color(frame: &Frame, instance: MarkerInstance, column: i32, (x, y): (usize, usize)) -> Color {
    let (palette, place) = (frame.palette, frame.rows[instance.row()]);
    let emphasis = instance.emphasis();
    let is = |wanted: Emphasis| emphasis == wanted as u32;
    let middle = place.y + (place.height / 2.0).floor();
    let away = [x as f32 - frame.axis_left - column as f32, y as f32 - middle].map(f32::abs);
    let reach = diamond_reach_in(frame, instance) as f32 - away[0] - away[1];
    let line = line_width(frame.scale);
    let outline = if is(Emphasis::Selected) { 2.0 * line } else { 0.0 };
    if reach < outline {
        return color(palette.select);
    }
    let entry = usize::from(place.entry(instance.packed().style().color()));
    let (is_edge, background, selected) = (reach - outline < line, color(palette.canvas), color(palette.select));
    let plain = color(if is_edge { palette.borders()[entry] } else { palette.fills[entry] });
    let extent = 2.0 * diamond_reach_in(frame, instance) as f32 + 1.0;
    let up = extent - (y as f32 + 0.5 - middle + (extent - 1.0) / 2.0);
    if is(Emphasis::Dimmed) {
        mix(plain, background, 0.75)
    } else if is(Emphasis::Faint) {
        mix(plain, background, 0.6)
    } else if is(Emphasis::Match) && up < 2.0 * line {
        color(palette.search_match)
    } else if (is(Emphasis::Hovered) || is(Emphasis::Linked)) && is_edge {
        mix(plain, selected, 0.6)
    } else if is(Emphasis::Alike) && is_edge {
        mix(plain, selected, 0.5)
    } else {
        plain
    }
}

/// The color of the outline of a selected marker at a pixel.
pub(crate) fn outline_at(frame: &Frame, x: usize, y: usize) -> Option<[u8; 4]> {
    let outlines = frame.batches_of::<RectInstance>().filter(|(batch, _)| batch.layer == Layer::Highlights);
    let (x, y) = (x as f32 + 0.5, y as f32 + 0.5);
    let holds = |rect: &&RectInstance| {
        let [left, top, width, height] = rect.rect;
        x > left && x < left + width && y > top && y < top + height
    };
    let found = |(batch, rects): (&Batch, &[RectInstance])| {
        rects.iter().find(holds).filter(|_| batch.clip.contains(x, y)).map(|rect| rect.fill)
    };
    outlines.filter_map(|(batch, rects)| found((batch, rects))).last()
}

/// True if a pixel has a color, up to rounding.
pub(crate) fn is_expected_color(pixel: [u8; 4], expected_color: Color) -> bool {
    pixel[3] == 255 && (0..3).all(|channel| (f32::from(pixel[channel]) - expected_color[channel] * 255.0).abs() <= 1.6)
}
