//! Where a command works: the menus and dialogs that may be open, and the recording that it applies to.

/// The menus and dialogs that may be open while the keys of a command work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Nothing. A menu refers to the item it was opened on, so keys must not change anything behind it.
    Chart,
    /// Nothing, and in the help the keys scroll its text.
    ScrollsHelp,
    /// A menu: the command concerns the window or the program.
    Window,
    /// The file dialog, which the command opened.
    FileDialog,
    /// The palette, which the command opened.
    Palette,
    /// Everything: the command closes what is open.
    Everywhere,
}

/// The recording that a command applies to, of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// The active one.
    Active,
    /// The one under the pointer.
    Pointed,
    /// The one under the pointer if the pointer is over a marker there.
    PointedMarker,
}
