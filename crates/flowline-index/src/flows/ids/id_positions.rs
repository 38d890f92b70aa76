//! Listed ids by index into a string table. Programs append ids to the table as they use them, so the listed indexes
//! are close together: a paged array replaces a hash map.

/// Number of indexes per page.
const PAGE: usize = 1 << 9;
/// Marks an index that is not listed.
const NONE: u32 = u32::MAX;

/// Positions in a list, by index into the string table.
#[derive(Debug, Default)]
pub(crate) struct IdPositions {
    /// Position of each page in `pages`, plus 1; 0 for a page without listed indexes.
    directory: Vec<u32>,
    pages: Vec<[u32; PAGE]>,
}

#[inline]
fn split(index: u64) -> Option<(usize, usize)> {
    let index = usize::try_from(index).ok()?;
    Some((index / PAGE, index % PAGE))
}

impl IdPositions {
    /// Position of an index, if it is listed.
    #[inline]
    pub(crate) fn get(&self, index: u64) -> Option<u32> {
        let (page, slot) = split(index)?;
        let page = self.directory.get(page)?.checked_sub(1)?;
        Some(self.pages[page as usize][slot]).filter(|position| *position != NONE)
    }

    /// Lists an index, which must be within the string table: the directory grows up to its page.
    #[inline]
    pub(crate) fn insert(&mut self, index: u64, position: u32) {
        let Some((page, slot)) = split(index) else { return };
        if self.directory.len() <= page {
            self.directory.resize(page + 1, 0);
        }
        let place = &mut self.directory[page];
        if *place == 0 {
            self.pages.push([NONE; PAGE]);
            *place = u32::try_from(self.pages.len()).unwrap_or(0);
        }
        if let Some(page) = place.checked_sub(1) {
            self.pages[page as usize][slot] = position;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn every_index_has_its_position() {
        let mut random = fastrand::Rng::with_seed(4);
        let (mut listed, mut expected) = (IdPositions::default(), HashMap::new());
        for position in 0..5000 {
            let index = random.u64(0..3000) + if random.bool() { 0 } else { 1 << 20 };
            assert_eq!(listed.get(index), expected.get(&index).copied());
            expected.entry(index).or_insert_with(|| {
                listed.insert(index, position);
                position
            });
        }
        assert_eq!((listed.get(u64::MAX), listed.get(1 << 40)), (None, None));
    }
}
