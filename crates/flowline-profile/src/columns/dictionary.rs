//! Dictionary encoding: columns with few distinct items, stored as one number per row and a list of the distinct items.

use std::collections::HashMap;
use std::ops::Range;

use bytemuck::Pod;
use foldhash::fast::FixedState;

use super::column::Column;
use crate::persist::{Persist, Reader, Writer};

/// A list with few distinct items: two bytes per row, or four if there are more than 65,536 distinct items.
#[derive(Clone, Debug, Default)]
pub struct Dictionary<T: Pod> {
    /// Item numbers; empty if they need more than 16 bits.
    narrow: Column<u16>,
    /// Item numbers if they need more than 16 bits; otherwise empty.
    wide: Column<u32>,
    items: Column<T>,
}

impl<T: Pod> Persist for Dictionary<T> {
    #[inline]
    fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        let Self { narrow, wide, items } = self;
        narrow.write(to)?;
        wide.write(to)?;
        items.write(to)
    }

    #[inline]
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self { narrow: Persist::read(from)?, wide: Persist::read(from)?, items: Persist::read(from)? })
    }
}

impl<T: Pod> Dictionary<T> {
    /// Number of rows.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.narrow.len().max(self.wide.len())
    }

    /// True if there are no rows.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Read access to all rows.
    #[must_use]
    #[inline]
    pub fn view(&self) -> DictionaryView<'_, T> {
        DictionaryView { narrow: &self.narrow, wide: &self.wide, items: &self.items }
    }

    /// Some of the rows, and the range of items that their numbers refer to. Out-of-range parts are empty.
    #[inline]
    pub(crate) fn part(&self, rows: Range<usize>, items: Range<usize>) -> DictionaryView<'_, T> {
        DictionaryView {
            narrow: self.narrow.get(rows.clone()).unwrap_or_default(),
            wide: self.wide.get(rows).unwrap_or_default(),
            items: self.items.get(items).unwrap_or_default(),
        }
    }

    /// Mutable access to the distinct items. A change affects every row with that item.
    #[inline]
    pub fn items_mut(&mut self) -> &mut [T] {
        self.items.make_mut()
    }

    /// Number of distinct items.
    #[inline]
    pub(crate) fn item_count(&self) -> usize {
        self.items.len()
    }

    /// True if every number has an item.
    #[inline]
    pub(crate) fn is_consistent(&self) -> bool {
        let one_list = self.narrow.is_empty() || self.wide.is_empty();
        one_list && (self.is_empty() || !self.items.is_empty())
    }

    /// Size of the heap memory in bytes.
    #[must_use]
    #[inline]
    pub const fn heap_bytes(&self) -> usize {
        self.narrow.heap_bytes() + self.wide.heap_bytes() + self.items.heap_bytes()
    }
}

/// Read access to the rows of a [`Dictionary`].
#[derive(Clone, Copy, Debug)]
pub struct DictionaryView<'a, T> {
    narrow: &'a [u16],
    wide: &'a [u32],
    items: &'a [T],
}

impl<'a, T: Pod> DictionaryView<'a, T> {
    /// Number of rows.
    #[must_use]
    #[inline]
    pub const fn len(self) -> usize {
        if self.narrow.is_empty() { self.wide.len() } else { self.narrow.len() }
    }

    /// True if there are no rows.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Item number of a row; panics if the row does not exist.
    #[must_use]
    #[inline]
    pub fn number(self, row: usize) -> usize {
        match self.narrow.get(row) {
            Some(number) => usize::from(*number),
            None => self.wide[row] as usize,
        }
    }

    /// Item of a row; panics if the row does not exist.
    #[must_use]
    #[inline]
    pub fn at(self, row: usize) -> T {
        self.items[self.number(row)]
    }

    /// Items of all rows.
    #[inline]
    pub fn iter(self) -> impl ExactSizeIterator<Item = T> + use<'a, T> {
        self.numbers().map(move |number| self.items[number])
    }

    /// Item numbers of all rows.
    #[inline]
    pub fn numbers(self) -> impl ExactSizeIterator<Item = usize> + use<'a, T> {
        (0..self.len()).map(move |row| self.number(row))
    }

    /// The distinct items by number. After [`Dictionary::items_mut`], some may be equal.
    #[must_use]
    #[inline]
    pub const fn items(self) -> &'a [T] {
        self.items
    }
}

/// Collects items for a [`Dictionary`].
#[derive(Debug)]
pub(crate) struct DictionaryBuilder<T: Pod> {
    narrow: Vec<u16>,
    wide: Vec<u32>,
    items: Vec<T>,
    known: HashMap<T, u32, FixedState>,
    /// Numbers of the most recently looked up items, by [`slot`].
    recent: Box<[u32; SLOTS]>,
    count: usize,
}

/// Number of slots for recently looked up items.
const SLOTS: usize = 256;

/// Slot of an item.
#[inline]
fn slot<T: Pod>(item: &T) -> usize {
    let bytes = bytemuck::bytes_of(item);
    let word = match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(23),
        _ => bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    usize::from(word.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes()[0])
}

impl<T: Pod + Eq + std::hash::Hash> DictionaryBuilder<T> {
    /// A builder with capacity for `count` rows.
    #[must_use]
    #[inline]
    pub(crate) fn with_capacity(count: usize) -> Self {
        let known = HashMap::with_hasher(FixedState::default());
        let recent = Box::new([0; SLOTS]);
        Self { narrow: Vec::with_capacity(count), wide: Vec::new(), items: Vec::new(), known, recent, count }
    }

    /// Adds a row.
    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        let slot = slot(&item);
        let mut number = self.recent[slot];
        if self.items.get(number as usize) != Some(&item) {
            number = self.find(item);
            self.recent[slot] = number;
        }
        if self.wide.is_empty() {
            match u16::try_from(number) {
                Ok(number) => self.narrow.push(number),
                Err(_) => self.widen(number),
            }
        } else {
            self.wide.push(number);
        }
    }

    /// Number of an item.
    #[inline(never)]
    fn find(&mut self, item: T) -> u32 {
        let next = u32::try_from(self.items.len()).unwrap_or(u32::MAX);
        let number = *self.known.entry(item).or_insert(next);
        if number == next {
            self.items.push(item);
        }
        number
    }

    /// Switches to wide numbers.
    #[cold]
    #[inline]
    fn widen(&mut self, number: u32) {
        self.wide = Vec::with_capacity(self.count.max(self.narrow.len() + 1));
        self.wide.extend(std::mem::take(&mut self.narrow).into_iter().map(u32::from));
        self.wide.push(number);
    }

    /// Starts another small table in the same column. Its numbers restart at 0 and refer to its own items, which begin
    /// at the returned position.
    #[inline]
    pub(crate) fn begin_table(&self) -> usize {
        self.items.len()
    }

    /// Adds a row to a table with fewer than 65,536 rows, whose items begin at position `table`.
    pub(crate) fn push_in_table(&mut self, table: usize, item: T) {
        let found = self.items[table..].iter().position(|own| *own == item);
        let number = found.unwrap_or_else(|| {
            self.items.push(item);
            self.items.len() - 1 - table
        });
        self.narrow.push(u16::try_from(number).unwrap_or(u16::MAX));
    }

    /// Returns the finished column.
    #[must_use]
    #[inline]
    pub(crate) fn finish(mut self) -> Dictionary<T> {
        self.items.shrink_to_fit();
        Dictionary { narrow: self.narrow.into(), wide: self.wide.into(), items: self.items.into() }
    }
}

impl<T: Pod + Eq + std::hash::Hash> FromIterator<T> for Dictionary<T> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let items = items.into_iter();
        let mut builder = DictionaryBuilder::with_capacity(items.size_hint().0);
        items.for_each(|item| builder.push(item));
        builder.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_preserved() {
        for distinct in [1_u64, 3, 65_536, 65_537, 100_000] {
            let items: Vec<u64> = (0..200_000).map(|row| row * 7919 % distinct).collect();
            let column: Dictionary<u64> = items.iter().copied().collect();
            assert!(column.view().iter().eq(items.iter().copied()), "{distinct}");
            assert_eq!((column.len(), column.view().items().len() as u64), (items.len(), distinct));
            let bytes = if distinct <= 65_536 { 2 } else { 4 };
            assert!(column.heap_bytes() as u64 <= 200_000 * bytes + distinct * 8, "{distinct}");
            assert!(column.is_consistent());
        }
        assert_eq!(Dictionary::<u64>::default().view().iter().count(), 0);
    }

    #[test]
    fn a_changed_item_changes_all_its_rows() {
        let mut column: Dictionary<u32> = [5, 6, 5, 7].into_iter().collect();
        for item in column.items_mut() {
            *item = if *item == 7 { 5 } else { *item };
        }
        assert_eq!(column.view().iter().collect::<Vec<_>>(), [5, 6, 5, 5]);
    }
}
