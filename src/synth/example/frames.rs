//! Frames: the page's refresh driver paints when asked to, the GPU process composites.
//!
//! A frame is one flow, from the tick in which the page paints it to the message that says it was shown.

use super::cast::Place;
use super::images::Image;
use super::recording::{Data, Flow, LENGTH, Value};
use super::story::{MS, Story, US};
use crate::synth::json::Nanos;
use crate::synth::schema::Category;

/// Nanoseconds between two vertical blanks.
const VSYNC: u64 = 16_667 * US;
/// When the navigation began, from which paints are counted.
pub(super) const NAVIGATION: Nanos = Nanos(43 * MS);
/// Milliseconds from the navigation to the first byte of the page.
const FIRST_BYTE: u64 = 133;
/// Milliseconds from then to the request for what is painted.
const REQUEST: u64 = 15;
/// When the document is parsed and its style sheets are there.
const CONTENT: Nanos = Nanos(402 * MS);
/// The compositor turns a spinner by itself until then.
const SPINNER: std::ops::Range<u64> = 430 * MS..1_700 * MS;

/// Posts the display's ticks.
pub(super) fn begin(story: &mut Story) {
    for number in 0..LENGTH.0 / VSYNC {
        let jitter = story.random.below(40_000);
        story.post(Place::Compositor, Nanos(number * VSYNC + jitter), move |story, start| vsync(story, start, number));
    }
}

/// Asks for a frame of the page at the next tick.
pub(super) const fn ask(story: &mut Story) {
    story.is_frame_due = true;
}

fn vsync(story: &mut Story, start: Nanos, number: u64) -> u64 {
    let spins = SPINNER.contains(&start.0) && number.is_multiple_of(4);
    if spins || story.is_frame_due {
        story.point(Place::Compositor, start, "VsyncTimestamp", Category::Graphics, Data::new("VsyncTimestamp"));
    }
    if std::mem::take(&mut story.is_frame_due) {
        let to = (Place::Content, start.plus(story.some_us(180, 120)));
        story.dispatch(
            (Place::Compositor, start.plus(9 * US)),
            to,
            "VsyncChild::Notify",
            None,
            move |story, now, _| tick(story, now, start),
        );
    }
    if !spins {
        return 15 * US;
    }
    let length = story.some_us(160, 120);
    let data = Data::new("TextStack").text("name", "transform: rotate(), 1 layer");
    story.span(Place::Compositor, start.plus(20 * US), length / 3, "SampleAnimations", Category::Graphics, data);
    story.stack(
        Place::Compositor,
        start.plus(20 * US + length / 2),
        length / 3,
        "CompositeToTarget",
        Category::Graphics,
    );
    story.post(Place::Renderer, start.plus(length + 60 * US), |story, start| {
        let length = story.some_us(500, 500);
        story.stack(Place::Renderer, start, length, "Composite #1", Category::Graphics);
        length
    });
    length + 20 * US
}

/// One frame of the page. Returns how long it takes.
fn tick(story: &mut Story, start: Nanos, vsync: Nanos) -> u64 {
    story.frames += 1;
    let frame = story.flow();
    let images = std::mem::take(&mut story.fresh);
    let number = story.frames;
    let mut at = start.plus(30 * US);
    at = callbacks(story, at);
    at = layout(story, at, images.len() as u64 + 1);
    at = paint(story, at, frame, &images);
    let length = at.plus(20 * US).0 - start.0;
    let reasons = match (number < 6, images.is_empty()) {
        (true, _) => r#"["HasObservers (Style, Layout)","HasPendingRenderingSteps"]"#,
        (_, true) => r#"["HasObservers (requestAnimationFrame)"]"#,
        (_, false) => r#"["HasImageRequests","HasObservers (Layout)"]"#,
    };
    let data = Data::new("RefreshTick")
        .number("number", number)
        .with("reasons", Value::Json(reasons.to_owned()))
        .with("vsync", Value::Time(vsync))
        .with("delay", Value::Length(start.0 - vsync.0));
    story.span(Place::Content, start, length, "RefreshDriverTick", Category::Graphics, data);
    story.dispatch(
        (Place::Content, at),
        (Place::Compositor, at.plus(150 * US)),
        "WebRenderBridgeParent::RecvSetDisplayList",
        None,
        move |story, now, _| {
            let length = story.some_us(90, 120);
            story.along(frame, Place::Compositor, now, length, "SetDisplayList", Category::Graphics);
            build(story, now.plus(length), frame, images);
            length
        },
    );
    length
}

fn callbacks(story: &mut Story, at: Nanos) -> Nanos {
    let length = story.some_us(120, 380);
    story.stack(Place::Content, at, length, "requestAnimationFrame callbacks", Category::Graphics);
    story.text(
        Place::Content,
        at.plus(15 * US),
        length - 40 * US,
        "FrameRequestCallback",
        Category::JavaScript,
        "stepReveal (gallery.js:152:13)",
    );
    at.plus(length + 10 * US)
}

fn layout(story: &mut Story, at: Nanos, work: u64) -> Nanos {
    let styles = story.some_us(90, 200) * work;
    let traversed = 40 + story.random.below(160) * work;
    let data = Data::new("Styles")
        .number("elementsTraversed", traversed)
        .number("elementsStyled", traversed / 2)
        .number("elementsMatched", traversed / 3)
        .number("stylesShared", traversed / 7)
        .number("stylesReused", traversed / 11);
    story.span(Place::Content, at, styles, "Styles", Category::Layout, data);
    let reflow = story.some_us(120, 260) * work;
    story.stack(Place::Content, at.plus(styles + 8 * US), reflow, "Reflow (interruptible)", Category::Layout);
    at.plus(styles + reflow + 16 * US)
}

fn paint(story: &mut Story, at: Nanos, frame: Flow, images: &[Image]) -> Nanos {
    let mut inner = at.plus(40 * US);
    let built = story.some_us(110, 160);
    story.stack(Place::Content, inner, built, "DisplayList", Category::Graphics);
    inner = inner.plus(built + 10 * US);
    for image in images {
        let length = story.some_us(60, 90);
        let data = Data::new("ImagePaint").text("url", image.url()).flow("request", image.request).flow("frame", frame);
        story.span(Place::Content, inner, length, "Image Paint", Category::Graphics, data);
        inner = inner.plus(length + 5 * US);
    }
    let sent = story.some_us(40, 70);
    story.stack(Place::Content, inner, sent, "WrDisplayList", Category::Graphics);
    inner = inner.plus(sent + 8 * US);
    story.along(frame, Place::Content, inner, 45 * US, "ForwardDPTransaction", Category::Graphics);
    let end = inner.plus(60 * US);
    story.text(
        Place::Content,
        at,
        end.0 - at.0,
        "ViewManagerFlush",
        Category::Graphics,
        &format!("Transaction ID: {}", 200 + story.frames),
    );
    end.plus(10 * US)
}

/// Scene and frame are built on threads of their own, then drawn.
fn build(story: &mut Story, at: Nanos, frame: Flow, images: Vec<Image>) {
    story.post(Place::SceneBuilder, at.plus(70 * US), move |story, start| {
        let length = story.some_us(180, 240);
        story.along(frame, Place::SceneBuilder, start, length, "SceneBuilding", Category::Graphics);
        story.post(Place::RenderBackend, start.plus(length + 40 * US), move |story, start| {
            let length = story.some_us(220, 260);
            story.along(frame, Place::RenderBackend, start, length, "BuildFrame", Category::Graphics);
            for (position, name) in [(0, "UpdateVisibility"), (1, "Batching")] {
                let data = Data::new("tracing").text("category", "Webrender");
                story.halves(
                    Place::RenderBackend,
                    start.plus(15 * US + position * length / 2),
                    length / 3,
                    name,
                    Category::Graphics,
                    data,
                );
            }
            story.post(Place::Renderer, start.plus(length + 50 * US), move |story, start| {
                composite(story, start, frame, &images)
            });
            length
        });
        length
    });
}

fn composite(story: &mut Story, start: Nanos, frame: Flow, images: &[Image]) -> u64 {
    let mut at = start.plus(40 * US);
    for image in images {
        let length = image.surface() / 6 + 30 * US;
        let data = Data::new("TextureUpload")
            .number("bytes", image.surface())
            .flow("request", image.request)
            .flow("frame", frame)
            .number("handle", 0x7f31_0040_0000 + 0x1_0000 * image.index as u64);
        story.span(Place::Renderer, at, length, "TextureUpload", Category::Graphics, data);
        at = at.plus(length + 10 * US);
    }
    let raster = story.some_us(300, 500);
    story.stack(Place::Renderer, at, raster, "Rasterize", Category::Graphics);
    let swap = story.some_us(150, 250);
    story.stack(Place::Renderer, at.plus(raster + 20 * US), swap, "SwapBuffers", Category::Graphics);
    let end = at.plus(raster + swap + 40 * US);
    story.along(frame, Place::Renderer, start, end.0 - start.0, "Composite #1", Category::Graphics);
    let has_hero = images.iter().find(|image| image.is_hero()).map(Image::url);
    story.dispatch(
        (Place::Renderer, end.minus(10 * US)),
        (Place::Content, end.plus(260 * US)),
        "CompositorBridgeChild::RecvDidComposite",
        None,
        move |story, now, _| {
            if now > CONTENT && !std::mem::replace(&mut story.is_painted, true) {
                milestone(
                    story,
                    now.plus(5 * US),
                    "FirstContentfulPaint",
                    "https://gallery.example/#title",
                    (frame, 6, 60),
                );
            }
            if let Some(url) = has_hero {
                milestone(story, now.plus(6 * US), "LargestContentfulPaint", &url, (frame, 62, 1_295));
            }
            let data = Data::new("TerminatingFlowMarker").flow("terminatingFlow", frame);
            story.point(Place::Content, now.plus(12 * US), "DidComposite", Category::Graphics, data);
            story.some_us(25, 20)
        },
    );
    end.0 - start.0
}

/// A paint that a user notices: in which frame, how much of the viewport, how many milliseconds its content loaded.
fn milestone(story: &mut Story, at: Nanos, name: &str, url: &str, (frame, percent, load): (Flow, u64, u64)) {
    let since = at.0 - NAVIGATION.0;
    let rest = (since / MS).saturating_sub(FIRST_BYTE + REQUEST + load);
    let phases = format!(
        r#"[["Time to first byte",{FIRST_BYTE}],["Resource load delay",{REQUEST}],["Resource load time",{load}],["Element render delay",{rest}]]"#
    );
    let data = Data::new("ContentfulPaint")
        .text("url", url)
        .with("sinceNavigation", Value::Length(since))
        .with("area", Value::Json(format!("0.{percent:02}")))
        .flow("frame", frame)
        .with("phases", Value::Json(phases));
    story.point(Place::Content, at, name, Category::Graphics, data);
}
