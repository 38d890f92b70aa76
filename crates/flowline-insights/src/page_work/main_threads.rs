//! The main threads of a page: those of the processes that hosted its main frame.

use crate::page::Page;
use flowline_profile::{Profile, ThreadId};

/// Name of the main threads of renderers.
const MAIN_THREAD: &str = "CrRendererMain";

/// The main threads of the page, in the order of the recording. Empty if its main frame is unknown.
pub(crate) fn main_threads(profile: &Profile, page: &Page) -> Vec<ThreadId> {
    let Some(main) = page.frames().main() else { return Vec::new() };
    let is_own = |id: &ThreadId| {
        profile.thread(*id).name == MAIN_THREAD && page.frames().is_hosted(main, &profile.process_of(*id).pid)
    };
    profile.threads_with_ids().map(|(id, _)| id).filter(is_own).collect()
}
