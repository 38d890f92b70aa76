//! Frames: the page's refresh driver paints on request, the GPU process composites.
//!
//! A frame is one flow, from the tick in which the page paints it to the message that it was shown.

use super::image::Image;
use super::processes::ThreadRole;
use super::recording::{Flow, LENGTH, Payload, Value};
use super::simulation::{MS, Simulation, US};
use crate::firefox::Category;
use crate::json::Nanos;

/// Nanoseconds between two vertical blanks.
const VSYNC: u64 = 16_667 * US;
/// Start of the navigation; paint times are relative to it.
pub(super) const NAVIGATION: Nanos = Nanos(43 * MS);
/// Milliseconds from the navigation to the first byte of the page.
const FIRST_BYTE: u64 = 130;
/// Milliseconds from the first byte to the request for the painted element.
const REQUEST: u64 = 15;
/// Time at which the document is parsed and its style sheets are loaded.
const CONTENT: Nanos = Nanos(402 * MS);
/// The window of the page.
pub(super) const WINDOW: u64 = 15;
/// Additional time for a scene with much that was never drawn before.
const SLOW_SCENE: u64 = 36 * MS;
/// Time range in which the compositor animates a spinner on its own.
const SPINNER: std::ops::Range<u64> = 430 * MS..1_700 * MS;

/// Posts the display's ticks.
pub(super) fn begin(sim: &mut Simulation) {
    for number in 0..LENGTH.0 / VSYNC {
        let jitter = sim.random.below(40_000);
        sim.post(ThreadRole::Compositor, Nanos(number * VSYNC + jitter), move |sim, start| vsync(sim, start, number));
    }
}

/// Requests a frame of the page at the next tick.
pub(super) const fn request_frame(sim: &mut Simulation) {
    sim.frame_requested = true;
}

fn vsync(sim: &mut Simulation, start: Nanos, number: u64) -> u64 {
    let spins = SPINNER.contains(&start.0) && number.is_multiple_of(4);
    let payload = Payload::new("VsyncTimestamp");
    sim.instant(ThreadRole::Compositor, start, "VsyncTimestamp", Category::Graphics, payload);
    if std::mem::take(&mut sim.frame_requested) {
        let to = (ThreadRole::Content, start.plus(sim.random_us(180, 120)));
        sim.dispatch(
            (ThreadRole::Compositor, start.plus(9 * US)),
            to,
            "VsyncChild::Notify",
            None,
            move |sim, now, _| tick(sim, now, start),
        );
    }
    if !spins {
        return 15 * US;
    }
    let length = sim.random_us(160, 120);
    let payload = Payload::new("TextStack").text("name", "transform: rotate(), 1 layer");
    sim.interval(
        ThreadRole::Compositor,
        start.plus(20 * US),
        length / 3,
        "SampleAnimations",
        Category::Graphics,
        payload,
    );
    sim.stack_interval(
        ThreadRole::Compositor,
        start.plus(20 * US + length / 2),
        length / 3,
        "CompositeToTarget",
        Category::Graphics,
    );
    sim.post(ThreadRole::Renderer, start.plus(length + 60 * US), |sim, start| {
        let length = sim.random_us(500, 500);
        sim.stack_interval(ThreadRole::Renderer, start, length, "Composite #1", Category::Graphics);
        length
    });
    length + 20 * US
}

/// Runs one frame of the page. Returns its duration in nanoseconds.
fn tick(sim: &mut Simulation, start: Nanos, vsync: Nanos) -> u64 {
    sim.frames += 1;
    let frame = sim.flow();
    let images = std::mem::take(&mut sim.loaded_images);
    let number = sim.frames;
    let mut at = start.plus(30 * US);
    at = callbacks(sim, at);
    at = layout(sim, at, images.len() as u64 + 1);
    at = paint(sim, at, frame, &images);
    let length = at.plus(20 * US).0 - start.0;
    let reasons = match (number < 6, images.is_empty()) {
        (true, _) => r#"["HasObservers (Style, Layout)","HasPendingRenderingSteps"]"#,
        (_, true) => r#"["HasObservers (requestAnimationFrame)"]"#,
        (_, false) => r#"["HasImageRequests","HasObservers (Layout)"]"#,
    };
    let payload = Payload::new("RefreshTick")
        .number("number", number)
        .with("reasons", Value::Json(reasons.to_owned()))
        .with("vsync", Value::Time(vsync))
        .with("delay", Value::Length(start.0 - vsync.0));
    sim.interval(ThreadRole::Content, start, length, "RefreshDriverTick", Category::Graphics, payload);
    let is_first = start > CONTENT && !std::mem::replace(&mut sim.is_first_built, true);
    let is_slow = is_first || images.iter().any(Image::is_hero);
    let content = Content { flow: frame, began: start, images, click: sim.click.take(), is_slow };
    sim.dispatch(
        (ThreadRole::Content, at),
        (ThreadRole::Compositor, at.plus(150 * US)),
        "WebRenderBridgeParent::RecvSetDisplayList",
        None,
        move |sim, now, _| {
            let length = sim.random_us(90, 120);
            sim.in_flow(frame, ThreadRole::Compositor, now, length, "SetDisplayList", Category::Graphics);
            build(sim, now.plus(length), content);
            length
        },
    );
    length
}

fn callbacks(sim: &mut Simulation, at: Nanos) -> Nanos {
    let length = sim.random_us(120, 380);
    sim.stack_interval(ThreadRole::Content, at, length, "requestAnimationFrame callbacks", Category::Graphics);
    sim.text_interval(
        ThreadRole::Content,
        at.plus(15 * US),
        length - 40 * US,
        "FrameRequestCallback",
        Category::JavaScript,
        "stepReveal (gallery.js:152:13)",
    );
    at.plus(length + 10 * US)
}

fn layout(sim: &mut Simulation, at: Nanos, work: u64) -> Nanos {
    let styles = sim.random_us(90, 200) * work;
    let traversed = 40 + sim.random.below(160) * work;
    let payload = Payload::new("Styles")
        .number("elementsTraversed", traversed)
        .number("elementsStyled", traversed / 2)
        .number("elementsMatched", traversed / 3)
        .number("stylesShared", traversed / 7)
        .number("stylesReused", traversed / 11);
    sim.interval(ThreadRole::Content, at, styles, "Styles", Category::Layout, payload);
    let reflow = sim.random_us(120, 260) * work;
    sim.stack_interval(
        ThreadRole::Content,
        at.plus(styles + 8 * US),
        reflow,
        "Reflow (interruptible)",
        Category::Layout,
    );
    at.plus(styles + reflow + 16 * US)
}

fn paint(sim: &mut Simulation, at: Nanos, frame: Flow, images: &[Image]) -> Nanos {
    let mut inner = at.plus(40 * US);
    let built = sim.random_us(110, 160);
    sim.stack_interval(ThreadRole::Content, inner, built, "DisplayList", Category::Graphics);
    inner = inner.plus(built + 10 * US);
    for image in images {
        let length = sim.random_us(60, 90);
        let payload =
            Payload::new("ImagePaint").text("url", image.url()).flow("request", image.request).flow("frame", frame);
        sim.interval(ThreadRole::Content, inner, length, "Image Paint", Category::Graphics, payload);
        inner = inner.plus(length + 5 * US);
    }
    let sent = sim.random_us(40, 70);
    sim.stack_interval(ThreadRole::Content, inner, sent, "WrDisplayList", Category::Graphics);
    inner = inner.plus(sent + 8 * US);
    sim.in_flow(frame, ThreadRole::Content, inner, 45 * US, "ForwardDPTransaction", Category::Graphics);
    let end = inner.plus(60 * US);
    sim.text_interval(
        ThreadRole::Content,
        at,
        end.0 - at.0,
        "ViewManagerFlush",
        Category::Graphics,
        &format!("Transaction ID: {}", 200 + sim.frames),
    );
    end.plus(10 * US)
}

/// A frame on its way to the screen.
struct Content {
    flow: Flow,
    /// Start of the tick that painted it.
    began: Nanos,
    images: Vec<Image>,
    /// The time of the click whose result it shows.
    click: Option<Nanos>,
    /// True if its scene has much that was never drawn before.
    is_slow: bool,
}

/// Builds scene and frame on separate threads, then draws them.
fn build(sim: &mut Simulation, at: Nanos, content: Content) {
    let frame = content.flow;
    sim.post(ThreadRole::SceneBuilder, at.plus(70 * US), move |sim, start| {
        let length = sim.random_us(180, 240) + if content.is_slow { SLOW_SCENE } else { 0 };
        sim.in_flow(frame, ThreadRole::SceneBuilder, start, length, "SceneBuilding", Category::Graphics);
        sim.post(ThreadRole::RenderBackend, start.plus(length + 40 * US), move |sim, start| {
            let length = sim.random_us(220, 260);
            sim.in_flow(frame, ThreadRole::RenderBackend, start, length, "BuildFrame", Category::Graphics);
            for (position, name) in [(0, "UpdateVisibility"), (1, "Batching")] {
                let payload = Payload::new("tracing").text("category", "Webrender");
                sim.start_end_pair(
                    ThreadRole::RenderBackend,
                    start.plus(15 * US + position * length / 2),
                    length / 3,
                    name,
                    Category::Graphics,
                    payload,
                );
            }
            sim.post(ThreadRole::Renderer, start.plus(length + 50 * US), move |sim, start| {
                composite(sim, start, &content)
            });
            length
        });
        length
    });
}

fn composite(sim: &mut Simulation, start: Nanos, content: &Content) -> u64 {
    let (frame, images) = (content.flow, &content.images);
    let mut at = start.plus(40 * US);
    for image in images {
        let length = image.surface() / 6 + 30 * US;
        let payload = Payload::new("TextureUpload")
            .number("bytes", image.surface())
            .flow("request", image.request)
            .flow("frame", frame)
            .number("handle", 0x7f31_0040_0000 + 0x1_0000 * image.index as u64);
        sim.interval(ThreadRole::Renderer, at, length, "TextureUpload", Category::Graphics, payload);
        at = at.plus(length + 10 * US);
    }
    let raster = sim.random_us(300, 500);
    sim.stack_interval(ThreadRole::Renderer, at, raster, "Rasterize", Category::Graphics);
    let swap = sim.random_us(150, 250);
    sim.stack_interval(ThreadRole::Renderer, at.plus(raster + 20 * US), swap, "SwapBuffers", Category::Graphics);
    let end = at.plus(raster + swap + 40 * US);
    sim.in_flow(frame, ThreadRole::Renderer, start, end.0 - start.0, "Composite #1", Category::Graphics);
    let payload = Payload::new("Text").text("name", "from the paint to the screen");
    let length = end.0 - 20 * US - content.began.0;
    sim.interval(ThreadRole::Compositor, content.began, length, "CONTENT_FRAME_TIME", Category::Graphics, payload);
    if let Some(click) = content.click {
        let (name, length) = ("MouseUpFollowedByClick Payload Presented", end.0 - click.0);
        let payload = Payload::new("Text").text("name", "the result of the click is on the screen");
        sim.interval(ThreadRole::Compositor, click, length, name, Category::Graphics, payload);
    }
    let has_hero = images.iter().find(|image| image.is_hero()).map(Image::url);
    sim.dispatch(
        (ThreadRole::Renderer, end.minus(10 * US)),
        (ThreadRole::Content, end.plus(260 * US)),
        "CompositorBridgeChild::RecvDidComposite",
        None,
        move |sim, now, _| {
            if now > CONTENT && !std::mem::replace(&mut sim.is_painted, true) {
                milestone(sim, now.plus(5 * US), "FirstContentfulPaint", "https://gallery.example/#title", (6, 60));
            }
            if let Some(url) = has_hero {
                milestone(sim, now.plus(6 * US), "LargestContentfulPaint", &url, (62, 1_295));
            }
            let payload = Payload::new("TerminatingFlowMarker").flow("terminatingFlow", frame);
            sim.instant(ThreadRole::Content, now.plus(12 * US), "DidComposite", Category::Graphics, payload);
            sim.random_us(25, 20)
        },
    );
    end.0 - start.0
}

/// Records a user-visible paint, as an interval from the navigation: its percentage of the viewport, and the load time of
/// its content in milliseconds.
fn milestone(sim: &mut Simulation, at: Nanos, name: &str, url: &str, (percent, load): (u64, u64)) {
    let since = at.0 - NAVIGATION.0;
    let rest = (since / MS).saturating_sub(FIRST_BYTE + REQUEST + load);
    let phases = format!(
        r#"[["Time to first byte",{FIRST_BYTE}],["Resource load delay",{REQUEST}],["Resource load time",{load}],["Element render delay",{rest}]]"#
    );
    let payload = Payload::new("ContentfulPaint")
        .text("url", url)
        .with("sinceNavigation", Value::Length(since))
        .with("area", Value::Json(format!("0.{percent:02}")))
        .number("innerWindowID", WINDOW)
        .with("phases", Value::Json(phases));
    sim.interval(ThreadRole::Content, NAVIGATION, since, name, Category::Graphics, payload);
}
