//! Locates the events of a trace by their position in `traceEvents`, and finds where to resume reading after damage.

use std::ops::Range;

use flowline_json::{Cursor, JsonError, Kind, Problem};

/// A cursor before the elements of `traceEvents`.
#[must_use]
pub fn list(text: &[u8]) -> Option<Cursor<'_>> {
    let start = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut cursor = Cursor::at(text, start);
    cursor.enter_object().ok()?;
    while let Ok(Some(key)) = cursor.next_key() {
        if key.bytes == b"traceEvents" && cursor.peek() == Ok(Kind::Array) {
            cursor.enter_array().ok()?;
            return Some(cursor);
        }
        cursor.skip_value().ok()?;
    }
    None
}

/// True if the object before the cursor has a phase, as all events do.
///
/// # Errors
/// When the text is damaged.
pub fn has_phase(cursor: &mut Cursor<'_>) -> Result<bool, JsonError> {
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        if key.bytes == b"ph" {
            return Ok(cursor.peek()? == Kind::String);
        }
        cursor.skip_value()?;
    }
    Ok(false)
}

/// Number of bytes of an event in which to search for its phase.
const PHASE_REACH: usize = 1 << 16;

/// The whitespace at the beginning of a line, without commas.
fn indentation(line: &[u8]) -> Vec<u8> {
    let before = line.iter().copied().take_while(|byte| byte.is_ascii_whitespace() || *byte == b',');
    before.filter(|byte| *byte != b',').collect()
}

/// The first event that begins on a line after the line of `damage`, where a damaged event begins. Recorders write one
/// event per line, so the line after a damaged event is intact. An object with a different indentation is part of an
/// event. The search reads each byte at most a few times.
#[must_use]
pub fn next_event_line(text: &[u8], damage: usize) -> Option<usize> {
    let before = text.get(..damage)?;
    let own_line = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    let own = indentation(&before[own_line..]);
    let mut line = damage;
    let mut budget = (text.len() - damage.min(text.len())).saturating_mul(4).saturating_add(PHASE_REACH);
    loop {
        line += memchr::memchr(b'\n', text.get(line..)?)? + 1;
        let is_separator = |byte: &u8| byte.is_ascii_whitespace() && *byte != b'\n' || *byte == b',';
        let begin = line + text[line..].iter().take_while(|byte| is_separator(byte)).count();
        if text.get(begin) != Some(&b'{') || indentation(&text[line..begin]) != own {
            continue;
        }
        let window = &text[..begin.saturating_add(PHASE_REACH).min(text.len())];
        let mut cursor = Cursor::at(window, begin);
        if has_phase(&mut cursor) == Ok(true) {
            return Some(begin);
        }
        budget = budget.checked_sub(cursor.offset() - begin)?;
    }
}

/// Number of bytes from the start of a damaged event in which to search for the next event.
pub const LOOKAHEAD: usize = 1 << 16;

/// Moves a cursor past the event before it in which damage was found.
///
/// # Errors
/// The damage, if the end of the event cannot be determined. After half an event or half a string, brackets can match
/// anywhere. The end that they indicate is therefore only valid if it is consistent with the lines: only separators may
/// be between it and the next line that begins with an event. Without such a line, the brackets alone decide.
pub fn skip_damaged(cursor: &mut Cursor<'_>, damage: JsonError) -> Result<(), JsonError> {
    let start = cursor.offset();
    cursor.skip_value()?;
    let (text, end) = (cursor.text(), cursor.offset());
    let window = &text[..start.saturating_add(LOOKAHEAD).max(end).min(text.len())];
    let Some(next) = next_event_line(window, start) else { return Ok(()) };
    let is_separator = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
    if text.get(end..next).is_some_and(|between| between.iter().all(is_separator)) { Ok(()) } else { Err(damage) }
}

/// Moves a cursor past the element before it, which is an event in most lists.
fn skip_element(cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
    let start = *cursor;
    let kind = cursor.peek()?;
    if kind != Kind::Object {
        cursor.skip_value()?;
        // A number or a word at the end of the text may be truncated.
        let is_open = cursor.offset() == cursor.text().len() && !matches!(kind, Kind::Array | Kind::String);
        return if is_open { Err(JsonError { offset: start.offset(), problem: Problem::Truncated }) } else { Ok(()) };
    }
    let mut members = || {
        cursor.enter_object()?;
        while cursor.next_key()?.is_some() {
            cursor.skip_value()?;
        }
        Ok(())
    };
    let Err(damage) = members() else { return Ok(()) };
    *cursor = start;
    // Whitespace before the event is not part of it.
    let _kind = cursor.peek()?;
    skip_damaged(cursor, damage)
}

/// The events of a damaged list, with the same rules as in the importer.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct WholeRuns {
    /// Intact runs of text, separated by damage. A run begins and ends with an event. Damaged text up to the next line
    /// with an event is in no run.
    pub runs: Vec<Range<usize>>,
    /// Offset after the closing bracket; `None` if it is missing.
    pub end: Option<usize>,
}

/// Finds the intact events of a list whose elements begin at `start`.
#[must_use]
pub fn whole_runs(text: &[u8], start: usize) -> WholeRuns {
    let mut found = WholeRuns::default();
    let mut cursor = Cursor::at(text, start);
    let mut goes_on = false;
    loop {
        let damage = match cursor.next_element() {
            Ok(false) => {
                found.end = Some(cursor.offset());
                return found;
            }
            Ok(true) => {
                let _damage = cursor.peek();
                let from = cursor.offset();
                if skip_element(&mut cursor).is_ok() {
                    match found.runs.last_mut().filter(|_| goes_on) {
                        Some(run) => run.end = cursor.offset(),
                        None => found.runs.push(from..cursor.offset()),
                    }
                    goes_on = true;
                    continue;
                }
                from
            }
            Err(error) => error.offset,
        };
        goes_on = false;
        match next_event_line(text, damage) {
            Some(next) => cursor = Cursor::at(text, next),
            None => return found,
        }
    }
}

/// Position and bytes of the events at ascending positions in the list; positions beyond its end are ignored.
#[must_use]
pub fn places(text: &[u8], positions: impl Iterator<Item = usize>) -> Vec<(usize, Range<usize>)> {
    found(text, positions).unwrap_or_default()
}

fn found(text: &[u8], positions: impl Iterator<Item = usize>) -> Option<Vec<(usize, Range<usize>)>> {
    let mut positions = positions.peekable();
    positions.peek()?;
    let mut cursor = list(text)?;
    let (mut found, mut at) = (Vec::new(), 0);
    while let (Some(wanted), Ok(true)) = (positions.peek().copied(), cursor.next_element()) {
        // `peek` skips the whitespace before the value.
        let _damage = cursor.peek();
        let from = cursor.offset();
        if cursor.skip_value().is_err() {
            break;
        }
        if at == wanted {
            found.push((at, from..cursor.offset()));
            positions.next();
        }
        at += 1;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_line_with_an_event_is_found_after_damage() {
        let text = b"[{\"ph\":\"X\",\"na\n{\"name\":1}\n,{\"name\":\"e\",\n\"ph\":\"X\"}\n]";
        let found = next_event_line(text, 1).expect("an event");
        assert!(text[found..].starts_with(b"{\"name\":\"e\""));
        assert_eq!(next_event_line(text, found), None);
        assert_eq!(next_event_line(text, text.len()), None);
        assert_eq!(next_event_line(b"", 7), None);
        let nested = b"  {\"args\":\n    {\"ph\":\"X\"}\n ,\"x\n  ,{\"ph\":\"B\"}\n";
        let found = next_event_line(nested, 2).expect("an event");
        assert!(nested[found..].starts_with(b"{\"ph\":\"B\""), "an object inside an event is not an event");
        // In deeply nested text, each line could be an event: the search gives up.
        let deep = "{\"a\":\n".repeat(200_000);
        assert_eq!(next_event_line(deep.as_bytes(), 0), None);
    }

    #[test]
    fn runs_contain_the_intact_events() {
        let runs = |text: &str| -> Vec<String> {
            whole_runs(text.as_bytes(), 1).runs.into_iter().map(|run| text[run].to_owned()).collect()
        };
        let event = |name: &str| format!(r#"{{"ph":"X","name":"{name}"}}"#);
        let (a, b, c) = (event("a"), event("b"), event("c"));
        assert_eq!(runs(&format!("[{a} ,\n{b}\n]")), [format!("{a} ,\n{b}")]);
        assert_eq!(runs(&format!("[{a},\n{}\n,{c}", &b[..12])), [a.clone(), c.clone()]);
        assert_eq!(runs(&format!("[{a},\n{b},{}", &c[..9])), [format!("{a},\n{b}")]);
        assert_eq!(runs(&format!("[{a},12")), std::slice::from_ref(&a));
        assert!(runs("[").is_empty());
        // Half a string makes brackets match in the middle of a line.
        let half = a.replacen("\"ph\"", "\"ph", 1).replace('a', "}{ ]");
        let text = format!("[{b},\n{half},\n{c}\n],7");
        assert_eq!(runs(&text), [b, c]);
        assert_eq!(whole_runs(text.as_bytes(), 1).end, Some(text.len() - 2));
    }
}
