//! A file format with a name.

/// Name of a file format, and advice for the owner of such a file.
pub(super) type Named = (&'static str, &'static str);
