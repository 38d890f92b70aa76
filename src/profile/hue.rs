//! Colours for what states none: a hue by name, the same in every recording.

/// Colour words that names are spread over: those that differ in lightness too, without the greys.
pub const HUES: [&str; 12] = [
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

/// The colour word for a name. Digits do not count, so that numbered ones look alike.
#[must_use]
pub fn hue_of(name: &str) -> &'static str {
    // FNV-1a, both halves mixed.
    let letters = name.bytes().filter(|byte| !byte.is_ascii_digit());
    let hash =
        letters.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let hue = usize::try_from((hash ^ (hash >> 32)) % HUES.len() as u64).unwrap_or(0);
    HUES[hue]
}
