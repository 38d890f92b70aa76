//! The events of a trace by their position in `traceEvents`, and where reading goes on after damage.

use std::ops::Range;

use super::json::{Cursor, JsonError, Kind};

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

/// The white space before what begins a line, without commas; `None` if something else is there.
fn indentation(before: &[u8]) -> Option<Vec<u8>> {
    let space: Vec<u8> = before.iter().copied().filter(|byte| *byte != b',').collect();
    space.iter().all(u8::is_ascii_whitespace).then_some(space)
}

/// The first event at the beginning of a line after the line of `damage`, where a damaged event begins. Recording programs
/// write an event a line, so after a damaged one the next line is whole. An object that is indented in another way is not an
/// event but a part of one. The search looks at each byte a few times at most.
#[must_use]
pub fn next_event_line(text: &[u8], damage: usize) -> Option<usize> {
    let before = text.get(..damage)?;
    let own_line = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    let own = indentation(&before[own_line..]).unwrap_or_default();
    let mut line = damage;
    let mut budget = (text.len() - damage.min(text.len())).saturating_mul(4).saturating_add(PHASE_REACH);
    loop {
        line += memchr::memchr(b'\n', text.get(line..)?)? + 1;
        let is_separator = |byte: &u8| byte.is_ascii_whitespace() && *byte != b'\n' || *byte == b',';
        let begin = line + text[line..].iter().take_while(|byte| is_separator(byte)).count();
        if text.get(begin) != Some(&b'{') || indentation(&text[line..begin]).as_ref() != Some(&own) {
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

/// The events of a list whose elements begin at `start`, as runs of text between which something is damaged. A run begins with
/// an event and ends with one; what is damaged up to the next line with an event belongs to none.
#[must_use]
pub fn whole_runs(text: &[u8], start: usize) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut cursor = Cursor::at(text, start);
    let mut goes_on = false;
    loop {
        let element = match cursor.next_element() {
            Ok(true) => cursor.peek().map(|kind| (kind, cursor.offset())),
            Ok(false) => return runs,
            Err(error) => Err(error),
        };
        let damage = match element {
            Ok((kind, from)) => match cursor.skip_value() {
                // A number or a word at the end of the text may be cut off.
                Ok(()) if cursor.offset() < text.len() || matches!(kind, Kind::Object | Kind::Array | Kind::String) => {
                    match runs.last_mut().filter(|_| goes_on) {
                        Some(run) => run.end = cursor.offset(),
                        None => runs.push(from..cursor.offset()),
                    }
                    goes_on = true;
                    continue;
                }
                _ => from,
            },
            Err(error) => error.offset,
        };
        goes_on = false;
        match next_event_line(text, damage) {
            Some(next) => cursor = Cursor::at(text, next),
            None => return runs,
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
            whole_runs(text.as_bytes(), 1).into_iter().map(|run| text[run].to_owned()).collect()
        };
        let event = |name: &str| format!(r#"{{"ph":"X","name":"{name}"}}"#);
        let (a, b, c) = (event("a"), event("b"), event("c"));
        assert_eq!(runs(&format!("[{a} ,\n{b}\n]")), [format!("{a} ,\n{b}")]);
        assert_eq!(runs(&format!("[{a},\n{}\n,{c}", &b[..12])), [a.clone(), c.clone()]);
        assert_eq!(runs(&format!("[{a},\n{b},{}", &c[..9])), [format!("{a},\n{b}")]);
        assert_eq!(runs(&format!("[{a},12")), [a]);
        assert!(runs("[").is_empty());
    }
}
