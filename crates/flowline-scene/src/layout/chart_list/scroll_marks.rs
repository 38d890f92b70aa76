//! Marks of the chart's scroll bar: positions of search hits and notes among all rows.
//!
//! Hits are counted per row of the list, never marker by marker, since rows store their number of hits. So the cost
//! depends on the rows, and marks are recomputed only when list, search, notes or height change, not in every frame.
//! Positions are device pixels from the top of the bar; there are never more marks than pixels.

use std::ops::Range;

use super::item::{Item, ItemKind};
use crate::layout::filters::SearchView;
use crate::layout::scene_input::SceneInput;
use flowline_profile::ThreadId;
use flowline_view::Arrangement;

/// A part of the bar whose rows contain hits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BarPart {
    /// Pixels of the bar.
    pub pixels: Range<u32>,
    /// Hits in these rows.
    pub hits: u64,
}

/// Inputs of the marks.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    list: u64,
    search: Option<u64>,
    arrangement: Arrangement,
    notes: u64,
    height: u32,
}

/// The marks of a bar.
#[derive(Clone, Debug, Default)]
pub struct ScrollMarks {
    key: Option<Key>,
    /// Parts with hits, from top to bottom; they do not overlap.
    pub hits: Vec<BarPart>,
    /// Rows with hits.
    pub rows: usize,
    /// Pixels with notes, without duplicates.
    pub notes: Vec<u32>,
}

/// Number of hits on the rows that an item represents.
fn hits_of(input: &SceneInput<'_>, search: &SearchView, item: &Item) -> u64 {
    let profile = input.index.profile();
    let of_thread = |thread: ThreadId| search.hits.thread(thread).len() as u64;
    match item.kind {
        ItemKind::Row(row) => {
            let found = search.layout.thread(row.thread).filter(|found| (row.row as usize) < found.rows.len());
            found.map_or(0, |found| found.rows.row(row.row as usize).len() as u64)
        }
        ItemKind::CollapsedGroup(collapsed) => {
            let rows = input.list.collapsed(&collapsed).and_then(|rows| rows.hits.as_ref());
            rows.map_or(0, |(_, rows)| (0..rows.rows.len()).map(|row| rows.rows.row(row).len() as u64).sum())
        }
        ItemKind::Thread(heading) if !heading.expanded => {
            profile.with_nested_tracks(heading.thread).map(of_thread).sum()
        }
        ItemKind::Process(heading) if heading.collapsed => {
            let threads = profile.threads_with_ids().filter(|(_, thread)| thread.process == heading.process);
            threads.map(|(thread, _)| of_thread(thread)).sum()
        }
        ItemKind::Samples(heading) => u64::from(search.calls.has(heading.thread)),
        _ => 0,
    }
}

impl ScrollMarks {
    /// Recomputes the marks of a bar of `height` pixels if an input has changed.
    pub fn follow(&mut self, input: &SceneInput<'_>, height: u32) {
        let notes = input.notes.number();
        let search = input.search.map(|search| search.number);
        let key = Key { list: input.list.number, search, arrangement: input.view.arrangement, notes, height };
        if self.key.as_ref() == Some(&key) {
            return;
        }
        *self = Self { key: Some(key), ..Self::default() };
        let room = input.list.height().max(f64::from(input.regions.chart.height / input.scale));
        let per_point = f64::from(height) / room.max(1.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positions within the bar")]
        let pixel = |y: f64| ((y * per_point).floor().max(0.0) as u32).min(height.saturating_sub(1));
        if let Some(search) = input.search {
            let mut found = Vec::new();
            for item in input.list.items() {
                let hits = hits_of(input, search, item);
                if hits > 0 {
                    found.push((pixel(item.y)..pixel(item.y + item.height * 0.999) + 1, hits));
                }
            }
            self.rows = found.len();
            self.hits = merged(found);
        }
        self.notes = input.notes.places().map(pixel).collect();
        self.notes.sort_unstable();
        self.notes.dedup();
    }

    /// Description of the marks for screen readers.
    #[must_use]
    pub fn spoken(&self) -> Option<String> {
        use flowline_format::format_counted;
        let parts = [(self.rows, "row"), (self.notes.len(), "position")];
        let [rows, places] = parts.map(|(count, what)| (count > 0).then(|| format_counted(count as u64, what)));
        let hits = rows.map(|rows| format!("{rows} with hits"));
        let notes = places.map(|places| format!("{places} with notes"));
        let spoken: Vec<String> = hits.into_iter().chain(notes).collect();
        (!spoken.is_empty()).then(|| spoken.join(", "))
    }
}

/// Merges parts that share a pixel.
fn merged(found: Vec<(Range<u32>, u64)>) -> Vec<BarPart> {
    let mut parts: Vec<BarPart> = Vec::new();
    for (pixels, hits) in found {
        match parts.last_mut() {
            Some(last) if pixels.start < last.pixels.end => {
                last.pixels.end = last.pixels.end.max(pixels.end);
                last.hits += hits;
            }
            _ => parts.push(BarPart { pixels, hits }),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_never_more_parts_than_pixels() {
        let found: Vec<(Range<u32>, u64)> = (0..100_000_u32).map(|row| (row / 200..row / 200 + 1, 2)).collect();
        let parts = merged(found);
        assert_eq!(parts.len(), 500);
        assert!(parts.iter().all(|part| part.hits == 400));
        let apart = merged(vec![(0..3, 1), (3..5, 1), (4..9, 5)]);
        assert_eq!(apart, [BarPart { pixels: 0..3, hits: 1 }, BarPart { pixels: 3..9, hits: 6 }]);
    }
}
