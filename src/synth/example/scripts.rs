//! The page's scripts: timers, a worker, promises, and the layout of the gallery that blocks everything for 180 ms.

use super::cast::Place;
use super::frames;
use super::recording::{Data, Flow, LENGTH, Value};
use super::story::{MS, Story, US};
use crate::synth::json::Nanos;
use crate::synth::schema::Category;

/// When the script that lays out the gallery is due; the largest picture is decoded a few milliseconds later.
const MASONRY: Nanos = Nanos(1_488 * MS);
/// How long it takes.
const MASONRY_LENGTH: u64 = 180 * MS;
/// Pictures whose placeholders the worker computes.
const PLACEHOLDERS: u64 = 11;

/// Posts what the scripts start once they are loaded.
pub(super) fn begin(story: &mut Story) {
    story.post(Place::Content, Nanos(446 * MS), |story, start| {
        progress(story, start.plus(30 * US), 0);
        set_timeout(story, start.plus(60 * US), MASONRY, "layoutMasonry", "layoutMasonry (gallery.js:214:9)", masonry);
        let length = story.some_us(700, 300);
        story.text(
            Place::Content,
            start,
            length,
            "Script execution",
            Category::JavaScript,
            "https://gallery.example/gallery.js",
        );
        length
    });
    for number in 0..PLACEHOLDERS {
        story.post(Place::Content, Nanos((470 + 86 * number) * MS), move |story, start| {
            ask_worker(story, start, number)
        });
    }
    for (number, at) in [612, 655, 704, 748, 1_102, 1_131, 1_744, 1_790, 2_051, 2_088].into_iter().enumerate() {
        let from = (Place::IpcChild, Nanos(at * MS));
        story.dispatch(
            from,
            (Place::Content, Nanos(at * MS + 130 * US)),
            "BrowserChild::RecvRealMouseMoveEvent",
            None,
            move |story, start, _| {
                story.message(
                    (Place::Parent, Nanos(at * MS - 300 * US)),
                    (Place::Content, start),
                    "PBrowser::Msg_RealMouseMoveEvent",
                );
                input(story, start, number)
            },
        );
    }
}

/// `setTimeout` at `at`: a flow from the call over the timer thread to the callback.
fn set_timeout(
    story: &mut Story,
    at: Nanos,
    due: Nanos,
    name: &'static str,
    callback: &'static str,
    body: impl FnOnce(&mut Story, Nanos) -> u64 + 'static,
) {
    let flow = story.flow();
    let delay = due.0.saturating_sub(at.0);
    story.point(Place::Content, at, "setTimeout", Category::Dom, Data::new("FlowMarker").flow("flow", flow));
    let timer = |data: Data| {
        data.text("name", "TimeoutExecutor")
            .with("delay", Value::Length(delay))
            .number("threadId", Place::Content.tid())
    };
    story.point(Place::ContentTimer, at.plus(20 * US), "AddTimer", Category::Other, timer(Data::new("AddRemoveTimer")));
    let data =
        Data::new("Timer").with("delay", Value::Length(delay)).with("ttype", Value::Unique("One shot".to_owned()));
    story.span(
        Place::ContentTimer,
        at.plus(20 * US),
        delay,
        &format!("setTimeout() for {name}"),
        Category::Timer,
        data,
    );
    story.post(Place::ContentTimer, due, move |story, start| {
        let length = story.some_us(12, 14);
        story.along(flow, Place::ContentTimer, start, length, "PostTimerEvent", Category::Timer);
        let to = (Place::Content, start.plus(45 * US));
        story.dispatch(
            (Place::ContentTimer, start.plus(length / 2)),
            to,
            "TimeoutExecutor",
            None,
            move |story, start, _| {
                let length = body(story, start.plus(12 * US)) + 20 * US;
                let data = Data::new("TerminatingFlowStackMarker").flow("flow", flow);
                story.span(Place::Content, start, length, "setTimeout callback", Category::Dom, data);
                story.text(
                    Place::Content,
                    start.plus(6 * US),
                    length - 10 * US,
                    "Function",
                    Category::JavaScript,
                    callback,
                );
                length
            },
        );
        length
    });
}

/// Moves the progress bar, and comes again.
fn progress(story: &mut Story, at: Nanos, round: u64) {
    let due = at.plus(100 * MS);
    if due.0 + 200 * MS > LENGTH.0 {
        return;
    }
    set_timeout(story, at, due, "updateProgress", "updateProgress (gallery.js:61:3)", move |story, start| {
        let length = story.some_us(320, 420);
        let job = story.flow();
        story.point(
            Place::Content,
            start.plus(40 * US),
            "JS::EnqueueJob",
            Category::JavaScript,
            Data::new("FlowMarker").flow("flow", job),
        );
        story.bare(Place::Content, start.plus(70 * US), "SetNeedStyleFlush", Category::Layout);
        let data = Data::new("TerminatingFlowStackMarker").flow("flow", job);
        story.span(Place::Content, start.plus(length / 2), length / 4, "RunMicroTask", Category::JavaScript, data);
        if round.is_multiple_of(3) {
            minor(story, Place::Content, start.plus(length * 4 / 5), length / 8);
        }
        let data = Data::new("UserTiming").text("name", format!("progress-{round}")).text("entryType", "mark");
        story.point(Place::Content, start.plus(90 * US), "UserTiming", Category::Dom, data);
        progress(story, start.plus(length - 50 * US), round + 1);
        frames::ask(story);
        length
    });
}

/// Lays out the gallery and measures after every change, so that each column is a forced reflow.
fn masonry(story: &mut Story, start: Nanos) -> u64 {
    const COLUMNS: u64 = 16;
    let column = MASONRY_LENGTH / COLUMNS;
    for number in 0..COLUMNS {
        let at = start.plus(column * number + 200 * US);
        let script = if number < 2 { "sortByHeight (gallery.js:231:15)" } else { "placeColumn (gallery.js:246:11)" };
        story.text(Place::Content, at, column - 400 * US, "Function", Category::JavaScript, script);
        let styles = story.some_us(900, 500);
        let reflow = story.some_us(5_600, 1_900);
        let inner = at.plus(700 * US);
        story.text(
            Place::Content,
            inner,
            styles + reflow + 60 * US,
            "DoFlushPendingNotifications",
            Category::Layout,
            "Layout",
        );
        let data = Data::new("Styles")
            .number("elementsTraversed", 2_140)
            .number("elementsStyled", 1_870 - number * 9)
            .number("elementsMatched", 912)
            .number("stylesShared", 640)
            .number("stylesReused", 118);
        story.span(Place::Content, inner.plus(20 * US), styles, "Styles", Category::Layout, data);
        story.stack(Place::Content, inner.plus(styles + 40 * US), reflow, "Reflow (sync)", Category::Layout);
        if number % 4 == 3 {
            minor(story, Place::Content, inner.plus(styles + reflow + 120 * US), 610 * US);
        }
    }
    let data = Data::new("UserTiming")
        .text("name", "layoutMasonry")
        .text("entryType", "measure")
        .text("startMark", "masonry-start")
        .text("endMark", "masonry-end");
    story.span(Place::Content, start, MASONRY_LENGTH, "UserTiming", Category::Dom, data);
    let data = Data::new("Text").text("name", "gallery.js blocked the event loop for 180 ms");
    story.span(Place::Content, start, MASONRY_LENGTH, "Long task", Category::Other, data);
    frames::ask(story);
    MASONRY_LENGTH
}

/// The page sends pixels to the worker; the worker answers with a placeholder.
fn ask_worker(story: &mut Story, start: Nanos, number: u64) -> u64 {
    let message = story.flow();
    let length = story.some_us(90, 80);
    story.text(
        Place::Content,
        start,
        length,
        "Worker.postMessage",
        Category::Dom,
        "https://gallery.example/placeholder.worker.js",
    );
    story.point(
        Place::Content,
        start.plus(length / 2),
        "Worker.postMessage flow",
        Category::Dom,
        Data::new("FlowMarker").flow("flow", message),
    );
    let to = (Place::Worker, start.plus(length + 130 * US));
    story.dispatch(
        (Place::Content, start.plus(length / 2 + 8 * US)),
        to,
        "MessageEventRunnable",
        None,
        move |story, start, _| {
            let pixels = 64_000 + story.random.below(90_000);
            let length = pixels * 260 + story.some_us(400, 900);
            let data = Data::new("DOMEvent")
                .text("eventType", "message")
                .text("target", "worker")
                .with("latency", Value::Length(310 * US));
            story.halves(Place::Worker, start, length, "DOMEvent", Category::Dom, data);
            compute(story, start.plus(40 * US), length - 150 * US, message, pixels);
            let sent = start.plus(length - 60 * US);
            let to = (Place::Content, sent.plus(170 * US));
            story.dispatch((Place::Worker, sent), to, "MessageEventRunnable", None, move |story, start, _| {
                placed(story, start, number, message)
            });
            length
        },
    );
    length
}

fn compute(story: &mut Story, start: Nanos, length: u64, message: Flow, pixels: u64) {
    let data = Data::new("WorkerTask")
        .text("task", "computePlaceholder")
        .text("script", "/srv/gallery/static/placeholder.worker.js")
        .number("pixels", pixels)
        .with("throughput", Value::Json(format!("{:.2}", pixels as f64 * 1e3 / length as f64)))
        .flow("message", message);
    story.span(Place::Worker, start, length, "Worker task", Category::JavaScript, data);
    for part in 0..3 {
        let at = start.plus(length / 3 * part + 90 * US);
        story.text(
            Place::Worker,
            at,
            length / 3 - 300 * US,
            "Function",
            Category::JavaScript,
            "cosineTransform (placeholder.worker.js:38:7)",
        );
    }
    minor(story, Place::Worker, start.plus(length / 3 - 180 * US), 130 * US);
}

fn placed(story: &mut Story, start: Nanos, number: u64, message: Flow) -> u64 {
    let length = story.some_us(160, 140);
    let data = Data::new("TerminatingFlowStackMarker").flow("flow", message);
    story.span(Place::Content, start, length, "Worker message", Category::Dom, data);
    let data = Data::new("DOMEvent")
        .text("eventType", "message")
        .text("target", "window")
        .with("latency", Value::Length(420 * US));
    story.halves(Place::Content, start.plus(10 * US), length - 30 * US, "DOMEvent", Category::Dom, data);
    story.bare(Place::Content, start.plus(70 * US), "SetNeedStyleFlush", Category::Layout);
    if number.is_multiple_of(2) {
        frames::ask(story);
    }
    length
}

fn input(story: &mut Story, start: Nanos, number: usize) -> u64 {
    let length = story.some_us(180, 260);
    let kind = if number % 5 == 4 { "pointerenter" } else { "mousemove" };
    let data = Data::new("DOMEvent")
        .text("eventType", kind)
        .text("target", "figure.card")
        .with("latency", Value::Length(1_900 * US));
    story.halves(Place::Content, start, length, "DOMEvent", Category::Dom, data);
    story.text(
        Place::Content,
        start.plus(20 * US),
        length / 2,
        "EventHandler",
        Category::JavaScript,
        "onPointer (gallery.js:118:9)",
    );
    frames::ask(story);
    length
}

/// A collection of the nursery.
pub(super) fn minor(story: &mut Story, place: Place, start: Nanos, length: u64) {
    let tenured = 40_000 + story.random.below(200_000);
    let nursery = format!(
        r#"{{"status":"complete","reason":"OUT_OF_NURSERY","bytes_tenured":{tenured},"bytes_used":1048520,"cur_capacity":1048576}}"#
    );
    story.span(
        place,
        start,
        length,
        "GCMinor",
        Category::Gc,
        Data::new("GCMinor").with("nursery", Value::Json(nursery)),
    );
    story.memory.push((start, -i64::try_from(tenured).unwrap_or(0), 1));
}
