//! Appearance of a flow: its label, thread, color and main interval.
//!
//! The flow's first marker determines the appearance unless a rule matches. A rule examines only the first and last
//! [`SAMPLED_MEMBERS`] markers of the flow and the one that ends last.

use std::collections::HashMap;

use super::posted_name::posted_name;
use super::rule::LabelSource;
use super::rule_matcher::{CompiledRule, RuleMatcher, SAMPLED_MEMBERS, sampled};
use super::rule_names::MemberInfo;
use super::rule_values::{MAX_PAYLOADS, MAX_TRACE_PAYLOADS, field_text};
use super::states::without_state;
use crate::Styles;
use crate::flows::graph::{FlowGraph, times_of};
use crate::flows::ids::short_address;
use flowline_profile::text::{LabelKind, format_value, is_resource_key};
use flowline_profile::{Field, FlowId, MarkerId, Ns, Profile, ThreadId, TimeRange, Value};

/// Maximum length of a label in characters; longer labels are truncated.
const MAX_LABEL_CHARS: usize = 160;

/// Appearance of a flow.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowAppearance {
    /// One line of text, never empty.
    pub label: String,
    /// Label of the field by which the first marker references the flow, for example `Flow`.
    pub field: String,
    /// The thread to which the flow belongs.
    pub thread: ThreadId,
    /// Palette entry.
    pub color: u8,
    /// The main interval, drawn as a box. It is within the flow's range; lines connect it to the markers outside.
    pub main: TimeRange,
    /// Opacity of the box (0 to 1) from this time on.
    pub fade: Option<(Ns, f32)>,
    /// True if a rule describes the main interval, its fade or its tint, so that the flow is drawn as a box.
    pub is_boxed: bool,
}

/// The appearance of a flow without texts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlowPlacement {
    pub(crate) thread: ThreadId,
    pub(crate) color: u8,
    pub(crate) range: TimeRange,
    pub(crate) main: TimeRange,
    pub(crate) fade: Option<(Ns, f32)>,
    pub(crate) is_boxed: bool,
}

/// The members that a rule examines: the sampled ones and the one that ends last, which the main interval needs.
#[inline]
fn looked_at(profile: &Profile, flows: &FlowGraph, flow: FlowId) -> Vec<MemberInfo> {
    let members = flows.members(flow);
    let last = flows.flows.last.get(flow.index()).copied().filter(|_| members.len() > 2 * SAMPLED_MEMBERS);
    sampled(members).chain(last).filter_map(|marker| MemberInfo::new(profile, marker)).collect()
}

impl RuleMatcher {
    /// Placement of a flow by the number of its matching rule.
    pub(crate) fn placement(
        &self,
        profile: &Profile,
        flows: &FlowGraph,
        styles: &Styles,
        (flow, rule): (FlowId, usize),
    ) -> FlowPlacement {
        let members = looked_at(profile, flows, flow);
        let range = flows.range(profile, flow);
        let Some(first) = members.first() else {
            return FlowPlacement {
                thread: ThreadId::default(),
                color: 0,
                range,
                main: range,
                fade: None,
                is_boxed: false,
            };
        };
        self.rules[rule].place(profile, &members, first.plain(styles, range))
    }

    /// Appearance of a flow under these rules.
    #[must_use]
    pub fn appearance(&self, profile: &Profile, flows: &FlowGraph, styles: &Styles, flow: FlowId) -> FlowAppearance {
        let members = flows.members(flow);
        let range = flows.range(profile, flow);
        let Some(first) = members.first().and_then(|marker| MemberInfo::new(profile, *marker)) else {
            let (label, field) = (one_line(""), "Flow".to_owned());
            let thread = ThreadId::default();
            return FlowAppearance { label, field, thread, color: 0, main: range, fade: None, is_boxed: false };
        };
        let id = flows.id_text(profile, flow);
        let field = naming_field(profile, first, &id);
        let plain = first.plain(styles, range);
        let number = self.matching_rule(profile, flows, flow);
        let rule = number.map(|number| &self.rules[number]);
        let own = || match flows.explicit_name(profile, flow) {
            "" => posted_label(rule, profile, members, first, &id).unwrap_or_else(|| own_label(profile, first, &id)),
            name => explicit_label(profile, members, first, name),
        };
        let (label, placed) = match rule {
            None => (own(), plain),
            Some(rule) => {
                let members = looked_at(profile, flows, flow);
                (rule.label(profile, &members).unwrap_or_else(own), rule.place(profile, &members, plain))
            }
        };
        let FlowPlacement { thread, color, main, fade, is_boxed, .. } = placed;
        FlowAppearance { label, field, thread, color, main, fade, is_boxed }
    }
}

impl MemberInfo {
    /// Placement, without a rule, of a flow with this first member and range.
    #[inline]
    fn plain(&self, styles: &Styles, range: TimeRange) -> FlowPlacement {
        let color = styles.get(self.marker).color();
        FlowPlacement { thread: self.thread, color, range, main: range, fade: None, is_boxed: false }
    }
}

impl CompiledRule {
    /// Placement of a flow with these members; `plain` is its placement without the rule.
    fn place(&self, profile: &Profile, members: &[MemberInfo], plain: FlowPlacement) -> FlowPlacement {
        let owner = members.iter().find(|member| self.thread.has(member.name));
        FlowPlacement {
            thread: owner.map_or(plain.thread, |member| member.thread),
            color: self.rule.tint.unwrap_or(plain.color),
            range: plain.range,
            main: self.main(profile, members).unwrap_or(plain.range),
            fade: self.fade(profile, members),
            is_boxed: self.has_box(),
        }
    }

    /// True if the rule describes the flow's box: its extent, fade or tint.
    #[inline]
    fn has_box(&self) -> bool {
        let names = [&self.before, &self.after, &self.until, &self.fade];
        self.rule.tint.is_some() || names.into_iter().any(|names| !names.is_empty())
    }

    /// Label from the first source that provides one.
    fn label(&self, profile: &Profile, members: &[MemberInfo]) -> Option<String> {
        let labelled = |value: &str| one_line(&format!("{}{}", self.rule.prefix, short_address(value)));
        self.rule.label.iter().zip(&self.label).find_map(|(source, (names, events))| {
            let markers = || members.iter().filter(|member| names.has(member.name)).take(MAX_PAYLOADS).copied();
            match source {
                LabelSource::Text(text) => Some(one_line(text)),
                LabelSource::Field { field, .. } => {
                    markers().find_map(|member| field_text(profile, member, field)).map(|value| labelled(&value))
                }
                LabelSource::During { field, .. } => markers()
                    .flat_map(|member| events.during(profile, member))
                    .take(MAX_PAYLOADS)
                    .find_map(|member| field_text(profile, member, field))
                    .map(|value| labelled(&value)),
            }
        })
    }

    /// Address or file from which the label is derived.
    pub(crate) fn address(&self, profile: &Profile, members: &[MemberInfo]) -> Option<String> {
        self.rule.label.iter().zip(&self.label).find_map(|(source, (names, events))| match source {
            LabelSource::During { field, .. } if is_resource_key(&field.to_lowercase()) => {
                let markers = members.iter().filter(|member| names.has(member.name)).take(MAX_PAYLOADS);
                let during = markers.flat_map(|member| events.during(profile, *member)).take(MAX_PAYLOADS);
                during.into_iter().find_map(|member| field_text(profile, member, field))
            }
            _ => None,
        })
    }

    /// Union of the markers that are neither `before` nor `after`, up to the last `until` marker; `None` means the
    /// whole range.
    fn main(&self, profile: &Profile, members: &[MemberInfo]) -> Option<TimeRange> {
        if self.before.is_empty() && self.after.is_empty() && self.until.is_empty() {
            return None;
        }
        let is_main = |member: &&MemberInfo| !self.before.has(member.name) && !self.after.has(member.name);
        let is_last = |member: &&MemberInfo| self.until.has(member.name);
        let times = |member: &MemberInfo| times_of(profile, member.marker);
        let main = members.iter().filter(is_main).map(times).reduce(TimeRange::union)?;
        let until = members.iter().filter(is_last).map(|member| times(member).end).max();
        Some(TimeRange { start: main.start, end: until.map_or(main.end, |until| until.max(main.start)) })
    }

    #[inline]
    fn fade(&self, profile: &Profile, members: &[MemberInfo]) -> Option<(Ns, f32)> {
        let from = members.iter().find(|member| self.fade.has(member.name))?;
        Some((times_of(profile, from.marker).start, self.rule.fade.as_ref()?.opacity))
    }
}

/// Label of the posted work, if the first marker of a flow only announces it: the name of the runnable or task in a
/// field of its markers, else the label of the first running marker.
fn posted_label(
    rule: Option<&CompiledRule>,
    profile: &Profile,
    members: &[MarkerId],
    first: MemberInfo,
    id: &str,
) -> Option<String> {
    let announces = |member: &MemberInfo| {
        let is_instant = profile.thread(member.thread).markers.is_instant(member.local);
        rule.map_or(is_instant, |rule| rule.before.has(member.name))
    };
    if !announces(&first) {
        return None;
    }
    let others = || {
        let members = sampled(members).filter_map(|marker| MemberInfo::new(profile, marker));
        members.filter(|member| member.name != first.name && !announces(member))
    };
    let named = |member: MemberInfo| posted_name(profile, member.thread, member.local);
    if let Some(posted) = others().take(MAX_PAYLOADS).find_map(named) {
        return Some(one_line(&short_address(&posted.name)));
    }
    // Without a rule, the first marker is as important as the others.
    let ran =
        rule.and_then(|_| others().find(|member| !profile.thread(member.thread).markers.is_instant(member.local)));
    ran.map(|ran| own_label(profile, ran, id))
}

/// Label of a flow's first marker. Firefox's generic flow markers repeat the id after the name; such a label is reduced
/// to the name.
fn own_label(profile: &Profile, first: MemberInfo, id: &str) -> String {
    let name = profile.marker_name(first.thread, first.local);
    let label = profile.marker_label(LabelKind::Chart, first.thread, first.local, profile.clock());
    let rest = label.strip_prefix(name).and_then(|rest| rest.strip_suffix(")"));
    let repeats = rest.and_then(|rest| rest.strip_suffix(id)).is_some_and(|rest| {
        rest.strip_prefix(" (").and_then(|rest| rest.strip_suffix('=')).is_some_and(|key| !key.contains(['(', ' ']))
    });
    one_line(without_state(if repeats { name } else { &label }))
}

/// The flow's name in the recording, followed by the posted name, else by the name of its first marker if that differs.
fn explicit_label(profile: &Profile, members: &[MarkerId], first: MemberInfo, name: &str) -> String {
    let members = sampled(members).filter_map(|marker| MemberInfo::new(profile, marker));
    let posted = |member: MemberInfo| posted_name(profile, member.thread, member.local);
    if let Some(posted) = members.take(MAX_TRACE_PAYLOADS).find_map(posted) {
        return one_line(&format!("{name}: {}", posted.name));
    }
    let marker = profile.marker_name(first.thread, first.local);
    if marker == name { one_line(name) } else { one_line(&format!("{name}: {marker}")) }
}

/// Label of the field by which a marker references an id.
fn naming_field(profile: &Profile, first: MemberInfo, id: &str) -> String {
    let schema = profile.schema_of(first.thread, first.local);
    let fields: Vec<&Field> = schema.map(|schema| schema.flow_fields().collect()).unwrap_or_default();
    let named = match fields[..] {
        [] | [_] => fields.first(),
        _ => {
            let payload = profile.payload(first.thread, first.local);
            let strings = profile.strings_of(first.thread);
            // A marker may be in ten thousand flows, so a map replaces linear search of its fields.
            let members: &[(String, Value)] = if let Value::Object(members) = &payload { members } else { &[] };
            let given: HashMap<&str, &Value> = members.iter().map(|(key, value)| (key.as_str(), value)).collect();
            let names = |field: &&&Field| match given.get(field.key.as_str()) {
                None | Some(Value::Null) => false,
                Some(Value::List(ids)) => ids.iter().any(|one| format_value(&field.format, one, &strings) == id),
                Some(value) => format_value(&field.format, value, &strings) == id,
            };
            fields.iter().find(names).or(fields.first())
        }
    };
    named.map_or_else(|| "Flow".to_owned(), |field| field.label.clone())
}

/// The text as one line of at most [`MAX_LABEL_CHARS`] characters, never empty.
fn one_line(text: &str) -> String {
    let is_space = |letter: char| letter.is_whitespace() || letter.is_control();
    let mut line = String::new();
    let mut letters = 0;
    for word in text.split(is_space).filter(|word| !word.is_empty()) {
        let gap = (!line.is_empty()).then_some(' ');
        for letter in gap.into_iter().chain(word.chars()) {
            if letters == MAX_LABEL_CHARS {
                line.pop();
                line.push('…');
                return line;
            }
            line.push(letter);
            letters += 1;
        }
    }
    if line.is_empty() { "(unnamed)".to_owned() } else { line }
}
