//! Palette entries: kinds first, then idle, shades of `System`, harm and warnings.

use flowline_profile::Kind;

/// Number of palette entries.
pub const PALETTE_ENTRIES: usize = 16;
/// Recorded idle time.
pub const IDLE_ENTRY: u8 = 10;
/// `System`, lighter: every third nesting level of slices without a kind.
pub const SYSTEM_HIGH_ENTRY: u8 = 11;
/// `System`, darker: every third nesting level of slices without a kind.
pub const SYSTEM_DEEP_ENTRY: u8 = 12;
/// Harm.
pub const HARM_ENTRY: u8 = 13;
/// Warnings.
pub const WARN_ENTRY: u8 = 14;

/// Color words of recordings and flow rules. They are Firefox's names for category and graph colors.
pub const COLOR_WORDS: [&str; 16] = [
    "grey",
    "darkgrey",
    "purple",
    "yellow",
    "orange",
    "lightblue",
    "green",
    "blue",
    "red",
    "magenta",
    "brown",
    "lightgreen",
    "lightred",
    "transparent",
    "ink",
    "teal",
];

/// Palette entry with the hue of a color word; unknown words map to `System`.
#[must_use]
pub fn color_index(word: &str) -> u8 {
    match word {
        "purple" => Kind::Layout as u8,
        "yellow" => Kind::Script as u8,
        "orange" | "brown" => Kind::Memory as u8,
        "lightblue" => Kind::Network as u8,
        "green" => Kind::Paint as u8,
        "blue" => Kind::Load as u8,
        "red" => HARM_ENTRY,
        "magenta" | "lightred" => Kind::User as u8,
        "lightgreen" => Kind::Ipc as u8,
        "teal" => Kind::Gpu as u8,
        "darkgrey" | "darkgray" => SYSTEM_DEEP_ENTRY,
        "ink" => SYSTEM_HIGH_ENTRY,
        "transparent" => IDLE_ENTRY,
        _ => Kind::System as u8,
    }
}

/// Palette entry of a name, one of the ten hues. It is the same in every recording; digits are ignored, so that numbered
/// names have the same color.
#[must_use]
#[inline]
pub fn color_of_name(name: &str) -> u8 {
    // FNV-1a, folded to its lower half.
    let letters = name.bytes().filter(|byte| !byte.is_ascii_digit());
    let hash =
        letters.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let hue = usize::try_from((hash ^ (hash >> 32)) % Kind::ALL.len() as u64).unwrap_or(0);
    Kind::ALL[hue] as u8
}
