//! Finds URLs and names of hosts in text that may be escaped.
//!
//! The text may be the inside of a JSON string, and that string may contain JSON or percent-encoded URLs itself. A slash may
//! therefore be `/`, `\/`, `\\/`, `\u002f` or `%2F`. A URL ends at white space, a quote, a bracket that it does not open, or an
//! escaped character that is none of a URL.

use std::ops::Range;

/// Schemes whose URLs name what a user visited or where files of a user are. Longer ones precede their endings.
const SCHEMES: [&[u8]; 6] = [b"https", b"http", b"wss", b"ws", b"ftp", b"file"];

/// A URL in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UrlPlace {
    /// The whole URL, without a position in a file (`:12:4`).
    pub(super) range: Range<usize>,
    /// End of the scheme.
    pub(super) scheme_end: usize,
    /// The host with its port and user.
    pub(super) authority: Range<usize>,
}

/// Returns the first URL whose colon is at or after `from`.
pub(super) fn next_url(text: &[u8], from: usize) -> Option<UrlPlace> {
    let mut at = from;
    loop {
        let colon = at + memchr::memchr2(b':', b'%', text.get(at..)?)?;
        at = colon + 1;
        let length = if text[colon] == b':' {
            1
        } else if text[colon..].get(..3).is_some_and(|code| code.eq_ignore_ascii_case(b"%3a")) {
            3
        } else {
            continue;
        };
        let Some(start) = scheme_start(text, colon) else { continue };
        let Some(first) = after_slash(text, colon + length) else { continue };
        let is_file = text[start..colon].eq_ignore_ascii_case(b"file");
        let Some(authority) = after_slash(text, first).or(is_file.then_some(first)) else { continue };
        let end = url_end(text, start, authority);
        let host_end = authority_end(text, authority, end);
        return Some(UrlPlace {
            range: start..without_position(text, host_end, end),
            scheme_end: colon,
            authority: authority..host_end,
        });
    }
}

/// Returns the start of the scheme that ends before a colon. Letters before it may belong to other text.
fn scheme_start(text: &[u8], colon: usize) -> Option<usize> {
    let has = |scheme: &&[u8]| {
        let start = colon.checked_sub(scheme.len())?;
        text[start..colon].eq_ignore_ascii_case(scheme).then_some(start)
    };
    SCHEMES.iter().find_map(has)
}

/// Returns the offset after a slash, which may be escaped.
fn after_slash(text: &[u8], at: usize) -> Option<usize> {
    let escapes = text.get(at..)?.iter().take_while(|byte| **byte == b'\\').count();
    let rest = &text[at + escapes..];
    let code = |code: &[u8]| rest.get(..code.len()).is_some_and(|own| own.eq_ignore_ascii_case(code));
    match rest.first()? {
        b'/' => Some(at + escapes + 1),
        b'u' if escapes > 0 && code(b"u002f") => Some(at + escapes + 5),
        b'%' if escapes == 0 && code(b"%2f") => Some(at + 3),
        _ => None,
    }
}

/// Returns the end of the host of a URL.
fn authority_end(text: &[u8], start: usize, end: usize) -> usize {
    let is_end = |at: &usize| matches!(text[*at], b'/' | b'\\' | b'?' | b'#' | b'%');
    (start..end).find(is_end).unwrap_or(end)
}

/// Returns the end of a URL, which starts at `start` and is read from `from`. Punctuation after it belongs to a sentence.
pub(super) fn url_end(text: &[u8], start: usize, from: usize) -> usize {
    let quote =
        start.checked_sub(1).map(|before| text[before]).filter(|byte| matches!(byte, b'\'' | b'`' | b'|' | b'*'));
    let (mut at, mut open) = (from, Vec::new());
    while let Some(&byte) = text.get(at) {
        match byte {
            0..=b' ' | 0x7f | b'"' | b'<' | b'>' => break,
            _ if Some(byte) == quote => break,
            b'(' => open.push(b')'),
            b'[' => open.push(b']'),
            b'{' => open.push(b'}'),
            b')' | b']' | b'}' => {
                let Some(last) = open.iter().rposition(|close| *close == byte) else { break };
                open.truncate(last);
            }
            b'\\' => {
                let Some(after) = after_escape(text, at) else { break };
                at = after;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    let is_punctuation = |byte: &u8| matches!(byte, b'.' | b',' | b';' | b':' | b'!' | b'?');
    let punctuation = text[from..at].iter().rev().take_while(|byte| is_punctuation(byte)).count();
    at - punctuation
}

/// Returns the offset after backslashes and the character that they escape; `None` if it ends a URL.
fn after_escape(text: &[u8], at: usize) -> Option<usize> {
    let escapes = text[at..].iter().take_while(|byte| **byte == b'\\').count();
    let place = at + escapes;
    match text.get(place)? {
        b'n' | b'r' | b't' | b'b' | b'f' | b'"' | b'\'' => None,
        b'u' => {
            let digits = std::str::from_utf8(text.get(place + 1..place + 5)?).ok()?;
            let code = u16::from_str_radix(digits, 16).ok()?;
            let is_end = code <= u16::from(b' ') || [b'"', b'\'', b'<', b'>'].map(u16::from).contains(&code);
            (!is_end).then_some(place + 5)
        }
        _ => Some(place + 1),
    }
}

/// Returns the end of a URL without the position in a file (`:LINE`, `:LINE:COLUMN`) and the number of a script (`[7]`) after it.
/// Without a path, digits after a colon are a port.
fn without_position(text: &[u8], host_end: usize, end: usize) -> usize {
    let mut rest = &text[..end];
    let digits = |rest: &[u8]| rest.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    if let Some(inside) = rest.strip_suffix(b"]") {
        let before = &inside[..inside.len() - digits(inside)];
        rest = before.strip_suffix(b"[").filter(|_| before.len() < inside.len()).unwrap_or(rest);
    }
    for _ in 0..2 {
        let before = &rest[..rest.len() - digits(rest)];
        rest = before.strip_suffix(b":").filter(|_| before.len() < rest.len()).unwrap_or(rest);
    }
    if rest.len() > host_end { rest.len() } else { end }
}

/// Returns the next word with a dot that may be a host: letters, digits, dots and dashes around a dot at or after `from`.
pub(super) fn next_dotted_word(text: &[u8], from: usize) -> Option<Range<usize>> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte >= 0x80 || matches!(byte, b'.' | b'-');
    let dot = from + memchr::memchr(b'.', text.get(from..)?)?;
    let before = text[from..dot].iter().rev().take_while(|byte| is_part(**byte)).count();
    let after = text[dot..].iter().take_while(|byte| is_part(**byte)).count();
    Some(dot - before..dot + after)
}

/// True if a path, a port or a query follows a host that ends at an offset.
pub(super) fn continues_as_url(text: &[u8], at: usize) -> bool {
    matches!(text.get(at), Some(b'/' | b':' | b'?' | b'#')) || after_slash(text, at).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn urls(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(url) = next_url(text.as_bytes(), at) {
            at = url.range.end;
            found.push(&text[url.range]);
        }
        found
    }

    #[test]
    fn urls_end_where_the_text_around_them_goes_on() {
        for (text, expected) in [
            ("https://a.example/b?c=d#e", &["https://a.example/b?c=d#e"][..]),
            ("see HTTP://a.example/b, and ws://c.example.", &["HTTP://a.example/b", "ws://c.example"]),
            ("f (https://a.example/x(1).js:12:4)[7]", &["https://a.example/x(1).js"]),
            ("https://a.example/x.js:12:4[7]", &["https://a.example/x.js"]),
            ("https://a.example:8080", &["https://a.example:8080"]),
            ("'https://a.example/it' https://a.example/it's", &["https://a.example/it", "https://a.example/it's"]),
            (r#"{\"u\":\"https:\/\/a.example\/b\u0026c\",\"n\":1}"#, &[r"https:\/\/a.example\/b\u0026c"]),
            (r"https:\\/\\/a.example\\/b\\n", &[r"https:\\/\\/a.example\\/b"]),
            (r"https:\u002F\u002fa.example\u0022", &[r"https:\u002F\u002fa.example"]),
            ("to=https%3A%2F%2Fa.example%2Fb&x", &["https%3A%2F%2Fa.example%2Fb&x"]),
            ("blob:https://a.example/1 jar:file:/home/x", &["https://a.example/1", "file:/home/x"]),
            ("https:// http:", &["https://"]),
            ("about:blank moz-extension://1 a::b c://d std::ws::x", &[]),
            ("url(https://a.example/é)", &["https://a.example/é"]),
        ] {
            assert_eq!(urls(text), expected, "{text}");
        }
    }

    #[test]
    fn hosts_are_what_follows_the_slashes() {
        for (text, expected) in [
            ("https://u:p@a.example:80/b", "u:p@a.example:80"),
            (r"https:\/\/a.example\/b", "a.example"),
            ("https%3a%2f%2fa.example%2Fb", "a.example"),
            ("file:///home", ""),
        ] {
            let url = next_url(text.as_bytes(), 0).expect("a URL");
            assert_eq!(&text[url.authority], expected);
        }
    }
}
