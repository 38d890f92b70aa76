//! `flowline synth`.

use std::fs::File;
use std::io::{BufWriter, Write};

use anyhow::Context as _;

use super::args::{FormatArg, SynthArgs};
use flowline_synth::{Format, Options, write};

pub(super) fn run(arguments: &SynthArgs) -> anyhow::Result<()> {
    let options = Options {
        markers: arguments.markers,
        format: match arguments.format {
            FormatArg::Firefox => Format::Firefox,
            FormatArg::Chrome => Format::Chrome,
            FormatArg::Perfetto => Format::Perfetto,
        },
        threads: arguments.threads,
        flows: arguments.flows,
        samples: arguments.samples,
        seed: arguments.seed,
    };
    let place = || arguments.output.display().to_string();
    let file = File::create(&arguments.output).with_context(place)?;
    let packed = arguments.output.extension().is_some_and(|extension| extension == "gz");
    if packed {
        let mut encoder = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
        write(&options, &mut encoder).with_context(place)?;
        encoder.finish().with_context(place)?;
    } else {
        let mut out = BufWriter::new(file);
        write(&options, &mut out).with_context(place)?;
        out.flush().with_context(place)?;
    }
    Ok(())
}
