//! Rows of a tree.

use egui::Id;

/// Style of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RowStyle {
    /// A name and its value.
    #[default]
    Field,
    /// The heading of the rows below.
    Heading,
    /// A target to select.
    Target,
    /// "Show more".
    More,
}

/// A visible row.
#[derive(Clone, Debug, Default)]
pub(crate) struct TreeRow<T> {
    /// Stable between frames; `None` for plain text.
    pub(crate) id: Option<Id>,
    /// 1 for the outermost.
    pub(crate) level: usize,
    /// Number among its siblings, and the number of siblings.
    pub(crate) place: (usize, usize),
    /// True if it is expanded; `None` without children.
    pub(crate) open: Option<bool>,
    /// Text on the left.
    pub(crate) name: String,
    /// Text in the column of values, or right of the name.
    pub(crate) value: String,
    /// Text at the right edge.
    pub(crate) tail: String,
    /// True if the text at the right edge is a link.
    pub(crate) links: bool,
    pub(crate) style: RowStyle,
    /// Maximum lines of the value; 0 and 1 mean one line.
    pub(crate) lines: usize,
    /// Tooltip, if it adds to the row's text; else empty.
    pub(crate) hover: String,
    /// Palette entry of the square before the name.
    pub(crate) color: Option<u8>,
    /// Entries of its context menu; Ctrl+C selects the first, Ctrl+Shift+C the second.
    pub(crate) menu: &'static [&'static str],
    /// The represented item.
    pub(crate) target: T,
}
