//! Maps keyboard input to commands.

pub(crate) mod actions;
pub(crate) mod batches;
pub(crate) mod bindings;
pub(crate) mod keys;
