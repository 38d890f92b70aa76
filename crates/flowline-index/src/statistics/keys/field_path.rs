//! Finds a field of a payload by the names that people know: its key, its label in the details, its path through nested
//! objects (`nursery.reason`), or the last part of that path (`reason`).

use flowline_profile::text::{WINDOW_KEY, WINDOW_LABEL, report_path};
use flowline_profile::{Schema, Value};

/// Maximum depth of nested objects that are searched.
const MAX_DEPTH: usize = 4;

/// Prefix that denotes a member of the payload, for fields with the name of another key.
const DATA: &str = "data.";

/// The members of a payload or of an object in it.
type Members = [(String, Value)];

/// A field of a payload.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FoundField<'a> {
    /// The key of a member of the payload itself; `None` for a field of a nested object.
    pub(super) key: Option<&'a str>,
    pub(super) value: &'a Value,
}

/// The last member with a key, because the last of repeated keys is used; otherwise with the key in another case, like
/// the search.
fn member<'a>(members: &'a Members, key: &str) -> Option<(&'a str, &'a Value)> {
    let exact = members.iter().rfind(|(name, _)| name == key);
    let found = exact.or_else(|| members.iter().rfind(|(name, _)| name.eq_ignore_ascii_case(key)));
    found.map(|(name, value)| (name.as_str(), value))
}

/// The value at a path. Keys can contain dots, too.
fn at_path<'a>(members: &'a Members, path: &str) -> Option<&'a Value> {
    if let Some((_, value)) = member(members, path) {
        return Some(value);
    }
    path.match_indices('.').find_map(|(dot, _)| match member(members, &path[..dot])?.1 {
        Value::Object(inner) => at_path(inner, &path[dot + 1..]),
        _ => None,
    })
}

/// The first nested member with a key, outer objects first.
fn nested<'a>(members: &'a Members, key: &str) -> Option<&'a Value> {
    let mut level: Vec<&Members> = vec![members];
    for _ in 0..MAX_DEPTH {
        let inner = |members: &&'a Members| -> Vec<&'a Members> {
            let objects = members.iter().filter_map(|(_, value)| match value {
                Value::Object(inner) => Some(inner.as_slice()),
                _ => None,
            });
            objects.collect()
        };
        level = level.iter().flat_map(inner).collect();
        if let Some((_, value)) = level.iter().find_map(|members| member(members, key)) {
            return Some(value);
        }
    }
    None
}

/// The field with a name; `None` if the payload does not have it. `type_name` is the payload's type.
pub(super) fn find<'a>(
    members: &'a Members,
    schema: Option<&Schema>,
    type_name: Option<&str>,
    name: &str,
) -> Option<FoundField<'a>> {
    let top = |key: &str| member(members, key).map(|(key, value)| FoundField { key: Some(key), value });
    let labeled = || {
        let fields = schema.into_iter().flat_map(|schema| schema.fields.with_label(name));
        let keys = fields.map(|field| field.key.as_str());
        keys.chain((name == WINDOW_LABEL).then_some(WINDOW_KEY)).find_map(top)
    };
    let inside = |value| FoundField { key: None, value };
    let reported = || {
        let [report, key] = report_path(type_name, name)?;
        match member(members, report)?.1 {
            Value::Object(report) => member(report, key).map(|(_, value)| inside(value)),
            _ => None,
        }
    };
    top(name)
        .or_else(labeled)
        .or_else(reported)
        .or_else(|| at_path(members, name).map(inside))
        .or_else(|| top(name.strip_prefix(DATA)?))
        .or_else(|| nested(members, name).map(inside))
        .filter(|found| !found.value.is_null())
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_json::Cursor;

    fn object(text: &str) -> Vec<(String, Value)> {
        match flowline_json::decode_value(&mut Cursor::at(text.as_bytes(), 0)) {
            Ok(Value::Object(members)) => members,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn fields_are_found_by_key_path_and_last_part() {
        let members = object(
            r#"{"k":1,"Case":2,"a.b":3,"nursery":{"reason":"FULL","deep":{"reason":"inner","x":4}},"name":5,"none":null}"#,
        );
        let found = |name: &str| find(&members, None, None, name).map(|found| found.value.display_js());
        for (name, value) in [
            ("k", "1"),
            ("case", "2"),
            ("a.b", "3"),
            ("nursery.reason", "FULL"),
            ("reason", "FULL"),
            ("REASON", "FULL"),
            ("nursery.deep.reason", "inner"),
            ("x", "4"),
            ("data.name", "5"),
        ] {
            assert_eq!(found(name).as_deref(), Some(value), "{name}");
        }
        for name in ["none", "missing", "nursery.missing", "k.x", "", "."] {
            assert_eq!(found(name), None, "{name}");
        }
    }

    #[test]
    fn fields_are_found_by_the_labels_of_the_details() {
        let members = object(r#"{"timings":{"mmu_20ms":0.5,"status":"done"}}"#);
        let found = |name: &str| find(&members, None, Some("GCMajor"), name).map(|found| found.value.display_js());
        assert_eq!(found("Mutator in 20 ms").as_deref(), Some("0.5"));
        assert_eq!(found("Status").as_deref(), Some("done"));
        assert_eq!(find(&members, None, Some("Text"), "Mutator in 20 ms"), None);
    }
}
