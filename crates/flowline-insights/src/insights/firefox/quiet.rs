//! Answers that matter only for the processes of pages.

use crate::insights::context::Context;
use crate::insights::insight::Finding;
use flowline_profile::ThreadId;

/// An answer without anything slow, if the process of a thread showed a page. A browser has many other processes.
pub(super) fn quiet(context: &Context<'_>, thread: ThreadId, finding: Finding) -> Option<Finding> {
    let profile = context.profile();
    let showed_page = context.index.pages().showed_page(profile, profile.thread(thread));
    showed_page.then_some(finding)
}
