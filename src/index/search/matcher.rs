//! Tests one marker against a query.

mod nested;
mod text;

use std::borrow::Cow;

use super::query::{Query, Term, Test};
use crate::index::flows::FlowGraph;
use crate::profile::json::{Cursor, Kind, RawString};
use crate::profile::text::FieldKind;
use crate::profile::{Field, LocalMarker, MarkerId, Ns, Profile, Supplement, Thread, ThreadId, TypeId, Value};
use text::{contains, is_category};

/// A query compiled for a profile. Everything that does not depend on payloads is decided once per distinct string.
pub struct Matcher<'a> {
    profile: &'a Profile,
    any: Vec<CompiledTerm<'a>>,
    none: Vec<CompiledTerm<'a>>,
}

/// A term with its results for names, categories, types and threads.
struct CompiledTerm<'a> {
    term: Cow<'a, Term>,
    by_name: Vec<bool>,
    by_category: Vec<bool>,
    by_type: Vec<bool>,
    by_thread: Vec<bool>,
    /// Whether any category matches, and any type. Mostly none does, and those of markers need not be read.
    some_category: bool,
    some_type: bool,
    /// For each type, the fields to search.
    fields: Vec<FieldChoice>,
    /// The fields to search in payloads without a type.
    untyped: FieldChoice,
    /// The markers of the flows that the term names, ascending; empty if it names none.
    members: Vec<MarkerId>,
    /// Whether a number can contain the text.
    numbers: bool,
}

/// Which members of a payload a term searches.
#[derive(Clone, Debug, PartialEq)]
enum FieldChoice {
    /// No member can match.
    None,
    /// Every member; those of the schema with their tests, and how their values are read.
    Schema(Vec<(String, FieldTests, FieldKind)>),
    /// Every member, because there is no schema.
    Plain,
}

/// What a field is searched for: the term's own text, its literal form, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FieldTests {
    own: bool,
    literal: bool,
}

impl<'a> CompiledTerm<'a> {
    fn new(profile: &'a Profile, flows: &FlowGraph, term: &'a Term) -> Self {
        let members = match &term.test {
            Test::Flow(name) => members(profile, flows, name),
            _ => Vec::new(),
        };
        if !members.is_empty() {
            return Self::for_members(profile, term, members);
        }
        let term = match &term.test {
            // There is no flow of that name, so `flow` is the key of a field.
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

    /// A term that names flows and matches their markers only.
    fn for_members(profile: &Profile, term: &'a Term, members: Vec<MarkerId>) -> Self {
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
        if self.matches_without_payload(profile, thread_id, marker) {
            return true;
        }
        let thread = profile.thread(thread_id);
        let kind = thread.markers.kind(marker);
        self.in_payload(profile, thread, marker, kind.map_or(&self.untyped, |kind| &self.fields[kind.index()]))
    }

    /// Whether the duration, name, category, thread or type matches.
    fn matches_without_payload(&self, profile: &Profile, thread_id: ThreadId, marker: LocalMarker) -> bool {
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
        // A damaged payload may contain anything.
        let in_text = |place| {
            let cursor = profile.source.payload_at(place);
            cursor.map_or(Ok(false), |mut cursor| self.scan(profile, thread, &mut cursor, choice))
        };
        let own = in_text(thread.markers.payload[marker.index()]);
        let Some(supplement) = thread.markers.supplement(marker) else { return own.unwrap_or(false) };
        // Derivation only adds and changes numbers. If the source objects do not contain a text that is no number, the
        // derived payload does not either; otherwise the derived payload decides.
        let may_stand = own.unwrap_or(true)
            || match supplement {
                Supplement::Start(start) => in_text(start).unwrap_or(true),
                Supplement::Network { .. } | Supplement::Ipc { .. } => false,
            };
        (may_stand || self.numbers) && self.in_decoded(profile, thread, marker, choice)
    }

    /// Tests and kind of a member that no schema lists.
    fn unlisted(&self, key: &str) -> (FieldTests, FieldKind) {
        let (tests, kind) = (self.term.tests(&key.to_lowercase()), FieldKind::of(None, None, key));
        // The address of the page counts as a field of its own.
        if kind == FieldKind::Window { (tests.or(self.term.tests("page")), kind) } else { (tests, kind) }
    }

    /// Scans a payload in place.
    fn scan(
        &self,
        profile: &Profile,
        thread: &Thread,
        cursor: &mut Cursor<'_>,
        choice: &FieldChoice,
    ) -> Result<bool, crate::profile::json::JsonError> {
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            if profile.is_internal_bytes(key.bytes) {
                cursor.skip_value()?;
                continue;
            }
            let listed = match choice {
                FieldChoice::Schema(fields) => fields.iter().find(|field| field.0.as_bytes() == key.bytes),
                _ => None,
            };
            let (tests, kind) = match listed {
                Some((_, tests, kind)) => (*tests, *kind),
                None => self.unlisted(&key.decode()),
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
                Kind::Number if kind == FieldKind::Time && !self.numbers => {
                    cursor.skip_value()?;
                    false
                }
                Kind::Number if kind == FieldKind::StringIndex => {
                    let index = std::str::from_utf8(cursor.scalar()?).ok().and_then(|text| text.parse().ok());
                    let text = index.and_then(|index| thread.strings.raw(profile.source.bytes(), index));
                    text.is_some_and(|bytes| self.term.found_in(tests, RawString { bytes, offset: 0 }))
                }
                Kind::Object => nested::in_text(&self.term, tests, cursor)?,
                Kind::Array if listed.is_none() => nested::in_text(&self.term, tests, cursor)?,
                Kind::Array | Kind::Number if kind != FieldKind::Plain => {
                    let value = crate::profile::json::decode_value(cursor)?;
                    let texts = profile.searched_texts(thread, kind, &value, thread.shift);
                    texts.iter().any(|text| self.term.found(tests, text.as_bytes()))
                }
                Kind::Array => {
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

    /// Decodes a derived payload and searches it.
    fn in_decoded(&self, profile: &Profile, thread: &Thread, marker: LocalMarker, choice: &FieldChoice) -> bool {
        let Value::Object(members) = profile.payload_in(thread, marker) else { return false };
        members.iter().any(|(key, value)| {
            if value.is_null() || profile.is_internal(key) {
                return false;
            }
            let listed = match choice {
                FieldChoice::Schema(fields) => fields.iter().find(|field| field.0 == *key),
                _ => None,
            };
            let (tests, kind) = match listed {
                Some((_, tests, kind)) => (*tests, *kind),
                None => self.unlisted(key),
            };
            if value.is_nested() && (listed.is_none() || matches!(value, Value::Object(_))) {
                return nested::in_value(&self.term, tests, value);
            }
            let texts = profile.searched_texts(thread, kind, value, Ns(0));
            texts.iter().any(|text| self.term.found(tests, text.as_bytes()))
        })
    }
}

fn field_choice(profile: &Profile, kind: TypeId, term: &Term) -> FieldChoice {
    let Some(schema) = profile.types.schema(kind) else { return without_schema(term) };
    if matches!(term.test, Test::LongerThan(_) | Test::ShorterThan(_) | Test::Flow(_)) && term.literal.is_none() {
        return FieldChoice::None;
    }
    let name = profile.types.get(kind).map(|kind| profile.strings.get(kind.name));
    let field = |field: &Field| {
        let tests = term.tests(&field.key.to_lowercase());
        (field.key.clone(), tests, FieldKind::of(Some(schema), name, &field.key))
    };
    FieldChoice::Schema(schema.fields.iter().map(field).collect())
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
    /// Compiles a query.
    #[must_use]
    pub fn new(profile: &'a Profile, flows: &FlowGraph, query: &'a Query) -> Self {
        let compile = |terms: &'a [Term]| terms.iter().map(|term| CompiledTerm::new(profile, flows, term)).collect();
        Self { profile, any: compile(&query.any), none: compile(&query.none) }
    }

    /// All matching markers, ascending, if the query names only flows.
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

    /// Whether a marker certainly matches, judged without its payload.
    #[must_use]
    pub fn matches_without_payload(&self, thread: ThreadId, marker: LocalMarker) -> bool {
        let seen = |term: &CompiledTerm<'_>| term.matches_without_payload(self.profile, thread, marker);
        self.none.is_empty() && self.any.iter().any(seen)
    }

    /// Whether a marker matches.
    #[must_use]
    pub fn matches(&self, thread: ThreadId, marker: LocalMarker) -> bool {
        let hit = |term: &CompiledTerm<'_>| term.matches(self.profile, thread, marker);
        (self.any.is_empty() || self.any.iter().any(hit)) && !self.none.iter().any(hit)
    }
}

#[cfg(test)]
mod tests;
