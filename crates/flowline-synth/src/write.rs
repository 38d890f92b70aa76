//! Writes a synthetic recording in its format.

use std::io::{self, Write};

use super::options::{Format, Options};
use crate::plan::Plan;
use crate::traces::{chrome, perfetto};
use crate::{firefox, page};

/// Writes a recording to `out` as uncompressed JSON or packets. The writer does not need to be buffered.
///
/// # Errors
/// The first error of the writer, or an error if samples are requested in a format without samples.
pub fn write<W: Write>(options: &Options, out: W) -> io::Result<()> {
    match options.format {
        Format::Firefox => firefox::write(&Plan::new(options), out),
        Format::Chrome => chrome::write(&Plan::new(options), out),
        Format::Perfetto => perfetto::write(&Plan::new(options), out),
        Format::Page => page::write(options, out),
    }
}
