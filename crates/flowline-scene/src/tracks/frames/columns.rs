//! The boxes of frames on screen. Frames narrower than a pixel are merged: a column shows the worst state in it, so that
//! no late and no dropped frame is lost.

use super::row::{FrameRow, Severity};
use crate::geometry::AxisMap;
use flowline_index::{Packed, Style};

/// A box, or columns of merged frames in the same state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DrawnFrames {
    /// First column, and the one after the last.
    pub(super) columns: (i32, i32),
    pub(super) severity: Severity,
    /// The first frame, and the one after the last, by place on the row.
    pub(super) frames: (usize, usize),
}

impl DrawnFrames {
    /// The only frame of a box.
    pub(super) fn single(&self) -> Option<usize> {
        (self.frames.1 - self.frames.0 == 1).then_some(self.frames.0)
    }
}

/// Calls `each` with all boxes that touch a closed range of ticks, from left to right without overlap.
pub(super) fn visit(row: &FrameRow, map: &AxisMap, (from, to): (u64, u64), mut each: impl FnMut(DrawnFrames)) {
    let columns = |at: usize| {
        let (start, end) = row.ticks(at);
        map.columns(Packed::new(start, end, Style::default()))
    };
    let mut at = row.first_at(from);
    let mut done = i32::MIN;
    while at < row.len() && row.ticks(at).0 <= to {
        let (first, end) = columns(at);
        let first = first.max(done);
        if end > first + 1 || at + 1 == row.len() {
            let drawn =
                DrawnFrames { columns: (first, end.max(first + 1)), severity: row.severity(at), frames: (at, at + 1) };
            done = drawn.columns.1;
            each(drawn);
            at += 1;
            continue;
        }
        // All frames that begin in this column. The last one may reach beyond it, and is then drawn on its own, too.
        let next = next_column_tick(map, first);
        let after = row.first_from(next).max(at + 1);
        let severity = row.severity(row.worst(at, after));
        each(DrawnFrames { columns: (first, first + 1), severity, frames: (at, after) });
        done = first + 1;
        at = if after - at > 1 && columns(after - 1).1 > done { after - 1 } else { after };
    }
}

/// A tick right of a column and not right of the next one.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating on purpose")]
fn next_column_tick(map: &AxisMap, column: i32) -> u64 {
    match u16::try_from(column + 1) {
        Ok(next) => map.first_tick(next),
        // Left of the view.
        Err(_) => {
            let offset = (f64::from(column + 1) * map.ticks_per_pixel() + f64::from(map.fraction)).ceil() as i64;
            map.origin.saturating_add(offset).max(0) as u64
        }
    }
}
