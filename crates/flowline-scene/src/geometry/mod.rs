//! Pixels, rectangles and the time axis in pixels.

mod axis_map;
mod fixed_point_columns;
mod pixel_rect;

pub use axis_map::{AxisMap, CLAMP_MARGIN};
pub use fixed_point_columns::FixedPointColumns;
pub use pixel_rect::{PixelRect, diamond_reach, hatch_period, line_width, min_bordered_width};
