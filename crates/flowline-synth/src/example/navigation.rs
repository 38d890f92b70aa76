//! From the key press to the parsed document.

use super::frames::{NAVIGATION, WINDOW};
use super::image::COUNT;
use super::images;
use super::processes::ThreadRole;
use super::recording::{Flow, Payload, Value};
use super::simulation::{MS, Simulation, US};
use super::{frames, scripts};
use crate::firefox::Category;
use crate::json::Nanos;

const PAGE: &str = "https://gallery.example/";
/// Time at which the parent process opens the document's request.
const OPENED: Nanos = Nanos(44_100 * US);
/// Time at which the page's process has received the document.
const RECEIVED: Nanos = Nanos(272_900 * US);
/// Milliseconds at which the parser gets the pieces of the document, and the number of images in each.
const PIECES: [(u64, usize); 5] = [(186, 3), (203, 3), (222, 2), (247, 2), (271, 2)];

/// Posts the navigation.
pub(super) fn begin(sim: &mut Simulation) {
    let navigation = sim.flow();
    sim.post(ThreadRole::Parent, Nanos(41 * MS), move |sim, start| key_press(sim, start, navigation));
    resolve(sim, navigation);
    connect(sim, navigation);
    respond(sim, navigation);
    let mut first = 0;
    for (number, (at, count)) in PIECES.into_iter().enumerate() {
        let range = first..first + count;
        first = range.end;
        sim.post(ThreadRole::Parser, Nanos(at * MS), move |sim, start| tokenize(sim, start, number, range));
    }
    debug_assert_eq!(first, COUNT, "every image is on the page");
    sim.post(ThreadRole::Content, Nanos(300 * MS), evaluate);
    sim.post(ThreadRole::Content, Nanos(402 * MS), |sim, start| {
        let length = document_event(sim, start, "DOMContentLoaded", 5_200);
        let payload = Payload::new("tracing").text("category", "Navigation").number("innerWindowID", WINDOW);
        sim.start_end_pair(ThreadRole::Content, start, length, "DOMContentLoaded", Category::Dom, payload);
        length
    });
    sim.post(ThreadRole::Content, Nanos(1_700 * MS), move |sim, start| {
        let payload = Payload::new("TerminatingFlowMarker").flow("terminatingFlow", navigation);
        sim.instant(ThreadRole::Content, start, "nsDocLoader::DocLoaderIsEmpty", Category::Network, payload);
        let length = document_event(sim, start.plus(8 * US), "load", 900) + 8 * US;
        document_milestones(sim, start.plus(length));
        length
    });
}

fn key_press(sim: &mut Simulation, start: Nanos, navigation: Flow) -> u64 {
    let payload = Payload::new("DOMEvent")
        .text("eventType", "keydown")
        .text("target", "input#urlbar-input")
        .with("latency", Value::Length(2_140 * US));
    sim.start_end_pair(ThreadRole::Parent, start, 7_800 * US, "DOMEvent", Category::Dom, payload);
    sim.text_interval(
        ThreadRole::Parent,
        start.plus(300 * US),
        5_900 * US,
        "Function",
        Category::JavaScript,
        "UrlbarInput.handleCommand (UrlbarInput.sys.mjs:702)",
    );
    sim.in_flow(
        navigation,
        ThreadRole::Parent,
        start.plus(2_000 * US),
        3_400 * US,
        "nsDocShell::LoadURI",
        Category::Dom,
    );
    sim.in_flow(
        navigation,
        ThreadRole::Parent,
        start.plus(2_600 * US),
        2_100 * US,
        "DocumentLoadListener::Open",
        Category::Network,
    );
    sim.in_flow(
        navigation,
        ThreadRole::Parent,
        start.plus(3_100 * US),
        900 * US,
        "nsHttpChannel::AsyncOpen",
        Category::Network,
    );
    document_row(sim, ThreadRole::Parent, start.plus(3_100 * US), start.plus(3_500 * US), "STATUS_START");
    7_800 * US
}

fn resolve(sim: &mut Simulation, navigation: Flow) {
    sim.post(ThreadRole::Resolver, Nanos(46 * MS), move |sim, start| {
        let length = 15_300 * US;
        sim.in_flow(navigation, ThreadRole::Resolver, start, length, "nsHostResolver::ThreadFunc", Category::Network);
        sim.text_interval(
            ThreadRole::Resolver,
            start.plus(90 * US),
            length - 300 * US,
            "getaddrinfo",
            Category::Network,
            "gallery.example",
        );
        sim.dispatch(
            (ThreadRole::Resolver, start.plus(length)),
            (ThreadRole::Socket, start.plus(length + 80 * US)),
            "nsSocketTransport::OnLookupComplete",
            Some(navigation),
            |sim, _, _| sim.random_us(60, 40),
        );
        length
    });
    sim.post(ThreadRole::Certificates, Nanos(104 * MS), move |sim, start| {
        let length = 8_700 * US;
        sim.in_flow(
            navigation,
            ThreadRole::Certificates,
            start,
            length,
            "SSLServerCertVerificationJob::Run",
            Category::Network,
        );
        for (part, name) in
            ["BuildCertChain", "CheckRevocation", "CheckCertificateTransparency"].into_iter().enumerate()
        {
            sim.text_interval(
                ThreadRole::Certificates,
                start.plus((200 + 2_800 * part as u64) * US),
                2_500 * US,
                name,
                Category::Network,
                "CN=gallery.example",
            );
        }
        length
    });
}

fn connect(sim: &mut Simulation, navigation: Flow) {
    const STEPS: [(u64, u64, &str); 6] = [
        (62, 240, "nsSocketTransport::InitiateSocket"),
        (89, 130, "nsSocketTransport::OnSocketConnected"),
        (90, 620, "TlsHandshaker::SetupNPNList"),
        (116, 480, "TlsHandshaker::EnsureNPNComplete"),
        (131, 170, "nsHttpTransaction::ReadRequestSegment"),
        (173, 210, "nsHttpTransaction::WriteSegment"),
    ];
    for (at, length, name) in STEPS {
        sim.post(ThreadRole::Socket, Nanos(at * MS), move |sim, start| {
            sim.in_flow(navigation, ThreadRole::Socket, start, length * US, name, Category::Network);
            length * US
        });
    }
    for round in 0..30 {
        let start = Nanos((60 + round * 76) * MS);
        let length = sim.random_us(20_000, 26_000);
        let payload = Payload::new("Text")
            .text("name", format!("Poll count: {}, Poll timeout: {}ms", 2 + round % 5, 25 + round % 3 * 25));
        sim.interval(ThreadRole::Socket, start, length, "SocketTransportService::Poll", Category::Network, payload);
    }
}

fn respond(sim: &mut Simulation, navigation: Flow) {
    let from = (ThreadRole::Socket, Nanos(173 * MS + 300 * US));
    sim.dispatch(
        from,
        (ThreadRole::Parent, Nanos(173 * MS + 500 * US)),
        "nsHttpChannel::OnStartRequest",
        Some(navigation),
        move |sim, start, _| {
            let length = sim.random_us(700, 300);
            sim.in_flow(
                navigation,
                ThreadRole::Parent,
                start,
                length,
                "DocumentLoadListener::TriggerProcessSwitch",
                Category::Dom,
            );
            let sent = start.plus(length - 100 * US);
            sim.dispatch(
                (ThreadRole::Parent, sent),
                (ThreadRole::Content, sent.plus(700 * US)),
                "DocumentChannelChild::RecvRedirectToRealChannel",
                Some(navigation),
                move |sim, start, _| {
                    sim.message(
                        (ThreadRole::Parent, sent),
                        (ThreadRole::Content, start),
                        "PDocumentChannel::Msg_RedirectToRealChannel",
                    );
                    // The page's process records the request as its own from here on, in two rows.
                    document_row(sim, ThreadRole::Content, OPENED, start, "STATUS_START");
                    document_row(sim, ThreadRole::Content, start, RECEIVED, "STATUS_STOP");
                    sim.in_flow(
                        navigation,
                        ThreadRole::Content,
                        start,
                        3_600 * US,
                        "nsDocShell::CreateContentViewer",
                        Category::Dom,
                    );
                    sim.in_flow(
                        navigation,
                        ThreadRole::Content,
                        start.plus(500 * US),
                        2_200 * US,
                        "nsHtml5StreamParser::OnStartRequest",
                        Category::Network,
                    );
                    3_600 * US
                },
            );
            length
        },
    );
    sim.post(ThreadRole::Parent, Nanos(284 * MS), |sim, start| {
        document_row(sim, ThreadRole::Parent, Nanos(44_500 * US), start, "STATUS_STOP");
        30 * US
    });
    sim.bytes_received.push((Nanos(174 * MS), 41_870, 1));
}

/// Turns a piece into tree operations on the parser thread; the page's thread executes them and requests the images.
fn tokenize(sim: &mut Simulation, start: Nanos, number: usize, pictures: std::ops::Range<usize>) -> u64 {
    let length = sim.random_us(2_600, 1_800);
    let piece = sim.flow();
    sim.in_flow(piece, ThreadRole::Parser, start, length, "HTML5 tokenizer", Category::Dom);
    let from = (ThreadRole::Parser, start.plus(length - 40 * US));
    sim.dispatch(
        from,
        (ThreadRole::Content, start.plus(length + 150 * US)),
        "nsHtml5ExecutorFlusher",
        None,
        move |sim, start, _| {
            let mut at = start.plus(400 * US);
            for index in pictures {
                let payload = Payload::new("FlowMarker").flow("flow", piece);
                sim.instant(ThreadRole::Content, at, "HTMLImageElement::BindToTree", Category::Dom, payload);
                at = at.plus(20 * US);
                at = at.plus(images::request(sim, at, index, piece) + 160 * US);
            }
            if number.is_multiple_of(2) {
                scripts::minor_gc(sim, ThreadRole::Content, at.plus(40 * US), 280 * US);
            }
            let length = at.0 - start.0 + 900 * US;
            sim.in_flow(piece, ThreadRole::Content, start, length, "ParseHTML", Category::Dom);
            frames::request_frame(sim);
            length
        },
    );
    length
}

fn evaluate(sim: &mut Simulation, start: Nanos) -> u64 {
    const STEPS: [(u64, u64, &str, &str); 5] = [
        (200, 5_100, "Script compile", "https://gallery.example/gallery.js"),
        (5_500, 28_200, "Script execution", "https://gallery.example/gallery.js"),
        (6_100, 9_700, "Function", "buildIndex (gallery.js:17:3)"),
        (16_400, 11_300, "Function", "hydrate (gallery.js:44:1)"),
        (17_200, 6_800, "Function", "bindCards (gallery.js:49:5)"),
    ];
    for (at, length, name, text) in STEPS {
        sim.text_interval(ThreadRole::Content, start.plus(at * US), length * US, name, Category::JavaScript, text);
    }
    for card in 0..24 {
        let at = start.plus((17_400 + card * 260) * US);
        let job = sim.flow();
        sim.instant(
            ThreadRole::Content,
            at,
            "JS::EnqueueJob",
            Category::JavaScript,
            Payload::new("FlowMarker").flow("flow", job),
        );
        let payload = Payload::new("TerminatingFlowStackMarker").flow("flow", job);
        sim.interval(
            ThreadRole::Content,
            start.plus((29_000 + card * 150) * US),
            110 * US,
            "RunMicroTask",
            Category::JavaScript,
            payload,
        );
    }
    scripts::minor_gc(sim, ThreadRole::Content, start.plus(15_900 * US), 380 * US);
    let payload = Payload::new("UserTiming").text("name", "hydrate").text("entryType", "measure");
    sim.interval(ThreadRole::Content, start.plus(16_400 * US), 11_300 * US, "UserTiming", Category::Dom, payload);
    frames::request_frame(sim);
    34_000 * US
}

fn document_event(sim: &mut Simulation, start: Nanos, kind: &str, us: u64) -> u64 {
    let payload = Payload::new("DOMEvent")
        .text("eventType", kind)
        .text("target", "#document")
        .with("latency", Value::Length(12 * US));
    sim.start_end_pair(ThreadRole::Content, start, us * US, "DOMEvent", Category::Dom, payload);
    sim.text_interval(
        ThreadRole::Content,
        start.plus(40 * US),
        us * US * 3 / 4,
        "EventHandler",
        Category::JavaScript,
        &format!("on{kind} (gallery.js:12:1)"),
    );
    us * US
}

/// Records the end of the page load, as an interval from the navigation.
fn document_milestones(sim: &mut Simulation, at: Nanos) {
    let since = at.0 - NAVIGATION.0;
    let text = format!("Document {PAGE} loaded after {}ms, load event duration 1ms", since / MS);
    let payload = Payload::new("Text").text("name", text).number("innerWindowID", WINDOW);
    sim.interval(ThreadRole::Content, NAVIGATION, since, "DocumentLoad", Category::Dom, payload);
}

fn document_row(sim: &mut Simulation, thread: ThreadRole, start: Nanos, end: Nanos, status: &str) {
    let mut payload = Payload::new("Network")
        .with("startTime", Value::Time(start))
        .with("endTime", Value::Time(end))
        .number("id", 0x0001_0000_0011)
        .text("status", status)
        .number("pri", 0)
        .text("URI", PAGE)
        .text("requestMethod", "GET");
    let is_of_page = thread == ThreadRole::Content;
    if !is_of_page {
        payload = payload.text("cache", "Unresolved");
    }
    if status == "STATUS_STOP" {
        let times = [
            ("domainLookupStart", 46_000),
            ("domainLookupEnd", 61_400),
            ("connectStart", 62_000),
            ("secureConnectionStart", 90_000),
            ("connectEnd", 117_000),
            ("requestStart", 131_000),
            ("responseStart", 173_000),
            ("responseEnd", 272_000),
        ];
        // Only the parent process knows the connection.
        let known = times.into_iter().filter(|(key, _)| !is_of_page || key.starts_with("re"));
        for (key, us) in known {
            payload = payload.with(key, Value::Time(Nanos::from_us(us)));
        }
        payload = payload
            .text("contentType", "text/html")
            .number("responseStatus", 200)
            .text("httpVersion", "h2")
            .number("count", 41_870);
    }
    sim.interval(thread, start, end.0 - start.0, &format!("Load 17: {PAGE}"), Category::Network, payload);
}
