//! Flow rules: a small JSON file that determines how flows are labeled and drawn. (`docs/flows.md` is the user guide.)
//!
//! ```json
//! {"rules": [{
//!     "name": "ipc-message",
//!     "when": {"first": ["IPC", "IPCDispatch"], "any": ["Sync*"], "type": "IPCFlowMarker",
//!              "values": [{"marker": "IPCDispatch", "field": "name", "is": "PContent*"},
//!                         {"field": "size", "above": 1000}]},
//!     "label": [{"marker": "IPCDispatch", "field": "name"}, {"during": "IPC", "type": "Network", "field": "URI"},
//!               {"text": "Message"}],
//!     "prefix": "IPC ",
//!     "thread": "IPCDispatch",
//!     "tint": "teal",
//!     "fade": {"from": "IPCDispatch", "opacity": 0.4},
//!     "before": "IPC",
//!     "after": ["~Message*"],
//!     "until": "Reply",
//!     "track": "IPC messages"
//!  }],
//!  "once": ["JS::EnqueueJob", ["AddScriptRunner", ["PutEvent", "AddTask"]]],
//!  "disable": ["name of a built-in rule"]}
//! ```
//!
//! All keys of a rule except `when` are optional. Markers are given by a pattern or a list of patterns. A pattern is a
//! name; a `*` at its end matches any suffix, a `*` at its beginning any prefix.
//!
//! - `when`: the conditions, all of which must hold. `first`: the name of the flow's first marker; `type`: the payload
//!   type of that marker; `any`: the name of any of the flow's markers; `values`: conditions on payload fields. The
//!   first rule that matches a flow applies.
//! - A value condition names a `field` and the `marker` that has it (by default the flow's first one). Its text must
//!   match the pattern `is`, or its number must be `above` or `below` a limit.
//! - `label`: sources of the flow's label, tried in order: the payload `field` of the first `marker` of that name which
//!   has it, after the `prefix`; the same field of a marker of a `type` that begins or ends `during` a marker of the
//!   flow, in its thread; or a fixed `text`. Addresses are shortened to host and tail.
//! - `thread`: the flow belongs to the thread of the first such marker.
//! - `tint`: a color word of [`COLOR_WORDS`](crate::style::COLOR_WORDS).
//! - `fade`: the opacity (0 to 1) of the box from the start of the first such marker on.
//! - `before`, `after`: markers that precede or follow the flow; the others span its main interval.
//! - `until`: if the flow has such markers, its main interval ends with the last of them.
//! - `track`: the flows get a track of that name in the chart.
//! - `run`: only these intervals of the flow are its run; otherwise it waits. `before` markers are never part of the
//!   run.
//! - `once`, next to `rules`: markers that post something. A flow contains at most one marker of each item or, if the
//!   item is a list, of each stage, in the order of the stages; the next one begins another flow.
//!
//! Parsing never fails: invalid parts are ignored, each with a one-sentence message, and the rest applies.

mod parse;
#[cfg(test)]
mod tests;

use flowline_profile::persist::persist;

/// Flow rules in matching order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowRules {
    pub(super) rules: Vec<FlowRule>,
    /// Postings, each a list of stages in order, each a list of marker names.
    once: Vec<Vec<Vec<Pattern>>>,
    /// Names of disabled built-in rules.
    disable: Vec<Pattern>,
}

persist!(FlowRules { rules, once, disable });

/// Name of the built-in list of postings in `disable`.
const ONCE: &str = "once";

/// A rule: its conditions, and the appearance of matching flows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowRule {
    /// Empty if the rule has no name.
    name: String,
    pub(super) when: When,
    pub(super) label: Vec<LabelSource>,
    pub(super) prefix: String,
    pub(super) thread: Vec<Pattern>,
    /// Palette entry.
    pub(super) tint: Option<u8>,
    pub(super) fade: Option<Fade>,
    pub(super) before: Vec<Pattern>,
    pub(super) after: Vec<Pattern>,
    pub(super) until: Vec<Pattern>,
    pub(super) run: Vec<Pattern>,
    track: Option<String>,
}
persist!(FlowRule { name, when, label, prefix, thread, tint, fade, before, after, until, run, track });

/// Conditions of a rule; a condition that is `None` holds for all flows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct When {
    pub(super) first: Option<Vec<Pattern>>,
    pub(super) any: Option<Vec<Pattern>>,
    pub(super) types: Option<Vec<Pattern>>,
    /// All must hold.
    pub(super) values: Vec<ValueCondition>,
}
persist!(When { first, any, types, values });

impl When {
    /// True if there are no conditions.
    pub(super) const fn is_empty(&self) -> bool {
        self.first.is_none() && self.any.is_none() && self.types.is_none() && self.values.is_empty()
    }
}

/// A condition on a payload field.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ValueCondition {
    /// Markers that may have the field; empty means the flow's first marker.
    pub(super) marker: Vec<Pattern>,
    pub(super) field: String,
    pub(super) test: ValueTest,
}
persist!(ValueCondition { marker, field, test });

/// The test of a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ValueTest {
    /// Its formatted text matches one of the patterns.
    Is(Vec<Pattern>),
    /// Its number is between the limits, exclusively.
    Between(f64, f64),
}
persist!(enum ValueTest { 0 => Is(patterns), 1 => Between(above, below) });

/// The source of a label.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LabelSource {
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
pub(super) struct Fade {
    pub(super) from: Vec<Pattern>,
    /// 0 to 1.
    pub(super) opacity: f32,
}
persist!(Fade { from, opacity });

/// A name with a `*` at its beginning, its end, both or neither.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    text: String,
    open_start: bool,
    open_end: bool,
}
persist!(Pattern { text, open_start, open_end });

impl Pattern {
    fn new(pattern: &str) -> Self {
        let (open_start, rest) = pattern.strip_prefix('*').map_or((false, pattern), |rest| (true, rest));
        let (open_end, text) = rest.strip_suffix('*').map_or((false, rest), |text| (true, text));
        Self { text: text.to_owned(), open_start, open_end }
    }

    /// True if a name matches.
    pub(super) fn matches(&self, name: &str) -> bool {
        match (self.open_start, self.open_end) {
            (false, false) => name == self.text,
            (false, true) => name.starts_with(&self.text),
            (true, false) => name.ends_with(&self.text),
            (true, true) => name.contains(&self.text),
        }
    }

    /// The only name that matches; `None` if the pattern has a `*`.
    pub(super) fn only_name(&self) -> Option<&str> {
        (!self.open_start && !self.open_end).then_some(&self.text)
    }
}

impl FlowRule {
    /// Name of the rule; empty if it has none.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Track of the matching flows, if the rule has one.
    #[must_use]
    pub fn track(&self) -> Option<&str> {
        self.track.as_deref()
    }
}

impl FlowRules {
    /// Parses rules; also returns a one-sentence message for each problem.
    #[must_use]
    pub fn parse(text: &str) -> (Self, Vec<String>) {
        parse::parse(text)
    }

    /// The rules for well-known markers.
    #[must_use]
    pub fn built_in() -> Self {
        Self::parse(include_str!("default_rules.json")).0
    }

    /// These rules with a user's overrides: the user's rules are tried first, replace those of the same name, and may
    /// disable others by name.
    #[must_use]
    pub fn with_user(self, user: Self) -> Self {
        let stays = |rule: &FlowRule| {
            let is_replaced = user.rules.iter().any(|own| !own.name.is_empty() && own.name == rule.name);
            !is_replaced && !user.disable.iter().any(|pattern| pattern.matches(&rule.name))
        };
        let kept: Vec<FlowRule> = self.rules.into_iter().filter(stays).collect();
        let mut rules = user.rules;
        rules.extend(kept);
        let mut once = user.once;
        if !user.disable.iter().any(|pattern| pattern.matches(ONCE)) {
            once.extend(self.once);
        }
        Self { rules, once, disable: Vec::new() }
    }

    /// These rules without postings: only terminating fields split flows, as in other programs.
    #[must_use]
    pub fn without_postings(self) -> Self {
        Self { once: Vec::new(), ..self }
    }

    /// True if both sets of rules yield the same flows for a recording.
    #[must_use]
    pub fn same_flows(&self, other: &Self) -> bool {
        self.once == other.once
    }

    /// Postings, each a list of stages in order, each a list of marker names.
    pub(super) fn once(&self) -> &[Vec<Vec<Pattern>>] {
        &self.once
    }

    /// Rules in matching order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &FlowRule> {
        self.rules.iter()
    }

    /// Number of rules.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// True if there are no rules.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}
