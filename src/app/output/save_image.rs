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
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&picture.rgba)?;
    Ok(writer.finish()?)
}
