//! Looks into objects and lists inside payloads: at every value, however deep; `key:value` means the keys inside, too.

use super::{FieldTests, Term};
use crate::profile::Value;
use crate::profile::json::{Cursor, JsonError, Kind};

/// Whether a value in the object or list that comes next is found. It costs no stack, however deep it goes.
pub(super) fn in_text(term: &Term, outer: FieldTests, cursor: &mut Cursor<'_>) -> Result<bool, JsonError> {
    // What is open: whether it is an object, and what is looked for in all of it.
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

/// The same for a decoded value; decoding bounds its depth.
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
