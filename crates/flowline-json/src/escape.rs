//! Escapes of JSON strings.
//!
//! Programs that write paths of Windows without escaping them produce escapes that JSON does not have. They keep their
//! backslash, because it is part of the path.

/// Resolves escapes. Lone surrogates and invalid UTF-8 become U+FFFD. An unknown escape keeps its backslash.
pub(super) fn unescape(bytes: &[u8]) -> String {
    if memchr::memchr(b'\\', bytes).is_none() {
        // Checking all bytes at once is faster than the search for the first damage.
        return std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes).into_owned(), str::to_owned);
    }
    let mut out = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(found) = memchr::memchr(b'\\', rest) {
        out.push_str(&String::from_utf8_lossy(&rest[..found]));
        rest = rest.get(found + 1..).unwrap_or_default();
        let Some((&escape, after)) = rest.split_first() else {
            out.push('\\');
            break;
        };
        rest = after;
        match escape {
            b'n' => out.push('\n'),
            b't' => out.push('\t'),
            b'r' => out.push('\r'),
            b'b' => out.push('\u{8}'),
            b'f' => out.push('\u{c}'),
            b'"' | b'\\' | b'/' => out.push(char::from(escape)),
            b'u' => match unicode_escape(rest) {
                Some((character, used)) => {
                    out.push(character);
                    rest = rest.get(used..).unwrap_or_default();
                }
                None => out.push_str("\\u"),
            },
            _ => {
                out.push('\\');
                // The character may have several bytes.
                rest = &bytes[bytes.len() - rest.len() - 1..];
                let next = memchr::memchr(b'\\', rest).unwrap_or(rest.len());
                out.push_str(&String::from_utf8_lossy(&rest[..next]));
                rest = &rest[next..];
            }
        }
    }
    out.push_str(&String::from_utf8_lossy(rest));
    out
}

/// Counts the escapes in a JSON text that JSON does not have. Returns their number and the offset of the first one. The
/// text begins outside of a string.
#[must_use]
pub fn invalid_escapes(text: &[u8]) -> (u64, Option<usize>) {
    let (mut count, mut first, mut next) = (0, None, 0);
    for at in memchr::memchr_iter(b'\\', text) {
        if at < next {
            continue;
        }
        next = at + 2;
        let is_valid = match text.get(at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => true,
            // The text may be truncated, also between the digits.
            Some(b'u') => text[at + 2..].iter().take(4).all(u8::is_ascii_hexdigit),
            None => true,
            Some(_) => false,
        };
        if !is_valid {
            count += 1;
            first.get_or_insert(at);
        }
    }
    (count, first)
}

/// Decodes the four hex digits at the start of `rest` (and a low surrogate that follows). Returns the character and the
/// number of bytes used; `None` without hex digits.
fn unicode_escape(rest: &[u8]) -> Option<(char, usize)> {
    let first = hex4(rest)?;
    if (0xd800..0xdc00).contains(&first)
        && rest.get(4..6) == Some(b"\\u")
        && let Some(low) = rest.get(6..).and_then(hex4).filter(|low| (0xdc00..0xe000).contains(low))
    {
        let code = 0x1_0000 + ((first - 0xd800) << 10) + (low - 0xdc00);
        return Some((char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 10));
    }
    Some((char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), 4))
}

fn hex4(bytes: &[u8]) -> Option<u32> {
    bytes.get(..4)?.iter().try_fold(0, |code, &byte| Some(code * 16 + char::from(byte).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_escapes_keep_their_backslash() {
        let rows = [
            (r"C:\Users\x", r"C:\Users\x"),
            (r"C:\users\\n\xyz", r"C:\users\n\xyz"),
            (r"\é\q\", r"\é\q\"),
            (r#"\"\/\u00e9\ud83d\ude00\u12"#, "\"/é😀\\u12"),
            (r"a\nb\t", "a\nb\t"),
        ];
        for (text, expected) in rows {
            assert_eq!(unescape(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn invalid_escapes_are_counted() {
        assert_eq!(invalid_escapes(br#"["a\\q\n\u00e9\"", "\/"]"#), (0, None));
        assert_eq!(invalid_escapes(br#"["C:\Users\x\q.py", "\u12"]"#), (4, Some(4)));
        for cut in [r#"["a\"#, r#"["a\u"#, r#"["a\u00"#, r#"["a\u00e"#] {
            assert_eq!(invalid_escapes(cut.as_bytes()), (0, None), "{cut}");
        }
        assert_eq!(invalid_escapes(br#"["a\u0x"#), (1, Some(3)));
    }
}
