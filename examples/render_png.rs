//! Renders a recording to a PNG file without a window: `cargo run --example render_png -- FILE OUT.png [SEARCH]`.

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;

use flowline::app::{Headless, RenderOptions};
use flowline::import::{Options, Progress};
use flowline_load::{Origin, UserRules, load};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let usage = "usage: render_png FILE OUT.png [SEARCH]";
    let (file, output) = arguments.next().zip(arguments.next()).ok_or(usage)?;
    let search = arguments.next().unwrap_or_default().to_string_lossy().into_owned();

    let origin = Origin::File(PathBuf::from(file));
    let loaded = load(&origin, Options::default(), &UserRules::built_in(), &Progress::default())?;

    let options = RenderOptions { size: [1600, 1000], search, ..RenderOptions::default() };
    let mut window = Headless::new(loaded.index.clone(), loaded.setup.clone(), origin.path(), &options)?;
    // Wait until panels have their sizes and the search has finished.
    window.settle();
    window.wait()?;
    let picture = window.picture()?;

    let mut encoder = png::Encoder::new(BufWriter::new(File::create(output)?), picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(&picture.rgba)?;
    Ok(())
}
