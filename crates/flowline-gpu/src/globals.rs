//! The uniform block that all shaders share: `Globals` in `shaders/common.wgsl`.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};

pub use flowline_scene::hatch_period;
use flowline_scene::{Frame, PALETTE_LEN, Rgba, diamond_reach, line_width, min_bordered_width};

/// The uniform block of a frame. A test compares its layout with the shaders.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Globals {
    size: [f32; 2],
    left: f32,
    width: f32,
    origin: [u32; 2],
    fraction: f32,
    pixels_per_tick: f32,
    scale: f32,
    light: f32,
    hatch: f32,
    hatch_period: f32,
    line: f32,
    min_bordered: f32,
    long_after: f32,
    diamond: f32,
    background: [f32; 4],
    selected: [f32; 4],
    fills: [[f32; 4]; PALETTE_LEN],
    edges: [[f32; 4]; PALETTE_LEN],
    marks: [[f32; 4]; PALETTE_LEN],
    search_match: [f32; 4],
    harm: [f32; 4],
}

fn color(rgba: Rgba) -> [f32; 4] {
    rgba.map(|channel| f32::from(channel) / 255.0)
}

impl Globals {
    /// Name and byte offset of every field, for the test that compares them with the shaders.
    pub const FIELDS: [(&'static str, usize); 21] = [
        ("size", offset_of!(Self, size)),
        ("left", offset_of!(Self, left)),
        ("width", offset_of!(Self, width)),
        ("origin", offset_of!(Self, origin)),
        ("fraction", offset_of!(Self, fraction)),
        ("pixels_per_tick", offset_of!(Self, pixels_per_tick)),
        ("scale", offset_of!(Self, scale)),
        ("light", offset_of!(Self, light)),
        ("hatch", offset_of!(Self, hatch)),
        ("hatch_period", offset_of!(Self, hatch_period)),
        ("line", offset_of!(Self, line)),
        ("min_bordered", offset_of!(Self, min_bordered)),
        ("long_after", offset_of!(Self, long_after)),
        ("diamond", offset_of!(Self, diamond)),
        ("background", offset_of!(Self, background)),
        ("selected", offset_of!(Self, selected)),
        ("fills", offset_of!(Self, fills)),
        ("edges", offset_of!(Self, edges)),
        ("marks", offset_of!(Self, marks)),
        ("search_match", offset_of!(Self, search_match)),
        ("harm", offset_of!(Self, harm)),
    ];

    /// The block of a frame.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "canvas sizes")]
    pub fn from_frame(frame: &Frame) -> Self {
        let [width, height] = frame.size;
        let palette = frame.palette;
        let bits = frame.axis.origin.to_le_bytes();
        let word = |at: usize| u32::from_le_bytes([bits[at], bits[at + 1], bits[at + 2], bits[at + 3]]);
        Self {
            size: [width as f32, height as f32],
            left: frame.axis_left,
            width: frame.axis.width,
            origin: [word(0), word(4)],
            fraction: frame.axis.fraction,
            pixels_per_tick: frame.axis.pixels_per_tick,
            scale: frame.scale,
            light: if palette.canvas[0] > 127 { 1.0 } else { 0.0 },
            hatch: frame.axis.phase(hatch_period(frame.scale)),
            hatch_period: hatch_period(frame.scale),
            line: line_width(frame.scale),
            min_bordered: min_bordered_width(frame.scale),
            long_after: frame.long_after,
            diamond: diamond_reach(frame.scale),
            background: color(palette.canvas),
            selected: color(palette.select),
            fills: palette.fills.map(color),
            edges: palette.borders().map(color),
            marks: palette.edges.map(color),
            search_match: color(palette.search_match),
            harm: color(palette.bad),
        }
    }
}
