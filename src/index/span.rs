//! Spans: what one rectangle of a row stands for, packed into the 16 bytes the GPU reads.

use bytemuck::{Pod, Zeroable};

use super::clock::MAX_TICK;
use crate::profile::LocalMarker;

/// How a marker looks, packed into 16 bits; the upper half of the word belongs to the frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style(u32);

impl Style {
    const INSTANT: u32 = 1 << 8;
    const INCOMPLETE: u32 = 1 << 9;
    const MERGED: u32 = 1 << 10;
    const POINT_END: u32 = 1 << 11;

    /// The style of a marker drawn with colour `color` of the palette.
    #[must_use]
    pub fn new(color: u8, instant: bool, incomplete: bool) -> Self {
        let flag = |on: bool, bit: u32| if on { bit } else { 0 };
        Self(u32::from(color) | flag(instant, Self::INSTANT) | flag(incomplete, Self::INCOMPLETE))
    }

    /// The same, standing for several markers.
    #[must_use]
    pub const fn merged(self) -> Self {
        Self(self.0 | Self::MERGED)
    }

    /// The same, with or without a point at the very end of a run.
    #[must_use]
    pub const fn with_point_end(self, point: bool) -> Self {
        Self(if point { self.0 | Self::POINT_END } else { self.0 & !Self::POINT_END })
    }

    /// Whether the last of several merged markers is a point: it lights the pixel that *begins* at the span's end, too,
    /// where an interval stops before it. So a span's last column is `max(floor(x0), ceil(x1) - 1)`, and `floor(x1)` if
    /// it ends in a point.
    #[must_use]
    pub const fn ends_in_point(self) -> bool {
        self.0 & Self::POINT_END != 0
    }

    /// The same with another entry of the palette.
    #[must_use]
    pub fn with_color(self, color: u8) -> Self {
        Self((self.0 & !0xff) | u32::from(color))
    }

    /// Index into the palette.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "the low byte is the colour")]
    pub const fn color(self) -> u8 {
        self.0 as u8
    }

    /// Whether it is a point in time.
    #[must_use]
    pub const fn is_instant(self) -> bool {
        self.0 & Self::INSTANT != 0
    }

    /// Whether it stands for several markers.
    #[must_use]
    pub const fn is_merged(self) -> bool {
        self.0 & Self::MERGED != 0
    }

    /// The style of the low 16 bits of [`Style::bits`]; they hold all there is.
    #[must_use]
    pub fn from_bits(bits: u16) -> Self {
        Self(u32::from(bits))
    }

    /// The bits as packed.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }
}

/// Start, end and style in four words: start bits 0-31; start bits 32-47 with end bits 32-47 above them; end bits
/// 0-31; style. The shader `shaders/marker.wgsl` unpacks the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Packed(pub [u32; 4]);

impl Packed {
    /// Packs ticks (saturating at 48 bits) and a style.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "words are cut out of 48-bit ticks")]
    pub fn new(start: u64, end: u64, style: Style) -> Self {
        let (start, end) = (start.min(MAX_TICK), end.min(MAX_TICK));
        let high = (start >> 32) as u32 | ((end >> 32) as u32) << 16;
        Self([start as u32, high, end as u32, style.bits()])
    }

    /// First tick.
    #[must_use]
    pub fn start(self) -> u64 {
        u64::from(self.0[0]) | u64::from(self.0[1] & 0xffff) << 32
    }

    /// Last tick.
    #[must_use]
    pub fn end(self) -> u64 {
        u64::from(self.0[2]) | u64::from(self.0[1] >> 16) << 32
    }

    /// The style word.
    #[must_use]
    pub const fn style(self) -> Style {
        Style(self.0[3])
    }
}

/// A run of consecutive markers of a row, drawn as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Exact first start, exact last end, style of the longest marker.
    pub packed: Packed,
    /// Position in the row of its first marker.
    pub first: u32,
    /// How many markers it stands for.
    pub count: u32,
    /// The longest of them.
    pub longest: LocalMarker,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_48_bits_and_saturates() {
        let style = Style::new(200, true, false);
        let packed = Packed::new(0x1234_5678_9abc, 0xfedc_ba98_7654, style);
        assert_eq!((packed.start(), packed.end()), (0x1234_5678_9abc, 0xfedc_ba98_7654));
        assert_eq!(packed.style(), style);
        let beyond = Packed::new(u64::MAX, u64::MAX, style);
        assert_eq!((beyond.start(), beyond.end()), (MAX_TICK, MAX_TICK));
        assert_eq!(size_of::<Packed>(), 16);
    }
}
