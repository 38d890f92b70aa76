//! The marker layer drawn on the CPU, pixel by pixel, from a frame's instances: what the GPU must show.
//!
//! Used by tests only to compare; kept beside the scene because it mirrors `shaders/marker.wgsl`.

use super::frame::{Draw, Frame};

/// For each pixel of a frame, the instance drawn last over it.
#[derive(Clone, Debug)]
pub struct Coverage {
    width: usize,
    owner: Vec<Option<u32>>,
}

impl Coverage {
    /// The position in `Frame::markers` of what is seen at a pixel.
    #[must_use]
    pub fn owner(&self, x: usize, y: usize) -> Option<u32> {
        if x < self.width { self.owner.get(y * self.width + x).copied().flatten() } else { None }
    }
}

/// Rasterises all marker draws of a frame.
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the frame")]
pub fn coverage(frame: &Frame) -> Coverage {
    let [width, height] = frame.size.map(|side| side as usize);
    let mut owner = vec![None; width * height];
    for draw in &frame.draws {
        let Draw::Markers { clip, range } = draw else { continue };
        let clip_x = clip.x.max(0.0) as usize..(clip.right().max(0.0) as usize).min(width);
        let clip_y = clip.y.max(0.0) as usize..(clip.bottom().max(0.0) as usize).min(height);
        for index in range.clone() {
            let instance = frame.markers[index as usize];
            let place = frame.rows[instance.row()];
            let (first, end) = frame.axis.columns(instance.packed());
            let column = |column: i32| (column + frame.axis_left as i32).max(0) as usize;
            let xs = column(first).max(clip_x.start)..column(end).min(clip_x.end);
            let top = place.y.max(0.0) as usize;
            let bottom = (place.y + place.height).max(0.0) as usize;
            for y in top.max(clip_y.start)..bottom.min(clip_y.end) {
                for x in xs.clone() {
                    owner[y * width + x] = Some(index);
                }
            }
        }
    }
    Coverage { width, owner }
}
