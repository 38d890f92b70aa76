//! Offsets at which the decoded, case-folded text of a recording may differ from its bytes: escapes, and non-ASCII
//! capitals whose lowercase form begins with an ASCII letter. A byte search for lowercase ASCII text must also check
//! these offsets.
//!
//! The first search of the whole text finds them, and later searches reuse them.

use std::ops::Range;
use std::sync::Arc;

/// The capitals: the first letter of the lowercase form, and the bytes of the capital.
const CAPITALS: [(u8, &[u8]); 2] = [(b'i', "İ".as_bytes()), (b'k', "\u{212a}".as_bytes())];
/// The offsets are discarded if there is more than one per this many bytes.
const BYTES_PER_PLACE: usize = 512;

/// Maximum number of offsets that are worth checking individually in a text of this length.
#[must_use]
#[inline]
pub const fn max_offsets(bytes: usize) -> usize {
    bytes / BYTES_PER_PLACE + 64
}

/// Offsets of escapes and of these capitals in a text or a part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Escapes {
    /// Offsets of backslashes, ascending.
    backslashes: Arc<[u64]>,
    /// Offsets of each of the [`CAPITALS`], ascending.
    capitals: [Arc<[u64]>; CAPITALS.len()],
}

impl Escapes {
    /// Finds those that begin in a part of a text.
    #[must_use]
    pub fn find(text: &[u8], part: Range<usize>) -> Self {
        let (mut backslashes, mut capitals) = (Vec::new(), CAPITALS.map(|_| Vec::new()));
        let [first, second] = CAPITALS.map(|(_, capital)| capital[0]);
        for at in memchr::memchr3_iter(b'\\', first, second, &text[part.clone()]) {
            let (place, here) = ((part.start + at) as u64, &text[part.start + at..]);
            if here[0] == b'\\' {
                backslashes.push(place);
            }
            for ((_, capital), places) in CAPITALS.iter().zip(&mut capitals) {
                if here.starts_with(capital) {
                    places.push(place);
                }
            }
        }
        Self { backslashes: backslashes.into(), capitals: capitals.map(Arc::from) }
    }

    /// Joins the results of all parts of a text, in order; `None` if there are too many to check individually.
    #[must_use]
    pub fn join(pieces: &[Self], bytes: usize) -> Option<Self> {
        let joined =
            |of: &dyn Fn(&Self) -> &Arc<[u64]>| pieces.iter().flat_map(|piece| of(piece).iter().copied()).collect();
        let all = Self {
            backslashes: joined(&|piece| &piece.backslashes),
            capitals: std::array::from_fn(|at| joined(&move |piece| &piece.capitals[at])),
        };
        (all.lists(&[]).map(<[u64]>::len).sum::<usize>() <= max_offsets(bytes)).then_some(all)
    }

    /// The lists that are relevant for a lowercase text; all lists for an empty text.
    fn lists(&self, small: &[u8]) -> impl Iterator<Item = &[u64]> {
        let capitals = CAPITALS.iter().zip(&self.capitals);
        let capitals = capitals.filter(move |((letter, _), _)| small.is_empty() || small.contains(letter));
        std::iter::once(&*self.backslashes).chain(capitals.map(|(_, list)| &**list))
    }

    /// Adds the offsets in a part of the text at which a letter of a lowercase text may occur.
    #[inline]
    pub fn add_to(&self, found: &mut Vec<u64>, part: Range<usize>, small: &[u8]) {
        for list in self.lists(small) {
            let place = |offset: usize| list.partition_point(|place| *place < offset as u64);
            found.extend_from_slice(&list[place(part.start)..place(part.end)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_find_the_same_offsets_as_the_whole_text() {
        let text = "a\\n \u{212a}elvin İx \\\" \u{212a}".as_bytes();
        let found = |escapes: &Escapes, part: Range<usize>, small: &str| {
            let mut found = Vec::new();
            escapes.add_to(&mut found, part, small.as_bytes());
            found.sort_unstable();
            found
        };
        for size in 1..text.len() {
            let ends = (0..text.len()).step_by(size);
            let pieces: Vec<Escapes> =
                ends.map(|from| Escapes::find(text, from..(from + size).min(text.len()))).collect();
            let all = Escapes::join(&pieces, text.len()).expect("few");
            assert_eq!(found(&all, 0..text.len(), "xyz"), [1, 17], "pieces of {size}");
            assert_eq!(found(&all, 0..text.len(), "kelvin"), [1, 4, 13, 17, 20], "pieces of {size}");
            assert_eq!(found(&all, 2..20, "k"), [4, 17], "pieces of {size}");
        }
    }

    #[test]
    fn too_many_offsets_are_discarded() {
        let text = b"\\\\".repeat(1000);
        assert!(Escapes::join(&[Escapes::find(&text, 0..text.len())], text.len()).is_none());
        assert!(Escapes::join(&[Escapes::find(&text, 0..60)], text.len()).is_some());
    }
}
