//! `flowline synth`.

use super::args::{FormatArg, SynthArgs};
use super::opening::Opening;
use super::output::{CommandOutput, Content};
use flowline_synth::{Format, Options, write};

pub(super) fn run(arguments: &SynthArgs, opening: &Opening) -> anyhow::Result<()> {
    let options = Options {
        markers: arguments.markers,
        format: match arguments.format {
            FormatArg::Firefox => Format::Firefox,
            FormatArg::Chrome => Format::Chrome,
            FormatArg::Perfetto => Format::Perfetto,
            FormatArg::Page => Format::Page,
        },
        threads: arguments.threads,
        flows: arguments.flows,
        samples: arguments.samples,
        seed: arguments.seed,
    };
    let content = if arguments.format == FormatArg::Perfetto { Content::Binary } else { Content::Text };
    let output = CommandOutput::new(&arguments.output, content, opening, &[])?;
    output.write_packed_by_name(flate2::Compression::fast(), |out| {
        write(&options, out)?;
        Ok(())
    })
}
