//! Sets of key bindings.

/// A set of key bindings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyMap {
    /// W/S zoom, A/D pan.
    #[default]
    Flowline,
    /// Bindings of the Firefox Profiler: Q/E zoom, W/S scroll rows, A/D pan.
    Firefox,
}
