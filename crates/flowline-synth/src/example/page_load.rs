//! Starts the page load and runs the simulation.

use super::simulation::Simulation;
use super::{background, frames, navigation, scripts};
use std::io::{self, Write};

/// Writes the bundled example recording, a raw Gecko profile of a few hundred kilobytes, as plain JSON.
///
/// # Errors
/// The first error of the writer.
pub fn write_example<W: Write>(out: W) -> io::Result<()> {
    let mut sim = Simulation::new();
    background::begin(&mut sim);
    navigation::begin(&mut sim);
    frames::begin(&mut sim);
    scripts::begin(&mut sim);
    sim.run();
    background::end(&mut sim);
    sim.into_recording().write(out)
}
