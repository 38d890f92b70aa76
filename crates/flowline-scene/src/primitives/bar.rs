//! Bars of several colors, stacked.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};

use super::pipeline::{Attribute, AttributeFormat, Blending, PipelineSpec, shader};
use super::primitive::Primitive;
use crate::geometry::PixelRect;
use crate::theme::PALETTE_LEN;

/// A stacked bar with one part per palette color, the first part at the bottom: 48 bytes, read by `shaders/bar.wgsl`.
/// All edges of parts are whole device pixels above the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct BarInstance {
    /// x, y, width, height of all parts in device pixels.
    pub rect: [f32; 4],
    /// The top of each part in pixels above the bottom: two per word, the first one in the lower half.
    tops: [u32; PALETTE_LEN / 2],
}

const ATTRIBUTES: [Attribute; 3] = [
    Attribute::new(AttributeFormat::Float32x4, offset_of!(BarInstance, rect)),
    Attribute::new(AttributeFormat::Uint32x4, offset_of!(BarInstance, tops)),
    Attribute::new(AttributeFormat::Uint32x4, offset_of!(BarInstance, tops) + 16),
];

impl Primitive for BarInstance {
    const PIPELINES: &'static [PipelineSpec] = &[{
        let (file, source) = shader!("bar.wgsl");
        PipelineSpec {
            label: "bars",
            file,
            source,
            blending: Blending::Alpha,
            vertices: PipelineSpec::QUAD,
            stride: size_of::<Self>(),
            attributes: &ATTRIBUTES,
        }
    }];
}

impl BarInstance {
    /// Opacity of all parts.
    pub const OPACITY: f32 = 0.9;

    /// A bar with parts of these heights in device pixels, by palette entry, and its bottom edge at `bottom`.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a height on screen")]
    pub fn new(x: f32, bottom: f32, width: f32, heights: &[f32; PALETTE_LEN]) -> Self {
        let (mut tops, mut height, mut top) = ([0; PALETTE_LEN / 2], 0.0, 0);
        for (color, part) in heights.iter().enumerate() {
            height += part;
            top = height.round() as u16;
            tops[color / 2] |= u32::from(top) << (color % 2 * 16);
        }
        Self { rect: [x, bottom - f32::from(top), width, f32::from(top)], tops }
    }

    /// Palette entry and rectangle of each visible part, from the bottom up.
    pub fn parts(self) -> impl Iterator<Item = (usize, PixelRect)> {
        let [x, y, width, height] = self.rect;
        let mut below = 0;
        (0..PALETTE_LEN).filter_map(move |color| {
            let top = u16::try_from(self.tops[color / 2] >> (color % 2 * 16) & 0xffff).unwrap_or_default();
            let part = f32::from(top) - f32::from(std::mem::replace(&mut below, top));
            (part > 0.0).then(|| (color, PixelRect::new(x, y + height - f32::from(top), width, part)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_one_upon_the_other_in_whole_pixels() {
        let mut heights = [0.0; PALETTE_LEN];
        (heights[1], heights[4], heights[15]) = (2.4, 0.3, 7.3);
        let bar = BarInstance::new(5.0, 40.0, 2.0, &heights);
        assert_eq!(bar.rect, [5.0, 30.0, 2.0, 10.0]);
        let parts: Vec<(usize, PixelRect)> = bar.parts().collect();
        let part = |y: f32, height: f32| PixelRect::new(5.0, y, 2.0, height);
        assert_eq!(parts, [(1, part(38.0, 2.0)), (4, part(37.0, 1.0)), (15, part(30.0, 7.0))]);
        assert_eq!(BarInstance::new(0.0, 9.0, 2.0, &[0.0; PALETTE_LEN]).parts().count(), 0);
    }
}
