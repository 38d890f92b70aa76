//! Interactions of the user with a page, and how long each took until its paint.

mod interaction;
mod list;

pub use interaction::{Interaction, InteractionCategory, LONG_INTERACTION};
pub use list::Interactions;
