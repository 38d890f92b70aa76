//! Individual marker colors from the recording, 5 bytes each.

use crate::Column;
use crate::MarkerId;
use crate::persist::persist;

/// Markers with an individual color, each with a palette word.
#[derive(Clone, Debug, Default)]
pub struct MarkerColors {
    /// The distinct palette words.
    words: Vec<&'static str>,
    markers: Column<MarkerId>,
    /// Positions in `words`.
    colors: Column<u8>,
}
persist!(MarkerColors { words, markers, colors });

impl MarkerColors {
    /// Adds a marker. Palette words after the 256th distinct one are ignored.
    pub fn push(&mut self, marker: MarkerId, word: &'static str) {
        let known = self.words.iter().position(|known| *known == word);
        let position = known.unwrap_or_else(|| {
            self.words.push(word);
            self.words.len() - 1
        });
        if let Ok(color) = u8::try_from(position) {
            self.markers.push(marker);
            self.colors.push(color);
        }
    }

    /// All these markers, in insertion order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (MarkerId, &'static str)> + '_ {
        let word = |color: &u8| self.words.get(usize::from(*color)).copied().unwrap_or_default();
        self.markers.iter().copied().zip(self.colors.iter().map(word))
    }

    /// Heap size in bytes.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> usize {
        self.markers.heap_bytes() + self.colors.heap_bytes()
    }
}
