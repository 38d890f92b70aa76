//! Writes a synthetic recording in its format.

use std::io::{self, Write};

use super::options::{Format, Options};
use crate::firefox;
use crate::plan::Plan;
use crate::traces::{chrome, perfetto};

/// Writes a recording to `out` as uncompressed JSON or packets. The writer does not need to be buffered.
///
/// # Errors
/// The first error of the writer, or an error if samples are requested in a format without samples.
pub fn write<W: Write>(options: &Options, out: W) -> io::Result<()> {
    let plan = Plan::new(options);
    match options.format {
        Format::Firefox => firefox::write(&plan, out),
        Format::Chrome => chrome::write(&plan, out),
        Format::Perfetto => perfetto::write(&plan, out),
    }
}
