//! Details of the selection: cards, slices and stacks.

mod async_stack;
mod call_card;
mod cards;
mod flow_cards;
mod forced_by;
mod glance;
mod key_fact;
mod marker_card;
mod marker_links;
mod slice_analysis;
mod slice_details;
mod summary;

pub(crate) use async_stack::AsyncStack;
pub use call_card::{ARGUMENTS, call_card};
pub(crate) use cards::Cards;
pub use flow_cards::{FlowCards, MAX_COUNTED_CHILDREN};
pub(crate) use glance::Glance;
pub use key_fact::{Banner, KeyFact, Severity};
pub use marker_card::{MarkerCard, duration_text, place_text};
pub use marker_links::MarkerLink;
pub use slice_analysis::{ForcedWork, KindShare, SliceAnalysis};
pub use slice_details::{MAX_CHILDREN_PER_NAME, SliceDetails, percent_text, quick_self_text, self_text};
pub use summary::{MarkerSummary, is_place};
