//! The trace events that Chrome DevTools shows on a thread, and the categories by which it sums them.

/// A kind of work, by which DevTools splits the time of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Work {
    /// Requests and parsing.
    Loading,
    /// Scripts, and callbacks that run them.
    Scripting,
    /// Styles and layout.
    Rendering,
    /// Drawing.
    Painting,
    /// GPU work.
    Gpu,
    /// Messages between threads and frames.
    Messaging,
    /// Layout shifts and input events.
    Experience,
    /// Asynchronous tasks.
    Async,
    /// Waiting.
    Idle,
    /// Anything else.
    Other,
}

impl Work {
    /// All kinds, in display order.
    pub const ALL: [Self; 10] = [
        Self::Loading,
        Self::Scripting,
        Self::Rendering,
        Self::Painting,
        Self::Gpu,
        Self::Messaging,
        Self::Experience,
        Self::Async,
        Self::Idle,
        Self::Other,
    ];

    /// Name of the kind.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loading => "loading",
            Self::Scripting => "scripting",
            Self::Rendering => "rendering",
            Self::Painting => "painting",
            Self::Gpu => "gpu",
            Self::Messaging => "messaging",
            Self::Experience => "experience",
            Self::Async => "async",
            Self::Idle => "idle",
            Self::Other => "other",
        }
    }

    /// Kind of an event that DevTools shows; `None` for other events.
    #[must_use]
    pub fn of_event(name: &str) -> Option<Self> {
        let has = |names: &[&str]| names.contains(&name);
        let kinds: [(Self, &[&str]); 10] = [
            (Self::Scripting, &SCRIPTING),
            (Self::Rendering, &RENDERING),
            (Self::Painting, &PAINTING),
            (Self::Loading, &LOADING),
            (Self::Other, &["RunTask", "Program", "CpuProfiler::StartProfiling"]),
            (Self::Other, &["v8.parseOnBackground", "V8.FinalizeDeserialization"]),
            (Self::Messaging, &["HandlePostMessage", "SchedulePostMessage"]),
            (Self::Experience, &["SyntheticLayoutShift", "SyntheticLayoutShiftCluster", "EventTiming"]),
            (Self::Gpu, &["GPUTask"]),
            (Self::Idle, &["v8.parseOnBackgroundWaiting"]),
        ];
        let found = kinds.into_iter().find(|(_, names)| has(names)).map(|(kind, _)| kind);
        found.or_else(|| (name == "AsyncTask").then_some(Self::Async))
    }
}

/// Kind of an event that DevTools knows but does not show.
pub(super) fn of_hidden(name: &str) -> Option<Work> {
    let found = HIDDEN.iter().find(|(known, _)| *known == name);
    found.map(|(_, work)| *work)
}

const HIDDEN: [(&str, Work); 9] = [
    ("BeginFrame", Work::Rendering),
    ("BeginMainThreadFrame", Work::Rendering),
    ("DrawFrame", Work::Rendering),
    ("FrameStartedLoading", Work::Loading),
    ("InvalidateLayout", Work::Rendering),
    ("LayoutShift", Work::Experience),
    ("PaintImage", Work::Painting),
    ("RequestMainThreadFrame", Work::Rendering),
    ("UpdateLayer", Work::Painting),
];

/// Event loop tasks: DevTools draws them, but its trees do not include them.
pub(super) const TASK: &str = "RunTask";

/// Events that identify the recording of a browser. For other recordings, DevTools shows all events.
pub const BROWSER_EVENTS: [&str; 4] =
    ["TracingStartedInBrowser", "TracingStartedInPage", "TracingSessionIdForWorker", "CpuProfile"];

const SCRIPTING: [&str; 60] = [
    "AbortPostTaskCallback",
    "BlinkGC.AtomicPhase",
    "CancelAnimationFrame",
    "CancelIdleCallback",
    "ConsoleTime",
    "CppGC.IncrementalSweep",
    "DoDecrypt",
    "DoDecryptReply",
    "DoDigest",
    "DoDigestReply",
    "DoEncrypt",
    "DoEncryptReply",
    "DoSign",
    "DoSignReply",
    "DoVerify",
    "DoVerifyReply",
    "EmbedderCallback",
    "EvaluateScript",
    "EventDispatch",
    "FireAnimationFrame",
    "FireIdleCallback",
    "FunctionCall",
    "GCEvent",
    "JSSample",
    "MajorGC",
    "MinorGC",
    "ProfileCall",
    "RequestAnimationFrame",
    "RequestIdleCallback",
    "RunMicrotasks",
    "RunPostTaskCallback",
    "SchedulePostTaskCallback",
    "TimeStamp",
    "TimerFire",
    "TimerInstall",
    "TimerRemove",
    "UserTiming",
    "V8.CompileCode",
    "V8.CompileModule",
    "V8.OptimizeCode",
    "V8Console::runTask",
    "WebSocketCreate",
    "WebSocketDestroy",
    "WebSocketReceive",
    "WebSocketReceiveHandshakeResponse",
    "WebSocketSend",
    "WebSocketSendHandshakeRequest",
    "XHRLoad",
    "XHRReadyStateChange",
    "v8.compile",
    "v8.deserializeOnBackground",
    "v8.evaluateModule",
    "v8.parseOnBackgroundParsing",
    "v8.produceCache",
    "v8.produceModuleCache",
    "v8.wasm.cachedModule",
    "v8.wasm.compiledModule",
    "v8.wasm.moduleCacheHit",
    "v8.wasm.moduleCacheInvalid",
    "v8.wasm.streamFromResponseCallback",
];

const RENDERING: [&str; 10] = [
    "Animation",
    "ComputeIntersections",
    "HitTest",
    "Layerize",
    "Layout",
    "PrePaint",
    "ScheduleStyleRecalculation",
    "ScrollLayer",
    "UpdateLayerTree",
    "UpdateLayoutTree",
];

const PAINTING: [&str; 6] = ["Commit", "CompositeLayers", "Decode Image", "Paint", "PaintSetup", "RasterTask"];

const LOADING: [&str; 7] = [
    "ParseAuthorStyleSheet",
    "ParseHTML",
    "ResourceFinish",
    "ResourceReceiveResponse",
    "ResourceReceivedData",
    "ResourceSendRequest",
    "ResourceWillSendRequest",
];
