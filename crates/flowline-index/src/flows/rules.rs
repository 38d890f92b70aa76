//! Flow rules: a small JSON text that says how flows of a kind are shown. (`docs/flows.md` is the user's guide.)
//!
//! ```json
//! {"rules": [{
//!     "name": "ipc-message",
//!     "when": {"first": ["IPC", "IPCDispatch"], "any": ["Sync*"], "type": "IPCFlowMarker",
//!              "values": [{"marker": "IPCDispatch", "field": "name", "is": "PContent*"}, {"field": "size", "above": 1000}]},
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
//! Every member of a rule except `when` is optional. Markers are given by a pattern or a list of patterns. A pattern is a
//! name; a `*` at its end matches any ending, one at its beginning any beginning.
//!
//! - `when`: the conditions, all of which must hold. `first`: the name of the flow's first marker; `type`: the payload type
//!   of that marker; `any`: the name of any of the flow's markers; `values`: what payload fields hold. The first rule that
//!   matches a flow decides.
//! - A value condition names a `field`, and the `marker` that has it (by default the flow's first one). Its text must match
//!   the pattern `is`, or its number be `above` or `below` a limit.
//! - `label`: sources of the flow's label, tried in order: the payload `field` of the first `marker` of that name which has
//!   it, after the `prefix`; the same of a marker of a `type` that begins or ends `during` a marker of the flow, in its
//!   thread; or a fixed `text`. Addresses are shortened to host and end.
//! - `thread`: the flow belongs to the thread of the first such marker.
//! - `tint`: a colour word of [`COLOR_WORDS`](crate::style::COLOR_WORDS).
//! - `fade`: the opacity (0 to 1) of the box from the start of the first such marker on.
//! - `before`, `after`: markers that precede or follow the flow; the others span its main interval.
//! - `until`: if the flow has such markers, its main interval ends with the last of them.
//! - `track`: the flows get a track of that name in the chart.
//! - `run`: only these intervals of the flow are its run; elsewhere it waits. Markers that announce it (`before`) are no run.
//! - `once`, beside the rules: markers that post something. A flow holds at most one of each item, or of each stage of an item
//!   that is a list, in the order of the stages; the next one begins another flow.
//!
//! Parsing never fails: invalid parts are left out, each with a one-sentence message, and the rest applies.

mod parse;
#[cfg(test)]
mod tests;

use flowline_profile::persist::persist;

/// Flow rules in the order in which they are tried.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowRules {
    pub(super) rules: Vec<FlowRule>,
    /// Postings, each as its stages in order, each the names of its markers.
    once: Vec<Vec<Vec<Pattern>>>,
    /// Names of built-in rules that do not apply.
    disable: Vec<Pattern>,
}

persist!(FlowRules { rules, once, disable });

/// What `disable` calls the built-in list of postings.
const ONCE: &str = "once";

/// How the flows of a kind are shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowRule {
    /// Empty if it has none.
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

/// Which flows a rule is for; a condition that is `None` holds for all.
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
    /// Whether it has no condition.
    pub(super) const fn is_empty(&self) -> bool {
        self.first.is_none() && self.any.is_none() && self.types.is_none() && self.values.is_empty()
    }
}

/// What a payload field must hold.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ValueCondition {
    /// The markers that may have the field; empty stands for the flow's first marker.
    pub(super) marker: Vec<Pattern>,
    pub(super) field: String,
    pub(super) test: ValueTest,
}
persist!(ValueCondition { marker, field, test });

/// The test of a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ValueTest {
    /// Its text, as it is shown, matches one of the patterns.
    Is(Vec<Pattern>),
    /// Its number lies between the limits, exclusively.
    Between(f64, f64),
}
persist!(enum ValueTest { 0 => Is(patterns), 1 => Between(above, below) });

/// Where a label comes from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LabelSource {
    /// The payload field of a marker.
    Field { marker: Vec<Pattern>, field: String },
    /// The same for all flows.
    Text(String),
    /// The payload field of a marker of a type that begins or ends during a marker of the flow.
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

    /// Whether a name matches.
    pub(super) fn matches(&self, name: &str) -> bool {
        match (self.open_start, self.open_end) {
            (false, false) => name == self.text,
            (false, true) => name.starts_with(&self.text),
            (true, false) => name.ends_with(&self.text),
            (true, true) => name.contains(&self.text),
        }
    }

    /// The only name that matches, if there is only one.
    pub(super) fn only_name(&self) -> Option<&str> {
        (!self.open_start && !self.open_end).then_some(&self.text)
    }
}

impl FlowRule {
    /// What it is called; empty if it has no name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The track of its flows, if they have one of their own.
    #[must_use]
    pub fn track(&self) -> Option<&str> {
        self.track.as_deref()
    }
}

impl FlowRules {
    /// Reads rules; also returns one sentence for everything that was wrong with them.
    #[must_use]
    pub fn parse(text: &str) -> (Self, Vec<String>) {
        parse::parse(text)
    }

    /// The rules for well-known markers.
    #[must_use]
    pub fn built_in() -> Self {
        Self::parse(include_str!("default_rules.json")).0
    }

    /// These rules overridden by a user's: the user's are tried first, replace those of the same name, and may disable
    /// others by name.
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

    /// These rules without postings: only ends divide flows, as in other programs.
    #[must_use]
    pub fn without_postings(self) -> Self {
        Self { once: Vec::new(), ..self }
    }

    /// Whether two sets of rules make the same flows of a recording.
    #[must_use]
    pub fn same_flows(&self, other: &Self) -> bool {
        self.once == other.once
    }

    /// The postings: of each its stages in order, of each stage the names of its markers.
    pub(super) fn once(&self) -> &[Vec<Vec<Pattern>>] {
        &self.once
    }

    /// The rules in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &FlowRule> {
        self.rules.iter()
    }

    /// Number of rules.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}
