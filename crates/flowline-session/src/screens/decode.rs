//! The image data of recordings: JPEG in base64, with or without the prefix of a data URL.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use super::picture::Picture;

/// Greatest length of the data. Browsers write some 10 to 100 KB.
const MAX_DATA: usize = 16 << 20;
/// Greatest width and height of an image.
const MAX_SIZE: usize = 8192;

/// Decodes an image; `None` if it is no JPEG, damaged, or too large.
pub(super) fn decode(data: &str) -> Option<Picture> {
    let data = data.rsplit_once("base64,").map_or(data, |(_, data)| data).trim_ascii();
    if data.len() > MAX_DATA {
        return None;
    }
    let bytes = STANDARD.decode(data).ok()?;
    let options = DecoderOptions::default()
        .set_max_width(MAX_SIZE)
        .set_max_height(MAX_SIZE)
        .jpeg_set_out_colorspace(ColorSpace::RGBA);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(&bytes), options);
    let pixels = decoder.decode().ok()?;
    let (width, height) = decoder.dimensions()?;
    (width > 0 && height > 0 && pixels.len() == width * height * 4).then_some(Picture { width, height, pixels })
}

#[cfg(test)]
mod tests {
    use super::decode;
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    /// An image of 16 × 8 pixels in one color, (200, 100, 50).
    const IMAGE: &str = include_str!("../../../../fixtures/screenshot.txt");

    #[test]
    fn images_are_decoded_with_and_without_the_prefix() {
        for data in [IMAGE.trim().to_owned(), format!("data:image/jpg;base64,{}", IMAGE.trim())] {
            let picture = decode(&data).expect("an image");
            assert_eq!((picture.width, picture.height, picture.pixels.len()), (16, 8, 16 * 8 * 4));
            for pixel in picture.pixels.chunks_exact(4) {
                let wanted = [200, 100, 50, 255];
                assert!(pixel.iter().zip(wanted).all(|(part, wanted)| part.abs_diff(wanted) <= 4), "{pixel:?}");
            }
        }
    }

    #[test]
    fn damaged_images_are_refused() {
        let bytes = STANDARD.decode(IMAGE.trim()).expect("base64");
        assert_eq!(decode("not base64!"), None);
        assert_eq!(decode(""), None);
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..500 {
            let mut bytes = bytes.clone();
            bytes.truncate(random.usize(1..=bytes.len()));
            for _ in 0..random.usize(1..5) {
                let at = random.usize(..bytes.len());
                bytes[at] = random.u8(..);
            }
            if let Some(picture) = decode(&STANDARD.encode(&bytes)) {
                assert_eq!(picture.pixels.len(), picture.width * picture.height * 4);
            }
        }
    }
}
