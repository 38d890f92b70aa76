//! Writer for an SVG document: elements in order, and the definitions they refer to.

use std::collections::HashMap;
use std::fmt::{self, Write as _};

use crate::geometry::PixelRect;
use crate::theme::Rgba;

/// Text fonts by preference; the first one is the window's font.
const FONTS: &str = "Ubuntu Light, Ubuntu, Noto Sans, Segoe UI, Helvetica Neue, Arial, Liberation Sans, DejaVu Sans Condensed, sans-serif";
const MONOSPACE: &str = "Hack, DejaVu Sans Mono, Menlo, Consolas, monospace";

/// A clip rectangle of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClipId(usize);

/// Fill or stroke of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Paint {
    /// No paint.
    None,
    /// A solid color.
    Color(Rgba),
    /// Stripes; see [`SvgWriter::hatch`].
    Hatch(usize),
}

/// A line of text.
#[derive(Clone, Copy, Debug)]
pub struct TextLine<'a> {
    /// The text.
    pub text: &'a str,
    /// Left end.
    pub x: f32,
    /// Baseline.
    pub y: f32,
    /// Font size.
    pub size: f32,
    /// Width as laid out; text in another font is stretched or condensed to it.
    pub width: f32,
    /// Text color.
    pub color: Rgba,
    /// True for a monospace font.
    pub monospace: bool,
    /// True for italic text.
    pub italics: bool,
}

/// Writes a document.
#[derive(Debug)]
pub struct SvgWriter {
    size: [u32; 2],
    defs: String,
    body: String,
    clips: HashMap<[i32; 4], ClipId>,
    hatches: HashMap<HatchKey, usize>,
    open: Option<ClipId>,
}

/// The colors and the grid of stripes.
type HatchKey = (Rgba, Rgba, [i32; 4]);

/// A number with at most two decimals.
struct Short(f32);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = if self.0.is_finite() { self.0.clamp(-1e6, 1e6) } else { 0.0 };
        let rounded = (value * 100.0).round() / 100.0;
        // Avoids "-0".
        write!(f, "{}", if rounded == 0.0 { 0.0 } else { rounded })
    }
}

/// A number in SVG notation.
pub(super) fn short(value: f32) -> impl fmt::Display {
    Short(value)
}

/// Text escaped for XML elements and attributes.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A color as `#rrggbb`.
pub(super) fn hex([red, green, blue, _]: Rgba) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

impl SvgWriter {
    /// Creates a document of a size with a background color.
    #[must_use]
    pub fn new(size: [u32; 2], background: Rgba) -> Self {
        let [width, height] = size;
        let body = format!("<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n", hex(background));
        Self { size, defs: String::new(), body, clips: HashMap::new(), hatches: HashMap::new(), open: None }
    }

    /// Clips the following shapes to a rectangle.
    #[expect(clippy::cast_possible_truncation, reason = "hundredths of pixels on screen")]
    pub fn clip(&mut self, rect: PixelRect) {
        let key = [rect.x, rect.y, rect.width, rect.height].map(|side| (side.clamp(-1e6, 1e6) * 100.0).round() as i32);
        let next = ClipId(self.clips.len());
        let id = *self.clips.entry(key).or_insert(next);
        if id == next {
            let (x, y, width, height) = (Short(rect.x), Short(rect.y), Short(rect.width), Short(rect.height));
            let number = id.0;
            // Writing to a string cannot fail.
            let _ = writeln!(
                self.defs,
                "<clipPath id=\"c{number}\"><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/></clipPath>"
            );
        }
        if self.open != Some(id) {
            self.unclip();
            let _ = writeln!(self.body, "<g clip-path=\"url(#c{})\">", id.0);
            self.open = Some(id);
        }
    }

    /// Ends the clipping.
    pub fn unclip(&mut self) {
        if self.open.take().is_some() {
            self.body.push_str("</g>\n");
        }
    }

    /// Begins a named group.
    pub fn begin_part(&mut self, name: &str) {
        self.unclip();
        let _ = writeln!(self.body, "<g class=\"{}\">", escaped(name));
    }

    /// Ends the current group.
    pub fn end_part(&mut self) {
        self.unclip();
        self.body.push_str("</g>\n");
    }

    /// Stripes of two colors at 45 degrees, rising from left to right, `period` pixels apart. The first color covers
    /// `part` (0 to 1) of a period; a stripe begins where x + y equals `origin`.
    #[expect(clippy::cast_possible_truncation, reason = "hundredths of pixels")]
    pub fn hatch(&mut self, stripe: Rgba, between: Rgba, period: f32, part: f32, origin: f32) -> Paint {
        let origin = origin.rem_euclid(period.max(1.0));
        let key = [period, part, origin, 0.0].map(|value| (value * 100.0).round() as i32);
        let next = self.hatches.len();
        let number = *self.hatches.entry((stripe, between, key)).or_insert(next);
        if number == next {
            let (p, s) = (period, period * part);
            let shape = |paint: Rgba| format!("fill=\"{}\"{}", hex(paint), opacity("fill", paint));
            let _ = writeln!(
                self.defs,
                "<pattern id=\"h{number}\" patternUnits=\"userSpaceOnUse\" x=\"{}\" width=\"{p}\" height=\"{p}\">\
                 <rect width=\"{p}\" height=\"{p}\" {}/>\
                 <path d=\"M0 0H{s}L0 {s}ZM{p} 0V{s}L{s} {p}H0Z\" {}/></pattern>",
                Short(origin),
                shape(between),
                shape(stripe),
            );
        }
        Paint::Hatch(number)
    }

    /// Adds a rectangle with rounded corners, a fill, and a border of `width` pixels within its edges.
    pub fn rect(&mut self, rect: PixelRect, radius: f32, fill: Paint, border: Paint, width: f32) {
        let has_border = width > 0.0 && !matches!(border, Paint::None);
        let half = if has_border { (width / 2.0).min(rect.width / 2.0).min(rect.height / 2.0) } else { 0.0 };
        let (x, y) = (Short(rect.x + half), Short(rect.y + half));
        let (across, down) = (Short(rect.width - 2.0 * half), Short(rect.height - 2.0 * half));
        let _ = write!(self.body, "<rect x=\"{x}\" y=\"{y}\" width=\"{across}\" height=\"{down}\"");
        if radius > 0.0 {
            let _ = write!(self.body, " rx=\"{}\"", Short((radius - half).max(0.0)));
        }
        self.paint("fill", fill);
        if has_border {
            self.paint("stroke", border);
            let _ = write!(self.body, " stroke-width=\"{}\"", Short(2.0 * half));
        }
        self.body.push_str("/>\n");
    }

    /// Adds a path of SVG path data; `stroke` is a color and a width.
    pub fn path(&mut self, data: &str, fill: Paint, stroke: Option<(Rgba, f32)>) {
        if data.is_empty() {
            return;
        }
        let _ = write!(self.body, "<path d=\"{}\"", escaped(data));
        self.paint("fill", fill);
        if let Some((color, width)) = stroke {
            self.paint("stroke", Paint::Color(color));
            let _ = write!(self.body, " stroke-width=\"{}\"", Short(width));
        }
        self.body.push_str("/>\n");
    }

    /// Adds a line of text.
    pub fn text(&mut self, line: TextLine<'_>) {
        if line.text.trim().is_empty() {
            return;
        }
        let (x, y, size) = (Short(line.x), Short(line.y), Short(line.size));
        let _ = write!(self.body, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"");
        if line.width > 0.0 && line.text.chars().nth(1).is_some() {
            let _ = write!(self.body, " textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"", Short(line.width));
        }
        if line.monospace {
            let _ = write!(self.body, " font-family=\"{MONOSPACE}\"");
        }
        if line.italics {
            self.body.push_str(" font-style=\"italic\"");
        }
        self.paint("fill", Paint::Color(line.color));
        let _ = writeln!(self.body, ">{}</text>", escaped(line.text));
    }

    fn paint(&mut self, attribute: &str, paint: Paint) {
        let _ = match paint {
            Paint::None => write!(self.body, " {attribute}=\"none\""),
            Paint::Color(color) => {
                write!(self.body, " {attribute}=\"{}\"{}", hex(color), opacity(attribute, color))
            }
            Paint::Hatch(number) => write!(self.body, " {attribute}=\"url(#h{number})\""),
        };
    }

    /// Returns the document.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.unclip();
        let [width, height] = self.size;
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\" xml:space=\"preserve\" font-family=\"{FONTS}\">\n\
             <defs>\n{}</defs>\n{}</svg>\n",
            self.defs, self.body
        )
    }
}

/// The opacity attribute of a color that is not opaque.
fn opacity(attribute: &str, [_, _, _, alpha]: Rgba) -> String {
    if alpha == u8::MAX { String::new() } else { format!(" {attribute}-opacity=\"{:.3}\"", f32::from(alpha) / 255.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_numbers_are_short() {
        assert_eq!(escaped("a<b>&\"\u{1}\u{ffff}\n"), "a&lt;b&gt;&amp;&quot;\u{fffd}\u{fffd} ");
        let numbers = [1.0, 0.125, -0.001, f32::NAN, 1e30].map(|number| short(number).to_string());
        assert_eq!(numbers, ["1", "0.13", "0", "0", "1000000"]);
    }

    #[test]
    fn a_clip_is_defined_once_and_closed() {
        let mut svg = SvgWriter::new([10, 10], [0, 0, 0, 255]);
        let rect = PixelRect::new(1.0, 2.0, 3.0, 4.0);
        for _ in 0..2 {
            svg.clip(rect);
            svg.rect(rect, 0.0, Paint::Color([1, 2, 3, 255]), Paint::None, 0.0);
            svg.unclip();
        }
        let text = svg.finish();
        assert_eq!(text.matches("<clipPath").count(), 1);
        assert_eq!(text.matches("<g ").count(), text.matches("</g>").count());
    }
}
