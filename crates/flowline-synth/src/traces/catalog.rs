//! Names and categories of Chromium events by the role of a thread.

use crate::plan::{FAMILIES, LONG_FAMILIES, Role};

/// Contents of an event's `args`.
#[derive(Debug, Clone, Copy)]
pub(super) enum Args {
    None,
    /// Source location where a task was posted.
    Source,
    Url,
    /// A script function call.
    Function,
    /// Numbers of laid out objects.
    Layout,
}

/// Form of a slice: one complete event, or one event for each end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Complete,
    Ends,
    Instant,
}

/// A kind of event.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) category: &'static str,
    pub(super) form: Form,
    pub(super) args: Args,
}

/// Events that a role emits.
#[derive(Debug)]
pub(super) struct Palette {
    pub(super) containers: &'static [Kind],
    pub(super) leaves: &'static [Kind],
}

const fn kind(name: &'static str, category: &'static str, form: Form, args: Args) -> Kind {
    Kind { name, category, form, args }
}

/// Returns the palette of a role.
pub(super) const fn palette(role: Role) -> &'static Palette {
    match role {
        Role::ParentMain => &BROWSER,
        Role::ContentMain | Role::Worker => &RENDERER,
        Role::Compositor | Role::Renderer | Role::Decoder => &GRAPHICS,
        Role::Ipc | Role::Socket | Role::Timer | Role::Pool => &POOL,
    }
}

/// Name and category of a family's flow events; both are part of a flow's identity.
pub(super) const FLOWS: [(&str, &str); FAMILIES] = [
    ("SequenceManager PostTask", "toplevel.flow"),
    ("Send mojo message", "toplevel.flow,mojom.flow"),
    ("ThreadPool_PostTask", "toplevel.flow"),
    ("ScheduleWork", "wakeup.flow"),
    ("ResourceLoad", "loading"),
    ("Microtask", "v8"),
    ("WorkerThread::WakeUp", "wakeup.flow"),
    ("ImageDecodeTask", "cc"),
];

/// Names of the slices of a family's flows, by hop.
pub(super) const HOPS: [[&str; 4]; FAMILIES] = [
    ["PostTask", "ThreadControllerImpl::RunTask", "RunTask", "RunTask"],
    ["Connector::SendMessage", "SimpleWatcher::OnHandleReady", "Receive mojo message", "Receive mojo message"],
    ["PostTask", "ThreadPool_RunTask", "ThreadPool_RunTask", "ThreadPool_RunTask"],
    ["ScheduleWork", "MessagePumpEpoll::Wake", "ThreadController active", "ThreadController active"],
    [
        "ResourceFetcher::requestResource",
        "URLLoader::Start",
        "HttpCache::Transaction",
        "ResourceLoader::DidFinishLoading",
    ],
    ["EnqueueMicrotask", "RunMicrotasks", "RunMicrotasks", "RunMicrotasks"],
    ["WorkerThread::WakeUp", "WorkerThread active", "WorkerThread active", "WorkerThread active"],
    ["ImageController::ScheduleDecode", "Decode LazyPixelRef", "ImageDecodeFinished", "ImageDecodeFinished"],
];

/// Name and category of the events and slices of long-lived flows, by level.
pub(super) const LONG: [(&str, &str); LONG_FAMILIES] = [
    ("Graphics.Pipeline", "viz,graphics.pipeline"),
    ("WebSocket", "net"),
    ("MessagePort::Accept", "blink"),
    ("AnimationFrame", "devtools.timeline"),
];

/// Asynchronous operations that may overlap any events of their thread.
pub(super) const ASYNC: [(&str, &str); 5] = [
    ("Database::Statement", "sql"),
    ("PipelineReporter", "cc,benchmark"),
    ("EventLatency", "input,latency"),
    ("Animation", "blink.animations"),
    ("SimpleCache::ReadData", "disk_cache"),
];

const BROWSER: Palette = Palette {
    containers: &[
        kind("ThreadControllerImpl::RunTask", "toplevel", Form::Complete, Args::Source),
        kind("Receive mojo message", "toplevel,mojom", Form::Complete, Args::Source),
        kind("NavigationRequest::OnResponseStarted", "navigation", Form::Complete, Args::Url),
        kind("View::LayoutImmediately", "ui", Form::Complete, Args::Layout),
        kind("BrowserMainLoop::Run", "startup", Form::Ends, Args::None),
    ],
    leaves: &[
        kind("KeyedServiceFactory::GetServiceForContext", "browser", Form::Complete, Args::None),
        kind("View::UpdateParentLayers", "views", Form::Complete, Args::None),
        kind("SequenceManager::DoIdleWork", "sequence_manager", Form::Complete, Args::None),
        kind("ScopedBlockingCall", "base", Form::Complete, Args::Source),
        kind("ProcessMemoryDump", "memory", Form::Instant, Args::None),
    ],
};

const RENDERER: Palette = Palette {
    containers: &[
        kind("RunTask", "disabled-by-default-devtools.timeline", Form::Complete, Args::None),
        kind("FunctionCall", "devtools.timeline", Form::Complete, Args::Function),
        kind("v8.callFunction", "v8", Form::Complete, Args::None),
        kind("EventDispatch", "devtools.timeline", Form::Complete, Args::Function),
        kind("Layout", "devtools.timeline", Form::Ends, Args::Layout),
        kind("UpdateLayoutTree", "devtools.timeline", Form::Ends, Args::Layout),
        kind("ParseHTML", "devtools.timeline", Form::Complete, Args::Url),
    ],
    leaves: &[
        kind("BlinkScheduler_PerformMicrotaskCheckpoint", "toplevel", Form::Complete, Args::None),
        kind("UpdateCounters", "disabled-by-default-devtools.timeline", Form::Instant, Args::Layout),
        kind("ResourceReceivedData", "devtools.timeline", Form::Instant, Args::Url),
        kind("LayerTreeHost::SetNeedsCommit", "cc", Form::Complete, Args::None),
        kind("V8.GCScavenger", "disabled-by-default-v8.gc", Form::Complete, Args::None),
        kind("PrePaint", "devtools.timeline", Form::Complete, Args::None),
    ],
};

const GRAPHICS: Palette = Palette {
    containers: &[
        kind("Scheduler::BeginFrame", "cc", Form::Complete, Args::None),
        kind("Display::DrawAndSwap", "viz", Form::Complete, Args::Layout),
        kind("RasterTask", "cc", Form::Complete, Args::None),
        kind("Graphics.Pipeline", "viz,graphics.pipeline", Form::Complete, Args::None),
    ],
    leaves: &[
        kind("SoftwareRenderer::DoDrawQuad", "viz", Form::Complete, Args::None),
        kind("VSyncSignal", "viz", Form::Instant, Args::None),
        kind("TileManager::PrepareTiles", "cc", Form::Complete, Args::Layout),
    ],
};

const POOL: Palette = Palette {
    containers: &[
        kind("ThreadPool_RunTask", "toplevel", Form::Complete, Args::Source),
        kind("EpollEvent", "toplevel", Form::Complete, Args::Source),
        kind("WorkerThread active", "base", Form::Complete, Args::None),
    ],
    leaves: &[
        kind("SequenceManager PostTask", "toplevel.flow", Form::Instant, Args::None),
        kind("Database::ReleaseCacheMemoryIfNeeded", "sql", Form::Complete, Args::None),
        kind("ThreadPool.UnnecessaryWakeup", "wakeup.flow", Form::Instant, Args::None),
        kind("ScopedBlockingCall", "base", Form::Complete, Args::Source),
    ],
};
