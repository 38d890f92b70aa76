//! Messages between the processes of a request, and the request's rows in the page's process.

use super::image::{Image, RequestKind};
use super::processes::ThreadRole;
use super::recording::{Flow, Payload, Value};
use super::simulation::{MS, Simulation, US};
use crate::firefox::Category;
use crate::json::Nanos;

/// Relays a piece of a request on a message thread.
pub(super) fn relay(sim: &mut Simulation, flow: Flow, thread: ThreadRole, at: Nanos) {
    sim.post(thread, at, move |sim, start| {
        let length = sim.random_us(9, 12);
        sim.in_flow(flow, thread, start, length, "IPC I/O", Category::Ipc);
        length
    });
}

/// Records the page's side of a request: one row at its start and one at its end.
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
