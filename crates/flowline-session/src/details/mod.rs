//! Details of the selection: cards, slices and stacks.

mod async_stack;
mod call_card;
mod cards;
mod flow_cards;
mod marker_card;
mod marker_links;
mod slice_details;

pub(crate) use async_stack::AsyncStack;
pub use call_card::call_card;
pub(crate) use cards::Cards;
pub use flow_cards::{FlowCards, MAX_COUNTED_CHILDREN};
pub use marker_card::{MarkerCard, duration_text, place_text};
pub use marker_links::MarkerLink;
pub use slice_details::{MAX_CHILDREN_PER_NAME, SliceDetails, percent_text, quick_self_text, self_text};
