//! An open recording without any widget: what is looked at, what is computed from it in the background, and what there
//! is to say of it.
//!
//! [`Session::apply`] changes the view, [`Session::refresh`] brings everything that follows from it up to date, once a
//! frame; what is shown is a [`crate::scene::ViewLayout`], which holds a view and all that was laid out for it.

mod flow_cards;
mod flow_panel_model;
mod flow_titles;
mod marker_card;
mod marker_order;
mod neighbours;
mod open_recording;
mod refresh;
mod row_builder;
mod search_task;

mod slice_details;
mod task;

pub use flow_cards::{FlowCards, MAX_COUNTED_CHILDREN};
pub use flow_panel_model::FlowPanelModel;
pub use flow_titles::{FlowTitle, FlowTitleCache};
pub use marker_card::{MarkerCard, duration_text, place_text, time_text};
pub use marker_order::{MarkerColumn, ordered};
pub use open_recording::{Hovering, Session, with_margin};
pub use row_builder::RowBuilder;
pub use search_task::SearchTask;
pub use slice_details::{MAX_CHILDREN_PER_NAME, SliceDetails, percent_text, quick_self_text, self_text};
pub use task::{Running, Task, Wake};
