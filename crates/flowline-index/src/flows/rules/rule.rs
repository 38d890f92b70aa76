//! A flow rule: its conditions, and the appearance of matching flows.

use flowline_profile::persist::persist;

/// A rule: its conditions, and the appearance of matching flows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowRule {
    /// Empty if the rule has no name.
    pub(super) name: String,
    pub(crate) when: When,
    pub(crate) label: Vec<LabelSource>,
    pub(crate) prefix: String,
    pub(crate) thread: Vec<Pattern>,
    /// Palette entry.
    pub(crate) tint: Option<u8>,
    pub(crate) fade: Option<Fade>,
    pub(crate) before: Vec<Pattern>,
    pub(crate) after: Vec<Pattern>,
    pub(crate) until: Vec<Pattern>,
    pub(crate) run: Vec<Pattern>,
    pub(crate) posts: Vec<Pattern>,
    pub(super) track: Option<String>,
}

persist!(FlowRule { name, when, label, prefix, thread, tint, fade, before, after, until, run, posts, track });

/// Conditions of a rule; a condition that is `None` holds for all flows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct When {
    pub(crate) first: Option<Vec<Pattern>>,
    pub(crate) any: Option<Vec<Pattern>>,
    pub(crate) types: Option<Vec<Pattern>>,
    /// All must hold.
    pub(crate) values: Vec<ValueCondition>,
}

persist!(When { first, any, types, values });

impl When {
    /// True if there are no conditions.
    #[inline]
    pub(crate) const fn is_empty(&self) -> bool {
        self.first.is_none() && self.any.is_none() && self.types.is_none() && self.values.is_empty()
    }
}

/// A condition on a payload field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ValueCondition {
    /// Markers that may have the field; empty means the flow's first marker.
    pub(crate) marker: Vec<Pattern>,
    pub(crate) field: String,
    pub(crate) test: ValueTest,
}

persist!(ValueCondition { marker, field, test });

/// The test of a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ValueTest {
    /// Its formatted text matches one of the patterns.
    Is(Vec<Pattern>),
    /// Its number is between the limits, exclusively.
    Between(f64, f64),
}
persist!(enum ValueTest { 0 => Is(patterns), 1 => Between(above, below) });

/// The source of a label.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LabelSource {
    /// The payload field of a marker.
    Field { marker: Vec<Pattern>, field: String },
    /// A fixed text for all flows.
    Text(String),
    /// The payload field of a marker with one of `types` that begins or ends during a marker of the flow.
    During { during: Vec<Pattern>, types: Vec<Pattern>, field: String },
}
persist!(enum LabelSource { 0 => Field { marker, field }, 1 => Text(text), 2 => During { during, types, field } });

/// A change of opacity.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fade {
    pub(crate) from: Vec<Pattern>,
    /// 0 to 1.
    pub(crate) opacity: f32,
}

persist!(Fade { from, opacity });

/// A name with a `*` at its beginning, its end, both or neither.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(super) text: String,
    open_start: bool,
    open_end: bool,
}

persist!(Pattern { text, open_start, open_end });

impl Pattern {
    #[inline]
    pub(super) fn new(pattern: &str) -> Self {
        let (open_start, rest) = pattern.strip_prefix('*').map_or((false, pattern), |rest| (true, rest));
        let (open_end, text) = rest.strip_suffix('*').map_or((false, rest), |text| (true, text));
        Self { text: text.to_owned(), open_start, open_end }
    }

    /// True if a name matches.
    pub(crate) fn matches(&self, name: &str) -> bool {
        match (self.open_start, self.open_end) {
            (false, false) => name == self.text,
            (false, true) => name.starts_with(&self.text),
            (true, false) => name.ends_with(&self.text),
            (true, true) => name.contains(&self.text),
        }
    }

    /// The only name that matches; `None` if the pattern has a `*`.
    #[inline]
    pub(crate) fn only_name(&self) -> Option<&str> {
        (!self.open_start && !self.open_end).then_some(&self.text)
    }
}

impl FlowRule {
    /// Name of the rule; empty if it has none.
    #[must_use]
    #[inline]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Track of the matching flows, if the rule has one.
    #[must_use]
    #[inline]
    pub fn track(&self) -> Option<&str> {
        self.track.as_deref()
    }
}
