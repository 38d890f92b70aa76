//! Names of Firefox markers by the role of a thread, chosen to resemble a real recording.

use super::schema::Category;
use crate::plan::{FAMILIES, LONG_FAMILIES, Role};
use Category::{Dom, Gc, Graphics, Ipc, JavaScript, Layout, Network, Other, Telemetry, Timer};
use Payload::{
    Actor, AddTimer, Bare, DomEvent, Histogram, NetIo, Nursery, Preference, Slice, Stack, Styles, Text, TextStack,
    Tick, Tracing, UserTiming,
};
use Shape::{Instant, Interval, Pair};

/// Storage of a marker: an instant, one row with both times, or one row for each end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Instant,
    Interval,
    Pair,
}

/// Payload of a marker.
#[derive(Debug, Clone, Copy)]
pub(super) enum Payload {
    /// No payload, so the row has five columns.
    Bare,
    Stack,
    TextStack(&'static [&'static str]),
    Text(&'static [&'static str]),
    DomEvent,
    UserTiming,
    Preference,
    Styles,
    Nursery,
    Slice,
    Timer,
    AddTimer,
    Tracing(&'static str),
    Histogram,
    NetIo,
    Actor,
    Tick,
}

/// A kind of marker.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) category: Category,
    pub(super) shape: Shape,
    pub(super) payload: Payload,
}

/// Markers that a role emits: containers (stack-based), leaves, and markers that may overlap any others.
#[derive(Debug)]
pub(super) struct Palette {
    pub(super) containers: &'static [Kind],
    pub(super) leaves: &'static [Kind],
    pub(super) overlapping: &'static [Kind],
}

const fn kind(name: &'static str, category: Category, shape: Shape, payload: Payload) -> Kind {
    Kind { name, category, shape, payload }
}

/// Returns the palette of a role.
pub(super) const fn palette(role: Role) -> &'static Palette {
    match role {
        Role::ParentMain => &PARENT,
        Role::ContentMain => &CONTENT,
        Role::Worker => &WORKER,
        Role::Compositor => &COMPOSITOR,
        Role::Renderer => &RENDERER,
        Role::Ipc | Role::Pool => &POOL,
        Role::Socket => &SOCKET,
        Role::Timer => &TIMER,
        Role::Decoder => &DECODER,
    }
}

/// Names and categories of the hops of brief flows, by family and hop.
pub(super) const FLOW_NAMES: [[(&str, Category); 4]; FAMILIES] = [
    [("EventQueueInternal::PutEvent", Other), ("Runnable", Other), ("Runnable", Other), ("Runnable", Other)],
    [("IPC", Ipc), ("IPCDispatch", Ipc), ("IPCDispatch", Ipc), ("IPCDispatch", Ipc)],
    [("TaskController::AddTask", Other), ("TaskController::RunTask", Other), ("Task", Other), ("Task", Other)],
    [
        ("nsHttpChannel::AsyncOpen", Network),
        ("ChannelEventQueue::Enqueue", Network),
        ("ChannelEvent", Network),
        ("ChannelEvent", Network),
    ],
    [
        ("imgLoader::LoadImage", Network),
        ("nsHttpTransaction::OnSocketStatus", Network),
        ("OnDataAvailable", Network),
        ("imgRequest::OnStopRequest", Graphics),
    ],
    [
        ("JS::EnqueueJob", JavaScript),
        ("RunMicroTask", JavaScript),
        ("RunMicroTask", JavaScript),
        ("RunMicroTask", JavaScript),
    ],
    [("JS::EnqueueJob", JavaScript), ("Job", JavaScript), ("Job", JavaScript), ("Job", JavaScript)],
    [
        ("DecodePool::AsyncRun", Graphics),
        ("ImageDecode", Graphics),
        ("imgRequest::NotifyDecoded", Graphics),
        ("Decoded", Graphics),
    ],
];

/// Names and categories of long-lived flows: opening, members, end.
pub(super) const LONG_NAMES: [[(&str, Category); 3]; LONG_FAMILIES] = [
    [("VsyncSource::Enable", Graphics), ("VsyncObserver::Notify", Graphics), ("VsyncSource::Disable", Graphics)],
    [("WebSocketChannel::Open", Network), ("WebSocketChannel::Frame", Network), ("WebSocketChannel::Close", Network)],
    [("MessagePort::Entangle", Dom), ("MessagePort::Dispatch", Dom), ("MessagePort::Close", Dom)],
    [("Animation::Play", Graphics), ("Animation::Tick", Graphics), ("Animation::Finish", Graphics)],
];

/// Name and category of the marker for a nested event loop of a main thread.
pub(super) const HUB_NAME: (&str, Category) = ("SpinEventLoop", Other);

const SCRIPTS: &[&str] = &[
    "setTimeout handler with interval 100ms: update (https://shop.example/assets/app.js:1204:17)",
    "setTimeout handler with interval 0ms: flushQueue (https://shop.example/assets/vendor.js:88:5)",
    "setInterval handler with interval 250ms: poll (https://news.example/static/live.js:310:9)",
];
const MODULES: &[&str] = &[
    "resource://gre/modules/AppConstants.sys.mjs",
    "resource:///modules/UrlbarController.sys.mjs",
    "chrome://global/content/elements/panel.js",
];
const TOPICS: &[&str] = &[
    "http-on-modify-request",
    "content-document-global-created",
    "cycle-collector-begin",
    "idle-daily",
    "network:link-status-changed",
];
const IMAGES: &[&str] = &[
    "https://shop.example/media/products/1024/red-shoes-front.jpg",
    "https://news.example/img/teaser-0391.webp",
    "chrome://browser/skin/reload.svg",
];
const RUNNABLES: &[&str] = &[
    "dom::WindowStateHolder",
    "nsRefreshDriver::ScheduleNextTick",
    "net::HttpBackgroundChannelParent::OnStartRequest",
    "layers::APZCTreeManager::FlushApzRepaints",
    "extensions::StreamFilterParent",
];

const PARENT: Palette = Palette {
    containers: &[
        kind("NotifyObservers", Other, Interval, TextStack(TOPICS)),
        kind("DOMEvent", Dom, Pair, DomEvent),
        kind("ChromeUtils.importESModule", JavaScript, Interval, TextStack(MODULES)),
        kind("Runnable", Other, Interval, TextStack(RUNNABLES)),
        kind("Perform microtasks", JavaScript, Pair, Stack),
        kind("RefreshDriverTick", Graphics, Interval, TextStack(&["Tick reasons: HasObservers (Style, Layout)"])),
        kind("Reflow (interruptible)", Layout, Pair, Stack),
        kind("Styles", Layout, Interval, Styles),
        kind("DisplayList", Graphics, Pair, Stack),
    ],
    leaves: &[
        kind("Preference Read", Other, Instant, Preference),
        kind("Preference Read", Other, Instant, Preference),
        kind("Preference Read", Other, Instant, Preference),
        kind("Counter::add", Telemetry, Instant, Histogram),
        kind("Histogram::Add", Telemetry, Instant, Histogram),
        kind("SetNeedStyleFlush", Layout, Instant, Bare),
        kind("GetService", Other, Interval, TextStack(&["{62b778a6-bce3-456b-8c31-2865fbb68c91}"])),
        kind("GCMinor", Gc, Interval, Nursery),
        kind("WrDisplayList", Graphics, Pair, Stack),
    ],
    overlapping: &[
        kind("ExtensionParent", JavaScript, Interval, Text(&["webcompat@mozilla.org, api_call: runtime.connect"])),
        kind("Image Load", Network, Interval, Text(IMAGES)),
        kind("Awake", Other, Interval, Bare),
    ],
};

const CONTENT: Palette = Palette {
    containers: &[
        kind("DOMEvent", Dom, Pair, DomEvent),
        kind("setTimeout callback", Dom, Interval, TextStack(SCRIPTS)),
        kind("requestAnimationFrame callbacks", Graphics, Pair, Stack),
        kind("RefreshDriverTick", Graphics, Interval, TextStack(&["Tick reasons: HasPendingRenderingSteps (Layout)"])),
        kind("Reflow (sync)", Layout, Pair, Stack),
        kind("Styles", Layout, Interval, Styles),
        kind("DoFlushPendingNotifications", Layout, Interval, TextStack(&["InterruptibleLayout", "Style", "Display"])),
        kind("Perform microtasks", JavaScript, Pair, Stack),
        kind("Runnable", Other, Interval, TextStack(RUNNABLES)),
        kind("ViewManagerFlush", Graphics, Interval, TextStack(&["Transaction ID: 41", "Transaction ID: 42"])),
    ],
    leaves: &[
        kind("UserTiming", Dom, Instant, UserTiming),
        kind("SetNeedStyleFlush", Layout, Instant, Bare),
        kind("SetNeedStyleFlush", Layout, Instant, Bare),
        kind("SetNeedLayoutFlush", Layout, Instant, Bare),
        kind("Image Paint", Graphics, Interval, Text(IMAGES)),
        kind("Image Paint", Graphics, Interval, Text(IMAGES)),
        kind("NodeList item", Dom, Instant, Bare),
        kind("Counter::add", Telemetry, Instant, Histogram),
        kind("WrDisplayList", Graphics, Pair, Stack),
        kind("SendAsyncMessage", Ipc, Instant, Actor),
        kind("Preference Read", Other, Instant, Preference),
        kind("GCMinor", Gc, Interval, Nursery),
        kind("GCSlice", Gc, Interval, Slice),
        kind("DisplayListResources", Graphics, Pair, Stack),
        kind("Bailout", JavaScript, Instant, Text(&["TranspiledCacheIR after GetElem on line 392 of self-hosted:392"])),
    ],
    overlapping: &[
        kind("Image Load", Network, Interval, Text(IMAGES)),
        kind("CSS animation", Graphics, Interval, Text(&["opacity", "transform"])),
        kind("UserTiming", Dom, Interval, UserTiming),
    ],
};

const WORKER: Palette = Palette {
    containers: &[
        kind("DOMEvent", Dom, Pair, DomEvent),
        kind("Perform microtasks", JavaScript, Pair, Stack),
        kind("Worker.postMessage", Dom, Interval, TextStack(&["https://shop.example/assets/search.worker.js"])),
    ],
    leaves: &[
        kind("GCMinor", Gc, Interval, Nursery),
        kind("UserTiming", Dom, Instant, UserTiming),
        kind("Event dispatch", Dom, Instant, Bare),
        kind("SendAsyncMessage", Ipc, Instant, Actor),
        kind("Histogram::Add", Telemetry, Instant, Histogram),
        kind("Bailout", JavaScript, Instant, Text(&["Inlined CacheIR on line 17 of search.worker.js:17"])),
    ],
    overlapping: &[kind(
        "IndexedDB transaction",
        Dom,
        Interval,
        Text(&["shop-cache, readwrite", "shop-cache, readonly"]),
    )],
};

const COMPOSITOR: Palette = Palette {
    containers: &[
        kind("CompositeToTarget", Graphics, Pair, Stack),
        kind("SetDisplayList", Graphics, Pair, Stack),
        kind("SampleAnimations", Graphics, Interval, Stack),
    ],
    leaves: &[
        kind("VsyncTimestamp", Graphics, Instant, Tick),
        kind("CONTENT_FRAME_TIME", Graphics, Interval, Bare),
        kind("TimingDistribution::accumulate", Telemetry, Instant, Histogram),
    ],
    overlapping: &[kind(
        "ContentPaint Payload Presented",
        Graphics,
        Interval,
        Text(&["Latency: 5ms", "Latency: 12ms"]),
    )],
};

const RENDERER: Palette = Palette {
    containers: &[
        kind("Composite #1", Graphics, Pair, Stack),
        kind("BuildFrame", Graphics, Pair, Stack),
        kind("Rasterize", Graphics, Interval, Stack),
    ],
    leaves: &[
        kind("Render reason VSYNC", Graphics, Instant, Tracing("Webrender")),
        kind("Batching", Graphics, Pair, Tracing("Webrender")),
        kind("UpdateVisibility", Graphics, Pair, Tracing("Webrender")),
        kind("NumDrawCalls", Graphics, Interval, Text(&["59", "112", "17"])),
    ],
    overlapping: &[kind("SceneBuilding", Graphics, Interval, Tracing("Webrender"))],
};

const POOL: Palette = Palette {
    containers: &[
        kind("Runnable", Other, Interval, TextStack(RUNNABLES)),
        kind("SpinEventLoop", Other, Interval, TextStack(&["default: shutdown", "IndexedDB: await"])),
    ],
    leaves: &[
        kind("Counter::add", Telemetry, Instant, Histogram),
        kind(
            "FileIO",
            Other,
            Interval,
            Text(&["read /home/user/.mozilla/cache2/entries/3F0A", "stat /home/user/.mozilla/prefs.js"]),
        ),
        kind("Wake", Other, Instant, Bare),
    ],
    overlapping: &[kind("Awake", Other, Interval, Bare)],
};

const SOCKET: Palette = Palette {
    containers: &[
        kind("nsSocketTransport::OnSocketReady", Network, Interval, Stack),
        kind("nsHttpConnection::OnInputStreamReady", Network, Interval, Stack),
    ],
    leaves: &[
        kind("Read", Network, Instant, NetIo),
        kind("Write", Network, Instant, NetIo),
        kind("Histogram::Add", Telemetry, Instant, Histogram),
    ],
    overlapping: &[kind(
        "SocketTransportService::Poll",
        Network,
        Interval,
        Text(&["Poll count: 1, Poll timeout: NO_WAIT", "Poll count: 9, Poll timeout: 250ms"]),
    )],
};

const TIMER: Palette = Palette {
    containers: &[kind("TimerThread::Fire", Timer, Pair, Stack)],
    leaves: &[
        kind("AddTimer", Other, Instant, AddTimer),
        kind("AddTimer", Other, Instant, AddTimer),
        kind("RemoveTimer", Other, Instant, AddTimer),
        kind("PostTimerEvent", Other, Interval, AddTimer),
    ],
    overlapping: &[
        kind("dom::PeriodicGCTimerCallback", Timer, Interval, Payload::Timer),
        kind("IdleRunnableWrapper::SetTimer", Timer, Interval, Payload::Timer),
        kind("TimeoutExecutor Runnable", Timer, Interval, Payload::Timer),
    ],
};

const DECODER: Palette = Palette {
    containers: &[kind("Decode", Graphics, Interval, TextStack(IMAGES))],
    leaves: &[kind("Decode rows", Graphics, Interval, Stack), kind("SurfaceCache::Insert", Graphics, Instant, Bare)],
    overlapping: &[kind("Awake", Other, Interval, Bare)],
};
