//! Outlines around selected slices and calls. They are outside, so that the colors inside stay true, and cover what is next
//! to the selected one.

use crate::frame::{Frame, Layer};
use crate::geometry::PixelRect;
use crate::primitives::{Emphasis, MarkerInstance, RectInstance};

/// Width of an outline in points.
const WIDTH: f32 = 2.0;

/// Outlines the selected ones among the highlights of a frame. Diamonds have an outline of their own.
pub(crate) fn build(frame: &mut Frame) {
    let (mut outlines, mut clip) = (Vec::new(), None);
    for (batch, instances) in frame.batches_of::<MarkerInstance>().filter(|(batch, _)| batch.layer == Layer::Highlights)
    {
        let selected = |instance: &&MarkerInstance| {
            instance.emphasis() == Emphasis::Selected as u32 && !instance.has(MarkerInstance::ALONE)
        };
        for instance in instances.iter().filter(selected) {
            outlines.extend(sides(frame, *instance).map(|side| RectInstance::filled(side, frame.palette.select)));
            // All rows of the chart have one clip.
            clip = Some(batch.clip);
        }
    }
    clip.into_iter().for_each(|clip| frame.draw(clip, std::mem::take(&mut outlines)));
}

/// The four sides of an outline, with its corners.
fn sides(frame: &Frame, instance: MarkerInstance) -> [PixelRect; 4] {
    let (first, end) = frame.axis.columns(instance.packed());
    let place = frame.rows[instance.row()];
    let width = (WIDTH * frame.scale).round().max(1.0);
    #[expect(clippy::cast_precision_loss, reason = "pixel columns")]
    let (left, right) = (frame.axis_left + first as f32, frame.axis_left + end as f32);
    let across = |y: f32| PixelRect::new(left - width, y, right - left + 2.0 * width, width);
    let down = |x: f32| PixelRect::new(x, place.y, width, place.height);
    [across(place.y - width), across(place.y + place.height), down(left - width), down(right)]
}
