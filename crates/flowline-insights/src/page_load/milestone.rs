//! A milestone of a page load, and how it is rated.

use flowline_profile::{MarkerId, Ns, ThreadId};

/// The moment of a page load that a milestone marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MilestoneKind {
    /// The navigation began.
    Navigation,
    /// The first byte of the document arrived.
    FirstByte,
    /// Anything was painted.
    FirstPaint,
    /// Anything but the background was painted.
    FirstNonBlankPaint,
    /// Text or an image was painted.
    FirstContentfulPaint,
    /// That paint was on the screen.
    FirstContentfulComposite,
    /// The largest text or image was painted.
    LargestContentfulPaint,
    /// The document was parsed.
    DomInteractive,
    /// `DOMContentLoaded` was dispatched.
    DomContentLoaded,
    /// The document and its resources were complete.
    DomComplete,
    /// `load` was dispatched.
    Load,
    /// The page reacted quickly.
    TimeToInteractive,
    /// The page reacted quickly for the first time.
    TimeToFirstInteractive,
    /// Time by which long tasks exceeded 50 ms: a duration, not a moment.
    TotalBlockingTime,
    /// The paint after the interaction that rates the page.
    InteractionToNextPaint,
    /// A mark that the page itself made.
    Mark,
}

impl MilestoneKind {
    /// Name in machine-readable output and on flags.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Navigation => "navigation",
            Self::FirstByte => "TTFB",
            Self::FirstPaint => "FP",
            Self::FirstNonBlankPaint => "FNBP",
            Self::FirstContentfulPaint => "FCP",
            Self::FirstContentfulComposite => "FCC",
            Self::LargestContentfulPaint => "LCP",
            Self::DomInteractive => "DOMInteractive",
            Self::DomContentLoaded => "DCL",
            Self::DomComplete => "DOMComplete",
            Self::Load => "Load",
            Self::TimeToInteractive => "TTI",
            Self::TimeToFirstInteractive => "TTFI",
            Self::TotalBlockingTime => "TBT",
            Self::InteractionToNextPaint => "INP",
            Self::Mark => "mark",
        }
    }

    /// Name in sentences.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Navigation => "Navigation",
            Self::FirstByte => "First byte",
            Self::FirstPaint => "First paint",
            Self::FirstNonBlankPaint => "First non-blank paint",
            Self::FirstContentfulPaint => "First contentful paint",
            Self::FirstContentfulComposite => "First contentful composite",
            Self::LargestContentfulPaint => "Largest contentful paint",
            Self::DomInteractive => "DOM interactive",
            Self::DomContentLoaded => "DOM content loaded",
            Self::DomComplete => "DOM complete",
            Self::Load => "Load",
            Self::TimeToInteractive => "Time to interactive",
            Self::TimeToFirstInteractive => "Time to first interactive",
            Self::TotalBlockingTime => "Total blocking time",
            Self::InteractionToNextPaint => "Interaction to next paint",
            Self::Mark => "User mark",
        }
    }

    /// Rank among flags that collide, the most important first; `None` for milestones without a flag.
    #[must_use]
    pub const fn rank(self) -> Option<u8> {
        Some(match self {
            Self::LargestContentfulPaint => 0,
            Self::Load => 1,
            Self::FirstContentfulPaint => 2,
            Self::DomContentLoaded => 3,
            Self::InteractionToNextPaint => 4,
            Self::Mark => 5,
            Self::Navigation => 6,
            _ => return None,
        })
    }

    /// The last good and the last middling value in milliseconds, as browsers rate them.
    const fn bounds_ms(self) -> Option<[i64; 2]> {
        match self {
            Self::FirstContentfulPaint | Self::FirstContentfulComposite => Some([1_800, 3_000]),
            Self::LargestContentfulPaint => Some([2_500, 4_000]),
            Self::TimeToInteractive | Self::TimeToFirstInteractive => Some([3_800, 7_300]),
            Self::TotalBlockingTime => Some([200, 600]),
            Self::InteractionToNextPaint => Some([200, 500]),
            _ => None,
        }
    }

    /// The rating of a value; `None` for milestones that are not rated.
    #[must_use]
    pub fn rate(self, value: Ns) -> Option<Rating> {
        let [good, middling] = self.bounds_ms()?;
        Some(match value.0 {
            value if value <= good * 1_000_000 => Rating::Good,
            value if value <= middling * 1_000_000 => Rating::NeedsImprovement,
            _ => Rating::Poor,
        })
    }
}

/// How good a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rating {
    /// Good.
    Good,
    /// Needs improvement.
    NeedsImprovement,
    /// Poor.
    Poor,
}

impl Rating {
    /// Name in output and in the UI.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::NeedsImprovement => "needs improvement",
            Self::Poor => "poor",
        }
    }
}

/// The part of a browser that shows a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PageId {
    /// A frame of Chrome.
    Frame(String),
    /// A window of Firefox.
    Window(i64),
    /// Unknown.
    None,
}

/// A milestone of a page load.
#[derive(Clone, Debug, PartialEq)]
pub struct Milestone {
    /// The moment that it marks.
    pub kind: MilestoneKind,
    /// True for the milestones of a navigation without a new document.
    pub is_soft: bool,
    /// Its time; `None` if it is a duration or unknown.
    pub time: Option<Ns>,
    /// Time since the navigation.
    pub since: Option<Ns>,
    /// Value of a milestone that is a duration.
    pub value: Option<Ns>,
    /// Rating.
    pub rating: Option<Rating>,
    /// True for the page itself, false for a frame inside it.
    pub is_main: bool,
    /// Frame or window.
    pub page: PageId,
    /// Address of the document; empty if unknown.
    pub url: String,
    /// The thread of the marker.
    pub thread: ThreadId,
    /// The marker that states it.
    pub marker: Option<MarkerId>,
    /// Number of the navigation of the main frame that it belongs to.
    pub navigation: Option<u32>,
    /// True for a largest paint after which the recording ends so soon that a larger one may have followed.
    pub is_so_far: bool,
    /// True if the page was loaded before it was shown.
    pub is_prerendered: bool,
    /// True if the tab was in the background meanwhile; `None` if that is not recorded.
    pub inactive: Option<bool>,
    /// Reason why it is unknown.
    pub unknown: Option<String>,
    /// Name of a user mark; otherwise empty.
    pub mark: String,
}

impl Milestone {
    /// Text without the value: `LCP`, or the name of a mark.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.mark.is_empty() { self.kind.name() } else { &self.mark }
    }

    /// True if it has a flag over the chart: a moment of the page itself.
    #[must_use]
    pub fn has_flag(&self) -> bool {
        self.is_main && self.time.is_some() && self.kind.rank().is_some()
    }
}
