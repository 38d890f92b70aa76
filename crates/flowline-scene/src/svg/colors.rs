//! Marker colors: the Rust version of `marker_color` in `shaders/common.wgsl`.

use crate::primitives::Emphasis;
pub(super) use crate::theme::mix;
use crate::theme::{Palette, Rgba};
use flowline_index::Style;

/// Colors of a marker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MarkerLook {
    /// Fill color.
    pub(super) fill: Rgba,
    /// Color between the stripes, if one end is unknown; the stripes have the fill color.
    pub(super) between: Option<Rgba>,
    /// Edge color, and edge width in thin lines.
    pub(super) edge: Option<(Rgba, f32)>,
}

/// White on a dark background, black on a light one.
pub(super) const fn ink(palette: &Palette) -> Rgba {
    if palette.canvas[0] > 127 { [0, 0, 0, 255] } else { [255; 4] }
}

/// The look of a marker of a style. Narrow markers are not `bordered`.
pub(super) fn marker_look(palette: &Palette, style: Style, emphasis: u32, bordered: bool) -> MarkerLook {
    let light = palette.canvas[0] > 127;
    let base = if bordered || !light { palette.fill(style.color()) } else { palette.edge(style.color()) };
    let outlined = |color: Rgba, is_edge: bool| match emphasis {
        e if e == Emphasis::Dimmed as u32 => mix(color, palette.canvas, 0.75),
        e if e == Emphasis::Faint as u32 => mix(color, palette.canvas, 0.6),
        e if e == Emphasis::Selected as u32 && (is_edge || !bordered) => palette.select,
        e if (e == Emphasis::Hovered as u32 || e == Emphasis::Linked as u32) && (is_edge || !bordered) => {
            mix(color, palette.select, 0.6)
        }
        _ => color,
    };
    let selected = emphasis == Emphasis::Selected as u32;
    let edge = bordered.then(|| {
        let border = palette.borders()[usize::from(style.color())];
        let color = if style.is_instant() { mix(base, ink(palette), 0.18) } else { border };
        (outlined(color, true), if selected { 2.0 } else { 1.0 })
    });
    let (fill, between) = if style.is_instant() {
        (mix(base, ink(palette), 0.18), None)
    } else if style.is_incomplete() && bordered {
        (mix(base, palette.canvas, 0.32), Some(mix(base, palette.canvas, 0.12)))
    } else if style.is_incomplete() {
        (mix(base, palette.canvas, 0.22), None)
    } else {
        (base, None)
    };
    MarkerLook { fill: outlined(fill, false), between: between.map(|color| outlined(color, false)), edge }
}
