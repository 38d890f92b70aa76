//! Messages of the DevTools protocol: `{"method": "Tracing.dataCollected", "params": {"value": [EVENTS]}}`, one after the
//! other or in an array, among other messages.

use std::ops::Range;

use flowline_json::{Cursor, JsonError, Kind, Problem};

/// Returns true if the `method` at the cursor is one of the messages about a trace.
///
/// # Errors
/// If the text ends or is damaged.
pub(in crate::trace_events) fn is_of_tracing(mut method: Cursor<'_>) -> Result<bool, JsonError> {
    Ok(method.peek()? == Kind::String && method.string()?.bytes.starts_with(b"Tracing."))
}

/// Returns true if the text at the cursor consists of such messages.
///
/// # Errors
/// If the text ends or is damaged.
pub(crate) fn are_at(mut start: Cursor<'_>) -> Result<bool, JsonError> {
    if start.peek()? == Kind::Array {
        start.enter_array()?;
        if !start.next_element()? {
            return Ok(false);
        }
    }
    if start.peek()? != Kind::Object {
        return Ok(false);
    }
    start.enter_object()?;
    while let Some(key) = start.next_key()? {
        match key.bytes {
            b"method" => return is_of_tracing(start),
            b"ph" | b"traceEvents" => return Ok(false),
            _ => start.skip_value()?,
        }
    }
    Ok(false)
}

/// Adds the lists of events in the messages at the cursor: the offsets after the opening bracket and after the list.
///
/// # Errors
/// If the text ends or is damaged; a list that the end of the text cuts is included.
pub(in crate::trace_events) fn lists(cursor: &mut Cursor<'_>, lists: &mut Vec<Range<usize>>) -> Result<(), JsonError> {
    let is_array = cursor.peek()? == Kind::Array;
    if is_array {
        cursor.enter_array()?;
    }
    loop {
        match cursor.next_element() {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(error) if !is_array && error.problem == Problem::Truncated => return Ok(()),
            Err(error) => return Err(error),
        }
        if cursor.peek()? != Kind::Object {
            cursor.skip_value()?;
            continue;
        }
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            if key.bytes != b"params" || cursor.peek()? != Kind::Object {
                cursor.skip_value()?;
                continue;
            }
            cursor.enter_object()?;
            while let Some(key) = cursor.next_key()? {
                let is_list = key.bytes == b"value" && cursor.peek()? == Kind::Array;
                let start = cursor.offset() + 1;
                let skipped = cursor.skip_value();
                if is_list {
                    lists.push(start..if skipped.is_ok() { cursor.offset() } else { cursor.text().len() });
                }
                skipped?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_in_the_params_of_messages() {
        let message = r#"{"method": "Tracing.dataCollected", "params": {"value": [{}, 7]}}"#;
        let other = r#"{"id": 5, "result": {}} {"method": "Page.x", "params": {"value": 1}}"#;
        for text in [format!("{message}\n{other}\n{message}\n"), format!("[{message},{{\"id\":5}},{message}]")] {
            assert_eq!(are_at(Cursor::at(text.as_bytes(), 0)), Ok(true), "{text}");
            let mut found = Vec::new();
            assert_eq!(lists(&mut Cursor::at(text.as_bytes(), 0), &mut found), Ok(()), "{text}");
            assert_eq!(found.iter().map(|list| &text[list.clone()]).collect::<Vec<_>>(), ["{}, 7]"; 2], "{text}");
        }
        for text in ["[]", "[7]", r#"[{"ph":"X"}]"#, r#"{"traceEvents":[]}"#, r#"{"method":"Page.x"}"#] {
            assert_eq!(are_at(Cursor::at(text.as_bytes(), 0)), Ok(false), "{text}");
        }
    }
}
