//! From the key press to the parsed document.

use super::cast::Place;
use super::images::{self, COUNT};
use super::recording::{Data, Flow, Value};
use super::story::{MS, Story, US};
use super::{frames, scripts};
use crate::synth::json::Nanos;
use crate::synth::schema::Category;

const PAGE: &str = "https://gallery.example/";
/// When the parser gets the pieces of the document, and how many pictures each holds.
const PIECES: [(u64, usize); 5] = [(186, 3), (203, 3), (222, 2), (247, 2), (271, 2)];

/// Posts the navigation.
pub(super) fn begin(story: &mut Story) {
    let navigation = story.flow();
    story.post(Place::Parent, Nanos(41 * MS), move |story, start| key_press(story, start, navigation));
    resolve(story, navigation);
    connect(story, navigation);
    respond(story, navigation);
    let mut first = 0;
    for (number, (at, count)) in PIECES.into_iter().enumerate() {
        let range = first..first + count;
        first = range.end;
        story.post(Place::Parser, Nanos(at * MS), move |story, start| tokenize(story, start, number, range));
    }
    debug_assert_eq!(first, COUNT, "every picture is on the page");
    story.post(Place::Content, Nanos(300 * MS), evaluate);
    story.post(Place::Content, Nanos(402 * MS), |story, start| document_event(story, start, "DOMContentLoaded", 5_200));
    story.post(Place::Content, Nanos(1_700 * MS), move |story, start| {
        let data = Data::new("TerminatingFlowMarker").flow("terminatingFlow", navigation);
        story.point(Place::Content, start, "nsDocLoader::DocLoaderIsEmpty", Category::Network, data);
        document_event(story, start.plus(8 * US), "load", 900) + 8 * US
    });
}

fn key_press(story: &mut Story, start: Nanos, navigation: Flow) -> u64 {
    let data = Data::new("DOMEvent")
        .text("eventType", "keydown")
        .text("target", "input#urlbar-input")
        .with("latency", Value::Length(2_140 * US));
    story.halves(Place::Parent, start, 7_800 * US, "DOMEvent", Category::Dom, data);
    story.text(
        Place::Parent,
        start.plus(300 * US),
        5_900 * US,
        "Function",
        Category::JavaScript,
        "UrlbarInput.handleCommand (UrlbarInput.sys.mjs:702)",
    );
    story.along(navigation, Place::Parent, start.plus(2_000 * US), 3_400 * US, "nsDocShell::LoadURI", Category::Dom);
    story.along(
        navigation,
        Place::Parent,
        start.plus(2_600 * US),
        2_100 * US,
        "DocumentLoadListener::Open",
        Category::Network,
    );
    story.along(
        navigation,
        Place::Parent,
        start.plus(3_100 * US),
        900 * US,
        "nsHttpChannel::AsyncOpen",
        Category::Network,
    );
    document_row(story, Place::Parent, start.plus(3_100 * US), start.plus(3_500 * US), "STATUS_START");
    7_800 * US
}

fn resolve(story: &mut Story, navigation: Flow) {
    story.post(Place::Resolver, Nanos(46 * MS), move |story, start| {
        let length = 15_300 * US;
        story.along(navigation, Place::Resolver, start, length, "nsHostResolver::ThreadFunc", Category::Network);
        story.text(
            Place::Resolver,
            start.plus(90 * US),
            length - 300 * US,
            "getaddrinfo",
            Category::Network,
            "gallery.example",
        );
        story.dispatch(
            (Place::Resolver, start.plus(length)),
            (Place::Socket, start.plus(length + 80 * US)),
            "nsSocketTransport::OnLookupComplete",
            Some(navigation),
            |story, _, _| story.some_us(60, 40),
        );
        length
    });
    story.post(Place::Certificates, Nanos(104 * MS), move |story, start| {
        let length = 8_700 * US;
        story.along(
            navigation,
            Place::Certificates,
            start,
            length,
            "SSLServerCertVerificationJob::Run",
            Category::Network,
        );
        for (part, name) in
            ["BuildCertChain", "CheckRevocation", "CheckCertificateTransparency"].into_iter().enumerate()
        {
            story.text(
                Place::Certificates,
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

fn connect(story: &mut Story, navigation: Flow) {
    const STEPS: [(u64, u64, &str); 6] = [
        (62, 240, "nsSocketTransport::InitiateSocket"),
        (89, 130, "nsSocketTransport::OnSocketConnected"),
        (90, 620, "TlsHandshaker::SetupNPNList"),
        (116, 480, "TlsHandshaker::EnsureNPNComplete"),
        (131, 170, "nsHttpTransaction::ReadRequestSegment"),
        (173, 210, "nsHttpTransaction::WriteSegment"),
    ];
    for (at, length, name) in STEPS {
        story.post(Place::Socket, Nanos(at * MS), move |story, start| {
            story.along(navigation, Place::Socket, start, length * US, name, Category::Network);
            length * US
        });
    }
    for round in 0..30 {
        let start = Nanos((60 + round * 76) * MS);
        let length = story.some_us(20_000, 26_000);
        let data = Data::new("Text")
            .text("name", format!("Poll count: {}, Poll timeout: {}ms", 2 + round % 5, 25 + round % 3 * 25));
        story.span(Place::Socket, start, length, "SocketTransportService::Poll", Category::Network, data);
    }
}

fn respond(story: &mut Story, navigation: Flow) {
    let from = (Place::Socket, Nanos(173 * MS + 300 * US));
    story.dispatch(
        from,
        (Place::Parent, Nanos(173 * MS + 500 * US)),
        "nsHttpChannel::OnStartRequest",
        Some(navigation),
        move |story, start, _| {
            let length = story.some_us(700, 300);
            story.along(
                navigation,
                Place::Parent,
                start,
                length,
                "DocumentLoadListener::TriggerProcessSwitch",
                Category::Dom,
            );
            let sent = start.plus(length - 100 * US);
            story.dispatch(
                (Place::Parent, sent),
                (Place::Content, sent.plus(700 * US)),
                "DocumentChannelChild::RecvRedirectToRealChannel",
                Some(navigation),
                move |story, start, _| {
                    story.message(
                        (Place::Parent, sent),
                        (Place::Content, start),
                        "PDocumentChannel::Msg_RedirectToRealChannel",
                    );
                    story.along(
                        navigation,
                        Place::Content,
                        start,
                        3_600 * US,
                        "nsDocShell::CreateContentViewer",
                        Category::Dom,
                    );
                    story.along(
                        navigation,
                        Place::Content,
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
    story.post(Place::Parent, Nanos(284 * MS), |story, start| {
        document_row(story, Place::Parent, Nanos(44_500 * US), start, "STATUS_STOP");
        30 * US
    });
    story.arrived.push((Nanos(174 * MS), 41_870, 1));
}

/// The parser thread makes tree operations of a piece; the page's thread executes them and asks for the pictures.
fn tokenize(story: &mut Story, start: Nanos, number: usize, pictures: std::ops::Range<usize>) -> u64 {
    let length = story.some_us(2_600, 1_800);
    let piece = story.flow();
    story.along(piece, Place::Parser, start, length, "HTML5 tokenizer", Category::Dom);
    let from = (Place::Parser, start.plus(length - 40 * US));
    story.dispatch(
        from,
        (Place::Content, start.plus(length + 150 * US)),
        "nsHtml5ExecutorFlusher",
        None,
        move |story, start, _| {
            let mut at = start.plus(400 * US);
            for index in pictures {
                let data = Data::new("FlowMarker").flow("flow", piece);
                story.point(Place::Content, at, "HTMLImageElement::BindToTree", Category::Dom, data);
                at = at.plus(20 * US);
                at = at.plus(images::request(story, at, index, piece) + 160 * US);
            }
            if number.is_multiple_of(2) {
                scripts::minor(story, Place::Content, at.plus(40 * US), 280 * US);
            }
            let length = at.0 - start.0 + 900 * US;
            story.along(piece, Place::Content, start, length, "ParseHTML", Category::Dom);
            frames::ask(story);
            length
        },
    );
    length
}

fn evaluate(story: &mut Story, start: Nanos) -> u64 {
    const STEPS: [(u64, u64, &str, &str); 5] = [
        (200, 5_100, "Script compile", "https://gallery.example/gallery.js"),
        (5_500, 28_200, "Script execution", "https://gallery.example/gallery.js"),
        (6_100, 9_700, "Function", "buildIndex (gallery.js:17:3)"),
        (16_400, 11_300, "Function", "hydrate (gallery.js:44:1)"),
        (17_200, 6_800, "Function", "bindCards (gallery.js:49:5)"),
    ];
    for (at, length, name, text) in STEPS {
        story.text(Place::Content, start.plus(at * US), length * US, name, Category::JavaScript, text);
    }
    for card in 0..24 {
        let at = start.plus((17_400 + card * 260) * US);
        let job = story.flow();
        story.point(
            Place::Content,
            at,
            "JS::EnqueueJob",
            Category::JavaScript,
            Data::new("FlowMarker").flow("flow", job),
        );
        let data = Data::new("TerminatingFlowStackMarker").flow("flow", job);
        story.span(
            Place::Content,
            start.plus((29_000 + card * 150) * US),
            110 * US,
            "RunMicroTask",
            Category::JavaScript,
            data,
        );
    }
    scripts::minor(story, Place::Content, start.plus(15_900 * US), 380 * US);
    let data = Data::new("UserTiming").text("name", "hydrate").text("entryType", "measure");
    story.span(Place::Content, start.plus(16_400 * US), 11_300 * US, "UserTiming", Category::Dom, data);
    frames::ask(story);
    34_000 * US
}

fn document_event(story: &mut Story, start: Nanos, kind: &str, us: u64) -> u64 {
    let data = Data::new("DOMEvent")
        .text("eventType", kind)
        .text("target", "#document")
        .with("latency", Value::Length(12 * US));
    story.halves(Place::Content, start, us * US, "DOMEvent", Category::Dom, data);
    story.text(
        Place::Content,
        start.plus(40 * US),
        us * US * 3 / 4,
        "EventHandler",
        Category::JavaScript,
        &format!("on{kind} (gallery.js:12:1)"),
    );
    us * US
}

fn document_row(story: &mut Story, place: Place, start: Nanos, end: Nanos, status: &str) {
    let mut data = Data::new("Network")
        .with("startTime", Value::Time(start))
        .with("endTime", Value::Time(end))
        .number("id", 0x0001_0000_0011)
        .text("status", status)
        .number("pri", 0)
        .text("URI", PAGE)
        .text("requestMethod", "GET")
        .text("cache", "Unresolved");
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
        for (key, us) in times {
            data = data.with(key, Value::Time(Nanos::from_us(us)));
        }
        data = data
            .text("contentType", "text/html")
            .number("responseStatus", 200)
            .text("httpVersion", "h2")
            .number("count", 41_870);
    }
    story.span(place, start, end.0 - start.0, &format!("Load 17: {PAGE}"), Category::Network, data);
}
