//! Properties of the display that several layers share: arrangements, colors, directions, surfaces.

mod arrangement;
mod direction;
mod hidden_types;
mod marker_colors;
mod name_color;

pub use arrangement::{Arrangement, GroupKind};
pub use direction::Direction;
pub use hidden_types::{HiddenTypes, MarkerSurface};
pub use marker_colors::MarkerColors;
pub use name_color::{NAME_COLORS, name_color};
