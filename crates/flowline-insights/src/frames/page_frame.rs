//! A frame that a page showed, or failed to show.

use flowline_profile::{MarkerId, Ns, ProcessId, TabId, ThreadId, TimeRange};

/// The outcome of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FrameState {
    /// It was shown.
    Shown,
    /// It was dropped.
    Dropped,
    /// It was shown without the changes of the main thread.
    Partial,
    /// Nothing was to be shown.
    Idle,
    /// No frame was shown in an interval of the display, although there was something to show (Firefox).
    Missed,
}

impl FrameState {
    /// Name in output and, capitalized, in the UI.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shown => "shown",
            Self::Dropped => "dropped",
            Self::Partial => "partial",
            Self::Idle => "idle",
            Self::Missed => "missed",
        }
    }

    /// Name in the UI.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Shown => "Shown",
            Self::Dropped => "Dropped",
            Self::Partial => "Partly shown",
            Self::Idle => "Idle",
            Self::Missed => "Missed",
        }
    }
}

/// Why an interval of the display passed without a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MissedReason {
    /// The compositor skipped it.
    Skipped,
    /// The compositor was still at work on the frame before.
    CompositorBusy,
    /// The content of a page was on its way.
    ContentPending,
}

impl MissedReason {
    /// Name in output and in the UI.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Skipped => "skipped",
            Self::CompositorBusy => "compositor busy",
            Self::ContentPending => "content pending",
        }
    }
}

/// A frame.
#[derive(Clone, Debug, PartialEq)]
pub struct PageFrame {
    /// Number that the browser gave it (Chrome).
    pub sequence: Option<i64>,
    /// Its outcome.
    pub state: FrameState,
    /// Its times. Frames of Chrome are shown from their start to their end; those of Firefox are made meanwhile.
    pub times: TimeRange,
    /// True if it came later than the display could have shown it.
    pub is_late: bool,
    /// Why no frame was shown.
    pub reason: Option<MissedReason>,
    /// Number of changes of content that it showed first (Firefox).
    pub content: Option<u32>,
    /// Start of the oldest of these (Firefox).
    pub content_start: Option<Ns>,
    /// Start of compositing (Firefox).
    pub composite_start: Option<Ns>,
    /// The refresh of the display that it belongs to (Firefox).
    pub vsync: Option<Ns>,
    /// Number of the main thread's frame that it shows (Chrome).
    pub main_frame: Option<i64>,
    /// The work of a main thread that it shows first: from its trigger to its commit (Chrome), or the tick that made the
    /// oldest content (Firefox).
    pub main_work: Option<(ThreadId, TimeRange)>,
    /// The browser's own report about the frame's way through its pipeline (Chrome).
    pub report: Option<MarkerId>,
    /// The process of the page that it presents.
    pub page: Option<ProcessId>,
    /// The tab of that page (Firefox); `None` for what only the browser itself shows.
    pub tab: Option<TabId>,
    /// The thread of its marker.
    pub thread: ThreadId,
    /// The marker that states it.
    pub marker: MarkerId,
    /// Other markers that it consists of.
    pub markers: Vec<MarkerId>,
}

impl PageFrame {
    /// A frame of which only its times are known.
    #[must_use]
    pub(super) const fn new(state: FrameState, times: TimeRange, thread: ThreadId, marker: MarkerId) -> Self {
        Self {
            sequence: None,
            state,
            times,
            is_late: false,
            reason: None,
            content: None,
            content_start: None,
            composite_start: None,
            vsync: None,
            main_frame: None,
            main_work: None,
            report: None,
            page: None,
            tab: None,
            thread,
            marker,
            markers: Vec::new(),
        }
    }

    /// True for frames that a user sees as a stutter: late, dropped or missed.
    #[must_use]
    pub const fn is_bad(&self) -> bool {
        self.is_late || matches!(self.state, FrameState::Dropped | FrameState::Missed)
    }

    /// Number of refreshes of the display that passed meanwhile, without the one that showed it.
    #[must_use]
    pub fn missed_refreshes(&self, budget: Ns) -> u64 {
        let length = u64::try_from(self.times.len()).unwrap_or(0);
        let budget = u64::try_from(budget.0).unwrap_or(0).max(1);
        ((length + budget / 2) / budget).saturating_sub(1)
    }
}
