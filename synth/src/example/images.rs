//! Twelve pictures: requested by the page, fetched by the parent process, decoded, shown.
//!
//! A request is one flow from `imgLoader::LoadImage` to the upload of the texture; every hop is a marker of it. This file
//! takes it to the server, `transfer` takes the answer to the page.

use super::processes::ThreadRole;
use super::recording::{Flow, Payload, Value};
use super::simulation::{MS, Simulation, US};
use super::transfer::receive;
use crate::json::Nanos;
use crate::schema::Category;

/// What is special about a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestKind {
    Plain,
    /// The first answer is another address.
    Redirected,
    /// It comes from the disk cache.
    Cached,
    /// The server has no such picture.
    Missing,
}

#[derive(Debug)]
pub(super) struct Picture {
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
) -> Picture {
    Picture { file, bytes, size, wait, transfer, kind }
}

/// Number of pictures.
pub(super) const COUNT: usize = PICTURES.len();
/// The picture that is largest, and slow.
pub(super) const HERO: usize = 0;

const PICTURES: [Picture; 12] = [
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

/// A request under way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Image {
    pub(super) index: usize,
    pub(super) request: Flow,
    /// The network's number of the request; a redirect gets another.
    channel: u64,
    pub(super) opened: Nanos,
    is_redirected: bool,
}

impl Image {
    pub(super) fn picture(&self) -> &'static Picture {
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

    /// Bytes of the decoded picture.
    pub(super) fn surface(&self) -> u64 {
        self.picture().size.0 * self.picture().size.1 * 4
    }

    /// Whether it is the picture that fills most of the page.
    pub(super) const fn is_hero(&self) -> bool {
        self.index == HERO
    }

    pub(super) const fn decoder(&self) -> ThreadRole {
        if self.index.is_multiple_of(2) { ThreadRole::DecoderOne } else { ThreadRole::DecoderTwo }
    }
}

/// The parser met an `img` element. Returns how long the request keeps the parser.
pub(super) fn request(sim: &mut Simulation, at: Nanos, index: usize, parser: Flow) -> u64 {
    let channel = 0x0003_0000_0021 + index as u64;
    let image = Image { index, request: sim.flow(), channel, opened: at, is_redirected: false };
    let length = sim.random_us(150, 220);
    let (width, height) = image.picture().size;
    let candidates =
        format!(r#"["{}","{} 2x","small/{} 480w"]"#, image.picture().file, image.picture().file, image.picture().file);
    let payload = Payload::new("ImageRequest")
        .text("url", image.url())
        .flow("request", image.request)
        .flow("parser", parser)
        .with("loading", Value::Unique(if index < 6 { "eager" } else { "lazy" }.to_owned()))
        .with("candidates", Value::Json(candidates))
        .number("width", width)
        .number("height", height);
    sim.interval(ThreadRole::Content, at, length, "imgLoader::LoadImage", Category::Network, payload);
    network(sim, &image, at, at.plus(length), "STATUS_START");
    open(sim, image, at.plus(length * 2 / 3));
    length
}

/// The content process asks the parent to open a channel.
fn open(sim: &mut Simulation, mut image: Image, sent: Nanos) {
    let flow = image.request;
    sim.instant(
        ThreadRole::Content,
        sent,
        "PNecko::PHttpChannelConstructor",
        Category::Ipc,
        Payload::new("FlowMarker").flow("flow", flow),
    );
    relay(sim, flow, ThreadRole::IpcChild, sent.plus(30 * US));
    relay(sim, flow, ThreadRole::IpcParent, sent.plus(140 * US));
    image.opened = sent;
    let to = (ThreadRole::Parent, sent.plus(260 * US));
    sim.dispatch(
        (ThreadRole::IpcParent, sent.plus(165 * US)),
        to,
        "HttpChannelParent::DoAsyncOpen",
        Some(flow),
        move |sim, start, _| {
            sim.message(
                (ThreadRole::Content, sent),
                (ThreadRole::Parent, start),
                "PNecko::Msg_PHttpChannelConstructor",
            );
            let length = sim.random_us(150, 150);
            sim.in_flow(flow, ThreadRole::Parent, start, length, "nsHttpChannel::AsyncOpen", Category::Network);
            sim.in_flow(
                flow,
                ThreadRole::Parent,
                start.plus(22 * US),
                length - 60 * US,
                "nsHttpChannel::BeginConnect",
                Category::Network,
            );
            look_up(sim, image, start.plus(length - 20 * US));
            length
        },
    );
}

/// The cache is asked first.
fn look_up(sim: &mut Simulation, image: Image, at: Nanos) {
    let flow = image.request;
    let from = (ThreadRole::Parent, at);
    sim.dispatch(
        from,
        (ThreadRole::Cache, at.plus(60 * US)),
        "CacheFileIOManager::OpenFile",
        Some(flow),
        move |sim, start, _| {
            let length = sim.random_us(60, 240);
            sim.in_flow(flow, ThreadRole::Cache, start, length, "CacheFile::OnFileOpened", Category::Network);
            let (from, to) =
                ((ThreadRole::Cache, start.plus(length)), (ThreadRole::Parent, start.plus(length + 70 * US)));
            sim.dispatch(from, to, "nsHttpChannel::OnCacheEntryAvailable", Some(flow), move |sim, start, _| {
                let length = sim.random_us(40, 80);
                sim.in_flow(
                    flow,
                    ThreadRole::Parent,
                    start,
                    length,
                    "nsHttpChannel::ContinueConnect",
                    Category::Network,
                );
                if image.picture().kind == RequestKind::Cached {
                    receive(sim, image, start.plus(length));
                } else {
                    send(sim, image, start.plus(length));
                }
                length
            });
            length
        },
    );
}

/// The request goes out on the socket thread; the answer comes after the server's time.
fn send(sim: &mut Simulation, image: Image, at: Nanos) {
    let flow = image.request;
    let from = (ThreadRole::Parent, at);
    sim.dispatch(
        from,
        (ThreadRole::Socket, at.plus(50 * US)),
        "nsHttpConnectionMgr::OnMsgNewTransaction",
        Some(flow),
        move |sim, start, _| {
            let length = sim.random_us(70, 90);
            sim.in_flow(
                flow,
                ThreadRole::Socket,
                start,
                length,
                "nsHttpTransaction::ReadRequestSegment",
                Category::Network,
            );
            sim.instant(
                ThreadRole::Socket,
                start.plus(length / 2),
                "Write",
                Category::Network,
                Payload::new("NetIO").number("written", 412),
            );
            let answer = start.plus(image.picture().wait * MS);
            if image.picture().kind == RequestKind::Redirected && !image.is_redirected {
                redirect(sim, image, start.plus(43 * MS));
            } else {
                receive(sim, image, answer);
            }
            length
        },
    );
}

fn redirect(sim: &mut Simulation, image: Image, at: Nanos) {
    let flow = image.request;
    sim.post(ThreadRole::Socket, at, move |sim, start| {
        let length = sim.random_us(50, 40);
        sim.in_flow(flow, ThreadRole::Socket, start, length, "nsHttpTransaction::WriteSegment", Category::Network);
        let (from, to) = ((ThreadRole::Socket, start.plus(length / 2)), (ThreadRole::Content, start.plus(420 * US)));
        sim.dispatch(from, to, "HttpChannelChild::Redirect1Begin", Some(flow), move |sim, start, _| {
            let length = sim.random_us(90, 60);
            sim.in_flow(flow, ThreadRole::Content, start, length, "AsyncProcessRedirection", Category::Network);
            network(sim, &image, image.opened, start.plus(length), "STATUS_REDIRECT");
            let next = Image { is_redirected: true, channel: image.channel + 100, opened: start, ..image };
            network(sim, &next, start.plus(length / 2), start.plus(length), "STATUS_START");
            open(sim, next, start.plus(length - 10 * US));
            length
        });
        length
    });
}

/// A message thread passes a piece of a request on.
pub(super) fn relay(sim: &mut Simulation, flow: Flow, thread: ThreadRole, at: Nanos) {
    sim.post(thread, at, move |sim, start| {
        let length = sim.random_us(9, 12);
        sim.in_flow(flow, thread, start, length, "IPC I/O", Category::Ipc);
        length
    });
}

/// The page's side of a request: a row when it starts, one when it stops.
pub(super) fn network(sim: &mut Simulation, image: &Image, start: Nanos, end: Nanos, status: &'static str) {
    let picture = image.picture();
    let mut payload = Payload::new("Network")
        .with("startTime", Value::Time(start))
        .with("endTime", Value::Time(end))
        .number("id", image.channel)
        .text("status", status)
        .number("pri", if image.is_hero() { 0 } else { 10 })
        .text("URI", image.url())
        .text("requestMethod", "GET")
        .text(
            "cache",
            if picture.kind == RequestKind::Cached && status == "STATUS_STOP" { "Hit" } else { "Unresolved" },
        );
    if status == "STATUS_STOP" {
        let kind = picture.file.rsplit('.').next().unwrap_or("");
        let first = image.opened.plus(picture.wait * MS);
        payload = payload
            .text(
                "contentType",
                if picture.kind == RequestKind::Missing { "text/html".to_owned() } else { format!("image/{kind}") },
            )
            .number("responseStatus", if picture.kind == RequestKind::Missing { 404 } else { 200 })
            .text("httpVersion", "h2")
            .number("count", picture.bytes)
            .with("requestStart", Value::Time(image.opened.plus(900 * US)))
            .with("responseStart", Value::Time(Nanos(first.0.min(end.0))))
            .with("responseEnd", Value::Time(end));
    }
    if status == "STATUS_REDIRECT" {
        payload = payload
            .number("responseStatus", 302)
            .text("RedirectURI", Image { is_redirected: true, ..*image }.url())
            .text("redirectType", "Temporary")
            .number("redirectId", image.channel + 100);
    }
    let name = format!("Load {}: {}", image.channel & 0xFFFF, image.url());
    sim.interval(ThreadRole::Content, start, end.0.saturating_sub(start.0), &name, Category::Network, payload);
}
