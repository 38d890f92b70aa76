//! Which members of a payload a term searches, and what for.

use crate::index::search::number::FieldUnit;
use crate::index::search::query::{Term, Test};
use crate::profile::text::Format;
use crate::profile::{Profile, TypeId};

/// Which members of a payload a term searches.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FieldChoice {
    /// No member can match.
    None,
    /// The members of the schema.
    Schema(Vec<SchemaField>),
    /// Every member, because there is no schema.
    Plain,
}

/// A member of a payload that a term searches.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SchemaField {
    pub(super) key: String,
    pub(super) tests: FieldTests,
    /// Whether it is the index of a string.
    pub(super) is_index: bool,
}

/// What a field is searched for: the term's own text or range, its literal form, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FieldTests {
    pub(super) own: bool,
    pub(super) literal: bool,
    /// What its numbers mean.
    pub(super) unit: FieldUnit,
}

impl FieldTests {
    /// The tests of both.
    pub(super) const fn or(self, other: Self) -> Self {
        Self { own: self.own || other.own, literal: self.literal || other.literal, unit: self.unit }
    }
}

/// Keys of payloads that hold the name or place of a resource, in lower case.
const RESOURCES: [&str; 14] = [
    "url", "uri", "href", "src", "host", "hostname", "domain", "origin", "path", "file", "filename", "filepath",
    "script", "resource",
];

impl Term {
    /// The tests for a field with this key, in lower case.
    pub(super) fn tests(&self, key: &str) -> FieldTests {
        FieldTests {
            own: match &self.test {
                Test::Anywhere(_) => true,
                Test::Field { key: wanted, .. } | Test::Number { key: wanted, .. } => wanted == key,
                Test::Resource(_) => RESOURCES.contains(&key),
                Test::Time { .. } | Test::Flow(_) => false,
            },
            literal: self.literal.is_some(),
            unit: FieldUnit::Plain,
        }
    }

    /// The tests for a field of a schema.
    fn tests_of(&self, key: &str, format: &Format) -> FieldTests {
        let tests = self.tests(key);
        let is_resource = matches!(self.test, Test::Resource(_)) && matches!(format, Format::Url | Format::FilePath);
        FieldTests { own: tests.own || is_resource, unit: FieldUnit::for_format(format), ..tests }
    }
}

/// The members to search in payloads of a type.
pub(super) fn field_choice(profile: &Profile, kind: TypeId, term: &Term) -> FieldChoice {
    let Some(schema) = profile.types.schema(kind) else { return without_schema(term) };
    let searched = |field: &crate::profile::Field| SchemaField {
        key: field.key.clone(),
        tests: term.tests_of(&field.key.to_lowercase(), &field.format),
        is_index: field.format.is_string_index(),
    };
    let fields: Vec<_> =
        schema.fields.iter().map(searched).filter(|field| field.tests.own || field.tests.literal).collect();
    if fields.is_empty() { FieldChoice::None } else { FieldChoice::Schema(fields) }
}

/// The members to search in payloads without a schema.
pub(super) const fn without_schema(term: &Term) -> FieldChoice {
    match &term.test {
        Test::Time { .. } | Test::Flow(_) => FieldChoice::None,
        Test::Anywhere(_) | Test::Field { .. } | Test::Number { .. } | Test::Resource(_) => FieldChoice::Plain,
    }
}
