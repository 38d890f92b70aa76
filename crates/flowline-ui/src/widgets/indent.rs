//! Indentation of tree rows, limited so that names stay readable at any depth.

/// Points per level.
const STEP: f32 = 12.0;
/// Points reserved for a name.
const NAME: f32 = 170.0;

/// Indentation of the visible rows. If they are too deep for their column, the outermost levels are omitted: those that
/// all rows share, and as many more as the deepest row needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Indent {
    /// Number of omitted levels.
    hidden: usize,
    /// Maximum indentation in points.
    most: f32,
}

impl Indent {
    /// Indentation for the depths of the visible rows, in a column `width` points wide.
    pub(crate) fn new(depths: impl Iterator<Item = usize>, width: f32) -> Self {
        let most = (width - NAME).max(width * 0.3);
        let ends = depths.fold(None, |ends: Option<(usize, usize)>, depth| {
            let (least, deepest) = ends.unwrap_or((depth, depth));
            Some((least.min(depth), deepest.max(depth)))
        });
        let hidden = match ends {
            Some((least, deepest)) if points(deepest) > most => {
                // One shared level remains, to show that the rows have a parent.
                let levels = (0..deepest).take_while(|levels| points(levels + 1) <= most).count();
                least.saturating_sub(1).max(deepest - levels)
            }
            _ => 0,
        };
        Self { hidden, most }
    }

    /// Indentation in points of a row at this depth.
    pub(crate) fn of(self, depth: usize) -> f32 {
        points(depth.saturating_sub(self.hidden)).min(self.most)
    }
}

#[expect(clippy::cast_precision_loss, reason = "a level")]
fn points(levels: usize) -> f32 {
    levels as f32 * STEP
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_width_and_deep_rows_stay_distinct() {
        let flat = Indent::new([0, 1, 2].into_iter(), 400.0);
        assert_eq!([0, 1, 2].map(|depth| flat.of(depth)), [0.0, 12.0, 24.0]);
        let deep = Indent::new(60..75, 400.0);
        assert_eq!([60, 61, 74].map(|depth| deep.of(depth)), [12.0, 24.0, 180.0]);
        let mixed = Indent::new(2..75, 400.0);
        assert_eq!([2, 60, 61, 74].map(|depth| mixed.of(depth)), [0.0, 60.0, 72.0, 228.0]);
        assert!(Indent::new(0..75, 90.0).of(74) < 27.1);
        assert_eq!(Indent::new(std::iter::empty(), 0.0).of(3), 0.0);
    }
}
