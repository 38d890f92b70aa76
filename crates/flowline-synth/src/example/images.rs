//! Twelve images: requested by the page, fetched by the parent process, decoded, shown.
//!
//! A request is one flow from `imgLoader::LoadImage` to the texture upload; every hop is a marker of the flow. This
//! file sends the request to the server, `transfer` delivers the response to the page.

use super::image::{Image, RequestKind};
use super::network::{network, relay};
use super::processes::ThreadRole;
use super::recording::{Flow, Payload, Value};
use super::simulation::{MS, Simulation, US};
use super::transfer::receive;
use crate::firefox::Category;
use crate::json::Nanos;

/// Requests the image of an `img` element that the parser found. Returns the time that the parser spends on it.
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

/// Queries the cache first.
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

/// Sends the request on the socket thread; the response arrives after the server's delay.
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
