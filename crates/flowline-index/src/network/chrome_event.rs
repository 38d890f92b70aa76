//! Decodes single trace events of network requests.

use flowline_profile::{LocalMarker, MarkerId, Ns, ProcessId, Profile, ThreadId, Value};

/// The kinds of network events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EventName {
    WillSend,
    Send,
    Response,
    Data,
    Finish,
    Priority,
    Cached,
    Blocking,
    SocketCreate,
    SocketRequest,
    SocketResponse,
    SocketDestroy,
    SocketMessage,
}

impl EventName {
    /// All event names in the file, with their kinds.
    pub(super) const ALL: [(&'static str, Self); 14] = [
        ("ResourceWillSendRequest", Self::WillSend),
        ("ResourceSendRequest", Self::Send),
        ("ResourceReceiveResponse", Self::Response),
        ("ResourceReceivedData", Self::Data),
        ("ResourceFinish", Self::Finish),
        ("ResourceChangePriority", Self::Priority),
        ("ResourceMarkAsCached", Self::Cached),
        ("PreloadRenderBlockingStatusChange", Self::Blocking),
        ("WebSocketCreate", Self::SocketCreate),
        ("WebSocketSendHandshakeRequest", Self::SocketRequest),
        ("WebSocketReceiveHandshakeResponse", Self::SocketResponse),
        ("WebSocketDestroy", Self::SocketDestroy),
        ("WebSocketSend", Self::SocketMessage),
        ("WebSocketReceive", Self::SocketMessage),
    ];

    pub(super) const fn is_socket(self) -> bool {
        matches!(
            self,
            Self::SocketCreate | Self::SocketRequest | Self::SocketResponse | Self::SocketDestroy | Self::SocketMessage
        )
    }
}

/// An event of a request.
#[derive(Debug)]
pub(super) struct Event {
    /// Id of the request, or of the `WebSocket`.
    pub(super) id: String,
    pub(super) process: ProcessId,
    pub(super) marker: MarkerId,
    pub(super) time: Ns,
    pub(super) what: What,
}

/// The content of an event.
#[derive(Debug)]
pub(super) enum What {
    /// The last step before [`What::Send`], possibly in another process.
    WillSend,
    /// A URL is requested.
    Send(Box<Sent>),
    /// The response headers have arrived.
    Response(Box<Response>),
    /// Number of bytes received.
    Data(i64),
    /// The request ends.
    Finish(Finish),
    /// The priority changes.
    Priority(String),
    /// The response comes from the memory cache.
    Cached,
    /// The render-blocking status changes.
    Blocking(String),
    /// An event of a `WebSocket`: kind, and the URL and protocol of its creation.
    Socket(EventName, String, String),
}

/// Data of a send event.
#[derive(Debug, Default)]
pub(super) struct Sent {
    pub(super) url: String,
    pub(super) method: String,
    pub(super) priority: String,
    pub(super) blocking: String,
    pub(super) resource: String,
    pub(super) initiator: String,
    pub(super) initiator_position: [Option<u32>; 2],
}

/// Data from the response headers.
#[derive(Debug, Default)]
pub(super) struct Response {
    pub(super) status: Option<i64>,
    pub(super) mime: String,
    pub(super) protocol: String,
    pub(super) from_cache: bool,
    pub(super) from_service_worker: bool,
    pub(super) timing: Option<Timing>,
}

/// Times of a request; `None` for steps that did not happen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Timing {
    /// The time at which the network service accepted the request.
    pub(super) request: Ns,
    pub(super) dns: [Option<Ns>; 2],
    pub(super) connect: [Option<Ns>; 2],
    pub(super) tls: [Option<Ns>; 2],
    pub(super) sent: [Option<Ns>; 2],
    /// The time of the last byte of the headers.
    pub(super) headers_end: Option<Ns>,
}

/// Data of a finish event.
#[derive(Debug, Default)]
pub(super) struct Finish {
    pub(super) failed: bool,
    /// The time at which the network service finished the request.
    pub(super) finished: Option<Ns>,
    pub(super) encoded: Option<i64>,
    pub(super) decoded: Option<i64>,
}

fn text(data: &Value, key: &str) -> String {
    data.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn flag(data: &Value, key: &str) -> bool {
    data.get(key).is_some_and(Value::is_truthy)
}

/// An id, which can be a string or a number.
fn id(data: &Value, key: &str) -> Option<String> {
    match data.get(key)? {
        Value::String(text) => Some(text.clone()),
        number @ (Value::Int(_) | Value::Uint(_)) => Some(number.display_js()),
        _ => None,
    }
}

impl Timing {
    /// Reads timing data. `requestTime` is in seconds on the trace's clock; other times are in milliseconds since then,
    /// and -1 means none.
    fn new(timing: &Value) -> Option<Self> {
        let request = timing.get("requestTime")?.as_f64().and_then(|seconds| Ns::from_ms(seconds * 1e3))?;
        let at = |key: &str| {
            let ms = timing.get(key)?.as_f64().filter(|ms| *ms >= 0.0)?;
            Ns::from_ms(ms).map(|since| request + since)
        };
        Some(Self {
            request,
            dns: [at("dnsStart"), at("dnsEnd")],
            connect: [at("connectStart"), at("connectEnd")],
            tls: [at("sslStart"), at("sslEnd")],
            sent: [at("sendStart"), at("sendEnd")],
            headers_end: at("receiveHeadersEnd"),
        })
    }
}

/// Decodes an event with a given name; `None` if it has no request id.
pub(super) fn read(profile: &Profile, thread: ThreadId, marker: LocalMarker, name: EventName) -> Option<Event> {
    let owner = profile.thread(thread);
    let payload = profile.payload_in(owner, marker);
    let data = payload.get("data")?;
    let number = |key: &str| data.get(key).and_then(Value::as_i64);
    // The browser writes -1 for sizes that the server does not report.
    let bytes = |key: &str| number(key).filter(|bytes| *bytes >= 0);
    let what = match name {
        EventName::WillSend => What::WillSend,
        EventName::Send => What::Send(Box::new(Sent {
            url: text(data, "url"),
            method: text(data, "requestMethod"),
            priority: text(data, "priority"),
            blocking: text(data, "renderBlocking"),
            resource: text(data, "resourceType"),
            initiator: data.get("initiator").map(|initiator| text(initiator, "url")).unwrap_or_default(),
            initiator_position: ["lineNumber", "columnNumber"].map(|key| {
                let number = data.get("initiator")?.get(key)?.as_i64()?;
                u32::try_from(number).ok()
            }),
        })),
        EventName::Response => What::Response(Box::new(Response {
            status: number("statusCode"),
            mime: text(data, "mimeType"),
            protocol: text(data, "protocol"),
            from_cache: flag(data, "fromCache"),
            from_service_worker: flag(data, "fromServiceWorker"),
            timing: data.get("timing").and_then(Timing::new),
        })),
        EventName::Data => What::Data(bytes("encodedDataLength").unwrap_or_default()),
        EventName::Finish => What::Finish(Finish {
            failed: flag(data, "didFail"),
            finished: data
                .get("finishTime")
                .and_then(Value::as_f64)
                .filter(|seconds| *seconds != 0.0)
                .and_then(|seconds| Ns::from_ms(seconds * 1e3)),
            encoded: bytes("encodedDataLength"),
            decoded: bytes("decodedBodyLength"),
        }),
        EventName::Priority => What::Priority(text(data, "priority")),
        EventName::Cached => What::Cached,
        EventName::Blocking => What::Blocking(text(data, "renderBlocking")),
        _ => What::Socket(name, text(data, "url"), text(data, "websocketProtocol")),
    };
    let key = if name.is_socket() { "identifier" } else { "requestId" };
    Some(Event {
        id: id(data, key)?,
        process: owner.process,
        marker: owner.global(marker),
        time: owner.markers.start(marker),
        what,
    })
}
