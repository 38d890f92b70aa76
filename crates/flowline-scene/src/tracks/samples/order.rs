//! The order in which kinds of work are stacked in activity graphs.

use std::sync::LazyLock;

use flowline_index::COLOR_WORDS;

/// The palette entries from the bottom of a stack to the top. Common, less informative ones are at the bottom.
const ORDER: [&str; COLOR_WORDS.len()] = [
    "grey",
    "darkgrey",
    "ink",
    "teal",
    "lightgreen",
    "magenta",
    "brown",
    "yellow",
    "purple",
    "green",
    "blue",
    "orange",
    "lightred",
    "red",
    "lightblue",
    "transparent",
];

/// Palette entries from the bottom up.
pub(super) fn stack_order() -> &'static [u8] {
    static ENTRIES: LazyLock<Vec<u8>> =
        LazyLock::new(|| ORDER.iter().map(|word| flowline_index::color_index(word)).collect());
    &ENTRIES
}
