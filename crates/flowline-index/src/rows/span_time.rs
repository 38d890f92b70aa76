//! The time of the markers in a span of a pyramid.

/// Durations in a span, in ticks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SpanTime {
    /// Duration of the longest marker.
    pub(super) longest: u64,
    /// Sum of the durations of all markers.
    pub(super) busy: u64,
}

impl SpanTime {
    /// The share of a length that the markers cover, in 255ths.
    #[expect(clippy::cast_possible_truncation, reason = "at most 255")]
    pub(super) fn cover(self, length: u64) -> u8 {
        (self.busy.min(length).saturating_mul(255) / length.max(1)) as u8
    }
}
