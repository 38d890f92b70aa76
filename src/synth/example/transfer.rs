//! The way of a picture's bytes: socket, stream transport, two message threads, image thread, decoder, event.

use super::cast::Place;
use super::frames;
use super::images::{Fate, Image, carry, network};
use super::recording::{Data, Value};
use super::story::{MS, Story, US};
use crate::synth::json::Nanos;
use crate::synth::schema::Category;

/// Bytes that arrive at once.
const CHUNK: u64 = 180_000;

/// The answer arrives in pieces.
pub(super) fn receive(story: &mut Story, image: Image, first: Nanos) {
    let picture = image.picture();
    let pieces = picture.bytes.div_ceil(CHUNK);
    for piece in 0..pieces {
        let at = first.plus(picture.transfer * MS * piece / pieces);
        let bytes = CHUNK.min(picture.bytes - piece * CHUNK);
        let source = if picture.fate == Fate::Cached { Place::Cache } else { Place::Socket };
        story.post(source, at, move |story, start| arrive(story, image, source, start, (piece, pieces, bytes)));
    }
}

/// A piece on its way from the socket or the cache to the image thread.
fn arrive(
    story: &mut Story,
    image: Image,
    source: Place,
    start: Nanos,
    (piece, pieces, bytes): (u64, u64, u64),
) -> u64 {
    let flow = image.request;
    let length = story.some_us(50, 110);
    let is_cached = source == Place::Cache;
    let name = if is_cached { "CacheFileInputStream::ReadSegments" } else { "nsHttpTransaction::WriteSegment" };
    story.along(flow, source, start, length, name, Category::Network);
    if !is_cached {
        story.point(
            source,
            start.plus(length / 3),
            "Read",
            Category::Network,
            Data::new("NetIO").number("read", bytes),
        );
        story.arrived.push((start, i64::try_from(bytes).unwrap_or(0), 1));
    }
    let done = start.plus(length);
    story.post(Place::Stream, done.plus(25 * US), move |story, start| {
        let length = story.some_us(20, 60);
        story.along(flow, Place::Stream, start, length, "nsInputStreamPump::OnInputStreamReady", Category::Network);
        carry(story, flow, Place::IpcParent, start.plus(length + 30 * US));
        carry(story, flow, Place::IpcChild, start.plus(length + 110 * US));
        story.post(Place::ImageIo, start.plus(length + 190 * US), move |story, start| {
            hand_over(story, image, start, (piece, pieces, bytes))
        });
        length
    });
    length
}

/// The image thread gives what arrived to a decoder, and at the end tells the page.
fn hand_over(story: &mut Story, image: Image, start: Nanos, (piece, pieces, bytes): (u64, u64, u64)) -> u64 {
    let flow = image.request;
    let length = story.some_us(30, 70);
    story.along(flow, Place::ImageIo, start, length, "imgRequest::OnDataAvailable", Category::Graphics);
    let is_last = piece + 1 == pieces;
    let from = (Place::ImageIo, start.plus(length / 2));
    if is_last {
        story.dispatch(
            from,
            (Place::Content, start.plus(length + 60 * US)),
            "imgRequest::OnStopRequest",
            Some(flow),
            move |story, start, _| {
                let length = story.some_us(60, 90);
                story.along(flow, Place::Content, start, length, "HttpChannelChild::OnStopRequest", Category::Network);
                network(story, &image, image.opened.plus(200 * US), start.plus(length), "STATUS_STOP");
                let is_missing = image.picture().fate == Fate::Missing;
                length + if is_missing { event(story, image, start.plus(length + US), start, "error") + US } else { 0 }
            },
        );
    }
    if image.picture().fate != Fate::Missing {
        let to = (image.decoder(), start.plus(length + 40 * US));
        story.dispatch(from, to, "DecodePool::Run", Some(flow), move |story, start, _| {
            decode(story, image, start, (piece, pieces, bytes))
        });
    }
    length
}

fn decode(story: &mut Story, image: Image, start: Nanos, (piece, pieces, bytes): (u64, u64, u64)) -> u64 {
    let (_, height) = image.picture().size;
    let length = bytes * 42 + story.some_us(120, 300);
    let decoder = image.picture().file.rsplit('.').next().unwrap_or("");
    let data = Data::new("ImageDecode")
        .text("url", image.url())
        .flow("request", image.request)
        .with("decoder", Value::Unique(format!("image/{decoder}")))
        .with("progress", Value::Json(format!("{:.3}", (piece + 1) as f64 / pieces as f64)))
        .number("bytes", bytes)
        .number("surface", image.surface())
        .with("perRow", Value::Json(format!("{:.2}", length as f64 / 1e3 / height.max(1) as f64)));
    story.span(image.decoder(), start, length, "ImageDecode", Category::Graphics, data);
    let parts = if piece == 0 { 2 } else { 0 };
    for row in 0..parts {
        let part = length / parts;
        story.stack(
            image.decoder(),
            start.plus(part * row + 10 * US),
            part - 20 * US,
            "SurfacePipe::WritePixels",
            Category::Graphics,
        );
    }
    let end = start.plus(length);
    if piece == 0 {
        story.memory.push((start, i64::try_from(image.surface()).unwrap_or(0), 1));
    }
    if piece + 1 == pieces {
        let to = (Place::Content, end.plus(80 * US));
        story.dispatch(
            (image.decoder(), end),
            to,
            "AsyncEventDispatcher",
            Some(image.request),
            move |story, start, _| event(story, image, start, end, "load"),
        );
    }
    length
}

/// The event that tells the page's scripts. Returns how long it takes.
fn event(story: &mut Story, image: Image, start: Nanos, posted: Nanos, outcome: &'static str) -> u64 {
    let length = story.some_us(240, 150);
    let data = Data::new("ImageLoad")
        .text("url", image.url())
        .flow("request", image.request)
        .with("latency", Value::Length(start.0 - posted.0))
        .text("outcome", outcome);
    story.span(Place::Content, start, length, outcome, Category::Dom, data);
    let script = if outcome == "load" { "onload (gallery.js:88:21)" } else { "onerror (gallery.js:97:5)" };
    let job = story.flow();
    story.text(Place::Content, start.plus(20 * US), length / 2, "EventHandler", Category::JavaScript, script);
    story.point(
        Place::Content,
        start.plus(60 * US),
        "JS::EnqueueJob",
        Category::JavaScript,
        Data::new("FlowMarker").flow("flow", job),
    );
    story.bare(Place::Content, start.plus(80 * US), "SetNeedStyleFlush", Category::Layout);
    story.bare(Place::Content, start.plus(95 * US), "ScheduleFrame", Category::Graphics);
    let data = Data::new("TerminatingFlowStackMarker").flow("flow", job);
    story.span(
        Place::Content,
        start.plus(length / 2 + 30 * US),
        length / 4,
        "RunMicroTask",
        Category::JavaScript,
        data,
    );
    if outcome == "load" {
        story.fresh.push(image);
    }
    frames::ask(story);
    length
}
