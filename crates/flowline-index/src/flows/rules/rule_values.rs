//! Payload access for flow rules: conditions on values, and fields of markers that begin or end during a marker.

use std::sync::OnceLock;

use super::rule::{ValueCondition, ValueTest};
use super::rule_names::{MemberInfo, NameSet};
use crate::flows::graph::times_of;
use flowline_profile::{
    Attributes, LocalMarker, MarkerId, MarkerTable, Ns, Profile, Supplement, ThreadId, Value, may_take_long,
};

/// Maximum number of markers whose payloads each condition and each label source decodes.
pub(crate) const MAX_PAYLOADS: usize = 16;
/// Maximum number of markers of a trace's flow whose payloads are searched for the posted name.
pub(crate) const MAX_TRACE_PAYLOADS: usize = 4;

/// A value condition with the names that its patterns match.
#[derive(Clone, Debug)]
pub(crate) struct CompiledValue {
    condition: ValueCondition,
    /// `None` means the flow's first marker.
    marker: Option<NameSet>,
}

impl CompiledValue {
    #[inline]
    pub(crate) fn new(condition: ValueCondition, profile: &Profile) -> Self {
        let names = || NameSet::resolve(&profile.strings, &condition.marker);
        Self { marker: (!condition.marker.is_empty()).then(names), condition }
    }

    /// True if a flow with these members satisfies the condition. The flow's first member comes first.
    pub(crate) fn holds(&self, profile: &Profile, members: impl Iterator<Item = MemberInfo>) -> bool {
        let ValueCondition { field, test, .. } = &self.condition;
        let holds = |member: MemberInfo| match test {
            ValueTest::Is(patterns) => field_text(profile, member, field)
                .is_some_and(|text| patterns.iter().any(|pattern| pattern.matches(&text))),
            ValueTest::Between(above, below) => {
                let payload = profile.payload(member.thread, member.local);
                let number = payload.get(field).and_then(Value::as_f64);
                number.is_some_and(|number| number > *above && number < *below)
            }
        };
        match &self.marker {
            None => members.take(1).any(holds),
            Some(names) => members.filter(|member| names.has(member.name)).take(MAX_PAYLOADS).any(holds),
        }
    }
}

/// The formatted value of a payload field; `None` if there is nothing to show.
pub(crate) fn field_text(profile: &Profile, member: MemberInfo, key: &str) -> Option<String> {
    text_in(profile, member, &profile.payload(member.thread, member.local), key)
}

/// The same for a payload that was read before.
pub(super) fn text_in(profile: &Profile, member: MemberInfo, payload: &Value, key: &str) -> Option<String> {
    let value = payload.get(key).filter(|value| !matches!(value, Value::Null | Value::Object(_)))?;
    if matches!(value, Value::String(text) if text.trim().is_empty()) {
        return None;
    }
    let field = profile.schema_of(member.thread, member.local).and_then(|schema| schema.field(key));
    let text = profile.field_text(member.thread, field.map(|field| &field.format), value, profile.clock());
    (!text.trim().is_empty()).then_some(text)
}

/// Threads with at least this many markers are scanned only where long work is allowed ([`may_take_long`]).
const LONG: usize = 1 << 16;

/// Markers with the times of their events, in time order.
type TimedEvents = Vec<(Ns, LocalMarker)>;

/// The markers of some payload types by the times of their events: start, end and, for a network request, the start of
/// the fetch. A thread is scanned on first use, because most flows are never shown and a cached index opens without
/// reading its markers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    /// True for each payload type that is included.
    types: Vec<bool>,
    /// By thread, in time order; empty if no type is included.
    threads: Vec<OnceLock<TimedEvents>>,
}

impl Events {
    /// Events of the markers whose payload type has a true entry in `types`.
    pub(crate) fn of_types(profile: &Profile, types: Vec<bool>) -> Self {
        if !types.contains(&true) {
            return Self::default();
        }
        Self { types, threads: profile.threads.iter().map(|_| OnceLock::new()).collect() }
    }

    /// Scans all threads.
    #[inline]
    pub(crate) fn prepare(&self, profile: &Profile) {
        (0..self.threads.len()).map(ThreadId::new).for_each(|thread| _ = self.of_thread(profile, thread));
    }

    /// Events of a thread in time order.
    #[inline]
    fn of_thread(&self, profile: &Profile, thread: ThreadId) -> &[(Ns, LocalMarker)] {
        let Some(slot) = self.threads.get(thread.index()) else { return &[] };
        let is_there = slot.get().is_some() || profile.thread(thread).markers.len() < LONG || may_take_long();
        if is_there { slot.get_or_init(|| self.read(&profile.thread(thread).markers)) } else { &[] }
    }

    fn read(&self, markers: &MarkerTable) -> TimedEvents {
        let attributes = markers.attributes();
        // Many markers share few attribute combinations, so most threads need no scan of their markers.
        let is_one = |own: &Attributes| own.kind().is_some_and(|kind| self.types.get(kind.index()) == Some(&true));
        let is_wanted: Vec<bool> = attributes.items().iter().map(is_one).collect();
        let mut events = Vec::new();
        if !is_wanted.contains(&true) {
            return events;
        }
        let numbers = attributes.numbers().enumerate().filter(|(_, number)| is_wanted[*number]);
        for marker in numbers.map(|(marker, _)| LocalMarker::new(marker)) {
            events.extend([markers.start(marker), markers.end(marker)].map(|time| (time, marker)));
            if let Some(Supplement::Network { fetch_start, .. }) = markers.supplement(marker) {
                events.push((fetch_start, marker));
            }
        }
        events.sort_unstable();
        events
    }

    /// Markers of the member's thread that have an event during the member.
    pub(crate) fn during<'a>(
        &'a self,
        profile: &Profile,
        member: MemberInfo,
    ) -> impl Iterator<Item = MemberInfo> + use<'a> {
        let events = self.of_thread(profile, member.thread);
        let times = times_of(profile, member.marker);
        let first = events.partition_point(|(time, _)| *time < times.start);
        let (thread, name) = (member.thread, member.name);
        let first_marker = profile.thread(thread).first_marker.0;
        events[first..].iter().take_while(move |(time, _)| *time <= times.end).map(move |(_, local)| MemberInfo {
            marker: MarkerId(first_marker + local.0),
            thread,
            local: *local,
            name,
        })
    }
}
