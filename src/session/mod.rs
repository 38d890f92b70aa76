//! An open recording without any widget: what is looked at, what is computed from it in the background, and what there is to
//! say of it.
//!
//! [`Session::apply`] changes the view, [`Session::refresh`] brings everything that follows from it up to date, once a frame;
//! what is shown is a [`crate::scene::ViewLayout`], which holds a view and all that was laid out for it.

mod flow_cards;
mod flow_names;
mod flow_panel_model;
mod marker_card;
mod marker_order;
mod neighbours;
mod open_recording;
mod refresh;
mod row_builder;
mod search_runner;

mod slice_details;
mod task;

pub use flow_cards::{COUNTED, FlowCards};
pub use flow_names::{FlowTitle, FlowTitles};
pub use flow_panel_model::FlowPanelModel;
pub use marker_card::{MarkerCard, duration_text, place_text, time_text};
pub use marker_order::{MarkerColumn, ordered};
pub use open_recording::{Hovering, Session, with_margin};
pub use row_builder::RowBuilder;
pub use search_runner::SearchRunner;
pub use slice_details::{KEPT as CHILDREN_KEPT, SliceDetails, part_text, quick_self_text, self_text};
pub use task::{Running, Task, Wake};
