//! Tests one marker against a query.

mod nested;
mod text;

use std::borrow::Cow;

use super::query::{Query, Term, Test};
use crate::index::flows::FlowGraph;
use crate::profile::json::{Cursor, Kind, RawString};
use crate::profile::{LocalMarker, MarkerId, Ns, Profile, Supplement, Thread, ThreadId, TypeId, Value};
use text::{contains, is_category};

/// A query prepared for a profile: everything that does not depend on a payload is decided once a distinct string.
pub struct Matcher<'a> {
    profile: &'a Profile,
    any: Vec<Prepared<'a>>,
    none: Vec<Prepared<'a>>,
}

/// A term with its answers for names, categories, types and threads.
struct Prepared<'a> {
    term: Cow<'a, Term>,
    by_name: Vec<bool>,
    by_category: Vec<bool>,
    by_type: Vec<bool>,
    by_thread: Vec<bool>,
    /// Whether any category is found, and any type: most often none is, and no marker's need be looked at.
    some_category: bool,
    some_type: bool,
    /// Per type, the fields it may stand in: whether each schema field is to be looked at.
    fields: Vec<FieldChoice>,
    /// The same for payloads that name no type.
    untyped: FieldChoice,
    /// The markers of the flows that the term names, ascending; empty when it names none.
    members: Vec<MarkerId>,
    /// Whether what is looked for can stand in a number.
    numbers: bool,
}

/// Which members of a payload a term looks at.
#[derive(Clone, Debug, PartialEq)]
enum FieldChoice {
    /// No member can match.
    None,
    /// The members of the schema, each with what it is tested for and whether it is a string index.
    Schema(Vec<(String, FieldTests, bool)>),
    /// There is no schema: every plain member.
    Plain,
}

/// Whether the term's own text or its literal form is looked for in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FieldTests {
    own: bool,
    literal: bool,
}

impl<'a> Prepared<'a> {
    fn new(profile: &'a Profile, flows: &FlowGraph, term: &'a Term) -> Self {
        let members = match &term.test {
            Test::Flow(name) => members(profile, flows, name),
            _ => Vec::new(),
        };
        if !members.is_empty() {
            return Self::of_members(profile, term, members);
        }
        let term = match &term.test {
            // No flow of that name: `flow` may be the key of a field, as any other.
            Test::Flow(name) => {
                let test = Test::Field { key: "flow".into(), text: name.to_string().to_lowercase() };
                Cow::Owned(Term { test, literal: term.literal.clone() })
            }
            _ => Cow::Borrowed(term),
        };
        let tests = |key: &str| term.tests(key);
        let found = |key: &str, text: &str| term.found(tests(key), text.as_bytes());
        let by_category: Vec<bool> = profile
            .categories
            .iter()
            .map(|category| found("cat", &category.name) || is_category(&term, &category.name))
            .collect();
        let by_type: Vec<bool> =
            profile.types.iter().map(|(_, kind)| found("type", profile.strings.get(kind.name))).collect();
        Self {
            some_category: by_category.contains(&true),
            some_type: by_type.contains(&true),
            by_name: profile.strings.iter().map(|(_, text)| found("name", text)).collect(),
            by_category,
            by_type,
            by_thread: profile
                .threads
                .iter()
                .map(|thread| match &term.test {
                    Test::Field { key, text } if key == "thread" => contains(thread.name.as_bytes(), text),
                    _ => false,
                })
                .collect(),
            fields: profile.types.iter().map(|(id, _)| field_choice(profile, id, &term)).collect(),
            untyped: without_schema(&term),
            members,
            numbers: term.can_be_number(),
            term,
        }
    }

    /// A term that names flows: nothing else is looked at.
    fn of_members(profile: &Profile, term: &'a Term, members: Vec<MarkerId>) -> Self {
        Self {
            term: Cow::Borrowed(term),
            by_name: vec![false; profile.strings.len()],
            by_category: Vec::new(),
            by_type: vec![false; profile.types.len()],
            by_thread: vec![false; profile.threads.len()],
            some_category: false,
            some_type: false,
            fields: vec![FieldChoice::None; profile.types.len()],
            untyped: FieldChoice::None,
            members,
            numbers: false,
        }
    }

    fn matches(&self, profile: &Profile, thread_id: ThreadId, marker: LocalMarker) -> bool {
        if self.matches_at_sight(profile, thread_id, marker) {
            return true;
        }
        let thread = profile.thread(thread_id);
        let kind = thread.markers.kind(marker);
        self.in_payload(profile, thread, marker, kind.map_or(&self.untyped, |kind| &self.fields[kind.index()]))
    }

    /// What length, name, category, thread and type say.
    fn matches_at_sight(&self, profile: &Profile, thread_id: ThreadId, marker: LocalMarker) -> bool {
        let thread = profile.thread(thread_id);
        let at = marker.index();
        match self.term.test {
            Test::LongerThan(limit) if length(thread, marker) > limit => return true,
            Test::ShorterThan(limit) if !thread.markers.is_instant(marker) && length(thread, marker) < limit => {
                return true;
            }
            Test::Flow(_) if self.members.binary_search(&thread.global(marker)).is_ok() => return true,
            _ => {}
        }
        let of_category = || self.by_category.get(thread.markers.category(marker).index()) == Some(&true);
        let of_type = || thread.markers.kind(marker).is_some_and(|kind| self.by_type[kind.index()]);
        self.by_name[thread.markers.name[at].index()]
            || self.by_thread[thread_id.index()]
            || (self.some_category && of_category())
            || (self.some_type && of_type())
    }

    fn in_payload(&self, profile: &Profile, thread: &Thread, marker: LocalMarker, choice: &FieldChoice) -> bool {
        if *choice == FieldChoice::None {
            return false;
        }
        // What is damaged may be anything.
        let in_text = |place| {
            let cursor = profile.source.payload_at(place);
            cursor.map_or(Ok(false), |mut cursor| self.scan(profile, thread, &mut cursor, choice))
        };
        let own = in_text(thread.markers.payload[marker.index()]);
        let Some(supplement) = thread.markers.supplement(marker) else { return own.unwrap_or(false) };
        // Derivation adds and moves nothing but numbers, so of anything else the objects themselves tell that it is not
        // there; that it is must be looked at in what became of them.
        let may_stand = own.unwrap_or(true)
            || match supplement {
                Supplement::Start(start) => in_text(start).unwrap_or(true),
                Supplement::Network { .. } | Supplement::Ipc { .. } => false,
            };
        (may_stand || self.numbers) && self.in_decoded(profile, thread, marker, choice)
    }

    /// Walks the payload in place.
    fn scan(
        &self,
        profile: &Profile,
        thread: &Thread,
        cursor: &mut Cursor<'_>,
        choice: &FieldChoice,
    ) -> Result<bool, crate::profile::json::JsonError> {
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            let (tests, is_index) = match choice {
                FieldChoice::Schema(fields) => match fields.iter().find(|field| field.0.as_bytes() == key.bytes) {
                    Some((_, tests, is_index)) => (*tests, *is_index),
                    None => {
                        cursor.skip_value()?;
                        continue;
                    }
                },
                _ if key.bytes == b"type" && names_type(profile) => {
                    cursor.skip_value()?;
                    continue;
                }
                _ => (self.term.tests(&key.decode().to_lowercase()), false),
            };
            let found = match cursor.peek()? {
                Kind::String => {
                    let text = cursor.string()?;
                    self.term.found_in(tests, text)
                }
                Kind::Null => {
                    cursor.skip_value()?;
                    false
                }
                Kind::Number if is_index => {
                    let index = std::str::from_utf8(cursor.scalar()?).ok().and_then(|text| text.parse().ok());
                    let text = index.and_then(|index| thread.strings.raw(profile.source.bytes(), index));
                    text.is_some_and(|bytes| self.term.found_in(tests, RawString { bytes, offset: 0 }))
                }
                Kind::Object | Kind::Array if *choice == FieldChoice::Plain => {
                    nested::in_text(&self.term, tests, cursor)?
                }
                Kind::Object | Kind::Array => {
                    let value = crate::profile::json::decode_value(cursor)?;
                    self.term.found(tests, value.display_js().as_bytes())
                }
                _ => self.term.found(tests, cursor.scalar()?),
            };
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The slower way for payloads that derivation added to.
    fn in_decoded(&self, profile: &Profile, thread: &Thread, marker: LocalMarker, choice: &FieldChoice) -> bool {
        let payload = crate::profile::payload::decode_full(
            &profile.source,
            thread.markers.payload[marker.index()],
            thread.markers.supplement(marker).as_ref(),
            thread.shift,
        );
        let Value::Object(members) = payload else { return false };
        members.iter().any(|(key, value)| {
            if value.is_null() || (key == "type" && names_type(profile)) {
                return false;
            }
            match choice {
                FieldChoice::Schema(fields) => fields.iter().find(|field| field.0 == *key).is_some_and(|field| {
                    let text = match value {
                        Value::Int(index) if field.2 => u64::try_from(*index)
                            .ok()
                            .and_then(|index| thread.strings.get(profile.source.bytes(), index))
                            .unwrap_or_default(),
                        value => value.display_js(),
                    };
                    self.term.found(field.1, text.as_bytes())
                }),
                _ => nested::in_value(&self.term, self.term.tests(&key.to_lowercase()), value),
            }
        })
    }
}

/// Whether the member `type` of a payload names its type, as in Firefox profiles; in trace events it is an argument.
fn names_type(profile: &Profile) -> bool {
    profile.source.member().is_none()
}

fn field_choice(profile: &Profile, kind: TypeId, term: &Term) -> FieldChoice {
    let Some(schema) = profile.types.schema(kind) else { return without_schema(term) };
    let fields: Vec<_> = schema
        .fields
        .iter()
        .map(|field| (field.key.clone(), term.tests(&field.key.to_lowercase()), field.format.is_string_index()))
        .filter(|(_, tests, _)| tests.own || tests.literal)
        .collect();
    if fields.is_empty() { FieldChoice::None } else { FieldChoice::Schema(fields) }
}

fn without_schema(term: &Term) -> FieldChoice {
    match &term.test {
        Test::LongerThan(_) | Test::ShorterThan(_) => FieldChoice::None,
        Test::Flow(_) => FieldChoice::None,
        Test::Anywhere(_) | Test::Field { .. } => FieldChoice::Plain,
    }
}

/// All markers of the flows of a name, ascending.
fn members(profile: &Profile, flows: &FlowGraph, name: &crate::index::flows::FlowName) -> Vec<MarkerId> {
    let found = flows.find(profile, name);
    let mut members: Vec<MarkerId> = found.iter().flat_map(|flow| flows.members(*flow)).copied().collect();
    members.sort_unstable();
    members.dedup();
    members
}

fn length(thread: &Thread, marker: LocalMarker) -> Ns {
    thread.markers.end[marker.index()] - thread.markers.start[marker.index()]
}

impl<'a> Matcher<'a> {
    /// Prepares a query.
    #[must_use]
    pub fn new(profile: &'a Profile, flows: &FlowGraph, query: &'a Query) -> Self {
        let prepare = |terms: &'a [Term]| terms.iter().map(|term| Prepared::new(profile, flows, term)).collect();
        Self { profile, any: prepare(&query.any), none: prepare(&query.none) }
    }

    /// All that matches, ascending, where the query names nothing but flows: they know their markers.
    #[must_use]
    pub fn only_flows(&self) -> Option<Vec<MarkerId>> {
        let named = !self.any.is_empty() && self.any.iter().all(|term| !term.members.is_empty());
        if !named || !self.none.is_empty() {
            return None;
        }
        let mut members: Vec<MarkerId> = self.any.iter().flat_map(|term| &term.members).copied().collect();
        members.sort_unstable();
        members.dedup();
        Some(members)
    }

    /// Whether a marker surely matches, as far as that can be told without its payload.
    #[must_use]
    pub fn matches_at_sight(&self, thread: ThreadId, marker: LocalMarker) -> bool {
        let seen = |term: &Prepared<'_>| term.matches_at_sight(self.profile, thread, marker);
        self.none.is_empty() && self.any.iter().any(seen)
    }

    /// Whether a marker matches.
    #[must_use]
    pub fn matches(&self, thread: ThreadId, marker: LocalMarker) -> bool {
        let hit = |term: &Prepared<'_>| term.matches(self.profile, thread, marker);
        (self.any.is_empty() || self.any.iter().any(hit)) && !self.none.iter().any(hit)
    }
}

#[cfg(test)]
mod tests;
