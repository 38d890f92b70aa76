//! The trace events that Chrome DevTools shows on a thread, and the categories that it sums them up by.

/// A kind of work, as DevTools divides the time of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Work {
    /// Requests and parsing.
    Loading,
    /// Scripts and what runs them.
    Scripting,
    /// Styles and layout.
    Rendering,
    /// Drawing.
    Painting,
    /// Work of the GPU.
    Gpu,
    /// Messages between threads and frames.
    Messaging,
    /// Shifts of the layout, and input that was handled.
    Experience,
    /// Asynchronous tasks.
    Async,
    /// Waiting.
    Idle,
    /// Anything else.
    Other,
}

impl Work {
    /// All kinds, in the order in which they are listed.
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

    /// Its name.
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

    /// The kind of an event that DevTools shows; `None` for all others.
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

/// The kind of an event that DevTools does not show, but knows.
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

/// Tasks of the event loop: DevTools draws them, but gives their time to what they contain.
pub(super) const TASK: &str = "RunTask";

/// Events that say that a recording is one of a browser. Of others, DevTools shows everything.
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
