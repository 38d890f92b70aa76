//! The details panel, and the cards that it shares with the tooltip.

mod async_stack;
pub(crate) mod flow_cards;
pub(crate) mod flow_timeline;
pub(crate) mod marker_card;
mod marker_links;
pub(crate) mod panel;
pub(crate) mod payload_tree;
pub(crate) mod slice_tree;
