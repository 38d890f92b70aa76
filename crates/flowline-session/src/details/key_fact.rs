//! A fact shown first in the details, and a notice of harm.

use flowline_profile::MarkerId;

/// A fact shown first.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyFact {
    /// Value, such as "14.71 ms".
    pub value: String,
    /// Caption, with the share of the whole: "Self, 7.1%".
    pub caption: String,
    /// Share of the duration, 0 to 1, if the value is a part of it.
    pub share: Option<f64>,
    /// The value with all of its digits, if the shown one is rounded and nothing else states it; otherwise empty.
    pub exact: String,
}

impl KeyFact {
    /// A fact that is no part of anything.
    pub(super) fn whole(value: String, caption: &str) -> Self {
        Self { value, caption: caption.to_owned(), share: None, exact: String::new() }
    }

    /// A fact that is a part of a duration.
    pub(super) fn part(value: String, caption: &str, part: i64, whole: i64) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a share")]
        let share = (whole > 0).then(|| part as f64 / whole as f64);
        let caption = match share {
            Some(_) => format!("{caption}, {}", super::slice_details::percent_text(part, whole)),
            None => caption.to_owned(),
        };
        Self { value, caption, share, exact: String::new() }
    }
}

/// How bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Worth a look.
    Warn,
    /// Harmful.
    Bad,
}

/// A notice of harm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Banner {
    /// How bad it is.
    pub severity: Severity,
    /// The harm in words: "Part of a long task".
    pub text: String,
    /// Its extent: "blocks 163.80 ms"; empty if unknown.
    pub value: String,
    /// The marker to look at, if it is another one.
    pub marker: Option<MarkerId>,
}
