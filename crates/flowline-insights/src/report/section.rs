//! A section: a page load, or what lies outside of all of them.

use super::metric::Metric;
use super::metric_kind::MetricKind;
use crate::frames::FrameCounts;
use crate::page_load::{PageId, tab_of};
use flowline_index::Index;
use flowline_profile::{MarkerId, ProcessId, TabId, TimeRange};

/// What a section is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SectionKind {
    /// A navigation of Chrome to a new document.
    Hard,
    /// A navigation of Chrome without a new document.
    Soft,
    /// The time before the first navigation of Chrome.
    Before,
    /// A window of Firefox.
    Window,
    /// A process of Firefox without a window.
    Process,
}

impl SectionKind {
    /// Name in output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hard => "hard",
            Self::Soft => "soft",
            Self::Before => "before",
            Self::Window => "window",
            Self::Process => "process",
        }
    }
}

/// A section.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// What it is about.
    pub kind: SectionKind,
    /// Number of the navigation (Chrome).
    pub navigation: Option<u32>,
    /// The frame or window.
    pub page: PageId,
    /// The process (Firefox).
    pub process: Option<ProcessId>,
    /// Address of the document; empty if unknown.
    pub url: String,
    /// True for a page of the browser itself.
    pub is_of_browser: bool,
    /// True if the page was loaded before it was shown.
    pub is_prerendered: bool,
    /// Its time.
    pub times: TimeRange,
    /// The marker that states the navigation.
    pub marker: Option<MarkerId>,
    /// All figures, in the order of [`MetricKind::ALL`].
    pub metrics: Vec<Metric>,
    /// Its frames; `None` if the recording has none.
    pub frames: Option<FrameCounts>,
    /// Positions of its insights in the list of all insights: what failed first, what passed last.
    pub insights: Vec<usize>,
}

impl Section {
    /// A section that is not filled in yet.
    pub(super) fn new(kind: SectionKind, times: TimeRange) -> Self {
        Self {
            kind,
            navigation: None,
            page: PageId::None,
            process: None,
            url: String::new(),
            is_of_browser: false,
            is_prerendered: false,
            times,
            marker: None,
            metrics: Vec::new(),
            frames: None,
            insights: Vec::new(),
        }
    }

    /// The tab of its page, or of its process.
    #[must_use]
    pub fn tab(&self, index: &Index) -> Option<TabId> {
        let tabs = index.pages().tabs();
        let tab = match self.page {
            PageId::None => self.process.and_then(|process| tabs.of_process(process)),
            _ => tab_of(tabs, &self.page),
        };
        tab.map(|tab| tab.id)
    }

    /// A figure.
    #[must_use]
    pub fn metric(&self, kind: MetricKind) -> Option<&Metric> {
        self.metrics.iter().find(|own| own.kind == kind)
    }

    /// True for a page load, not what lies outside of them.
    #[must_use]
    pub const fn is_page(&self) -> bool {
        matches!(self.kind, SectionKind::Hard | SectionKind::Soft | SectionKind::Window)
    }
}
