//! The bundled example: loading a page of pictures, from the key press to the largest contentful paint.
//!
//! It tells one story, which a new user can find by following flows: eleven pictures of <https://gallery.example/>
//! appear quickly, but the largest one arrives late, and when it is decoded at last, its `load` event has to wait for a
//! script that lays out the page for 180 ms. The recording is the log of a small simulation: every thread runs one task
//! at a time, tasks post others, and each post is a flow.
//!
//! `story` is the simulation, `recording` what it writes, `cast` the processes and threads. The rest are the tasks, by
//! subject.

mod background;
mod cast;
mod fields;
mod frames;
mod images;
mod navigation;
mod recording;
mod scripts;
mod story;
#[cfg(test)]
mod tests;
mod transfer;

use std::io::{self, Write};

/// Writes the bundled example recording, a raw Gecko profile of a few hundred kilobytes, as plain JSON.
///
/// # Errors
/// The first error of the writer.
pub fn write_example<W: Write>(out: W) -> io::Result<()> {
    let mut story = story::Story::new();
    background::begin(&mut story);
    navigation::begin(&mut story);
    frames::begin(&mut story);
    scripts::begin(&mut story);
    story.run();
    background::end(&mut story);
    story.into_recording().write(out)
}
