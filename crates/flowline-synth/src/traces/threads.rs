//! The clock of the browser, and the names of its threads.

use crate::plan::{Role, Thread};

/// Time on the browser's clock when the recording's clock starts.
pub(super) const CLOCK: u64 = 1_922_584_000_000_000;

/// Name of a thread with the role of the given one.
pub(super) const fn thread_name(thread: &Thread) -> &'static str {
    match thread.role {
        Role::ParentMain => "CrBrowserMain",
        Role::ContentMain => "CrRendererMain",
        Role::Worker => "DedicatedWorker thread",
        Role::Compositor => "VizCompositorThread",
        Role::Renderer => "CrGpuMain",
        Role::Ipc => "Chrome_ChildIOThread",
        Role::Socket => "NetworkService",
        Role::Timer => "Chrome_DevToolsHandlerThread",
        Role::Decoder => "CompositorTileWorker1",
        Role::Pool => "ThreadPoolForegroundWorker",
    }
}
