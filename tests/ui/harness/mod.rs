//! The window under test: its setup, queries of its accessibility tree, and user input.

pub(crate) mod query;
pub(crate) mod window;
pub(crate) mod window_input;
