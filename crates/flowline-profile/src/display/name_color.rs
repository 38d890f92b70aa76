//! Colors derived from names, for markers and counters without an individual color. A name has the same color in every
//! recording.

/// The palette words for names: all except the grays.
pub const NAME_COLORS: [&str; 12] = [
    "blue",
    "green",
    "yellow",
    "purple",
    "orange",
    "lightblue",
    "lightgreen",
    "magenta",
    "teal",
    "brown",
    "lightred",
    "ink",
];

/// The palette word for a name. Digits are ignored, so that numbered names have the same color.
#[must_use]
pub fn name_color(name: &str) -> &'static str {
    // FNV-1a, folded to its lower half.
    let letters = name.bytes().filter(|byte| !byte.is_ascii_digit());
    let hash =
        letters.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let color = usize::try_from((hash ^ (hash >> 32)) % NAME_COLORS.len() as u64).unwrap_or(0);
    NAME_COLORS[color]
}
