//! A term compiled for a profile.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::candidate_payloads::CandidatePayloads;
use super::fields::{SearchedFields, field_choice, without_schema};
use super::text::is_category;
use super::work::WorkTest;
use crate::flows::FlowGraph;
use crate::nesting::self_times;
use crate::search::number::{FieldUnit, NumberRange};
use crate::search::query::{MarkerTime, Term, Test};
use flowline_profile::{
    Attributes, DisplayClock, LocalMarker, MESSAGE_ENDS, MarkerId, Ns, Profile, Thread, ThreadId, TimeRange,
};

/// A term with its results for names, categories, types, and threads.
pub(super) struct CompiledTerm<'a> {
    /// The term of the query.
    pub(super) asked: &'a Term,
    /// The term as tested.
    pub(super) term: Cow<'a, Term>,
    /// True if the test must fail.
    pub(super) negated: bool,
    /// The clock of the times that the term states.
    pub(super) clock: DisplayClock,
    by_name: Vec<bool>,
    by_category: Vec<bool>,
    by_type: Vec<bool>,
    by_thread: Vec<bool>,
    /// For each type, the fields to search.
    pub(super) fields: Vec<SearchedFields>,
    /// The fields to search in payloads without a type.
    pub(super) untyped: SearchedFields,
    /// The markers of the flows that match a flow term, ascending; otherwise empty.
    pub(super) members: Vec<MarkerId>,
    /// The test for a kind of work, which is the whole term then.
    work: Option<WorkTest<'a>>,
    /// True if a number can contain the text.
    pub(super) numbers: bool,
    /// The payloads that remain after filtering, if there is a filter.
    kept: Option<CandidatePayloads>,
    /// For each thread and marker, true if the self time is in the range. Computed on first use.
    self_times: Vec<OnceLock<Vec<bool>>>,
}

impl<'a> CompiledTerm<'a> {
    pub(super) fn new(profile: &'a Profile, flows: &FlowGraph, asked: &'a Term, clock: DisplayClock) -> Self {
        let members = match &asked.test {
            Test::Flow(name) => members(profile, flows, name),
            _ => Vec::new(),
        };
        if !members.is_empty() || matches!(asked.test, Test::Time { .. }) {
            return Self::without_texts(profile, asked, members, clock);
        }
        if let Some(work) = WorkTest::new(profile, asked) {
            return Self { work: Some(work), ..Self::without_texts(profile, asked, members, clock) };
        }
        let term = match &asked.test {
            // No flow matches, so `flow` is treated as the key of a field.
            Test::Flow(name) => {
                let text = name.to_string().to_lowercase();
                Cow::Owned(Term { test: Test::Field { key: "flow".into(), text, whole: false }, ..asked.clone() })
            }
            _ => Cow::Borrowed(asked),
        };
        let found = |key: &str, text: &str| {
            let tests = term.tests(key);
            term.found(tests, text.as_bytes())
        };
        let by_category: Vec<bool> = profile
            .categories
            .iter()
            .map(|category| found("cat", &category.name) || is_category(&term, &category.name))
            .collect();
        let by_type: Vec<bool> =
            profile.types.iter().map(|(_, kind)| found("type", profile.strings.get(kind.name))).collect();
        Self {
            asked,
            negated: asked.negated,
            clock,
            by_name: profile.strings.iter().map(|(_, text)| found("name", text)).collect(),
            by_category,
            by_type,
            by_thread: profile.threads_with_ids().map(|(id, _)| of_thread(profile, id, &term)).collect(),
            fields: profile.types.iter().map(|(id, _)| field_choice(profile, id, &term)).collect(),
            untyped: without_schema(&term),
            members,
            work: None,
            numbers: term.can_be_number(),
            self_times: Vec::new(),
            kept: None,
            term,
        }
    }

    /// A term that matches flows or tests a time of the marker. Names, categories, and payloads are irrelevant.
    fn without_texts(profile: &Profile, asked: &'a Term, members: Vec<MarkerId>, clock: DisplayClock) -> Self {
        let is_self = matches!(asked.test, Test::Time { of: MarkerTime::SelfTime, .. });
        Self {
            asked,
            term: Cow::Borrowed(asked),
            negated: asked.negated,
            clock,
            by_name: Vec::new(),
            by_category: Vec::new(),
            by_type: Vec::new(),
            by_thread: Vec::new(),
            fields: vec![SearchedFields::None; profile.types.len()],
            untyped: SearchedFields::None,
            members,
            work: None,
            numbers: false,
            kept: None,
            self_times: if is_self { profile.threads.iter().map(|_| OnceLock::new()).collect() } else { Vec::new() },
        }
    }

    /// True if the result for some markers depends on their payloads.
    #[inline]
    pub(super) fn looks_at_payloads(&self) -> bool {
        self.untyped != SearchedFields::None || self.fields.iter().any(|choice| *choice != SearchedFields::None)
    }

    /// True if the term tests a process of a message, which the text of the payload does not name.
    #[inline]
    pub(super) fn tests_message_end(&self) -> bool {
        self.term.test.key().is_some_and(|key| MESSAGE_ENDS.contains(&key))
    }

    /// The payloads that are read, if there is a filter.
    #[inline]
    pub(super) const fn kept(&self) -> Option<&CandidatePayloads> {
        self.kept.as_ref()
    }

    /// Restricts the payloads that are read from now on; `None` reads all.
    #[inline]
    pub(super) fn set_kept(&mut self, kept: Option<CandidatePayloads>) {
        self.kept = kept;
    }

    /// The result of the term for a marker; `None` if it depends on the payload.
    #[inline]
    pub(super) fn quick(&self, profile: &Profile, thread_id: ThreadId, marker: LocalMarker) -> Option<bool> {
        let thread = profile.thread(thread_id);
        let known = match &self.term.test {
            Test::Time { of, range } => self.in_time((thread_id, thread), marker, *of, range),
            Test::Flow(_) => self.members.binary_search(&thread.global(marker)).is_ok(),
            _ => return self.by_attributes(thread_id, thread.markers.attributes().at(marker.index())),
        };
        Some(known != self.negated)
    }

    /// The result of the term for markers of a thread with these attributes; `None` if it depends on more than
    /// attributes.
    pub(super) fn by_attributes(&self, thread: ThreadId, attributes: Attributes) -> Option<bool> {
        if let Some(work) = &self.work {
            return Some(work.matches(thread, &attributes) != self.negated);
        }
        let known = match attributes.kind() {
            _ if self.depends_on_marker() => None,
            _ if self.by_name[attributes.name.index()] || self.by_thread[thread.index()] => Some(true),
            _ if self.by_category.get(attributes.category().index()) == Some(&true) => Some(true),
            Some(kind) if self.by_type[kind.index()] => Some(true),
            Some(kind) if self.fields[kind.index()] == SearchedFields::None => Some(false),
            None if self.untyped == SearchedFields::None => Some(false),
            _ => None,
        };
        known.map(|known| known != self.negated)
    }

    /// True if the term tests data of the individual marker other than its payload.
    #[inline]
    pub(super) fn depends_on_marker(&self) -> bool {
        matches!(self.term.test, Test::Time { .. } | Test::Flow(_))
    }

    /// The result of the term according to the payload, for a marker that does not match otherwise.
    pub(super) fn matches_payload(&self, profile: &Profile, thread: ThreadId, marker: LocalMarker) -> bool {
        if self.kept.as_ref().is_some_and(|kept| !kept.keeps(thread, marker)) {
            return self.negated;
        }
        let thread = profile.thread(thread);
        let kind = thread.markers.kind(marker);
        let choice = kind.map_or(&self.untyped, |kind| &self.fields[kind.index()]);
        self.in_payload(profile, thread, marker, choice) != self.negated
    }

    fn in_time(
        &self,
        (id, thread): (ThreadId, &Thread),
        marker: LocalMarker,
        of: MarkerTime,
        range: &NumberRange,
    ) -> bool {
        let TimeRange { start, end } = thread.markers.range(marker);
        match of {
            // An instant has no duration, so it never matches, not even `dur:<1ms`.
            MarkerTime::Length => range.contains_time(end - start) && !thread.markers.is_instant(marker),
            MarkerTime::Start => range.contains_time(self.clock.show(start)),
            MarkerTime::End => range.contains_time(self.clock.show(end)),
            MarkerTime::SelfTime => {
                let all = || self_times(thread).into_iter().map(|time: Ns| range.contains_time(time)).collect();
                let found = self.self_times.get(id.index()).is_some_and(|found| found.get_or_init(all)[marker.index()]);
                found && !thread.markers.is_instant(marker)
            }
        }
    }

    /// True if, according to the schemas, the unit of a range fits the numbers of some field with this key.
    pub(super) fn suits_some_field(&self, profile: &Profile, key: &str, range: &NumberRange) -> bool {
        let schemas = profile.types.iter().filter_map(|(_, kind)| kind.schema.as_ref());
        let fields = schemas.flat_map(|schema| &schema.fields).filter(|field| field.key.to_lowercase() == key);
        let mut units = fields.map(|field| FieldUnit::for_format(&field.format)).peekable();
        units.peek().is_none() && range.suits(FieldUnit::Plain) || units.any(|unit| range.suits(unit))
    }
}

/// True if a thread or its process matches the term.
fn of_thread(profile: &Profile, id: ThreadId, term: &Term) -> bool {
    let (thread, name) = (profile.thread(id), profile.long_name(id));
    let process = profile.processes.get(thread.process.index());
    let value = |key: &str| {
        Some(match key {
            "thread" => &*name,
            "tid" => thread.tid.as_str(),
            "process" => process?.name.as_str(),
            "pid" => process?.pid.as_str(),
            _ => return None,
        })
    };
    match &term.test {
        Test::Field { key, .. } | Test::Number { key, .. } => {
            let tests = super::fields::FieldTests { literal: false, ..term.tests(key) };
            value(key).is_some_and(|value| term.found(tests, value.as_bytes()))
        }
        _ => false,
    }
}

/// All markers of the flows with a name, ascending.
fn members(profile: &Profile, flows: &FlowGraph, name: &crate::flows::FlowName) -> Vec<MarkerId> {
    let found = flows.find(profile, name);
    let mut members: Vec<MarkerId> = found.iter().flat_map(|flow| flows.members(*flow)).copied().collect();
    members.sort_unstable();
    members.dedup();
    members
}
