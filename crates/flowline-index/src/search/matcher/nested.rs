//! Searches objects and lists inside payloads at any depth; `key:value` also applies to keys inside.

use super::fields::FieldTests;
use crate::search::query::Term;
use flowline_json::{Cursor, JsonError, Kind, decode_value};
use flowline_profile::Value;

/// True if any value of the next object or list matches. Not recursive, so deep nesting cannot overflow the stack.
pub(super) fn in_text(term: &Term, outer: FieldTests, cursor: &mut Cursor<'_>) -> Result<bool, JsonError> {
    // Open containers: true for an object, and the tests for everything in it.
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
            _ => in_scalar(term, tests, cursor)?,
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

/// True if the next number or word matches as displayed: `4.0` is displayed as 4, and `1e3` as 1000.
pub(super) fn in_scalar(term: &Term, tests: FieldTests, cursor: &mut Cursor<'_>) -> Result<bool, JsonError> {
    let mut ahead = *cursor;
    let written = cursor.scalar()?;
    let is_number = matches!(written.first(), Some(b'0'..=b'9' | b'-'));
    let is_shown =
        written.len() < 19 && written != b"-0" && !written.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E'));
    if !is_number || is_shown {
        return Ok(term.found(tests, written));
    }
    Ok(term.found(tests, decode_value(&mut ahead)?.display_js().as_bytes()))
}

/// True if any value inside a decoded value matches. The depth of decoded values is bounded.
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
