//! The two kinds of text.

/// The two Firefox formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Raw,
    Processed,
}
