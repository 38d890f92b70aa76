//! The resource of a marker: the address, host, path or file that it is about.

use super::format::Format;
use crate::{LocalMarker, Profile, ThreadId, Value};

/// Keys of payloads that hold the name or place of a resource, in lower case.
const KEYS: [&str; 14] = [
    "url", "uri", "href", "src", "host", "hostname", "domain", "origin", "path", "file", "filename", "filepath",
    "script", "resource",
];
/// Members of the arguments of a trace event that hold its data.
const PARTS: [&str; 3] = ["data", "beginData", "endData"];

/// Whether a member of a payload holds the name or place of a resource. The key is in lower case.
#[must_use]
pub fn is_resource_key(key: &str) -> bool {
    KEYS.contains(&key)
}

/// Whether a field of this format holds the place of a resource.
#[must_use]
pub const fn is_resource_format(format: &Format) -> bool {
    matches!(format, Format::Url | Format::FilePath)
}

impl Profile {
    /// The resource of a marker: the first text among the fields of its schema that are addresses or files, then among its
    /// other members with the key of a resource. Of trace events the members of `data`, `beginData` and `endData` count, too.
    #[must_use]
    pub fn resource_of(&self, thread: ThreadId, marker: LocalMarker) -> Option<String> {
        let payload = self.payload(thread, marker);
        let schema = self.schema_of(thread, marker);
        let fields = schema.iter().flat_map(|schema| &schema.fields).filter(|field| is_resource_format(&field.format));
        let text = |field: &crate::Field| {
            let value = payload.get(&field.key).filter(|value| !value.is_null())?;
            Some(self.field_text(thread, Some(&field.format), value)).filter(|text| !text.trim().is_empty())
        };
        fields.into_iter().find_map(text).or_else(|| {
            let parts = PARTS.iter().filter_map(|part| payload.get(part));
            std::iter::once(&payload).chain(parts).find_map(named)
        })
    }
}

/// The first text of a payload that the key of a resource names.
fn named(payload: &Value) -> Option<String> {
    let Value::Object(members) = payload else { return None };
    let is_one = |(key, value): &&(String, Value)| {
        is_resource_key(&key.to_lowercase()) && value.as_str().is_some_and(|text| !text.trim().is_empty())
    };
    members.iter().find(is_one).and_then(|(_, value)| value.as_str()).map(str::to_owned)
}
