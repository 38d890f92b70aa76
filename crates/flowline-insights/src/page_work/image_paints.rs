//! The sizes at which images were painted.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::main_threads::main_threads;
use crate::markers_by_name::{Named, markers_named};
use crate::page::Page;
use flowline_index::modifications::metadata_member;
use flowline_index::{Derived, Index};
use flowline_profile::{MarkerId, Ns, Profile, TimeRange, Value};

/// A paint of an image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ImagePaint {
    pub(crate) time: Ns,
    pub(crate) marker: MarkerId,
    /// Width and height in the page, and of the file.
    pub(crate) shown: [f64; 2],
    pub(crate) file: [f64; 2],
    pub(crate) is_css: bool,
    /// True if the page offers several files for it.
    pub(crate) has_choice: bool,
}

/// The paints of each image by address, and what the screen multiplies sizes with.
#[derive(Clone, Debug, Default)]
pub(crate) struct ImagePaints {
    /// By time.
    paints: BTreeMap<String, Vec<ImagePaint>>,
    /// Pixels of the screen of the computer per pixel of a page.
    host_pixels: Option<f64>,
    /// Pixels per pixel of the page, by time.
    page_pixels: Vec<(Ns, f64)>,
}

impl ImagePaints {
    /// The largest paint of the image at an address that begins in a closed range; of equal ones, the last one.
    pub(crate) fn largest(&self, url: &str, range: TimeRange) -> Option<&ImagePaint> {
        let own = self.paints.get(url)?.iter().filter(|own| range.start <= own.time && own.time <= range.end);
        own.reduce(|largest, own| if largest.area() > own.area() { largest } else { own })
    }

    /// The factor that makes sizes in events sizes on the screen: 1 unless both densities are known.
    pub(crate) fn scale(&self, until: Ns) -> f64 {
        let before = self.page_pixels.partition_point(|(time, _)| *time <= until);
        let page = self.page_pixels[..before].last().map(|(_, pixels)| *pixels);
        self.host_pixels.zip(page).map_or(1.0, |(host, page)| page / host)
    }
}

impl ImagePaint {
    fn area(&self) -> f64 {
        self.shown[0] * self.shown[1]
    }
}

impl Derived for ImagePaints {
    fn derive(index: &Index) -> Self {
        let profile = index.profile();
        let mut all = Self::default();
        if !profile.source.holds_events() {
            return all;
        }
        let named = markers_named(profile, &["PaintImage", "PaintTimingVisualizer::Viewport"], |_| true);
        let (paints, viewports): (Vec<Named>, Vec<Named>) = named.into_iter().partition(|(name, ..)| *name == 0);
        let mut paints: Vec<(String, ImagePaint)> =
            paints.into_par_iter().filter_map(|named| paint(profile, named)).collect();
        paints.sort_by_key(|(_, paint)| (paint.time, paint.marker));
        for (url, paint) in paints {
            all.paints.entry(url).or_default().push(paint);
        }
        let threads = main_threads(profile, Page::of(index));
        let viewports = viewports.into_iter().filter(|(_, thread, _)| threads.contains(thread));
        all.page_pixels = viewports.filter_map(|named| viewport(profile, named)).collect();
        all.page_pixels.sort_by_key(|(time, _)| *time);
        all.host_pixels = host_pixels(profile);
        all
    }
}

fn paint(profile: &Profile, (_, id, marker): Named) -> Option<(String, ImagePaint)> {
    let thread = profile.thread(id);
    let payload = profile.payload_in(thread, marker);
    let data = payload.get("data")?;
    let text = |key: &str| data.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let size = |key: &str| data.get(key).and_then(Value::as_f64).filter(|size| size.is_finite() && *size >= 0.0);
    let flag = |key: &str| data.get(key).is_some_and(Value::is_truthy);
    let paint = ImagePaint {
        time: thread.markers.start(marker),
        marker: thread.global(marker),
        shown: [size("width")?, size("height")?],
        file: [size("srcWidth")?, size("srcHeight")?],
        is_css: flag("isCSS"),
        has_choice: flag("isPicture") || text("srcsetAttribute").is_some(),
    };
    Some((text("url")?.to_owned(), paint))
}

fn viewport(profile: &Profile, (_, id, marker): Named) -> Option<(Ns, f64)> {
    let thread = profile.thread(id);
    let payload = profile.payload_in(thread, marker);
    let pixels = payload.get("data")?.get("dpr").and_then(Value::as_f64);
    Some((thread.markers.start(marker), pixels.filter(|pixels| pixels.is_finite() && *pixels > 0.0)?))
}

/// The density of the screen, from the metadata of the file.
fn host_pixels(profile: &Profile) -> Option<f64> {
    let pixels = metadata_member(profile, "hostDPR")?.as_f64()?;
    (pixels.is_finite() && pixels > 0.0).then_some(pixels)
}
