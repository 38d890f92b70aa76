//! Spans: one or more markers drawn as one rectangle, packed into the 16 bytes that the GPU reads.

use bytemuck::{Pod, Zeroable};

use super::clock::MAX_TICK;
use crate::colors::EntryColors;
use flowline_profile::{ColorBy, LocalMarker};

/// The style of a marker in 16 bits; the scene uses the upper half of the word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style(u32);

impl Style {
    /// Bits of the palette entries: by kind, by name, and by file or category from bit 12.
    const COLORS: u32 = 0xf0ff;
    /// Bits of a style; the third byte of the word states how much of its time a span covers.
    const BITS: u32 = 0xffff;
    const INSTANT: u32 = 1 << 8;
    const INCOMPLETE: u32 = 1 << 9;
    const MERGED: u32 = 1 << 10;
    const POINT_END: u32 = 1 << 11;

    /// The style of an interval whose palette entry is `entry` (below 16), whatever determines colors.
    #[must_use]
    #[inline]
    pub const fn new(entry: u8) -> Self {
        Self::of(EntryColors::fixed(entry))
    }

    /// The style of an interval with the given palette entries (below 16).
    #[must_use]
    #[inline]
    pub const fn of(colors: EntryColors) -> Self {
        Self(0).with_colors(colors)
    }

    /// The style of a flow's tint, which has an opacity instead of colors.
    #[must_use]
    #[inline]
    pub const fn of_opacity(opacity: u8) -> Self {
        Self(opacity as u32)
    }

    #[inline]
    const fn with(self, bit: u32, on: bool) -> Self {
        Self(if on { self.0 | bit } else { self.0 & !bit })
    }

    /// The same style with the instant flag set or cleared.
    #[must_use]
    #[inline]
    pub const fn with_instant(self, instant: bool) -> Self {
        self.with(Self::INSTANT, instant)
    }

    /// The same style with the incomplete flag set or cleared: the recording has only one end of the marker.
    #[must_use]
    #[inline]
    pub const fn with_incomplete(self, incomplete: bool) -> Self {
        self.with(Self::INCOMPLETE, incomplete)
    }

    /// The same style with another palette entry by kind.
    #[must_use]
    #[inline]
    pub const fn with_kind(self, entry: u8) -> Self {
        Self((self.0 & !15) | (entry & 15) as u32)
    }

    /// The same style for several merged markers.
    #[must_use]
    #[inline]
    pub const fn merged(self) -> Self {
        self.with(Self::MERGED, true)
    }

    /// The same style for merged markers that end in an instant (`point`) or in an interval.
    #[must_use]
    #[inline]
    pub const fn with_point_end(self, point: bool) -> Self {
        self.with(Self::POINT_END, point)
    }

    /// True if the last of several merged markers is an instant. An instant also lights the pixel that *begins* at the
    /// span's end; an interval stops before it. So the last column of a span is `floor(x1)` if the span ends in an
    /// instant, otherwise `max(floor(x0), ceil(x1) - 1)`.
    #[must_use]
    #[inline]
    pub const fn ends_in_point(self) -> bool {
        self.0 & Self::POINT_END != 0
    }

    /// The same style with other palette entries.
    #[must_use]
    #[inline]
    pub const fn with_colors(self, colors: EntryColors) -> Self {
        let [kind, name, group] = [colors.kind & 15, colors.name & 15, colors.group & 15];
        Self((self.0 & !Self::COLORS) | kind as u32 | (name as u32) << 4 | (group as u32) << 12)
    }

    /// The palette entries.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "four bits each")]
    #[inline]
    pub const fn colors(self) -> EntryColors {
        EntryColors { kind: self.0 as u8 & 15, name: (self.0 >> 4) as u8 & 15, group: (self.0 >> 12) as u8 & 15 }
    }

    /// The palette entry by kind.
    #[must_use]
    #[inline]
    pub const fn color(self) -> u8 {
        self.colors().kind
    }

    /// Opacity of a flow's tint.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "the low byte is the opacity")]
    #[inline]
    pub const fn opacity(self) -> u8 {
        self.0 as u8
    }

    /// True for an instant.
    #[must_use]
    #[inline]
    pub const fn is_instant(self) -> bool {
        self.0 & Self::INSTANT != 0
    }

    /// True if the recording has only one end of the marker.
    #[must_use]
    #[inline]
    pub const fn is_incomplete(self) -> bool {
        self.0 & Self::INCOMPLETE != 0
    }

    /// True for several merged markers.
    #[must_use]
    #[inline]
    pub const fn is_merged(self) -> bool {
        self.0 & Self::MERGED != 0
    }

    /// Restores a style from [`Style::bits`].
    #[must_use]
    #[inline]
    pub fn from_bits(bits: u16) -> Self {
        Self(u32::from(bits))
    }

    /// The style bits, as stored in [`Packed`].
    #[must_use]
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }
}

/// Start, end, and style in four words: start bits 0-31; start bits 32-47 with end bits 32-47 above them; end bits
/// 0-31; style, with the cover of merged markers above it. `columns` in `shaders/common.wgsl` unpacks it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Packed(pub [u32; 4]);

impl Packed {
    /// Packs ticks (saturating at 48 bits) and a style.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "words are cut out of 48-bit ticks")]
    #[inline]
    pub fn new(start: u64, end: u64, style: Style) -> Self {
        let (start, end) = (start.min(MAX_TICK), end.min(MAX_TICK));
        let high = (start >> 32) as u32 | ((end >> 32) as u32) << 16;
        Self([start as u32, high, end as u32, style.bits()])
    }

    /// First tick.
    #[must_use]
    #[inline]
    pub fn start(self) -> u64 {
        u64::from(self.0[0]) | u64::from(self.0[1] & 0xffff) << 32
    }

    /// Last tick.
    #[must_use]
    #[inline]
    pub fn end(self) -> u64 {
        u64::from(self.0[2]) | u64::from(self.0[1] >> 16) << 32
    }

    /// The same span with one color: the palette entry for `by` in place of all entries.
    #[must_use]
    #[inline]
    pub const fn colored(self, by: ColorBy) -> Self {
        let [start, high, end, style] = self.0;
        let entry = Style(style).colors().get(by);
        Self([start, high, end, (style & !Style::COLORS) | entry as u32])
    }

    /// The style word.
    #[must_use]
    #[inline]
    pub const fn style(self) -> Style {
        Style(self.0[3] & Style::BITS)
    }

    /// The same span of merged markers that cover a share of its time, in 255ths.
    #[must_use]
    #[inline]
    pub const fn with_cover(self, cover: u8) -> Self {
        let [start, high, end, style] = self.0;
        Self([start, high, end, (style & Style::BITS) | (cover as u32) << 16])
    }

    /// The share of its time that merged markers cover, in 255ths.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "the third byte")]
    #[inline]
    pub const fn cover(self) -> u8 {
        (self.0[3] >> 16) as u8
    }
}

/// Consecutive markers of a row, drawn as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Exact first start, exact last end, and the style of the longest marker with the kind that takes most time.
    pub packed: Packed,
    /// Position of its first marker in the row.
    pub first: u32,
    /// Number of markers it represents.
    pub count: u32,
    /// The longest of these markers.
    pub longest: LocalMarker,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_48_bits_and_saturates() {
        let style = Style::new(200).with_instant(true);
        let packed = Packed::new(0x1234_5678_9abc, 0xfedc_ba98_7654, style);
        assert_eq!((packed.start(), packed.end()), (0x1234_5678_9abc, 0xfedc_ba98_7654));
        assert_eq!(packed.style(), style);
        let beyond = Packed::new(u64::MAX, u64::MAX, style);
        assert_eq!((beyond.start(), beyond.end()), (MAX_TICK, MAX_TICK));
        assert_eq!(size_of::<Packed>(), 16);
    }
}
