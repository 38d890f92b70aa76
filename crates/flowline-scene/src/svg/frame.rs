//! Writes a frame batch by batch in draw order, then its text.

use super::document::{Paint, SvgWriter, TextLine};
use super::{flows, markers};
use crate::frame::{Batch, Frame, Layer, TextRun};
use crate::geometry::PixelRect;
use crate::primitives::{
    BarInstance, CounterInstance, FlowInstance, LinkInstance, MarkerInstance, PrimitiveKind, RectInstance, Registered,
};

/// Baseline below the top of a line, in font sizes; a line is 1.3 font sizes high.
const BASELINE: f32 = 1.02;

/// Writes a frame. `measure` returns the width of a text in a font size, both in device pixels.
pub fn write_frame(svg: &mut SvgWriter, frame: &Frame, measure: &mut dyn FnMut(&str, f32) -> f32) {
    for layer in frame.batches.chunk_by(|a, b| a.layer == b.layer) {
        svg.begin_part(name(layer[0].layer));
        for batch in layer {
            write_batch(svg, frame, batch);
        }
        svg.end_part();
    }
    svg.begin_part("labels");
    for run in &frame.texts {
        write_text(svg, run, measure);
    }
    svg.end_part();
}

/// The name of a layer in the drawing.
const fn name(layer: Layer) -> &'static str {
    match layer {
        Layer::Backdrop => "backdrop",
        Layer::Markers => "markers",
        Layer::SearchHits => "hits",
        Layer::Highlights => "highlights",
        Layer::Counters => "counters",
        Layer::Ranges => "ranges",
        Layer::FlowTracks => "flow-tracks",
        Layer::Milestones => "milestones",
        Layer::FlowPaths => "flow-paths",
        Layer::Notes => "notes",
        Layer::FlowPanel => "flows",
        Layer::Overview => "overview",
        Layer::Ruler => "ruler",
        Layer::Lane => "lane",
        Layer::CounterValues => "counter-values",
        Layer::Measure => "measure",
    }
}

fn instances<'a, T: Registered>(frame: &'a Frame, batch: &Batch) -> &'a [T] {
    &T::list(&frame.instances)[batch.range.start as usize..batch.range.end as usize]
}

fn write_batch(svg: &mut SvgWriter, frame: &Frame, batch: &Batch) {
    match batch.primitive {
        PrimitiveKind::Rect => {
            svg.clip(batch.clip);
            for rect in instances::<RectInstance>(frame, batch) {
                write_rect(svg, rect);
            }
        }
        PrimitiveKind::Marker => markers::write(svg, frame, batch, instances::<MarkerInstance>(frame, batch)),
        PrimitiveKind::FlowShape => flows::write(svg, frame, batch, instances::<FlowInstance>(frame, batch)),
        PrimitiveKind::Counter => {
            markers::write_counters(svg, frame, batch, instances::<CounterInstance>(frame, batch));
        }
        PrimitiveKind::Bar => markers::write_bars(svg, frame, batch, instances::<BarInstance>(frame, batch)),
        PrimitiveKind::Link => flows::write_links(svg, frame, batch, instances::<LinkInstance>(frame, batch)),
    }
}

fn write_rect(svg: &mut SvgWriter, instance: &RectInstance) {
    let [x, y, width, height] = instance.rect;
    let paint = |color: [u8; 4]| if color[3] == 0 { Paint::None } else { Paint::Color(color) };
    let (fill, border) = (paint(instance.fill), paint(instance.border));
    if width <= 0.0 || height <= 0.0 || (fill == Paint::None && border == Paint::None) {
        return;
    }
    let radius = instance.radius.min(width / 2.0).min(height / 2.0);
    svg.rect(PixelRect::new(x, y, width, height), radius, fill, border, instance.border_width);
}

/// Writes a line of text; text that does not fit ends in an ellipsis after the last whole character.
fn write_text(svg: &mut SvgWriter, run: &TextRun, measure: &mut dyn FnMut(&str, f32) -> f32) {
    let line = PixelRect::new(run.x, run.y, f32::MAX / 4.0, run.size * 1.3);
    if line.intersect(run.clip).height <= 0.0 || run.x >= run.clip.right() {
        return;
    }
    let room = run.clip.right() - run.x;
    let whole = measure(&run.text, run.size);
    let shortened;
    let (text, width) = if whole <= room {
        (&*run.text, whole)
    } else {
        shortened = elided(&run.text, run.size, room, measure);
        (shortened.as_str(), measure(&shortened, run.size))
    };
    let inside = run.x >= run.clip.x && run.y >= run.clip.y && line.bottom() <= run.clip.bottom();
    if inside {
        svg.unclip();
    } else {
        svg.clip(run.clip);
    }
    let y = run.y + BASELINE * run.size;
    let (x, size, color) = (run.x, run.size, run.color);
    svg.text(TextLine { text, x, y, size, width, color, monospace: false, italics: false });
}

/// The longest prefix of a text that fits into `room` pixels with an ellipsis; empty if none fits.
fn elided(text: &str, size: f32, room: f32, measure: &mut dyn FnMut(&str, f32) -> f32) -> String {
    let ends: Vec<usize> = text.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
    let with_dots = |count: usize| format!("{}…", &text[..ends[count - 1]]);
    let (mut fits, mut too_many) = (0, ends.len() + 1);
    while fits + 1 < too_many {
        let middle = usize::midpoint(fits, too_many);
        if measure(&with_dots(middle), size) <= room {
            fits = middle;
        } else {
            too_many = middle;
        }
    }
    if fits == 0 { String::new() } else { with_dots(fits) }
}
