//! Colours that markers state for themselves, in 5 bytes each.

use super::column::Column;
use super::ids::MarkerId;
use super::persist::persist;

/// Markers that state a colour of their own, each with a word of the palette.
#[derive(Clone, Debug, Default)]
pub struct OwnColors {
    /// The words that occur; there are few.
    words: Vec<&'static str>,
    markers: Column<MarkerId>,
    /// Positions in `words`.
    colors: Column<u8>,
}
persist!(OwnColors { words, markers, colors });

impl OwnColors {
    /// Adds a marker. Of more than 256 words, those beyond count for nothing.
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

    /// All markers that state one, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (MarkerId, &'static str)> + '_ {
        let word = |color: &u8| self.words.get(usize::from(*color)).copied().unwrap_or_default();
        self.markers.iter().copied().zip(self.colors.iter().map(word))
    }

    /// Heap bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.markers.heap_bytes() + self.colors.heap_bytes()
    }
}
