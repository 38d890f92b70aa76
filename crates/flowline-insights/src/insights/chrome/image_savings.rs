//! By how much an image could be smaller: with another format, with more compression, with fewer pixels.

use crate::page_work::ImagePaint;
use flowline_index::network::NetworkRequest;

/// Formats that need this many bytes per pixel are compressed well.
const BYTES_PER_PIXEL: f64 = 1.0 / 6.0;
/// Moving images with more bytes are better videos.
const LARGE_GIF: f64 = 102_400.0;
/// Savings up to these do not matter; the second one counts if the page offers files of several sizes.
const LEAST: f64 = 4_096.0;
const LEAST_WITH_CHOICE: f64 = 12_288.0;

/// A saving.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Saving {
    /// `video`, `format`, `compression` or `size`.
    pub(super) kind: &'static str,
    pub(super) bytes: f64,
    /// For `size`, width and height of the file and in the page.
    pub(super) sides: Option<[[f64; 2]; 2]>,
}

/// The savings of an image that matter.
pub(super) fn savings(request: &NetworkRequest, paint: &ImagePaint) -> Vec<Saving> {
    let all = [better_file(request, paint), fewer_pixels(request, paint)];
    all.into_iter().flatten().filter(|saving| saving.bytes > LEAST).collect()
}

/// The bytes that an image would lose with all its savings, with those that do not matter alone.
pub(super) fn wasted(request: &NetworkRequest, paint: &ImagePaint) -> f64 {
    let other = better_file(request, paint).map_or(0.0, |saving| saving.bytes.max(0.0));
    let has_size = fewer_pixels(request, paint).is_some();
    let size = if has_size { (unused_share(paint) * (bytes(request) - other)).round() } else { 0.0 };
    other + size
}

fn better_file(request: &NetworkRequest, paint: &ImagePaint) -> Option<Saving> {
    let own = bytes(request);
    let saving = |kind, bytes| Some(Saving { kind, bytes, sides: None });
    if request.mime == "image/gif" {
        let percent = (29.1 * size(request.decoded_bytes)?.log10() - 100.7).round();
        return saving("video", (own * (percent / 100.0)).round()).filter(|_| own > LARGE_GIF);
    }
    let pixels = pixels(paint.file);
    if pixels <= 0.0 || own / pixels <= BYTES_PER_PIXEL {
        return None;
    }
    let is_modern = ["image/webp", "image/avif"].contains(&request.mime.as_str());
    saving(if is_modern { "compression" } else { "format" }, own - (pixels * BYTES_PER_PIXEL).round())
}

fn fewer_pixels(request: &NetworkRequest, paint: &ImagePaint) -> Option<Saving> {
    let bytes = (bytes(request) * unused_share(paint)).round();
    let least = if paint.has_choice { LEAST_WITH_CHOICE } else { f64::NEG_INFINITY };
    let is_wasteful = !paint.is_css && pixels(paint.file) > pixels(paint.shown) && bytes > least;
    is_wasteful.then_some(Saving { kind: "size", bytes, sides: Some([paint.file, paint.shown]) })
}

/// The share of the pixels of the file that the page has no room for.
fn unused_share(paint: &ImagePaint) -> f64 {
    let pixels = [paint.file, paint.shown].map(pixels);
    if pixels[0] > 0.0 { (1.0 - pixels[1] / pixels[0]).max(0.0) } else { 0.0 }
}

fn pixels([width, height]: [f64; 2]) -> f64 {
    width * height
}

/// Bytes of the file: the content, or what was sent if that is less.
fn bytes(request: &NetworkRequest) -> f64 {
    let sizes = [request.decoded_bytes, request.encoded_bytes].map(|own| size(own).unwrap_or(0.0));
    sizes[0].min(sizes[1])
}

#[expect(clippy::cast_precision_loss, reason = "sizes of files")]
fn size(bytes: Option<i64>) -> Option<f64> {
    bytes.map(|bytes| bytes as f64)
}
