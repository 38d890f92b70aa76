//! The twelve images of the page, and an image request in progress.

use super::processes::ThreadRole;
use super::recording::Flow;
use crate::json::Nanos;

/// Kind of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestKind {
    Plain,
    /// The first response is a redirect.
    Redirected,
    /// The response comes from the disk cache.
    Cached,
    /// The server does not have the image.
    Missing,
}

#[derive(Debug)]
pub(super) struct PageImage {
    pub(super) file: &'static str,
    pub(super) bytes: u64,
    pub(super) size: (u64, u64),
    /// Milliseconds from the request to the first byte.
    pub(super) wait: u64,
    /// Milliseconds from the first byte to the last.
    pub(super) transfer: u64,
    pub(super) kind: RequestKind,
}

const fn picture(
    file: &'static str,
    bytes: u64,
    size: (u64, u64),
    wait: u64,
    transfer: u64,
    kind: RequestKind,
) -> PageImage {
    PageImage { file, bytes, size, wait, transfer, kind }
}

/// Number of images.
pub(super) const COUNT: usize = PICTURES.len();
/// Index of the largest image, which is slow.
pub(super) const HERO: usize = 0;

const PICTURES: [PageImage; 12] = [
    picture("aurora-hero-3840.jpg", 1_482_310, (3840, 2160), 1_050, 276, RequestKind::Plain),
    picture("logo.png", 8_412, (320, 96), 3, 1, RequestKind::Cached),
    picture("harbour.jpg", 314_812, (1200, 800), 71, 38, RequestKind::Plain),
    picture("lighthouse.webp", 142_077, (1200, 900), 64, 22, RequestKind::Redirected),
    picture("dunes.jpg", 402_511, (1600, 900), 88, 61, RequestKind::Plain),
    picture("thumb-0417.jpg", 1_245, (0, 0), 52, 1, RequestKind::Missing),
    picture("fjord.webp", 188_930, (1200, 1600), 97, 41, RequestKind::Plain),
    picture("market.jpg", 276_404, (1200, 800), 120, 55, RequestKind::Plain),
    picture("tram.webp", 96_018, (900, 1200), 143, 24, RequestKind::Plain),
    picture("orchard.jpg", 351_776, (1600, 1067), 171, 83, RequestKind::Plain),
    picture("night-sky.avif", 73_264, (1920, 1080), 214, 19, RequestKind::Plain),
    picture("portrait-mira.png", 54_908, (256, 256), 262, 12, RequestKind::Plain),
];

/// A request in progress.
#[derive(Debug, Clone, Copy)]
pub(super) struct Image {
    pub(super) index: usize,
    pub(super) request: Flow,
    /// Channel number of the request; a redirect gets a new one.
    pub(super) channel: u64,
    pub(super) opened: Nanos,
    pub(super) is_redirected: bool,
}

impl Image {
    pub(super) fn picture(&self) -> &'static PageImage {
        &PICTURES[self.index]
    }

    pub(super) fn url(&self) -> String {
        let host = if self.picture().kind == RequestKind::Redirected && !self.is_redirected {
            "img.gallery.example"
        } else {
            "cdn.gallery.example"
        };
        format!("https://{host}/2026/{}", self.picture().file)
    }

    /// Size in bytes of the decoded image.
    pub(super) fn surface(&self) -> u64 {
        self.picture().size.0 * self.picture().size.1 * 4
    }

    /// Returns true for the image that fills most of the page.
    pub(super) const fn is_hero(&self) -> bool {
        self.index == HERO
    }

    pub(super) const fn decoder(&self) -> ThreadRole {
        if self.index.is_multiple_of(2) { ThreadRole::DecoderOne } else { ThreadRole::DecoderTwo }
    }
}
