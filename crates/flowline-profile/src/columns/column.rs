//! Columns of plain data, either owned or borrowed from a mapped file.
//!
//! Plain data has the same bytes in memory and in a file. Opening a cached index therefore reads no columns: they
//! borrow from the memory map and keep it alive. Access costs the same as access to a `Vec`.

use std::ops::{Deref, Range};
use std::sync::Arc;

use bytemuck::Pod;
use yoke::Yoke;

/// Shared bytes: a mapped file or a buffer.
pub type SharedBytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// A list of plain data, owned or part of shared bytes.
#[derive(Clone)]
pub struct Column<T: Pod>(Storage<T>);

#[derive(Clone)]
enum Storage<T: Pod> {
    Owned(Vec<T>),
    Shared(Yoke<&'static [T], SharedBytes>),
}

impl<T: Pod> Column<T> {
    /// An empty column.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        Self(Storage::Owned(Vec::new()))
    }

    /// An empty column with capacity for `count` items.
    #[must_use]
    #[inline]
    pub fn with_capacity(count: usize) -> Self {
        Self(Storage::Owned(Vec::with_capacity(count)))
    }

    /// A column that borrows from shared bytes; `None` if the part is out of range, misaligned, or not a whole number
    /// of items.
    #[must_use]
    pub fn shared(bytes: SharedBytes, part: Range<usize>) -> Option<Self> {
        let items = Yoke::try_attach_to_cart(bytes, |bytes| {
            let bytes = bytes.as_ref().get(part).ok_or(())?;
            bytemuck::try_cast_slice(bytes).map_err(|_| ())
        });
        items.ok().map(|items| Self(Storage::Shared(items)))
    }

    /// Mutable access to the items; shared items are copied first.
    pub fn make_mut(&mut self) -> &mut Vec<T> {
        if let Storage::Shared(items) = &self.0 {
            self.0 = Storage::Owned(items.get().to_vec());
        }
        match &mut self.0 {
            Storage::Owned(items) => items,
            Storage::Shared(_) => unreachable!("converted to owned above"),
        }
    }

    /// Appends an item.
    #[inline]
    pub fn push(&mut self, item: T) {
        self.make_mut().push(item);
    }

    /// Reserves capacity for exactly `count` more items.
    #[inline]
    pub fn reserve_exact(&mut self, count: usize) {
        self.make_mut().reserve_exact(count);
    }

    /// Releases unused capacity.
    #[inline]
    pub fn shrink_to_fit(&mut self) {
        if let Storage::Owned(items) = &mut self.0 {
            items.shrink_to_fit();
        }
    }

    /// Heap bytes; 0 if it is shared.
    #[must_use]
    #[inline]
    pub const fn heap_bytes(&self) -> usize {
        match &self.0 {
            Storage::Owned(items) => items.capacity() * size_of::<T>(),
            Storage::Shared(_) => 0,
        }
    }

    /// Bytes borrowed from shared memory; 0 if it is owned.
    #[must_use]
    #[inline]
    pub fn shared_bytes(&self) -> usize {
        match &self.0 {
            Storage::Owned(_) => 0,
            Storage::Shared(items) => size_of_val(*items.get()),
        }
    }
}

impl<T: Pod> Deref for Column<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Storage::Owned(items) => items,
            Storage::Shared(items) => items.get(),
        }
    }
}

impl<T: Pod> Default for Column<T> {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Pod> From<Vec<T>> for Column<T> {
    #[inline]
    fn from(items: Vec<T>) -> Self {
        Self(Storage::Owned(items))
    }
}

impl<T: Pod> FromIterator<T> for Column<T> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(Storage::Owned(items.into_iter().collect()))
    }
}

impl<T: Pod> Extend<T> for Column<T> {
    #[inline]
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        self.make_mut().extend(items);
    }
}

impl<'a, T: Pod> IntoIterator for &'a Column<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: Pod + PartialEq> PartialEq for Column<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Pod + std::fmt::Debug> std::fmt::Debug for Column<T> {
    #[inline]
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes aligned for 8-byte numbers.
    fn shared(words: &[u64]) -> SharedBytes {
        struct Words(Vec<u64>);
        impl AsRef<[u8]> for Words {
            fn as_ref(&self) -> &[u8] {
                bytemuck::cast_slice(&self.0)
            }
        }
        Arc::new(Words(words.to_vec()))
    }

    #[test]
    fn shared_columns_borrow_and_are_copied_when_they_change() {
        let bytes = shared(&[1, 2, 3, 4]);
        let mut column = Column::<u64>::shared(Arc::clone(&bytes), 8..24).expect("two numbers");
        assert_eq!((&column[..], column.heap_bytes(), column.shared_bytes()), (&[2, 3][..], 0, 16));
        let before = column.clone();
        drop(bytes);
        column.push(9);
        assert_eq!((&column[..], column.shared_bytes()), (&[2, 3, 9][..], 0));
        assert_eq!(&before[..], [2, 3]);
    }

    #[test]
    fn misaligned_and_out_of_range_parts_are_rejected() {
        let bytes = shared(&[1, 2, 3, 4]);
        for part in [0..33, 40..48, std::ops::Range { start: 24, end: 16 }, 4..12, 0..12] {
            assert!(Column::<u64>::shared(Arc::clone(&bytes), part.clone()).is_none(), "{part:?}");
        }
        assert!(Column::<u64>::shared(bytes, 32..32).is_some_and(|column| column.is_empty()));
    }
}
