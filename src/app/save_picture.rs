//! Writes pictures of the window to files, whole or not at all.

use std::io::{self, Write as _};
use std::path::Path;

use super::whole_file::write_whole;
use crate::gpu::Picture;

/// Writes a picture as PNG.
///
/// # Errors
/// Errors of the file.
pub fn write_png(path: &Path, picture: &Picture) -> io::Result<()> {
    let written = write_whole(path, |out| {
        let mut encoder = png::Encoder::new(out, picture.width, picture.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&picture.rgba)?;
        writer.finish()?;
        Ok::<_, io::Error>(Some(()))
    });
    written.map(|_| ())
}

/// Writes a drawing as SVG.
///
/// # Errors
/// Errors of the file.
pub fn write_svg(path: &Path, svg: &str) -> io::Result<()> {
    write_whole(path, |out| out.write_all(svg.as_bytes()).map(Some)).map(|_| ())
}
