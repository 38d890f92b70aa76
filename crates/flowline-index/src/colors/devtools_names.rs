//! Kinds of the trace events that Chrome itself records.
//!
//! Events that DevTools shows have the kinds of its categories, except that garbage collection, requests and marks have kinds
//! of their own. The other names are those of the trace events of Blink, V8 and the compositor.

use crate::samples::entries::Work;
use flowline_profile::Kind;

/// The kind of an event of Chrome, by its name.
pub fn kind_of_event(name: &str) -> Option<Kind> {
    own(name).or_else(|| Work::of_event(name).and_then(kind_of_work)).or_else(|| by_prefix(name))
}

const fn kind_of_work(work: Work) -> Option<Kind> {
    Some(match work {
        Work::Loading => Kind::Load,
        Work::Scripting => Kind::Script,
        Work::Rendering => Kind::Layout,
        Work::Painting => Kind::Paint,
        Work::Gpu => Kind::Gpu,
        Work::Messaging => Kind::Ipc,
        Work::Experience => Kind::User,
        Work::Async | Work::Idle | Work::Other => Kind::System,
    })
}

fn own(name: &str) -> Option<Kind> {
    Some(match name {
        "HandlePostMessage"
        | "SchedulePostMessage"
        | "JSFrame"
        | "JSRoot"
        | "AsyncTask Run"
        | "BackgroundCompileTask::Run"
        | "CacheScript"
        | "StreamingCompileScriptParsing"
        | "LocalWindowProxy::Initialize"
        | "TimerBase::run"
        | "FrameRequestCallbackCollection::ExecuteFrameCallbacks" => Kind::Script,
        "RecalculateStyles"
        | "InvalidateLayout"
        | "UpdateLayer"
        | "LayoutShift"
        | "IntersectionObserverController::computeIntersections"
        | "WebFrameWidgetImpl::UpdateLifecycle" => Kind::Layout,
        "PaintImage"
        | "Rasterize"
        | "ActivateLayerTree"
        | "DrawFrame"
        | "BeginFrame"
        | "BeginMainThreadFrame"
        | "NeedsBeginFrameChanged"
        | "DroppedFrame"
        | "RequestMainThreadFrame"
        | "PipelineReporter"
        | "Decode LazyPixelRef"
        | "Draw LazyPixelRef"
        | "Resize Image"
        | "ImageDecodeTask"
        | "LocalFrameView::RunPaintLifecyclePhase" => Kind::Paint,
        "ParseHTMLScript" | "CSSParser::ParseStyleSheet" | "MarkLoad" | "MarkDOMContent" | "CommitLoad" => Kind::Load,
        "WebSocketCreate"
        | "WebSocketDestroy"
        | "WebSocketSendHandshakeRequest"
        | "WebSocketReceiveHandshakeResponse" => Kind::Network,
        "MinorGC" | "MajorGC" | "GCEvent" | "ThreadState::performIdleLazySweep" => Kind::Memory,
        "TimeStamp" | "ConsoleTime" | "UserTiming" => Kind::User,
        "Receive mojo message" | "Send mojo message" | "SimpleWatcher::OnHandleReady" => Kind::Ipc,
        "Task"
        | "ThreadControllerImpl::RunTask"
        | "ThreadPool_RunTask"
        | "TaskGraphRunner::RunTask"
        | "ScopedBlockingCall"
        | "ThreadController active"
        | "WorkerThread active" => Kind::System,
        _ if name.starts_with("Resource") && Work::of_event(name).is_some() => Kind::Network,
        _ if ["BlinkGC", "CppGC"].iter().any(|prefix| name.starts_with(prefix)) => Kind::Memory,
        _ => return None,
    })
}

/// Families of events: V8's with a kind in the prefix, and the classes of Blink.
fn by_prefix(name: &str) -> Option<Kind> {
    const PREFIXES: [(&str, Kind); 23] = [
        ("V8.GC", Kind::Memory),
        ("V8.", Kind::Script),
        ("v8.", Kind::Script),
        ("CpuProfiler::", Kind::System),
        ("LocalFrameView::", Kind::Layout),
        ("Blink.Style", Kind::Layout),
        ("Blink.Layout", Kind::Layout),
        ("Blink.Paint", Kind::Paint),
        ("Document::updateStyle", Kind::Layout),
        ("Document::recalcStyle", Kind::Layout),
        ("Document::UpdateStyle", Kind::Layout),
        ("LayerTreeHost", Kind::Paint),
        ("DirectRenderer::", Kind::Paint),
        ("URLLoader", Kind::Network),
        ("ThrottlingURLLoader", Kind::Network),
        ("MojoURLLoaderClient", Kind::Network),
        ("ResourceRequestSender", Kind::Network),
        ("CorsURLLoader", Kind::Network),
        ("ResourceFetcher::", Kind::Network),
        ("DocumentLoader::", Kind::Load),
        ("DecodedDataDocumentParser::", Kind::Load),
        ("HTMLDocumentParser::", Kind::Load),
        ("Database::", Kind::Load),
    ];
    PREFIXES.into_iter().find_map(|(prefix, kind)| name.starts_with(prefix).then_some(kind))
}
