//! Saved views: everything that the user arranged in the window of a recording. [`mod@format`] defines their JSON.

mod arrangement;
mod capture;
mod chart;
mod flows;
mod format;
mod insight;
mod lenient;
mod link;
mod marker_format;
pub(crate) mod names;
mod notes;
mod selection;
mod tables;
mod track_format;
mod tracks;
mod window;
mod word;

pub(crate) use arrangement::show_own;
pub use arrangement::{ARRANGEMENT, own_arrangement};
pub use format::SavedView;
pub use window::SavedPanelSizes;
pub(crate) use window::SavedWindow;
