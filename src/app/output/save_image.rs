//! Writes images of the window.

use std::io::{self, Write};

use flowline_gpu::RenderedImage;

/// Writes an image as PNG.
///
/// # Errors
/// Errors of `out`.
pub fn write_png(out: &mut dyn Write, picture: &RenderedImage) -> io::Result<()> {
    let mut encoder = png::Encoder::new(out, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(io_error)?;
    writer.write_image_data(&picture.rgba).map_err(io_error)?;
    writer.finish().map_err(io_error)
}

/// The error of `out`, of the same kind.
fn io_error(error: png::EncodingError) -> io::Error {
    match error {
        png::EncodingError::IoError(error) => error,
        other => io::Error::other(other),
    }
}
