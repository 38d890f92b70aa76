//! Measures of the details panel, in points.

/// Space at the left and right edges.
pub(super) const PAD: f32 = 12.0;
/// Left edge of texts.
pub(super) const TEXT: f32 = 24.0;
/// Left edge of values.
pub(super) const VALUES: f32 = 116.0;
/// Height of a row with one line.
pub(super) const ROW: f32 = 20.0;
/// Height of a row of the table of kinds.
pub(super) const KIND_ROW: f32 = 18.0;
/// Side of the square of a kind.
pub(super) const SQUARE: f32 = 8.0;
