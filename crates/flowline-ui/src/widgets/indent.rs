//! How far the rows of a tree are indented: names stay readable however deep they stand.

/// Points for each level.
const STEP: f32 = 12.0;
/// Points that a name keeps.
const NAME: f32 = 170.0;

/// The indentation of the rows on screen. If they are too deep for their column, the outermost levels are left out: those that
/// all rows have in common, and as many as the deepest one needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Indent {
    /// Levels left out.
    hidden: usize,
    /// The widest indentation in points.
    most: f32,
}

impl Indent {
    /// For the depths of the rows on screen, in a column of so many points.
    pub(crate) fn new(depths: impl Iterator<Item = usize>, width: f32) -> Self {
        let most = (width - NAME).max(width * 0.3);
        let ends = depths.fold(None, |ends: Option<(usize, usize)>, depth| {
            let (least, deepest) = ends.unwrap_or((depth, depth));
            Some((least.min(depth), deepest.max(depth)))
        });
        let hidden = match ends {
            Some((least, deepest)) if points(deepest) > most => {
                // One level stays, so that the rows are seen to be in something.
                let levels = (0..deepest).take_while(|levels| points(levels + 1) <= most).count();
                least.saturating_sub(1).max(deepest - levels)
            }
            _ => 0,
        };
        Self { hidden, most }
    }

    /// Points for a row of this depth.
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
    fn a_name_keeps_its_room_and_deep_rows_are_told_apart() {
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
