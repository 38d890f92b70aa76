//! Marker colors: the Rust version of `marker_color` in `shaders/common.wgsl`.

use crate::primitives::{Emphasis, MarkerInstance, RowBounds};
pub(super) use crate::theme::mix;
use crate::theme::{Palette, Rgba};

/// Colors of a marker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MarkerLook {
    /// Fill color.
    pub(super) fill: Rgba,
    /// Color between the stripes, if one end is unknown; the stripes have the fill color.
    pub(super) between: Option<Rgba>,
    /// Edge color; edges are thin lines.
    pub(super) edge: Option<Rgba>,
}

/// White on a dark background, black on a light one.
pub(super) const fn ink(palette: &Palette) -> Rgba {
    if palette.canvas[0] > 127 { [0, 0, 0, 255] } else { [255; 4] }
}

/// The look of a marker on a row. Narrow markers are not `bordered`.
pub(super) fn marker_look(palette: &Palette, marker: MarkerInstance, row: RowBounds, bordered: bool) -> MarkerLook {
    let (style, emphasis) = (marker.packed().style(), marker.emphasis());
    let (entry, border) = (row.entry(style.color()), palette.borders());
    // Some fills need their edge to stand out, so narrow marks consist of it.
    let base = if bordered { palette.fill(entry) } else { palette.edge(entry) };
    let pale = |color: Rgba| mix(color, palette.canvas, marker.background_part());
    let outlined = |color: Rgba, is_edge: bool| match (pale(color), emphasis) {
        (color, e) if e == Emphasis::Dimmed as u32 => mix(color, palette.canvas, 0.75),
        (color, e) if e == Emphasis::Faint as u32 => mix(color, palette.canvas, 0.6),
        (color, e) if (e == Emphasis::Hovered as u32 || e == Emphasis::Linked as u32) && (is_edge || !bordered) => {
            mix(color, palette.select, 0.6)
        }
        (color, e) if e == Emphasis::Alike as u32 && is_edge => mix(color, palette.select, 0.5),
        (color, _) => color,
    };
    let is_tick = style.is_instant() && !marker.has(MarkerInstance::ALONE);
    let edge = bordered.then(|| {
        let border = border[usize::from(entry)];
        outlined(if is_tick { mix(base, ink(palette), 0.18) } else { border }, true)
    });
    let (fill, between) = if is_tick {
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
