//! The answer of an insight for a page.

use super::fact::Facts;
use super::name::InsightName;
use crate::page_load::PageId;
use flowline_profile::{MarkerId, ProcessId, TimeRange};

/// The result of an insight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InsightState {
    /// Something was slow that need not be.
    Fail,
    /// Something to know.
    Informative,
    /// The recording lacks what is needed to tell.
    Unknown,
    /// All is well.
    Pass,
}

impl InsightState {
    /// Name in output and in the UI.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fail => "fail",
            Self::Informative => "informative",
            Self::Unknown => "unknown",
            Self::Pass => "pass",
        }
    }
}

/// The result of a rule for a period or a thread.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The result.
    pub state: InsightState,
    /// Reasons why it is unknown, or why parts of it are.
    pub unknown: Vec<String>,
    /// One line for people: the figures that matter.
    pub summary: String,
    /// Time in which it happened.
    pub range: Option<TimeRange>,
    /// The markers that it is about.
    pub markers: Vec<MarkerId>,
    /// The marker of the late moment, from which the critical path goes back.
    pub late: Option<MarkerId>,
    /// All facts.
    pub data: Facts,
}

impl Finding {
    /// A finding without details.
    #[must_use]
    pub fn new(state: InsightState, summary: impl Into<String>) -> Self {
        Self {
            state,
            unknown: Vec::new(),
            summary: summary.into(),
            range: None,
            markers: Vec::new(),
            late: None,
            data: Facts::new(),
        }
    }

    /// A finding that lacks something.
    #[must_use]
    pub fn unknown(reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self { unknown: vec![reason.clone()], ..Self::new(InsightState::Unknown, reason) }
    }

    /// The same with markers, without duplicates, by time as they are numbered.
    #[must_use]
    pub fn with_markers(self, markers: impl IntoIterator<Item = MarkerId>) -> Self {
        let mut markers: Vec<MarkerId> = markers.into_iter().collect();
        markers.sort_unstable();
        markers.dedup();
        Self { markers, ..self }
    }
}

/// An insight about a page.
#[derive(Clone, Debug, PartialEq)]
pub struct Insight {
    /// Which one.
    pub name: InsightName,
    /// Number of the navigation (Chrome); `None` before the first one.
    pub navigation: Option<u32>,
    /// The window (Firefox), if it is about one.
    pub page: PageId,
    /// The process (Firefox).
    pub process: Option<ProcessId>,
    /// The answer.
    pub finding: Finding,
}
