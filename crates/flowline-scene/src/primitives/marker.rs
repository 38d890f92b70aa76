//! Marker rectangles.

use bytemuck::{Pod, Zeroable};

use super::pipeline::{Attribute, Blending, PipelineSpec, shader};
use super::primitive::Primitive;
use super::row::{Emphasis, emphasis_of, row_bits, row_of};
use flowline_index::Packed;

/// A marker rectangle: [`Packed`] with the frame's bits in the upper half of the style word. 16 bytes, read by
/// `shaders/marker.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct MarkerInstance(pub [u32; 4]);

impl Primitive for MarkerInstance {
    const PIPELINES: &'static [PipelineSpec] = &[{
        let (file, source) = shader!("marker.wgsl");
        PipelineSpec {
            label: "markers",
            file,
            source,
            blending: Blending::Opaque,
            vertices: PipelineSpec::QUAD,
            stride: size_of::<Self>(),
            attributes: &Attribute::FOUR_WORDS,
        }
    }];
}

/// Bits of a style that a frame keeps: the palette entry and the flags. The others state marks of the instance.
const STYLE_MASK: u32 = 0x0f0f;
/// The least opacity of a mark narrower than a pixel.
const LEAST_OPACITY: f32 = 0.45;

impl MarkerInstance {
    /// The first bit of the paleness.
    pub const FADE_SHIFT: u32 = 4;
    /// The greatest paleness.
    pub const FADE_MASK: u32 = 15;
    /// Part of the background for each step of paleness.
    pub const FADE_STEP: f32 = 0.036_666_67;
    /// A task that lasts too long.
    pub const LONG: u32 = 1 << 12;
    /// Forced style or layout.
    pub const FORCED: u32 = 1 << 13;
    /// An instant without neighbors, drawn as a diamond.
    pub const ALONE: u32 = 1 << 14;

    /// A span on row `row` of the frame.
    #[must_use]
    pub const fn new(packed: Packed, row: usize, emphasis: Emphasis) -> Self {
        let [a, b, c, style] = packed.0;
        Self([a, b, c, (style & STYLE_MASK) | row_bits(row, emphasis)])
    }

    /// The packed span, without the frame's bits.
    #[must_use]
    pub const fn packed(self) -> Packed {
        let [a, b, c, style] = self.0;
        Packed([a, b, c, style & STYLE_MASK])
    }

    /// The same instance as pale as `packed`, whose share of a pixel its markers cover, must be.
    #[must_use]
    #[inline]
    pub fn faded(self, packed: Packed, pixels_per_tick: f32) -> Self {
        let [a, b, c, style] = self.0;
        Self([a, b, c, style | paleness(packed, pixels_per_tick) << Self::FADE_SHIFT])
    }

    /// The same instance with marks: [`MarkerInstance::LONG`], [`MarkerInstance::FORCED`], [`MarkerInstance::ALONE`].
    #[must_use]
    #[inline]
    pub const fn marked(self, marks: u32) -> Self {
        let [a, b, c, style] = self.0;
        Self([a, b, c, style | marks & (Self::LONG | Self::FORCED | Self::ALONE)])
    }

    /// True for an instance with a mark.
    #[must_use]
    #[inline]
    pub const fn has(self, mark: u32) -> bool {
        self.0[3] & mark != 0
    }

    /// The same instance with another emphasis.
    #[must_use]
    #[inline]
    pub const fn emphasized(self, emphasis: Emphasis) -> Self {
        let [a, b, c, style] = self.0;
        Self([a, b, c, (style & STYLE_BITS) | row_bits(row_of(style), emphasis)])
    }

    /// Part of the background in the instance's color.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a few steps")]
    pub const fn background_part(self) -> f32 {
        (self.0[3] >> Self::FADE_SHIFT & Self::FADE_MASK) as f32 * Self::FADE_STEP
    }

    /// The row of the frame.
    #[must_use]
    pub const fn row(self) -> usize {
        row_of(self.0[3])
    }

    /// The emphasis, as a number.
    #[must_use]
    pub const fn emphasis(self) -> u32 {
        emphasis_of(self.0[3])
    }
}

/// Bits below those of the frame's row and emphasis.
const STYLE_BITS: u32 = 0xffff;

/// The paleness of a mark by the share of a pixel that its markers cover. A single instant takes no time, so it is not pale.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "an opacity from 0 to 1"
)]
#[inline]
fn paleness(packed: Packed, pixels_per_tick: f32) -> u32 {
    let style = packed.style();
    let length = packed.end().saturating_sub(packed.start()) as f32 * pixels_per_tick;
    let opacity = match style.is_merged() {
        true => length.min(1.0) * f32::from(packed.cover()) / 255.0,
        false if style.is_instant() => return 0,
        false => length,
    };
    if opacity >= 1.0 {
        return 0;
    }
    ((1.0 - opacity.max(LEAST_OPACITY)) / MarkerInstance::FADE_STEP + 0.5) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_index::Style;
    use flowline_profile::ColorBy;

    #[test]
    fn marks_narrower_than_a_pixel_are_as_pale_as_they_are_short() {
        let part = |packed: Packed| {
            let instance = MarkerInstance::new(packed, 3, Emphasis::Normal).faded(packed, 0.01);
            assert_eq!((instance.row(), instance.packed().style().color()), (3, 5));
            instance.background_part()
        };
        let style = Style::new(5);
        let of = |length: u64, style: Style| Packed::new(700, 700 + length, style);
        assert_eq!(part(of(100, style)), 0.0, "a whole pixel");
        assert!((part(of(70, style)) - 0.3).abs() < 0.02);
        assert!((part(of(1, style)) - 0.55).abs() < 0.001, "at least 45 % remain");
        assert_eq!(part(of(0, style.with_instant(true))), 0.0);
        let merged = of(150, style.merged());
        assert!((part(merged.with_cover(204)) - 0.2).abs() < 0.02);
        assert_eq!(part(merged.with_cover(255)), 0.0);
        assert!((part(merged) - 0.55).abs() < 0.001);
    }

    #[test]
    fn an_instance_keeps_its_row_with_another_emphasis() {
        // A frame colors the spans by one property; the bits of the other colors are free for marks.
        let packed = Packed::new(1, 2, Style::new(7).with_incomplete(true)).colored(ColorBy::Name);
        let instance = MarkerInstance::new(packed, 1000, Emphasis::Normal).marked(MarkerInstance::FORCED);
        let other = instance.emphasized(Emphasis::Alike);
        assert_eq!((other.row(), other.emphasis(), other.packed()), (1000, Emphasis::Alike as u32, packed));
        assert!(other.has(MarkerInstance::FORCED) && !other.has(MarkerInstance::LONG));
    }
}
