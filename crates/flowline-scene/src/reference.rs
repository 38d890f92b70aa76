//! A CPU reference for GPU drawing: rasterizes the markers and counters of a frame pixel by pixel, like
//! `shaders/marker.wgsl` and `shaders/counter.wgsl`. Tests compare both.

use std::ops::Range;

use crate::frame::Frame;
use crate::geometry::{PixelRect, diamond_reach};
use crate::primitives::{CounterInstance, Emphasis, MarkerInstance};

/// For each pixel of a frame, the instance drawn last over it.
#[derive(Clone, Debug)]
pub struct Coverage {
    width: usize,
    owner: Vec<Option<u32>>,
}

impl Coverage {
    fn new(frame: &Frame) -> Self {
        let [width, height] = frame.size.map(|side| side as usize);
        Self { width, owner: vec![None; width * height] }
    }

    /// Index of the visible instance at a pixel, in the frame's list of markers (or of counters).
    #[must_use]
    pub fn owner(&self, x: usize, y: usize) -> Option<u32> {
        if x < self.width { self.owner.get(y * self.width + x).copied().flatten() } else { None }
    }

    /// Fills the clipped part of a rectangle; all edges are whole pixels.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the frame")]
    fn fill(&mut self, clip: PixelRect, columns: Range<i32>, lines: Range<f32>, index: u32) {
        let (width, height) = (self.width, self.owner.len() / self.width.max(1));
        let clip_x = clip.x.max(0.0) as usize..(clip.right().max(0.0) as usize).min(width);
        let clip_y = clip.y.max(0.0) as usize..(clip.bottom().max(0.0) as usize).min(height);
        let [left, right] = [columns.start, columns.end].map(|column| column.max(0) as usize);
        let [top, bottom] = [lines.start, lines.end].map(|line| line.max(0.0) as usize);
        for y in top.max(clip_y.start)..bottom.min(clip_y.end) {
            for x in left.max(clip_x.start)..right.min(clip_x.end) {
                self.owner[y * width + x] = Some(index);
            }
        }
    }
}

/// Distance of the corners of an instant's diamond from its middle, with the outline of a selected one.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "a few pixels")]
pub fn diamond_reach_in(frame: &Frame, instance: MarkerInstance) -> i32 {
    let is_selected = instance.emphasis() == Emphasis::Selected as u32;
    let outline = if is_selected { 2.0 * frame.line_width() } else { 0.0 };
    let most = ((frame.rows[instance.row()].height - 1.0) / 2.0).floor();
    (diamond_reach(frame.scale) + outline).min(most) as i32
}

/// Rasterizes all markers of a frame.
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "screen coordinates")]
pub fn coverage(frame: &Frame) -> Coverage {
    let mut seen = Coverage::new(frame);
    let left = frame.axis_left as i32;
    for (batch, instances) in frame.batches_of::<MarkerInstance>() {
        for (index, instance) in batch.range.clone().zip(instances) {
            let place = frame.rows[instance.row()];
            let (first, end) = frame.axis.columns(instance.packed());
            if instance.has(MarkerInstance::ALONE) {
                let reach = diamond_reach_in(frame, *instance);
                let middle = place.y + (place.height / 2.0).floor();
                for line in -reach..=reach {
                    let (half, y) = (reach - line.abs(), middle + line as f32);
                    seen.fill(batch.clip, first - half + left..first + half + 1 + left, y..y + 1.0, index);
                }
                continue;
            }
            seen.fill(batch.clip, first + left..end + left, place.y..place.y + place.height, index);
        }
    }
    seen
}

/// Rasterizes all counters of a frame.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
pub fn counter_coverage(frame: &Frame) -> Coverage {
    let mut seen = Coverage::new(frame);
    let left = frame.axis_left as i32;
    for (batch, instances) in frame.batches_of::<CounterInstance>() {
        for (index, instance) in batch.range.clone().zip(instances) {
            let top = frame.rows[instance.row()].y;
            let ([first, end], edges) = (<[u16; 2]>::from(instance.columns()).map(i32::from), instance.edges());
            let lines = top + f32::from(edges[0])..top + f32::from(edges[3]);
            seen.fill(batch.clip, first + left..end + left, lines, index);
        }
    }
    seen
}
