//! The events of a trace by their position in `traceEvents`, and where reading goes on after damage.

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

/// Whether the object before the cursor has a phase, as all events have.
///
/// # Errors
/// On damage of the text.
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

/// Bytes of an event in which its phase is looked for.
const PHASE_REACH: usize = 1 << 16;

/// The white space at the beginning of a line, without commas.
fn indentation(line: &[u8]) -> Vec<u8> {
    let before = line.iter().copied().take_while(|byte| byte.is_ascii_whitespace() || *byte == b',');
    before.filter(|byte| *byte != b',').collect()
}

/// The first event at the beginning of a line after the line of `damage`, where a damaged event begins. Recording programs
/// write an event a line, so after a damaged one the next line is whole. An object that is indented in another way is not an
/// event but a part of one. The search looks at each byte a few times at most.
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

/// Bytes after the beginning of a damaged event in which the next event is looked for.
pub const LOOKAHEAD: usize = 1 << 16;

/// Moves a cursor beyond the event before it in which damage was found.
///
/// # Errors
/// The damage, if the end of the event cannot be told. After half an event or half a string, brackets match anywhere, so the
/// end that they tell is only right if it agrees with the lines: nothing but separators may be between it and the next line
/// that begins with an event. Where there are no lines, brackets are all there is.
pub fn skip_damaged(cursor: &mut Cursor<'_>, damage: JsonError) -> Result<(), JsonError> {
    let start = cursor.offset();
    cursor.skip_value()?;
    let (text, end) = (cursor.text(), cursor.offset());
    let window = &text[..start.saturating_add(LOOKAHEAD).max(end).min(text.len())];
    let Some(next) = next_event_line(window, start) else { return Ok(()) };
    let is_separator = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
    if text.get(end..next).is_some_and(|between| between.iter().all(is_separator)) { Ok(()) } else { Err(damage) }
}

/// Moves a cursor beyond the element before it, which is an event in most lists.
fn skip_element(cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
    let start = *cursor;
    let kind = cursor.peek()?;
    if kind != Kind::Object {
        cursor.skip_value()?;
        // A number or a word at the end of the text may be cut off.
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
    // White space before the event is not part of it.
    let _kind = cursor.peek()?;
    skip_damaged(cursor, damage)
}

/// The events of a damaged list, as the importer reads them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct WholeRuns {
    /// Runs of text between which something is damaged. A run begins with an event and ends with one; what is damaged up to the
    /// next line with an event belongs to none.
    pub runs: Vec<Range<usize>>,
    /// After the closing bracket; `None` if it is missing.
    pub end: Option<usize>,
}

/// Finds the whole events of a list whose elements begin at `start`.
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

/// Position and bytes of the events at ascending positions of the list; those beyond its end are left out.
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
        // `peek` skips the white space before the value.
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
    fn after_damage_the_next_line_with_an_event_is_found() {
        let text = b"[{\"ph\":\"X\",\"na\n{\"name\":1}\n,{\"name\":\"e\",\n\"ph\":\"X\"}\n]";
        let found = next_event_line(text, 1).expect("an event");
        assert!(text[found..].starts_with(b"{\"name\":\"e\""));
        assert_eq!(next_event_line(text, found), None);
        assert_eq!(next_event_line(text, text.len()), None);
        assert_eq!(next_event_line(b"", 7), None);
        let nested = b"  {\"args\":\n    {\"ph\":\"X\"}\n ,\"x\n  ,{\"ph\":\"B\"}\n";
        let found = next_event_line(nested, 2).expect("an event");
        assert!(nested[found..].starts_with(b"{\"ph\":\"B\""), "what is inside of an event is not one");
        // Deep nesting, of which each line could be an event: the search gives up.
        let deep = "{\"a\":\n".repeat(200_000);
        assert_eq!(next_event_line(deep.as_bytes(), 0), None);
    }

    #[test]
    fn runs_are_what_is_whole() {
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
