//! The text of a recording, mapped or owned.

use std::ops::Range;
use std::sync::Arc;

use super::column::SharedBytes;
use super::json::Cursor;
use super::payload::PayloadRef;
use super::waiting::must_not_read;

/// Tells whether a part of the input is in memory.
pub type InMemory = Arc<dyn Fn(Range<usize>) -> bool + Send + Sync>;

/// Bytes from the start of a payload on that are asked for; most payloads are shorter.
const NEAR: usize = 512;

/// The input's bytes, mapped or owned, shared by everything that looks into payloads.
#[derive(Clone)]
pub struct Source {
    bytes: SharedBytes,
    /// See [`Source::with_member`].
    member: Option<&'static str>,
    /// `None` for bytes that are always in memory.
    in_memory: Option<InMemory>,
}

impl Source {
    /// Wraps bytes.
    pub fn new(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        Self { bytes: Arc::new(bytes), member: None, in_memory: None }
    }

    /// The same bytes, parts of which may have to be read from the disk when somebody looks at them.
    #[must_use]
    pub fn with_in_memory(self, in_memory: InMemory) -> Self {
        Self { in_memory: Some(in_memory), ..self }
    }

    /// Whether text at an offset must not be read here; see [`super::without_waiting`].
    #[must_use]
    #[inline]
    pub fn must_not_read(&self, offset: usize) -> bool {
        must_not_read(|| {
            let end = offset.saturating_add(NEAR).min(self.bytes().len());
            self.in_memory.as_ref().is_none_or(|in_memory| in_memory(offset.min(end)..end))
        })
    }

    /// The same bytes, with payload offsets that point to objects one member of which is the payload (`args` of an event).
    #[must_use]
    pub fn with_member(self, member: &'static str) -> Self {
        Self { member: Some(member), ..self }
    }

    /// The member that is the payload, if the payload is not the whole object.
    #[must_use]
    pub const fn member(&self) -> Option<&'static str> {
        self.member
    }

    /// All bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// A cursor at an offset; `None` if the text must not be read here.
    #[must_use]
    pub fn cursor_at(&self, offset: u64) -> Option<Cursor<'_>> {
        let offset = usize::try_from(offset).ok()?;
        (!self.must_not_read(offset)).then(|| Cursor::at(self.bytes(), offset))
    }

    /// The numbers of the pieces of `piece` bytes, those in memory first. Whoever reads a text that does not fit into memory from
    /// its beginning finds nothing of it in memory: what was read last is at its end.
    #[must_use]
    pub fn pieces_in_memory_first(&self, piece: usize) -> Vec<usize> {
        let pieces = 0..self.bytes().len().div_ceil(piece);
        let Some(in_memory) = &self.in_memory else { return pieces.collect() };
        // The system reads and drops many pages at a time, so two of them tell enough.
        let is_in_memory =
            |number: &usize| [0, piece / 2].iter().all(|at| in_memory(number * piece + at..number * piece + at + 1));
        let (mut first, others): (Vec<usize>, Vec<usize>) = pieces.partition(is_in_memory);
        first.extend(others);
        first
    }

    /// A cursor before the payload at `place`; `None` if there is none or the text is damaged.
    #[must_use]
    pub fn payload_at(&self, place: PayloadRef) -> Option<Cursor<'_>> {
        let offset = place.offset()?;
        let cursor = self.cursor_at(place.0)?;
        match self.member {
            None => Some(cursor),
            Some(member) => member_at(self.bytes(), offset, member),
        }
    }
}

/// A cursor before a member of the object at an offset of a text; `None` if there is none. Damage after the member does not
/// count.
#[must_use]
pub fn member_at<'a>(text: &'a [u8], offset: usize, member: &str) -> Option<Cursor<'a>> {
    let mut cursor = Cursor::at(text, offset);
    cursor.enter_object().ok()?;
    let mut found = None;
    // The last of repeated keys counts.
    while let Ok(Some(key)) = cursor.next_key() {
        if key.bytes == member.as_bytes() {
            found = Some(cursor);
        }
        if cursor.skip_value().is_err() {
            break;
        }
    }
    found
}

impl Default for Source {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Source({} bytes)", self.bytes().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_memory_comes_first() {
        let source = Source::new(vec![b' '; 95]);
        assert_eq!(source.pieces_in_memory_first(10), (0..10).collect::<Vec<_>>());
        // Of the piece from 40 on, only the first half is there.
        let kept = Arc::new(|part: Range<usize>| (33..45).contains(&part.start) || part.start >= 70);
        let pieces = source.with_in_memory(kept).pieces_in_memory_first(10);
        assert_eq!(pieces, [7, 8, 9, 0, 1, 2, 3, 4, 5, 6]);
    }
}
