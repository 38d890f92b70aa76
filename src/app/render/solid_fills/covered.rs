//! Covered areas of a render target.

use crate::app::render::pixels::Pixels;

/// Side of a tile in pixels.
const TILE: i32 = 16;
/// Number of tiles in a row, one per bit. Pixels farther to the right belong to the last tile.
const TILES: i32 = 128;

/// Rectangles, grouped by the rows of tiles that they touch. The tile bits quickly rule out most queries.
#[derive(Debug, Default)]
pub(super) struct Covered {
    rows: Vec<CoveredRow>,
}

#[derive(Clone, Debug, Default)]
struct CoveredRow {
    /// Bits of the tiles that the rectangles of this row touch.
    tiles: u128,
    rects: Vec<Pixels>,
}

impl Covered {
    /// Removes all rectangles.
    pub(super) fn clear(&mut self) {
        for row in &mut self.rows {
            row.tiles = 0;
            row.rects.clear();
        }
    }

    /// Returns the rows of tiles that a rectangle touches, and the tiles that it touches in each of them.
    fn tiles(Pixels([left, top, right, bottom]): Pixels) -> (std::ops::Range<usize>, u128) {
        let [first, last] = [left, right - 1].map(|x| (x / TILE).clamp(0, TILES - 1));
        let row = |y: i32| usize::try_from(y.max(0) / TILE).unwrap_or(0);
        (row(top)..row(bottom - 1) + 1, (u128::MAX >> (TILES - 1 - (last - first))) << first)
    }

    pub(super) fn push(&mut self, rect: Pixels) {
        if rect.area() <= 0 {
            return;
        }
        let (rows, tiles) = Self::tiles(rect);
        if self.rows.len() < rows.end {
            self.rows.resize(rows.end, CoveredRow::default());
        }
        for row in &mut self.rows[rows] {
            row.tiles |= tiles;
            row.rects.push(rect);
        }
    }

    /// Returns true if any of the rectangles intersects a non-empty rectangle.
    pub(super) fn intersects(&self, rect: Pixels) -> bool {
        let (rows, tiles) = Self::tiles(rect);
        let rows = rows.start.min(self.rows.len())..rows.end.min(self.rows.len());
        let mut touched = self.rows[rows].iter().filter(|row| row.tiles & tiles != 0);
        touched.any(|row| row.rects.iter().any(|other| other.intersects(rect)))
    }
}
