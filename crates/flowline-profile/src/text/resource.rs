//! The resource of a marker: its address, host, path or file.

use super::format::Format;
use crate::{Field, LocalMarker, Profile, ThreadId};
use flowline_json::Value;

/// Lowercase payload keys for the name or location of a resource.
const KEYS: [&str; 14] = [
    "url", "uri", "href", "src", "host", "hostname", "domain", "origin", "path", "file", "filename", "filepath",
    "script", "resource",
];
/// Members of a trace event's arguments that contain its data.
const PARTS: [&str; 3] = ["data", "beginData", "endData"];

/// True if a member with this lowercase key contains the name or location of a resource.
#[must_use]
#[inline]
pub fn is_resource_key(key: &str) -> bool {
    KEYS.contains(&key)
}

/// True if a field of this format contains the location of a resource.
#[must_use]
#[inline]
pub const fn is_resource_format(format: &Format) -> bool {
    matches!(format, Format::Url | Format::FilePath)
}

impl Profile {
    /// The resource of a marker: the first text in a schema field for an address or a file, otherwise in another member
    /// with a resource key. For trace events, this includes the members of `data`, `beginData` and `endData`.
    #[must_use]
    pub fn resource_of(&self, thread: ThreadId, marker: LocalMarker) -> Option<String> {
        let payload = self.payload(thread, marker);
        let schema = self.schema_of(thread, marker);
        let fields = schema.map(|schema| schema.fields.in_payload(&payload)).unwrap_or_default();
        let is_resource = |(field, value): &(&Field, &Value)| is_resource_format(&field.format) && !value.is_null();
        let text = |(field, value): (&Field, &Value)| {
            Some(self.field_text(thread, Some(&field.format), value, self.clock()))
                .filter(|text| !text.trim().is_empty())
        };
        fields.into_iter().filter(is_resource).find_map(text).or_else(|| {
            let parts = PARTS.iter().filter_map(|part| payload.get(part));
            std::iter::once(&payload).chain(parts).find_map(named)
        })
    }
}

/// The first text in a payload with a resource key.
fn named(payload: &Value) -> Option<String> {
    let Value::Object(members) = payload else { return None };
    let is_one = |(key, value): &&(String, Value)| {
        is_resource_key(&key.to_lowercase()) && value.as_str().is_some_and(|text| !text.trim().is_empty())
    };
    members.iter().find(is_one).and_then(|(_, value)| value.as_str()).map(str::to_owned)
}
