//! Why a frame came late or not at all: what its page's main thread ran meanwhile, and which part of the browser was at work.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::busy_thread::BusyThread;
use super::list::Frames;
use super::page_frame::{MissedReason, PageFrame};
use flowline_index::{Derived, Index};
use flowline_profile::{MarkerId, Ns, ProcessId, Profile, Thread, ThreadId, TimeRange};

/// At most this many slices are listed.
const LISTED: usize = 3;

/// A part of the browser that makes frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FramePart {
    /// The main thread of the page.
    MainThread,
    /// The compositor of the page or of the display.
    Compositor,
    /// The thread that commands the GPU.
    Gpu,
}

impl FramePart {
    /// All parts, in the order in which a frame passes them.
    const ALL: [Self; 3] = [Self::MainThread, Self::Compositor, Self::Gpu];

    /// Name in output and in the UI.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MainThread => "main thread",
            Self::Compositor => "compositor",
            Self::Gpu => "GPU",
        }
    }

    /// The part that a thread is, by its name.
    fn of(thread: &Thread) -> Option<Self> {
        let name = thread.name.as_str();
        match name {
            "CrRendererMain" | "GeckoMain" => Some(Self::MainThread),
            "Compositor" | "VizCompositorThread" => Some(Self::Compositor),
            "CrGpuMain" | "Renderer" => Some(Self::Gpu),
            _ if name.starts_with("WRRenderBackend") => Some(Self::Compositor),
            _ => None,
        }
    }
}

/// The cause of a late or dropped frame, as far as it is recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameCause {
    /// The part that was late; `None` if none of them worked for half of the budget.
    pub late: Option<FramePart>,
    /// The time that this part worked meanwhile; `None` if the recording states that it was late.
    pub busy: Option<Ns>,
    /// The longest slices of the main thread with their time in the frame, the longest first.
    pub slices: Vec<(MarkerId, Ns)>,
}

/// The threads that make frames.
#[derive(Clone, Debug, Default)]
pub struct FrameThreads(BTreeMap<ThreadId, (FramePart, BusyThread)>);

impl FrameThreads {
    /// The cause of a frame; `None` for frames that came in time.
    #[must_use]
    pub fn cause(&self, index: &Index, frames: &Frames, frame: &PageFrame) -> Option<FrameCause> {
        if !frame.is_bad() {
            return None;
        }
        let (profile, range) = (index.profile(), waited(frame));
        let page = frame.main_work.map(|(thread, _)| profile.thread(thread).process);
        let page = page.or(frame.page).or_else(|| index.page_process());
        let busy = |part: FramePart| self.busiest(profile, part, page, range);
        let parts = FramePart::ALL.map(|part| (part, busy(part)));
        let time = |wanted: FramePart| {
            parts.iter().find(|(part, _)| *part == wanted).and_then(|(_, own)| *own).map_or(Ns(0), |(_, time)| time)
        };
        let least = frames.budget().0 / 2;
        let busiest = FramePart::ALL.into_iter().rev().max_by_key(|part| time(*part));
        let busiest = busiest.filter(|part| time(*part).0 >= least.max(1));
        let is_slow_tick =
            frame.main_work.is_some_and(|(_, work)| frame.content.is_some() && work.len() > frames.budget().0);
        let is_stated = frame.reason == Some(MissedReason::CompositorBusy);
        let late = match frame.reason {
            _ if is_stated => Some(FramePart::Compositor),
            Some(MissedReason::ContentPending) if time(FramePart::MainThread).0 >= least => Some(FramePart::MainThread),
            _ if is_slow_tick => Some(FramePart::MainThread),
            _ => busiest,
        };
        let main = parts[0].1.map(|(thread, _)| thread);
        let slices = main.map_or_else(Vec::new, |main| main.longest(profile, range, LISTED));
        Some(FrameCause { late, busy: late.filter(|_| !is_stated).map(time), slices })
    }

    /// The thread of a part that worked most of a range. Main threads and compositors of other pages do not count.
    fn busiest(
        &self,
        profile: &Profile,
        wanted: FramePart,
        page: Option<ProcessId>,
        range: TimeRange,
    ) -> Option<(&BusyThread, Ns)> {
        let is_own = |id: &ThreadId| {
            let thread = profile.thread(*id);
            match wanted {
                FramePart::MainThread => Some(thread.process) == page,
                FramePart::Compositor => Some(thread.process) == page || !is_of_page(profile, thread),
                FramePart::Gpu => true,
            }
        };
        let own = self.0.iter().filter(|(id, (part, _))| *part == wanted && is_own(id));
        let timed = own.map(|(id, (_, thread))| (*id, thread, thread.busy(range)));
        let found = timed.max_by_key(|(id, _, time)| (*time, std::cmp::Reverse(*id)));
        found.map(|(_, thread, time)| (thread, time))
    }
}

/// True for the compositor thread of a renderer.
fn is_of_page(profile: &Profile, thread: &Thread) -> bool {
    thread.name == "Compositor" && profile.source.holds_events()
}

/// The time in which a frame was awaited: from its content on, if that is known.
fn waited(frame: &PageFrame) -> TimeRange {
    let start = frame.content_start.map_or(frame.times.start, |content| content.min(frame.times.start));
    TimeRange { start, end: frame.times.end }
}

impl Derived for FrameThreads {
    fn derive(index: &Index) -> Self {
        let (profile, frames) = (index.profile(), Frames::of(index));
        if !frames.list().iter().any(PageFrame::is_bad) {
            return Self::default();
        }
        let threads = profile.threads_with_ids().filter_map(|(id, thread)| Some((id, FramePart::of(thread)?)));
        let threads: Vec<(ThreadId, FramePart)> = threads.collect();
        let own = |(id, part): (ThreadId, FramePart)| (id, (part, BusyThread::new(profile, id)));
        Self(threads.into_par_iter().map(own).collect())
    }
}
