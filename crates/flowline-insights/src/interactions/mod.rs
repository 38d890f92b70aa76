//! Interactions of the user with a page, and how long each took until its paint.

mod chrome;
mod event_pairs;
mod firefox;
mod handlers;
mod inp;
mod interaction;
mod list;
mod nesting;

pub use handlers::Handler;
pub use interaction::{Interaction, InteractionCategory, LONG_INTERACTION};
pub use list::Interactions;
