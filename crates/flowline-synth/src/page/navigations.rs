//! A navigation: its requests, its milestones, and what moves the layout afterward.

use std::io::Write;

use super::events::{CLOCK, Events, FRAME, PAGE, Track};
use super::frames::Frame;
use crate::random::{Random, mix};

const LOADING: &str = "loading";
const TIMELINE: &str = "devtools.timeline";
const PAINTS: &str = "loading,rail,devtools.timeline";
/// Frames after the navigation in which the layout moves.
const SHIFTS: std::ops::Range<u64> = 70..90;
/// The frame of the first paint and that of the largest one.
const FIRST_PAINT: u64 = 54;
const LARGEST_PAINT: u64 = 102;

/// A kind of request: type, mime type, end of the address, priority, bytes, and whether it blocks the first paint.
type Kind = (&'static str, &'static str, &'static str, &'static str, u64, bool);
const KINDS: [Kind; 8] = [
    ("Stylesheet", "text/css", "style.css", "VeryHigh", 18_000, true),
    ("Script", "text/javascript", "app.js", "High", 96_000, true),
    ("Image", "image/png", "image.png", "Medium", 240_000, false),
    ("Image", "image/webp", "photo.webp", "Low", 90_000, false),
    ("Font", "font/woff2", "font.woff2", "VeryHigh", 32_000, false),
    ("Script", "text/javascript", "vendor.js", "Low", 210_000, false),
    ("Image", "image/jpeg", "banner.jpg", "Low", 130_000, false),
    ("Other", "application/json", "data.json", "High", 4_000, false),
];
/// Requests of a navigation besides the document.
const REQUESTS: u64 = 40;

/// A navigation.
#[derive(Debug, Clone)]
pub(super) struct Navigation {
    number: u64,
    start: u64,
    id: String,
}

/// A request and its times in microseconds since the start of the recording.
struct Request<'a> {
    id: &'a str,
    url: &'a str,
    kind: Kind,
    start: u64,
    first_byte: u64,
    end: u64,
    initiator: &'a str,
}

impl Navigation {
    /// The navigation with a number, at a time.
    pub(super) fn new(number: u64, start: u64) -> Self {
        let id = format!("{:016X}{:016X}", mix(number, 1), mix(number, 2));
        Self { number, start, id }
    }

    fn data(&self) -> String {
        format!(r#"{{"data":{{"navigationId":"{}"}},"frame":"{FRAME}"}}"#, self.id)
    }

    fn url(&self) -> String {
        format!("https://shop.example/item/{}", self.number)
    }

    /// Writes the navigation and all of its requests.
    pub(super) fn begin<W: Write>(&self, events: &mut Events<W>) {
        let (start, url) = (self.start, self.url());
        let args = format!(
            r#"{{"data":{{"documentLoaderURL":"{url}","isLoadingMainFrame":true,"isOutermostMainFrame":true,"navigationId":"{}"}},"frame":"{FRAME}"}}"#,
            self.id
        );
        events.mark(("navigationStart", "blink.user_timing"), start + 10, &args);
        let document = ("Document", "text/html", "", "VeryHigh", 24_000, false);
        let times = (start + 40, start + 180_000, start + 320_000);
        self.request(
            events,
            &Request {
                id: &self.id,
                url: &url,
                kind: document,
                start: times.0,
                first_byte: times.1,
                end: times.2,
                initiator: r#"{"type":"other"}"#,
            },
        );
        let committed = format!(
            r#"{{"data":{{"frame":"{FRAME}","isInPrimaryMainFrame":true,"isMainFrame":true,"isOutermostMainFrame":true,"name":"","processId":{PAGE},"url":"{url}"}}}}"#
        );
        let in_browser = ("FrameCommittedInBrowser", "disabled-by-default-devtools.timeline");
        events.instant(Track::Browser, in_browser, start + 181_000, &committed);
        events.instant(Track::Main, ("CommitLoad", TIMELINE), start + 181_200, &committed);
        events.mark(("domLoading", "blink.user_timing,rail"), start + 181_400, &format!(r#"{{"frame":"{FRAME}"}}"#));
        let parser = format!(r#"{{"type":"parser","url":"{url}","lineNumber":12}}"#);
        for number in 0..REQUESTS {
            let bits = mix(self.number, 100 + number);
            let kind = KINDS[usize::try_from(number).unwrap_or(0) % KINDS.len()];
            let host = if number % 10 == 9 { "https://www.google-analytics.com" } else { "https://shop.example" };
            let begin = start + 200_000 + number * 9_000 + bits % 4_000;
            let end = begin + 60_000 + (bits >> 16) % 500_000;
            self.request(
                events,
                &Request {
                    id: &format!("{PAGE}.{}", self.number * 1_000 + number),
                    url: &format!("{host}/{number}-{}", kind.2),
                    kind,
                    start: begin,
                    first_byte: begin + (end - begin) / 2,
                    end,
                    initiator: &parser,
                },
            );
        }
    }

    fn request<W: Write>(&self, events: &mut Events<W>, own: &Request<'_>) {
        let (kind, mime, _, priority, bytes, is_blocking) = own.kind;
        let (id, url, initiator) = (own.id, own.url, own.initiator);
        let blocking = if is_blocking { "blocking" } else { "non_blocking" };
        let by_id = format!(r#"{{"data":{{"requestId":"{id}"}}}}"#);
        events.instant(Track::Browser, ("ResourceWillSendRequest", TIMELINE), own.start, &by_id);
        let sent = format!(
            r#"{{"data":{{"fetchPriorityHint":"auto","frame":"{FRAME}","initiator":{initiator},"priority":"{priority}","renderBlocking":"{blocking}","requestId":"{id}","requestMethod":"GET","resourceType":"{kind}","url":"{url}"}}}}"#
        );
        events.instant(Track::Main, ("ResourceSendRequest", TIMELINE), own.start + 20, &sent);
        let headers = own.first_byte - own.start;
        let ms = |us: u64| format!("{}.{:03}", us / 1_000, us % 1_000);
        let seconds = |us: u64| format!("{}.{:06}", us / 1_000_000, us % 1_000_000);
        let response = format!(
            r#"{{"data":{{"encodedDataLength":300,"frame":"{FRAME}","fromCache":false,"fromServiceWorker":false,"headers":[{{"name":"content-type","value":"{mime}; charset=utf-8"}},{{"name":"cache-control","value":"max-age=3600"}},{{"name":"date","value":"Thu, 26 Nov 2026 09:48:39 GMT"}}],"mimeType":"{mime}","protocol":"h2","requestId":"{id}","statusCode":200,"timing":{{"connectEnd":-1,"connectStart":-1,"dnsEnd":-1,"dnsStart":-1,"proxyEnd":-1,"proxyStart":-1,"pushEnd":0,"pushStart":0,"receiveHeadersEnd":{},"receiveHeadersStart":{},"requestTime":{},"sendEnd":1.1,"sendStart":1.0,"sslEnd":-1,"sslStart":-1,"workerReady":-1,"workerStart":-1}}}}}}"#,
            ms(headers),
            ms(headers - 100),
            seconds(CLOCK + own.start),
        );
        events.instant(Track::Main, ("ResourceReceiveResponse", TIMELINE), own.first_byte + 200, &response);
        for part in 1..=2 {
            let at = own.first_byte + (own.end - own.first_byte) * part / 3 + 300;
            let args =
                format!(r#"{{"data":{{"encodedDataLength":{},"frame":"{FRAME}","requestId":"{id}"}}}}"#, bytes / 2);
            events.instant(Track::Main, ("ResourceReceivedData", TIMELINE), at, &args);
        }
        let finished = format!(
            r#"{{"data":{{"decodedBodyLength":{},"didFail":false,"encodedDataLength":{bytes},"finishTime":{},"requestId":"{id}"}}}}"#,
            bytes * 2,
            seconds(CLOCK + own.end),
        );
        events.instant(Track::Main, ("ResourceFinish", TIMELINE), own.end + 400, &finished);
    }

    /// Writes what happens in a frame, given by its number since the navigation.
    pub(super) fn frame<W: Write>(&self, events: &mut Events<W>, frame: Frame, since: u64, random: &mut Random) {
        let at = frame.start;
        let of_frame = format!(r#"{{"data":{{"frame":"{FRAME}","isMainFrame":true,"isOutermostMainFrame":true}}}}"#);
        match since {
            30 => {
                let meta = format!(r#"{{"data":{{"frame":"{FRAME}","node_id":"4","content":"width=device-width"}}}}"#);
                events.instant(Track::Main, ("ParseMetaViewport", TIMELINE), at + 12_000, &meta);
                let font = format!(
                    r#"{{"display":"block","id":{},"url":"https://shop.example/4-font.woff2"}}"#,
                    self.number * 1_000 + 4
                );
                events.instant(Track::Main, ("BeginRemoteFontLoad", TIMELINE), at + 12_100, &font);
            }
            40 => events.instant(Track::Main, ("MarkDOMContent", TIMELINE), at + 12_000, &of_frame),
            100 => events.instant(Track::Main, ("MarkLoad", TIMELINE), at + 12_000, &of_frame),
            FIRST_PAINT => {
                events.mark(("firstPaint", PAINTS), at + 12_000, &self.data());
                events.mark(("firstContentfulPaint", PAINTS), at + 12_000, &self.data());
                self.candidate(events, at + 12_000, 1);
                let committed = format!(r#"{{"frame":"{FRAME}","is_mobile_optimized":true}}"#);
                events.instant(Track::Main, ("BeginCommitCompositorFrame", TIMELINE), at + 7_480, &committed);
                let unsized_image = format!(r#"{{"data":{{"frameId":"{FRAME}","nodeId":{}}}}}"#, random.below(400));
                events.instant(Track::Main, ("LayoutImageUnsized", TIMELINE), at + 4_700, &unsized_image);
            }
            LARGEST_PAINT => {
                self.candidate(events, at + 12_000, 2);
                let stats = format!(
                    r#"{{"data":{{"frame":"{FRAME}","maxChildren":{{"nodeId":11,"nodeName":"BODY","numChildren":140}},"maxDepth":{{"depth":22,"nodeId":12,"nodeName":"BUTTON"}},"totalElements":1900}}}}"#
                );
                events.instant(Track::Main, ("DOMStats", "disabled-by-default-devtools.timeline"), at + 5_700, &stats);
            }
            180 => {
                let args = format!(r#"{{"args":{{"total_blocking_time_ms":120.5}},"frame":"{FRAME}"}}"#);
                events.mark(("InteractiveTime", "loading,rail"), at + 12_000, &args);
            }
            since if SHIFTS.contains(&since) => self.shift(events, at + 5_800, random),
            _ => {}
        }
    }

    fn candidate<W: Write>(&self, events: &mut Events<W>, at: u64, index: u64) {
        let paint = format!(
            r#"{{"data":{{"candidateIndex":{index},"isMainFrame":true,"isOutermostMainFrame":true,"loadingAttr":"","navigationId":"{}","nodeId":4,"nodeName":"IMG id='hero'","size":211840,"type":"image"}},"frame":"{FRAME}"}}"#,
            self.id
        );
        events.mark(("largestContentfulPaint::Candidate", PAINTS), at, &paint);
        let image = format!(
            r#"{{"data":{{"DOMNodeId":4,"candidateIndex":{index},"imageUrl":"https://shop.example/2-image.png","isMainFrame":true,"isOutermostMainFrame":true,"nodeName":"IMG id='hero'","size":211840}},"frame":"{FRAME}"}}"#
        );
        events.mark(("LargestImagePaint::Candidate", LOADING), at, &image);
    }

    fn shift<W: Write>(&self, events: &mut Events<W>, at: u64, random: &mut Random) {
        let score = 1 + random.below(120);
        let args = format!(
            r#"{{"data":{{"cumulative_score":0.1,"had_recent_input":false,"impacted_nodes":[{{"debug_name":"DIV class='item'","new_rect":[8,230,640,327],"node_id":4,"old_rect":[8,226,640,331]}}],"is_main_frame":true,"score":0.{score:04},"weighted_score_delta":0.{score:04}}},"frame":"{FRAME}"}}"#
        );
        events.instant(Track::Main, ("LayoutShift", LOADING), at, &args);
    }
}
