//! The fields of a schema. Recordings can define thousands of them for a type, of which a payload has few, so fields are
//! found by key and by label without visiting all of them.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::ops::Deref;
use std::sync::OnceLock;

use super::field::Field;
use super::key_order::KeyOrder;
use crate::get_or_build;
use crate::persist::persist;
use flowline_json::Value;

/// The fields of a schema, in order.
#[derive(Clone, Debug, Default)]
pub struct SchemaFields {
    list: Vec<Field>,
    by_key: OnceLock<KeyOrder>,
    by_label: OnceLock<KeyOrder>,
}
persist!(SchemaFields { list; by_key, by_label });

impl SchemaFields {
    /// The first field with a payload key.
    #[must_use]
    pub fn with_key(&self, key: &str) -> Option<&Field> {
        let found = self.by_key().find(|at| self.list[at].key.as_str().cmp(key)).next();
        found.map(|at| &self.list[at])
    }

    fn by_key(&self) -> &KeyOrder {
        get_or_build(&self.by_key, || KeyOrder::new(self.list.len(), |at| self.list[at].key.as_str()))
    }

    /// The fields with a label, in any case of ASCII letters.
    pub fn with_label<'a>(&'a self, label: &'a str) -> impl Iterator<Item = &'a Field> {
        let lower = |at: usize| self.list[at].label.to_ascii_lowercase();
        let order = get_or_build(&self.by_label, || KeyOrder::new(self.list.len(), lower));
        order.find(move |at| compare_ignoring_case(&self.list[at].label, label)).map(|at| &self.list[at])
    }

    /// The fields that a payload has, in the order of the schema, each with its value.
    #[must_use]
    pub fn in_payload<'a>(&'a self, payload: &'a Value) -> Vec<(&'a Field, &'a Value)> {
        let Value::Object(members) = payload else { return Vec::new() };
        if self.list.len() <= members.len() {
            // Of repeated keys, the last one counts.
            let last: HashMap<&str, &Value> = members.iter().map(|(key, value)| (key.as_str(), value)).collect();
            let with_value = |field: &'a Field| Some((field, *last.get(field.key.as_str())?));
            return self.list.iter().filter_map(with_value).collect();
        }
        let order = self.by_key();
        let of_member = |(key, value): &'a (String, Value)| {
            order.find(move |at| self.list[at].key.as_str().cmp(key)).map(move |at| (at, value))
        };
        let found: BTreeMap<usize, &Value> = members.iter().flat_map(of_member).collect();
        found.into_iter().map(|(at, value)| (&self.list[at], value)).collect()
    }
}

fn compare_ignoring_case(a: &str, b: &str) -> Ordering {
    let lower = |text: &str| text.bytes().map(|byte| byte.to_ascii_lowercase()).collect::<Vec<u8>>();
    lower(a).cmp(&lower(b))
}

impl Deref for SchemaFields {
    type Target = [Field];

    #[inline]
    fn deref(&self) -> &[Field] {
        &self.list
    }
}

impl FromIterator<Field> for SchemaFields {
    fn from_iter<T: IntoIterator<Item = Field>>(fields: T) -> Self {
        Self { list: fields.into_iter().collect(), ..Self::default() }
    }
}

impl From<Vec<Field>> for SchemaFields {
    #[inline]
    fn from(list: Vec<Field>) -> Self {
        Self { list, ..Self::default() }
    }
}

impl Extend<Field> for SchemaFields {
    fn extend<T: IntoIterator<Item = Field>>(&mut self, fields: T) {
        self.list.extend(fields);
        (self.by_key, self.by_label) = (OnceLock::new(), OnceLock::new());
    }
}

impl IntoIterator for SchemaFields {
    type Item = Field;
    type IntoIter = std::vec::IntoIter<Field>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'a> IntoIterator for &'a SchemaFields {
    type Item = &'a Field;
    type IntoIter = std::slice::Iter<'a, Field>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::SchemaFields;
    use crate::Field;
    use crate::text::Format;
    use flowline_json::Value;

    /// Many fields, some with the same key or label.
    fn fields(count: usize) -> SchemaFields {
        let field = |at: usize| Field {
            key: format!("k{}", at * 13 % 50),
            label: format!("Label {}", at * 3 % 20),
            format: Format::Integer,
            hidden: at.is_multiple_of(2),
            percentage_divisor: None,
        };
        (0..count).map(field).collect()
    }

    #[test]
    fn fields_are_found_like_by_a_search_of_all() {
        for count in [0, 5, 16, 17, 90] {
            let mut fields = fields(count);
            for at in 0..51 {
                let (key, label) = (format!("k{at}"), format!("lABEL {at}"));
                let all = |test: &dyn Fn(&&Field) -> bool| -> Vec<*const Field> {
                    fields.iter().filter(test).map(std::ptr::from_ref).collect()
                };
                let found = fields.with_key(&key).map(std::ptr::from_ref);
                assert_eq!(found, all(&|field| field.key == key).first().copied());
                let found: Vec<_> = fields.with_label(&label).map(std::ptr::from_ref).collect();
                assert_eq!(found, all(&|field| field.label.eq_ignore_ascii_case(&label)));
            }
            let members = ["k7", "no", "k13", "k0", "k7"].into_iter().zip(1..);
            let payload = Value::Object(members.map(|(key, value)| (key.to_owned(), Value::Int(value))).collect());
            let present = |field: &Field| Some((field.key.clone(), payload.get(&field.key)?.as_f64()));
            let found =
                fields.in_payload(&payload).into_iter().map(|(field, value)| (field.key.clone(), value.as_f64()));
            assert!(found.eq(fields.iter().filter_map(present)), "{count}");
            let more: Vec<Field> =
                fields.iter().take(1).cloned().map(|field| Field { key: "new".into(), ..field }).collect();
            let is_added = !more.is_empty();
            fields.extend(more);
            assert_eq!(fields.with_key("new").is_some(), is_added, "the list changed");
        }
    }
}
