//! The processes and threads of the example.

use crate::json::Nanos;

/// A process of the example.
#[derive(Debug)]
pub(super) struct Process {
    pub(super) name: &'static str,
    /// `processType` of the threads and of `meta`.
    pub(super) kind: (&'static str, u64),
    pub(super) pid: u64,
    /// Start time relative to the parent, in sixteenths of a millisecond, which binary floats represent exactly.
    pub(super) offset: Nanos,
    /// Site of the process.
    pub(super) site: Option<&'static str>,
}

/// Processes, the parent first.
pub(super) const PROCESSES: [Process; 4] = [
    Process { name: "Parent Process", kind: ("default", 0), pid: 4_810, offset: Nanos(0), site: None },
    Process { name: "GPU Process", kind: ("gpu", 5), pid: 4_868, offset: Nanos(203_437_500), site: None },
    Process { name: "Socket Process", kind: ("socket", 7), pid: 4_881, offset: Nanos(231_812_500), site: None },
    Process {
        name: "Isolated Web Content",
        kind: ("tab", 2),
        pid: 4_932,
        offset: Nanos(812_312_500),
        site: Some("https://gallery.example"),
    },
];

/// A thread of the example, in the order of [`THREADS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ThreadRole {
    Parent,
    IpcParent,
    Socket,
    Cache,
    Resolver,
    Stream,
    ParentTimer,
    Compositor,
    Renderer,
    SceneBuilder,
    RenderBackend,
    Certificates,
    Content,
    IpcChild,
    Parser,
    ImageIo,
    DecoderOne,
    DecoderTwo,
    Worker,
    ContentTimer,
}

/// Number of threads.
pub(super) const THREAD_COUNT: usize = THREADS.len();

/// Every thread with its process and name, in the order of [`ThreadRole`].
pub(super) const THREADS: [(ThreadRole, usize, &str); 20] = [
    (ThreadRole::Parent, 0, "GeckoMain"),
    (ThreadRole::IpcParent, 0, "IPC I/O Parent"),
    (ThreadRole::Socket, 0, "Socket Thread"),
    (ThreadRole::Cache, 0, "Cache2 I/O"),
    (ThreadRole::Resolver, 0, "DNS Resolver #2"),
    (ThreadRole::Stream, 0, "StreamTrans #7"),
    (ThreadRole::ParentTimer, 0, "Timer"),
    (ThreadRole::Compositor, 1, "Compositor"),
    (ThreadRole::Renderer, 1, "Renderer"),
    (ThreadRole::SceneBuilder, 1, "WRSceneBuilder#1"),
    (ThreadRole::RenderBackend, 1, "WRRenderBackend#1"),
    (ThreadRole::Certificates, 2, "SSL Cert #1"),
    (ThreadRole::Content, 3, "GeckoMain"),
    (ThreadRole::IpcChild, 3, "IPC I/O Child"),
    (ThreadRole::Parser, 3, "HTML5 Parser"),
    (ThreadRole::ImageIo, 3, "ImageIO"),
    (ThreadRole::DecoderOne, 3, "ImgDecoder #1"),
    (ThreadRole::DecoderTwo, 3, "ImgDecoder #2"),
    (ThreadRole::Worker, 3, "DOM Worker"),
    (ThreadRole::ContentTimer, 3, "Timer"),
];

impl ThreadRole {
    pub(super) const fn index(self) -> usize {
        self as usize
    }

    pub(super) const fn process(self) -> &'static Process {
        &PROCESSES[THREADS[self.index()].1]
    }

    /// Returns the operating system's thread id; the first thread of a process has the process id.
    pub(super) const fn tid(self) -> u64 {
        match self {
            Self::Parent | Self::Content => self.process().pid,
            _ => self.process().pid + 3 + self.index() as u64,
        }
    }

    /// Returns true if the thread is busy enough to be sampled often.
    pub(super) const fn works(self) -> bool {
        matches!(
            self,
            Self::Parent
                | Self::Content
                | Self::Worker
                | Self::Compositor
                | Self::Renderer
                | Self::RenderBackend
                | Self::SceneBuilder
                | Self::Parser
                | Self::DecoderOne
                | Self::DecoderTwo
                | Self::Socket
        )
    }

    /// Returns the IPC thread of the same process.
    pub(super) const fn transport(self) -> Self {
        match THREADS[self.index()].1 {
            3 => Self::IpcChild,
            _ => Self::IpcParent,
        }
    }
}
