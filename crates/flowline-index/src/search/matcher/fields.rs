//! The payload members that a term searches, and the tests applied to them.

use crate::search::number::FieldUnit;
use crate::search::query::{Term, Test};
use flowline_profile::text::{FieldKind, Format, is_resource_format, is_resource_key};
use flowline_profile::{KeyOrder, Profile, TypeId};

/// The payload members that a term searches.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SearchedFields {
    /// No member can match.
    None,
    /// The members of the schema; with `others` also members that the schema does not list.
    Schema { fields: Vec<SchemaField>, by_key: KeyOrder, others: bool },
    /// Every member, because there is no schema.
    Plain,
}

impl SearchedFields {
    /// The first field of the schema with a key.
    pub(super) fn listed(&self, key: &[u8]) -> Option<&SchemaField> {
        let Self::Schema { fields, by_key, .. } = self else { return None };
        by_key.find(|at| fields[at].key.as_bytes().cmp(key)).next().map(|at| &fields[at])
    }
}

/// A member of a payload that a term searches.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SchemaField {
    pub(super) key: String,
    pub(super) tests: FieldTests,
    /// The interpretation of its values.
    pub(super) kind: FieldKind,
    /// True if its values are flow ids.
    pub(super) names_flow: bool,
}

/// The tests applied to a field: the term's own text or range, its literal form, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FieldTests {
    pub(super) own: bool,
    pub(super) literal: bool,
    /// The unit of its numbers.
    pub(super) unit: FieldUnit,
}

impl FieldTests {
    /// The union of both sets of tests.
    #[inline]
    pub(super) const fn or(self, other: Self) -> Self {
        Self { own: self.own || other.own, literal: self.literal || other.literal, unit: self.unit }
    }

    /// True if there is any test.
    #[inline]
    pub(super) const fn any(self) -> bool {
        self.own || self.literal
    }
}

impl Term {
    /// The tests for a field with this key, in lower case.
    pub(super) fn tests(&self, key: &str) -> FieldTests {
        FieldTests {
            own: match &self.test {
                Test::Anywhere(_) => true,
                Test::Field { key: wanted, .. } | Test::Number { key: wanted, .. } => wanted == key,
                Test::Resource(_) => is_resource_key(key),
                Test::Time { .. } | Test::Flow(_) => false,
            },
            literal: self.literal.is_some(),
            unit: FieldUnit::Plain,
        }
    }

    /// The tests for a field of a schema.
    #[inline]
    fn tests_of(&self, key: &str, format: &Format) -> FieldTests {
        let tests = self.tests(key);
        let is_resource = matches!(self.test, Test::Resource(_)) && is_resource_format(format);
        FieldTests { own: tests.own || is_resource, unit: FieldUnit::for_format(format), ..tests }
    }
}

/// The members to search in payloads of a type.
pub(super) fn field_choice(profile: &Profile, kind: TypeId, term: &Term) -> SearchedFields {
    let Some(schema) = profile.types.schema(kind) else { return without_schema(term) };
    let name = profile.types.get(kind).map(|kind| profile.strings.get(kind.name));
    let searched = |field: &flowline_profile::Field| SchemaField {
        key: field.key.clone(),
        tests: term.tests_of(&field.key.to_lowercase(), &field.format),
        kind: FieldKind::of(Some(schema), name, &field.key),
        // If several fields have the same key, the first one defines the format.
        names_flow: schema.field(&field.key).is_some_and(|first| first.format.is_flow()),
    };
    let fields: Vec<_> = schema.fields.iter().map(searched).collect();
    // A key that the schema lists is not searched among the other members.
    let is_listed = term.test.key().is_some_and(|key| fields.iter().any(|field| field.key.to_lowercase() == key));
    let others = match &term.test {
        Test::Time { .. } | Test::Flow(_) => false,
        Test::Anywhere(_) | Test::Resource(_) => true,
        Test::Field { .. } | Test::Number { .. } => term.literal.is_some() || !is_listed,
    };
    if others || fields.iter().any(|field| field.tests.any()) {
        let by_key = KeyOrder::new(fields.len(), |at| fields[at].key.as_str());
        SearchedFields::Schema { fields, by_key, others }
    } else {
        SearchedFields::None
    }
}

/// Tests and kind of a member that is not in the schema.
#[inline]
pub(super) fn unlisted(term: &Term, key: &str) -> (FieldTests, FieldKind) {
    let (tests, kind) = (term.tests(&key.to_lowercase()), FieldKind::of(None, None, key));
    // The page URL counts as a separate field.
    if kind == FieldKind::Window { (tests.or(term.tests("page")), kind) } else { (tests, kind) }
}

/// The members to search in payloads without a schema.
pub(super) const fn without_schema(term: &Term) -> SearchedFields {
    match &term.test {
        Test::Time { .. } | Test::Flow(_) => SearchedFields::None,
        Test::Anywhere(_) | Test::Field { .. } | Test::Number { .. } | Test::Resource(_) => SearchedFields::Plain,
    }
}
