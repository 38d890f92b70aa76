//! The page's scripts: timers, a worker, promises, and the layout of the gallery that blocks everything for 180 ms.

use super::frames::{self, WINDOW};
use super::processes::ThreadRole;
use super::recording::{Flow, LENGTH, Payload, Value};
use super::simulation::{MS, Simulation, US};
use crate::firefox::Category;
use crate::json::Nanos;

/// Due time of the script that lays out the gallery; the largest image is decoded a few milliseconds later.
const MASONRY: Nanos = Nanos(1_488 * MS);
/// Duration of that script.
const MASONRY_LENGTH: u64 = 180 * MS;
/// Number of images whose placeholders the worker computes.
const PLACEHOLDERS: u64 = 11;

/// The time at which the user clicks, while the script lays the gallery out.
const CLICK: Nanos = Nanos(1_491 * MS);

/// Posts the tasks that the scripts start once they are loaded.
pub(super) fn begin(sim: &mut Simulation) {
    sim.post(ThreadRole::Content, Nanos(446 * MS), |sim, start| {
        progress(sim, start.plus(30 * US), 0);
        set_timeout(sim, start.plus(60 * US), MASONRY, "layoutMasonry", "layoutMasonry (gallery.js:214:9)", masonry);
        let length = sim.random_us(700, 300);
        sim.text_interval(
            ThreadRole::Content,
            start,
            length,
            "Script execution",
            Category::JavaScript,
            "https://gallery.example/gallery.js",
        );
        length
    });
    // The click is passed on after the image's event was posted, so it waits behind that, too.
    sim.post(ThreadRole::IpcChild, Nanos(1_505 * MS), click);
    for number in 0..PLACEHOLDERS {
        sim.post(ThreadRole::Content, Nanos((470 + 86 * number) * MS), move |sim, start| {
            post_to_worker(sim, start, number)
        });
    }
    for (number, at) in [612, 655, 704, 748, 1_102, 1_131, 1_744, 1_790, 2_051, 2_088].into_iter().enumerate() {
        let from = (ThreadRole::IpcChild, Nanos(at * MS));
        sim.dispatch(
            from,
            (ThreadRole::Content, Nanos(at * MS + 130 * US)),
            "BrowserChild::RecvRealMouseMoveEvent",
            None,
            move |sim, start, _| {
                sim.message(
                    (ThreadRole::Parent, Nanos(at * MS - 300 * US)),
                    (ThreadRole::Content, start),
                    "PBrowser::Msg_RealMouseMoveEvent",
                );
                input(sim, start, number)
            },
        );
    }
}

/// Calls `setTimeout` at `at`: a flow from the call through the timer thread to the callback.
fn set_timeout(
    sim: &mut Simulation,
    at: Nanos,
    due: Nanos,
    name: &'static str,
    callback: &'static str,
    body: impl FnOnce(&mut Simulation, Nanos) -> u64 + 'static,
) {
    let flow = sim.flow();
    let delay = due.0.saturating_sub(at.0);
    sim.instant(ThreadRole::Content, at, "setTimeout", Category::Dom, Payload::new("FlowMarker").flow("flow", flow));
    let timer = |payload: Payload| {
        payload
            .text("name", "TimeoutExecutor")
            .with("delay", Value::Length(delay))
            .number("threadId", ThreadRole::Content.tid())
    };
    sim.instant(
        ThreadRole::ContentTimer,
        at.plus(20 * US),
        "AddTimer",
        Category::Other,
        timer(Payload::new("AddRemoveTimer")),
    );
    let payload =
        Payload::new("Timer").with("delay", Value::Length(delay)).with("ttype", Value::Unique("One shot".to_owned()));
    sim.interval(
        ThreadRole::ContentTimer,
        at.plus(20 * US),
        delay,
        &format!("setTimeout() for {name}"),
        Category::Timer,
        payload,
    );
    sim.post(ThreadRole::ContentTimer, due, move |sim, start| {
        let length = sim.random_us(12, 14);
        sim.in_flow(flow, ThreadRole::ContentTimer, start, length, "PostTimerEvent", Category::Timer);
        let to = (ThreadRole::Content, start.plus(45 * US));
        sim.dispatch(
            (ThreadRole::ContentTimer, start.plus(length / 2)),
            to,
            "TimeoutExecutor",
            None,
            move |sim, start, _| {
                let length = body(sim, start.plus(12 * US)) + 20 * US;
                let payload = Payload::new("TerminatingFlowStackMarker").flow("flow", flow);
                sim.interval(ThreadRole::Content, start, length, "setTimeout callback", Category::Dom, payload);
                sim.text_interval(
                    ThreadRole::Content,
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

/// Moves the progress bar, and schedules the next update.
fn progress(sim: &mut Simulation, at: Nanos, round: u64) {
    let due = at.plus(100 * MS);
    if due.0 + 200 * MS > LENGTH.0 {
        return;
    }
    set_timeout(sim, at, due, "updateProgress", "updateProgress (gallery.js:61:3)", move |sim, start| {
        let length = sim.random_us(320, 420);
        let job = sim.flow();
        sim.instant(
            ThreadRole::Content,
            start.plus(40 * US),
            "JS::EnqueueJob",
            Category::JavaScript,
            Payload::new("FlowMarker").flow("flow", job),
        );
        sim.plain_instant(ThreadRole::Content, start.plus(70 * US), "SetNeedStyleFlush", Category::Layout);
        let payload = Payload::new("TerminatingFlowStackMarker").flow("flow", job);
        sim.interval(
            ThreadRole::Content,
            start.plus(length / 2),
            length / 4,
            "RunMicroTask",
            Category::JavaScript,
            payload,
        );
        if round.is_multiple_of(3) {
            minor_gc(sim, ThreadRole::Content, start.plus(length * 4 / 5), length / 8);
        }
        let payload = Payload::new("UserTiming").text("name", format!("progress-{round}")).text("entryType", "mark");
        sim.instant(ThreadRole::Content, start.plus(90 * US), "UserTiming", Category::Dom, payload);
        progress(sim, start.plus(length - 50 * US), round + 1);
        frames::request_frame(sim);
        length
    });
}

/// Lays out the gallery and measures after every change, so each column forces a reflow.
fn masonry(sim: &mut Simulation, start: Nanos) -> u64 {
    const COLUMNS: u64 = 16;
    let column = MASONRY_LENGTH / COLUMNS;
    for number in 0..COLUMNS {
        let at = start.plus(column * number + 200 * US);
        let script = if number < 2 { "sortByHeight (gallery.js:231:15)" } else { "placeColumn (gallery.js:246:11)" };
        sim.text_interval(ThreadRole::Content, at, column - 400 * US, "Function", Category::JavaScript, script);
        let styles = sim.random_us(900, 500);
        let reflow = sim.random_us(5_600, 1_900);
        let inner = at.plus(700 * US);
        sim.text_interval(
            ThreadRole::Content,
            inner,
            styles + reflow + 60 * US,
            "DoFlushPendingNotifications",
            Category::Layout,
            "Layout",
        );
        let payload = Payload::new("Styles")
            .number("elementsTraversed", 2_140)
            .number("elementsStyled", 1_870 - number * 9)
            .number("elementsMatched", 912)
            .number("stylesShared", 640)
            .number("stylesReused", 118);
        sim.interval(ThreadRole::Content, inner.plus(20 * US), styles, "Styles", Category::Layout, payload);
        sim.stack_interval(
            ThreadRole::Content,
            inner.plus(styles + 40 * US),
            reflow,
            "Reflow (sync)",
            Category::Layout,
        );
        if number % 4 == 3 {
            minor_gc(sim, ThreadRole::Content, inner.plus(styles + reflow + 120 * US), 610 * US);
        }
    }
    let payload = Payload::new("UserTiming")
        .text("name", "layoutMasonry")
        .text("entryType", "measure")
        .text("startMark", "masonry-start")
        .text("endMark", "masonry-end");
    sim.interval(ThreadRole::Content, start, MASONRY_LENGTH, "UserTiming", Category::Dom, payload);
    let payload = Payload::new("Text").text("name", "gallery.js blocked the event loop for 180 ms");
    sim.interval(ThreadRole::Content, start, MASONRY_LENGTH, "LongTask", Category::Other, payload);
    frames::request_frame(sim);
    MASONRY_LENGTH
}

/// Passes a click on to the page, which is busy with the layout of the gallery.
fn click(sim: &mut Simulation, at: Nanos) -> u64 {
    let length = 12 * US;
    sim.dispatch(
        (ThreadRole::IpcChild, at),
        (ThreadRole::Content, at.plus(130 * US)),
        "BrowserChild::RecvRealMouseButtonEvent",
        None,
        move |sim, start, _| {
            sim.message(
                (ThreadRole::Parent, at.minus(300 * US)),
                (ThreadRole::Content, start),
                "PBrowser::Msg_RealMouseButtonEvent",
            );
            open_picture(sim, start)
        },
    );
    length
}

/// Handles the click: the script opens the picture and asks for a frame.
fn open_picture(sim: &mut Simulation, start: Nanos) -> u64 {
    const EVENTS: [(&str, u64, u64); 2] = [("mouseup", 0, 300), ("click", 320, 11_600)];
    for (kind, at, length) in EVENTS {
        let start = start.plus(at * US);
        let payload = Payload::new("DOMEvent")
            .text("eventType", kind)
            .text("target", "figure.card")
            .number("innerWindowID", WINDOW)
            .with("latency", Value::Length(start.0 - CLICK.0));
        sim.start_end_pair(ThreadRole::Content, start, length * US, "DOMEvent", Category::Dom, payload);
    }
    let handler = start.plus(360 * US);
    let text = "openPicture (gallery.js:131:7)";
    sim.text_interval(ThreadRole::Content, handler, 11_300 * US, "EventHandler", Category::JavaScript, text);
    sim.click = Some(CLICK);
    frames::request_frame(sim);
    12_000 * US
}

/// Sends pixels from the page to the worker, which replies with a placeholder.
fn post_to_worker(sim: &mut Simulation, start: Nanos, number: u64) -> u64 {
    let message = sim.flow();
    let length = sim.random_us(90, 80);
    sim.text_interval(
        ThreadRole::Content,
        start,
        length,
        "Worker.postMessage",
        Category::Dom,
        "https://gallery.example/placeholder.worker.js",
    );
    sim.instant(
        ThreadRole::Content,
        start.plus(length / 2),
        "Worker.postMessage flow",
        Category::Dom,
        Payload::new("FlowMarker").flow("flow", message),
    );
    let to = (ThreadRole::Worker, start.plus(length + 130 * US));
    sim.dispatch(
        (ThreadRole::Content, start.plus(length / 2 + 8 * US)),
        to,
        "MessageEventRunnable",
        None,
        move |sim, start, _| {
            let pixels = 64_000 + sim.random.below(90_000);
            let length = pixels * 260 + sim.random_us(400, 900);
            let payload = Payload::new("DOMEvent")
                .text("eventType", "message")
                .text("target", "worker")
                .with("latency", Value::Length(310 * US));
            sim.start_end_pair(ThreadRole::Worker, start, length, "DOMEvent", Category::Dom, payload);
            compute(sim, start.plus(40 * US), length - 150 * US, message, pixels);
            let sent = start.plus(length - 60 * US);
            let to = (ThreadRole::Content, sent.plus(170 * US));
            sim.dispatch((ThreadRole::Worker, sent), to, "MessageEventRunnable", None, move |sim, start, _| {
                apply_placeholder(sim, start, number, message)
            });
            length
        },
    );
    length
}

fn compute(sim: &mut Simulation, start: Nanos, length: u64, message: Flow, pixels: u64) {
    let payload = Payload::new("WorkerTask")
        .text("task", "computePlaceholder")
        .text("script", "/srv/gallery/static/placeholder.worker.js")
        .number("pixels", pixels)
        .with("throughput", Value::Json(format!("{:.2}", pixels as f64 * 1e3 / length as f64)))
        .flow("message", message);
    sim.interval(ThreadRole::Worker, start, length, "Worker task", Category::JavaScript, payload);
    for part in 0..3 {
        let at = start.plus(length / 3 * part + 90 * US);
        sim.text_interval(
            ThreadRole::Worker,
            at,
            length / 3 - 300 * US,
            "Function",
            Category::JavaScript,
            "cosineTransform (placeholder.worker.js:38:7)",
        );
    }
    minor_gc(sim, ThreadRole::Worker, start.plus(length / 3 - 180 * US), 130 * US);
}

fn apply_placeholder(sim: &mut Simulation, start: Nanos, number: u64, message: Flow) -> u64 {
    let length = sim.random_us(160, 140);
    let payload = Payload::new("TerminatingFlowStackMarker").flow("flow", message);
    sim.interval(ThreadRole::Content, start, length, "Worker message", Category::Dom, payload);
    let payload = Payload::new("DOMEvent")
        .text("eventType", "message")
        .text("target", "window")
        .with("latency", Value::Length(420 * US));
    sim.start_end_pair(ThreadRole::Content, start.plus(10 * US), length - 30 * US, "DOMEvent", Category::Dom, payload);
    sim.plain_instant(ThreadRole::Content, start.plus(70 * US), "SetNeedStyleFlush", Category::Layout);
    if number.is_multiple_of(2) {
        frames::request_frame(sim);
    }
    length
}

fn input(sim: &mut Simulation, start: Nanos, number: usize) -> u64 {
    let length = sim.random_us(180, 260);
    let kind = if number % 5 == 4 { "pointerenter" } else { "mousemove" };
    let payload = Payload::new("DOMEvent")
        .text("eventType", kind)
        .text("target", "figure.card")
        .with("latency", Value::Length(1_900 * US));
    sim.start_end_pair(ThreadRole::Content, start, length, "DOMEvent", Category::Dom, payload);
    sim.text_interval(
        ThreadRole::Content,
        start.plus(20 * US),
        length / 2,
        "EventHandler",
        Category::JavaScript,
        "onPointer (gallery.js:118:9)",
    );
    frames::request_frame(sim);
    length
}

/// Records a garbage collection of the nursery.
pub(super) fn minor_gc(sim: &mut Simulation, thread: ThreadRole, start: Nanos, length: u64) {
    let tenured = 40_000 + sim.random.below(200_000);
    let nursery = format!(
        r#"{{"status":"complete","reason":"OUT_OF_NURSERY","bytes_tenured":{tenured},"bytes_used":1048520,"cur_capacity":1048576}}"#
    );
    sim.interval(
        thread,
        start,
        length,
        "GCMinor",
        Category::Gc,
        Payload::new("GCMinor").with("nursery", Value::Json(nursery)),
    );
    sim.memory.push((start, -i64::try_from(tenured).unwrap_or(0), 1));
}
