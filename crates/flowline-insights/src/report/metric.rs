//! A figure of a page load, with its value.

use super::metric_kind::MetricKind;
use crate::page_load::Rating;
use flowline_format::{format_count, format_fixed, format_whole_ms};
use flowline_profile::{MarkerId, Ns};

/// The value of a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MetricValue {
    /// A time.
    Time(Ns),
    /// A score.
    Score(f64),
    /// A number of things.
    Count(u64),
}

impl MetricValue {
    /// The value for people.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Self::Time(time) => format_whole_ms(time.0),
            Self::Score(score) => format_fixed(score, 3),
            Self::Count(count) => format_count(count),
        }
    }

    /// The value in the unit of budgets: milliseconds, a score, or a number.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of markers are far below 2^53")]
    pub fn in_budget_unit(self) -> f64 {
        match self {
            Self::Time(time) => time.as_ms(),
            Self::Score(score) => score,
            Self::Count(count) => count as f64,
        }
    }
}

/// A figure of a page load.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// Which one.
    pub kind: MetricKind,
    /// Its value; `None` if it is unknown.
    pub value: Option<MetricValue>,
    /// Its rating, if it has one.
    pub rating: Option<Rating>,
    /// The marker to look at: the late moment, or the longest of several things.
    pub marker: Option<MarkerId>,
    /// True if the recording ends too soon to know that no later moment would have counted instead.
    pub is_so_far: bool,
    /// Reason why it is unknown; empty if it is known.
    pub unknown: String,
    /// Values that the metric leaves out, if that is surprising; usually empty.
    pub note: String,
}

impl Metric {
    /// A figure that the recording does not tell.
    #[must_use]
    pub fn unknown(kind: MetricKind, reason: impl Into<String>) -> Self {
        Self {
            kind,
            value: None,
            rating: None,
            marker: None,
            is_so_far: false,
            unknown: reason.into(),
            note: String::new(),
        }
    }

    /// A figure without a rating.
    #[must_use]
    pub const fn known(kind: MetricKind, value: MetricValue, marker: Option<MarkerId>) -> Self {
        let unknown = String::new();
        Self { kind, value: Some(value), rating: None, marker, is_so_far: false, unknown, note: String::new() }
    }

    /// The same with a rating.
    #[must_use]
    pub fn rated(self, rating: Option<Rating>) -> Self {
        Self { rating, ..self }
    }

    /// The same with what it leaves out.
    #[must_use]
    pub fn noted(self, note: Option<String>) -> Self {
        Self { note: note.unwrap_or_default(), ..self }
    }

    /// The same, marked as known so far if it is known at all.
    #[must_use]
    pub fn so_far(self, is_so_far: bool) -> Self {
        Self { is_so_far: is_so_far && self.value.is_some(), ..self }
    }
}
