//! Properties of the display that several layers share: arrangements, colors, directions, surfaces.

mod arrangement;
mod color_by;
mod direction;
mod hidden_types;
mod kind;
mod marker_colors;

pub use arrangement::{Arrangement, GroupKind};
pub use color_by::ColorBy;
pub use direction::Direction;
pub use hidden_types::{HiddenTypes, MarkerSurface};
pub use kind::Kind;
pub use marker_colors::MarkerColors;
