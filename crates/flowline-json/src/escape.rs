//! Escapes of JSON strings.

/// Resolves escapes. Lone surrogates and invalid UTF-8 become U+FFFD. For an unknown escape, the backslash is dropped.
pub(super) fn unescape(bytes: &[u8]) -> String {
    if memchr::memchr(b'\\', bytes).is_none() {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let mut out = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(found) = memchr::memchr(b'\\', rest) {
        out.push_str(&String::from_utf8_lossy(&rest[..found]));
        rest = rest.get(found + 1..).unwrap_or_default();
        let Some((&escape, after)) = rest.split_first() else { break };
        rest = after;
        match escape {
            b'n' => out.push('\n'),
            b't' => out.push('\t'),
            b'r' => out.push('\r'),
            b'b' => out.push('\u{8}'),
            b'f' => out.push('\u{c}'),
            b'u' => {
                let (character, used) = unicode_escape(rest);
                out.push(character);
                rest = rest.get(used..).unwrap_or_default();
            }
            // Quote, backslash, slash and unknown escapes stand for the character itself.
            other if other.is_ascii() => out.push(char::from(other)),
            _ => out.push(char::REPLACEMENT_CHARACTER),
        }
    }
    out.push_str(&String::from_utf8_lossy(rest));
    out
}

/// Decodes the four hex digits at the start of `rest` (and a low surrogate that follows). Returns the character and the
/// number of bytes used.
fn unicode_escape(rest: &[u8]) -> (char, usize) {
    let Some(first) = hex4(rest) else { return (char::REPLACEMENT_CHARACTER, 0) };
    if (0xd800..0xdc00).contains(&first)
        && rest.get(4..6) == Some(b"\\u")
        && let Some(low) = rest.get(6..).and_then(hex4).filter(|low| (0xdc00..0xe000).contains(low))
    {
        let code = 0x1_0000 + ((first - 0xd800) << 10) + (low - 0xdc00);
        return (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 10);
    }
    (char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), 4)
}

fn hex4(bytes: &[u8]) -> Option<u32> {
    bytes.get(..4)?.iter().try_fold(0, |code, &byte| Some(code * 16 + char::from(byte).to_digit(16)?))
}
