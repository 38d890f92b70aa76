//! Style and layout of Firefox that scripts force.
//!
//! A flush of pending notifications wraps the style and layout work that it causes. Its stack is taken when it ends, so
//! it tells who forced it. The stacks of the work itself are older: they tell why it became necessary.

use crate::function_name::function_name;
use crate::intervals::Intervals;
use crate::page_script::page_scripts;
use crate::thread_markers::{Interval, intervals_named, times_named};
use flowline_profile::{Profile, StackId, ThreadId};

/// Name of the flushes.
pub(crate) const FLUSH: &str = "DoFlushPendingNotifications";
/// Start of the name of ticks.
const TICK: &str = "RefreshDriverTick";
/// The part of a tick in which scripts run.
const CALLBACKS: &str = "requestAnimationFrame callbacks";

/// A flush that a script of a page forced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForcedFlush<'a> {
    pub(crate) flush: Interval,
    /// The function, by name.
    pub(crate) function: &'a str,
}

/// The flushes of a thread with script of a page in their stack, outside of ticks or in the callbacks of one.
pub(crate) fn forced_flushes(profile: &Profile, id: ThreadId) -> Vec<ForcedFlush<'_>> {
    let flushes = intervals_named(profile, id, &[FLUSH]);
    let Some(samples) = profile.samples(id).filter(|_| !flushes.is_empty()) else { return Vec::new() };
    let ticks = Intervals::new(times_named(profile, id, |name| name.starts_with(TICK)));
    let callbacks = Intervals::new(times_named(profile, id, |name| name == CALLBACKS));
    let forced = flushes.into_iter().filter_map(|flush| {
        let is_free = !ticks.contains(flush.times) || callbacks.contains(flush.times);
        let (stack, _) = samples.marker_stacks.get(flush.marker).filter(|_| is_free)?;
        Some(ForcedFlush { flush, function: page_script(profile, stack)? })
    });
    forced.collect()
}

/// The innermost function of a stack that is script of a page, by name.
fn page_script(profile: &Profile, stack: StackId) -> Option<&str> {
    page_scripts(profile, stack).next().map(|func| function_name(profile, func))
}
