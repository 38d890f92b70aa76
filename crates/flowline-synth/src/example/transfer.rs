//! Transfer of an image's bytes: socket, stream transport, two message threads, image thread, decoder, event.

use super::frames;
use super::image::{Image, RequestKind};
use super::network::{network, relay};
use super::processes::ThreadRole;
use super::recording::{Payload, Value};
use super::simulation::{MS, Simulation, US};
use crate::firefox::Category;
use crate::json::Nanos;

/// Number of bytes per piece.
const CHUNK: u64 = 180_000;

/// Receives the response in pieces.
pub(super) fn receive(sim: &mut Simulation, image: Image, first: Nanos) {
    let picture = image.picture();
    let pieces = picture.bytes.div_ceil(CHUNK);
    for piece in 0..pieces {
        let at = first.plus(picture.transfer * MS * piece / pieces);
        let bytes = CHUNK.min(picture.bytes - piece * CHUNK);
        let source = if picture.kind == RequestKind::Cached { ThreadRole::Cache } else { ThreadRole::Socket };
        sim.post(source, at, move |sim, start| arrive(sim, image, source, start, (piece, pieces, bytes)));
    }
}

/// Passes a piece from the socket or the cache to the image thread.
fn arrive(
    sim: &mut Simulation,
    image: Image,
    source: ThreadRole,
    start: Nanos,
    (piece, pieces, bytes): (u64, u64, u64),
) -> u64 {
    let flow = image.request;
    let length = sim.random_us(50, 110);
    let is_cached = source == ThreadRole::Cache;
    let name = if is_cached { "CacheFileInputStream::ReadSegments" } else { "nsHttpTransaction::WriteSegment" };
    sim.in_flow(flow, source, start, length, name, Category::Network);
    if !is_cached {
        sim.instant(
            source,
            start.plus(length / 3),
            "Read",
            Category::Network,
            Payload::new("NetIO").number("read", bytes),
        );
        sim.bytes_received.push((start, i64::try_from(bytes).unwrap_or(0), 1));
    }
    let done = start.plus(length);
    sim.post(ThreadRole::Stream, done.plus(25 * US), move |sim, start| {
        let length = sim.random_us(20, 60);
        sim.in_flow(
            flow,
            ThreadRole::Stream,
            start,
            length,
            "nsInputStreamPump::OnInputStreamReady",
            Category::Network,
        );
        relay(sim, flow, ThreadRole::IpcParent, start.plus(length + 30 * US));
        relay(sim, flow, ThreadRole::IpcChild, start.plus(length + 110 * US));
        sim.post(ThreadRole::ImageIo, start.plus(length + 190 * US), move |sim, start| {
            deliver(sim, image, start, (piece, pieces, bytes))
        });
        length
    });
    length
}

/// Passes the received bytes from the image thread to a decoder; the last piece notifies the page.
fn deliver(sim: &mut Simulation, image: Image, start: Nanos, (piece, pieces, bytes): (u64, u64, u64)) -> u64 {
    let flow = image.request;
    let length = sim.random_us(30, 70);
    sim.in_flow(flow, ThreadRole::ImageIo, start, length, "imgRequest::OnDataAvailable", Category::Graphics);
    let is_last = piece + 1 == pieces;
    let from = (ThreadRole::ImageIo, start.plus(length / 2));
    if is_last {
        sim.dispatch(
            from,
            (ThreadRole::Content, start.plus(length + 60 * US)),
            "imgRequest::OnStopRequest",
            Some(flow),
            move |sim, start, _| {
                let length = sim.random_us(60, 90);
                sim.in_flow(
                    flow,
                    ThreadRole::Content,
                    start,
                    length,
                    "HttpChannelChild::OnStopRequest",
                    Category::Network,
                );
                network(sim, &image, image.opened.plus(200 * US), start.plus(length), "STATUS_STOP");
                let is_missing = image.picture().kind == RequestKind::Missing;
                length + if is_missing { event(sim, image, start.plus(length + US), start, "error") + US } else { 0 }
            },
        );
    }
    if image.picture().kind != RequestKind::Missing {
        let to = (image.decoder(), start.plus(length + 40 * US));
        sim.dispatch(from, to, "DecodePool::Run", Some(flow), move |sim, start, _| {
            decode(sim, image, start, (piece, pieces, bytes))
        });
    }
    length
}

fn decode(sim: &mut Simulation, image: Image, start: Nanos, (piece, pieces, bytes): (u64, u64, u64)) -> u64 {
    let (_, height) = image.picture().size;
    let length = bytes * 42 + sim.random_us(120, 300);
    let decoder = image.picture().file.rsplit('.').next().unwrap_or("");
    let payload = Payload::new("ImageDecode")
        .text("url", image.url())
        .flow("request", image.request)
        .with("decoder", Value::Unique(format!("image/{decoder}")))
        .with("progress", Value::Json(format!("{:.3}", (piece + 1) as f64 / pieces as f64)))
        .number("bytes", bytes)
        .number("surface", image.surface())
        .with("perRow", Value::Json(format!("{:.2}", length as f64 / 1e3 / height.max(1) as f64)));
    sim.interval(image.decoder(), start, length, "ImageDecode", Category::Graphics, payload);
    let parts = if piece == 0 { 2 } else { 0 };
    for row in 0..parts {
        let part = length / parts;
        sim.stack_interval(
            image.decoder(),
            start.plus(part * row + 10 * US),
            part - 20 * US,
            "SurfacePipe::WritePixels",
            Category::Graphics,
        );
    }
    let end = start.plus(length);
    if piece == 0 {
        sim.memory.push((start, i64::try_from(image.surface()).unwrap_or(0), 1));
    }
    if piece + 1 == pieces {
        let to = (ThreadRole::Content, end.plus(80 * US));
        sim.dispatch((image.decoder(), end), to, "AsyncEventDispatcher", Some(image.request), move |sim, start, _| {
            event(sim, image, start, end, "load")
        });
    }
    length
}

/// Runs the event that notifies the page's scripts. Returns its duration.
fn event(sim: &mut Simulation, image: Image, start: Nanos, posted: Nanos, outcome: &'static str) -> u64 {
    let length = sim.random_us(240, 150);
    let payload = Payload::new("ImageLoad")
        .text("url", image.url())
        .flow("request", image.request)
        .with("latency", Value::Length(start.0 - posted.0))
        .text("outcome", outcome);
    sim.interval(ThreadRole::Content, start, length, outcome, Category::Dom, payload);
    let script = if outcome == "load" { "onload (gallery.js:88:21)" } else { "onerror (gallery.js:97:5)" };
    let job = sim.flow();
    sim.text_interval(
        ThreadRole::Content,
        start.plus(20 * US),
        length / 2,
        "EventHandler",
        Category::JavaScript,
        script,
    );
    sim.instant(
        ThreadRole::Content,
        start.plus(60 * US),
        "JS::EnqueueJob",
        Category::JavaScript,
        Payload::new("FlowMarker").flow("flow", job),
    );
    sim.plain_instant(ThreadRole::Content, start.plus(80 * US), "SetNeedStyleFlush", Category::Layout);
    sim.plain_instant(ThreadRole::Content, start.plus(95 * US), "ScheduleFrame", Category::Graphics);
    let payload = Payload::new("TerminatingFlowStackMarker").flow("flow", job);
    sim.interval(
        ThreadRole::Content,
        start.plus(length / 2 + 30 * US),
        length / 4,
        "RunMicroTask",
        Category::JavaScript,
        payload,
    );
    if outcome == "load" {
        sim.loaded_images.push(image);
    }
    frames::request_frame(sim);
    length
}
