//! The boxes of frames on screen. Each column shows one of the frames that cover it: the worst one, of these the longest, of
//! these the first. Therefore no late and no dropped frame is lost, and what a column shows does not depend on the part of the
//! row that is visited: the pointer finds the frame that is drawn.

use super::row::{FrameRow, Severity};
use crate::geometry::AxisMap;
use flowline_index::{Packed, Style};

/// Columns in succession that show the same frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DrawnFrames {
    /// First column, and the one after the last.
    pub(super) columns: (i32, i32),
    pub(super) severity: Severity,
    /// The frame that is shown, by place on the row.
    pub(super) shown: usize,
    /// For a column that frames share which are not wider: the first frame, and the one after the last. Otherwise that of
    /// the frame itself.
    pub(super) frames: (usize, usize),
}

impl DrawnFrames {
    /// The only frame of a box.
    pub(super) fn single(&self) -> Option<usize> {
        (self.frames.1 - self.frames.0 == 1).then_some(self.shown)
    }
}

/// Columns left of the view in which boxes begin that reach into it.
const LEFT: i32 = -2;

/// Calls `each` with all boxes that touch a closed range of ticks, from left to right without overlap.
pub(super) fn visit(row: &FrameRow, map: &AxisMap, (from, to): (u64, u64), mut each: impl FnMut(DrawnFrames)) {
    if row.len() == 0 {
        return;
    }
    let columns = |at: usize| columns_of(row, map, at);
    let mut column = columns(row.first_at(from)).0.max(LEFT);
    let mut pending: Option<DrawnFrames> = None;
    loop {
        let (first, end) = covering(row, map, column);
        if first >= end {
            // Nothing is drawn until the next frame begins.
            if end >= row.len() || row.ticks(end).0 > to {
                break;
            }
            column = columns(end).0.max(column + 1);
            continue;
        }
        let shown = row.worst(first, end);
        let own = columns(shown);
        // Only the last of them can reach beyond the column.
        let next = if shown + 1 == end && end < row.len() { columns(end).0 } else { i32::MAX };
        let until = if shown + 1 == end { own.1.min(next).max(column + 1) } else { column + 1 };
        let is_narrow = own.1 - own.0 <= 1;
        let drawn = DrawnFrames {
            columns: (if pending.is_none() && column == LEFT { own.0.min(column) } else { column }, until),
            severity: row.severity(shown),
            shown,
            frames: if is_narrow { (first, end) } else { (shown, shown + 1) },
        };
        match &mut pending {
            Some(last) if last.shown == shown && last.columns.1 == column => last.columns.1 = until,
            _ => {
                pending.into_iter().for_each(&mut each);
                pending = Some(drawn);
            }
        }
        column = until;
        if first_tick(map, column) > to {
            break;
        }
    }
    pending.into_iter().for_each(&mut each);
}

fn columns_of(row: &FrameRow, map: &AxisMap, at: usize) -> (i32, i32) {
    let (start, end) = row.ticks(at);
    map.columns(Packed::new(start, end, Style::default()))
}

/// The frames that cover a column: the first one, and the one after the last. If there are none, both are the next frame.
fn covering(row: &FrameRow, map: &AxisMap, column: i32) -> (usize, usize) {
    let (first, end) = (row.first_from(first_tick(map, column)), row.first_from(first_tick(map, column + 1)));
    let reaches = first > 0 && columns_of(row, map, first - 1).1 > column;
    (if reaches { first - 1 } else { first }, end.max(first))
}

/// The first tick in a column.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating on purpose")]
fn first_tick(map: &AxisMap, column: i32) -> u64 {
    match u16::try_from(column) {
        Ok(column) => map.first_tick(column),
        // Outside the view.
        Err(_) => {
            let offset = (f64::from(column) * map.ticks_per_pixel() + f64::from(map.fraction)).ceil() as i64;
            map.origin.saturating_add(offset).max(0) as u64
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of frames by start, end and severity, and a map of ten ticks per pixel.
    fn drawn(frames: &[(u64, u64, Severity)], range: (u64, u64)) -> Vec<(i32, i32, usize, usize)> {
        let row = FrameRow::of_ticks(frames.iter().map(|(start, end, severity)| (*start, *end, *severity)));
        let map = AxisMap { origin: 0, fraction: 0.0, pixels_per_tick: 0.1, width: 100.0 };
        let mut found = Vec::new();
        visit(&row, &map, range, |own| {
            found.push((own.columns.0, own.columns.1, own.shown, own.frames.1 - own.frames.0));
        });
        found
    }

    #[test]
    fn a_shared_column_shows_the_worst_frame_then_the_longest_then_the_first() {
        use Severity::{Dropped, Good, Late};
        // The second frame begins in the last column of the first one.
        assert_eq!(drawn(&[(0, 35, Good), (35, 80, Good)], (0, 99)), [(0, 3, 0, 1), (3, 8, 1, 1)], "the longer one");
        assert_eq!(drawn(&[(0, 45, Good), (45, 80, Good)], (0, 99)), [(0, 5, 0, 1), (5, 8, 1, 1)]);
        assert_eq!(drawn(&[(0, 45, Good), (45, 90, Good)], (0, 99)), [(0, 5, 0, 1), (5, 9, 1, 1)], "the first one");
        assert_eq!(drawn(&[(0, 45, Late), (45, 80, Dropped)], (0, 99)), [(0, 4, 0, 1), (4, 8, 1, 1)], "the worst one");
        // Short frames share a column.
        let short = [(0, 11, Good), (11, 13, Dropped), (13, 16, Dropped), (16, 19, Good), (19, 40, Good)];
        assert_eq!(drawn(&short, (0, 99)), [(0, 1, 0, 1), (1, 2, 2, 5), (2, 4, 4, 1)]);
    }

    #[test]
    fn boxes_do_not_depend_on_the_visited_part() {
        let mut frames: Vec<(u64, u64, Severity)> = Vec::new();
        let mut start = 0;
        for at in 0..60_usize {
            let length = [3, 12, 27, 8, 41][at * at % 5];
            let severity = [Severity::Good, Severity::Idle, Severity::Late, Severity::Dropped][at % 4];
            frames.push((start, start + length, severity));
            start += length;
        }
        let whole = drawn(&frames, (0, 999));
        for from in (0..900_u32).step_by(7) {
            let first = i32::try_from(from / 10).expect("a column");
            let (columns, from) = (first + 1..first + 6, u64::from(from));
            let shown = |found: &[(i32, i32, usize, usize)], column: i32| {
                found.iter().find(|own| own.0 <= column && column < own.1).map(|own| (own.2, own.3))
            };
            let part = drawn(&frames, (from, from + 70));
            for column in columns {
                assert_eq!(shown(&part, column), shown(&whole, column), "column {column} from {from}");
            }
        }
    }
}
