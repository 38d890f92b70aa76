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
//! - `tint`: a color word of [`COLOR_WORDS`](crate::colors::COLOR_WORDS).
//! - `fade`: the opacity (0 to 1) of the box from the start of the first such marker on.
//! - `before`, `after`: markers that precede or follow the flow; the others span its main interval.
//! - `until`: if the flow has such markers, its main interval ends with the last of them.
//! - `track`: the flows get a track of that name in the chart.
//! - `run`: only these markers of the flow are its run: intervals while they are active, instants until the next marker
//!   that runs, posts or ends the flow. `before` markers are never part of the run.
//! - `posts`: after these markers, the flow waits until its next run. Markers in `before` also post; those in `after`,
//!   `until` and `fade` do not.
//! - `once`, next to `rules`: markers that post something. A flow contains at most one marker of each item or, if the
//!   item is a list, of each stage, in the order of the stages; the next one begins another flow.
//!
//! Parsing never fails: invalid parts are ignored, each with a one-sentence message, and the rest applies.

mod appearance;
mod parse;
mod posted_name;
mod postings;
mod rule;
mod rule_matcher;
mod rule_names;
mod rule_parts;
mod rule_reader;
mod rule_set;
mod rule_values;
mod states;
#[cfg(test)]
mod tests;

pub use appearance::FlowAppearance;
pub(crate) use appearance::FlowPlacement;
pub(crate) use posted_name::POSTED_NAMES;
pub use posted_name::{PostedName, posted_name};
pub(crate) use postings::{Posting, Postings, Stages};
pub use rule::FlowRule;
pub(crate) use rule::LabelSource;
pub use rule_matcher::RuleMatcher;
pub(crate) use rule_matcher::{CompiledRule, sampled};
pub(crate) use rule_names::{MemberInfo, NameSet};
pub use rule_set::FlowRules;
pub(crate) use rule_values::{MAX_PAYLOADS, MAX_TRACE_PAYLOADS, field_text};
pub(crate) use states::{FlowState, StateNames, without_state};
