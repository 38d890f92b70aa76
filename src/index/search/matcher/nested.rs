//! Searches objects and lists inside payloads at any depth; `key:value` also applies to keys inside.

use super::fields::FieldTests;
use crate::index::search::query::Term;
use crate::profile::Value;
use crate::profile::json::{Cursor, JsonError, Kind};

/// Whether any value of the next object or list matches. Uses no recursion, so depth costs no stack.
pub(super) fn in_text(term: &Term, outer: FieldTests, cursor: &mut Cursor<'_>) -> Result<bool, JsonError> {
    // Open containers: whether it is an object, and the tests for everything in it.
    let mut open: Vec<(bool, FieldTests)> = Vec::new();
    let mut tests = outer;
    loop {
        let found = match cursor.peek()? {
            Kind::Object => {
                cursor.enter_object()?;
                open.push((true, tests));
                false
            }
            Kind::Array => {
                cursor.enter_array()?;
                open.push((false, tests));
                false
            }
            Kind::String => term.found_in(tests, cursor.string()?),
            Kind::Null => {
                cursor.skip_value()?;
                false
            }
            _ => term.found(tests, cursor.scalar()?),
        };
        if found {
            return Ok(true);
        }
        loop {
            let Some(&(is_object, inherited)) = open.last() else { return Ok(false) };
            if !is_object {
                if cursor.next_element()? {
                    tests = inherited;
                    break;
                }
            } else if let Some(key) = cursor.next_key()? {
                tests = inherited.or(term.tests(&key.decode().to_lowercase()));
                break;
            }
            open.pop();
        }
    }
}

/// The same for a decoded value, whose depth is bounded.
pub(super) fn in_value(term: &Term, tests: FieldTests, value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::List(items) => items.iter().any(|item| in_value(term, tests, item)),
        Value::Object(members) => {
            members.iter().any(|(key, value)| in_value(term, tests.or(term.tests(&key.to_lowercase())), value))
        }
        value => term.found(tests, value.display_js().as_bytes()),
    }
}
