//! Splits the text of a query into words: alternatives are separated by commas, words within an alternative by spaces.
//!
//! A quote opens at the beginning of a word (also after `-`) or of its value. Spaces and commas up to the next quote
//! are part of the word; a doubled quote inside is a literal quote. An unclosed quote extends to the end of the text.

use super::shown_numbers::comparison_len;

/// A word of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    /// As typed, without a `-` before it.
    pub(super) raw: &'a str,
    /// True if the word is an exclusion.
    pub(super) negated: bool,
    /// The text before the colon, in lower case.
    pub(super) key: Option<String>,
    /// True if `:=` requires a whole value.
    pub(super) whole: bool,
    /// The text or the value, without quotes, in lower case.
    pub(super) value: String,
    /// True if a quote opens the value.
    pub(super) quoted: bool,
}

impl Word<'_> {
    /// Key and value as one text, as a field may contain them literally.
    pub(super) fn literal(&self) -> String {
        match &self.key {
            Some(key) => format!("{key}:{}{}", if self.whole { "=" } else { "" }, self.value),
            None => self.value.clone(),
        }
    }
}

/// The alternatives of a query, each with its words. Alternatives without words are omitted.
#[inline]
pub(super) fn alternatives(text: &str) -> Vec<Vec<Word<'_>>> {
    parts(text).into_iter().map(words).filter(|words| !words.is_empty()).collect()
}

/// The comma-separated parts of a query, trimmed. Empty parts are omitted.
pub(super) fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut begin, mut at) = (0, 0);
    while at < text.len() {
        if text[at..].starts_with(',') {
            parts.push(&text[begin..at]);
            at += 1;
            begin = at;
        } else {
            at += blank(&text[at..]);
            at += word_len(&text[at..]);
        }
    }
    parts.push(&text[begin..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

fn words(part: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut rest = part;
    loop {
        rest = &rest[blank(rest)..];
        let length = word_len(rest);
        if length == 0 {
            return words;
        }
        words.push(word(&rest[..length]));
        rest = &rest[length..];
    }
}

/// The length of the whitespace at the beginning of a text.
#[inline]
fn blank(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// The length of the word at the beginning of a text: up to the next space or comma outside quotes.
fn word_len(text: &str) -> usize {
    let opens = opening_quote(text);
    let mut open = false;
    let end = text.char_indices().find(|(at, letter)| {
        if *letter == '"' && opens.is_some_and(|opens| *at >= opens) {
            // A doubled quote closes and reopens the quotation.
            open = !open;
        }
        !open && (*letter == ',' || letter.is_whitespace())
    });
    let plain = end.map_or(text.len(), |(at, _)| at);
    // Numbers may have comma groups and a space before the unit.
    let value = text[..plain].find(':').filter(|_| opens.is_none()).map(|colon| colon + 1);
    let comparison = value.and_then(|value| Some(value + comparison_len(&text[value..])?));
    comparison.map_or(plain, |end| end.max(plain))
}

/// The position of the first quote that opens a quotation.
fn opening_quote(text: &str) -> Option<usize> {
    let sign = usize::from(text.starts_with('-'));
    if text[sign..].starts_with('"') {
        return Some(sign);
    }
    let colon = text.find(|letter: char| letter == ':' || letter == ',' || letter == '"' || letter.is_whitespace())?;
    let after = text[colon..].strip_prefix(':')?;
    let value = colon + 1 + usize::from(after.starts_with('='));
    (colon > sign && text[value..].starts_with('"')).then_some(value)
}

fn word(typed: &str) -> Word<'_> {
    let (negated, raw) = match typed.strip_prefix('-') {
        Some(rest) if !rest.is_empty() => (true, rest),
        _ => (false, typed),
    };
    let plain = |value: &str| {
        let quoted = value.starts_with('"');
        (if quoted { unquoted(value) } else { value.to_owned() }.to_lowercase(), quoted)
    };
    let keyed = raw.split_once(':').filter(|(key, _)| !key.is_empty() && !key.starts_with('"'));
    if let Some((key, value)) = keyed {
        let (whole, value) = match value.strip_prefix('=') {
            Some(rest) if !rest.is_empty() => (true, rest),
            _ => (false, value),
        };
        let (value, quoted) = plain(value);
        return Word { raw, negated, key: Some(key.to_lowercase()), whole, value, quoted };
    }
    let (value, quoted) = plain(raw);
    Word { raw, negated, key: None, whole: false, value, quoted }
}

/// Removes the quotes from a text that begins with one. Doubled quotes inside become single ones.
fn unquoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut open, mut letters) = (false, text.chars().peekable());
    while let Some(letter) = letters.next() {
        if letter != '"' {
            out.push(letter);
        } else if open && letters.peek() == Some(&'"') {
            letters.next();
            out.push('"');
        } else {
            open = !open;
        }
    }
    out
}

/// Quotes a text that would not be a single word without quotes.
pub(super) fn quoted(text: &str) -> String {
    let plain = |letter: char| !letter.is_whitespace() && letter != ',' && letter != '"';
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("\"{}\"", text.replace('"', "\"\""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats words as `-[key:=value]`, with a bar between alternatives.
    fn shown(text: &str) -> String {
        let word = |word: &Word<'_>| format!("{}[{}]", if word.negated { "-" } else { "" }, word.literal());
        let all = alternatives(text);
        all.iter().map(|words| words.iter().map(word).collect::<String>()).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn spaces_and_commas_split_and_quotes_join() {
        for (text, expected) in [
            ("", ""),
            (" , ,", ""),
            ("a b,c", "[a][b]|[c]"),
            ("\"A b,c\" -\"d e\"", "[a b,c]-[d e]"),
            ("key:\"a, b\" x", "[key:a, b][x]"),
            ("-cat:=\"GC / CC\",y", "-[cat:=gc / cc]|[y]"),
            ("\"say \"\"hi\"\"\"", "[say \"hi\"]"),
            ("5\" wide", "[5\"][wide]"),
            ("\"open end, here", "[open end, here]"),
            ("-", "[-]"),
            ("--a", "-[-a]"),
            ("-1", "-[1]"),
            ("a:b:c", "[a:b:c]"),
            ("dur:>1,040 ms x,y", "[dur:>1,040 ms][x]|[y]"),
            ("-dur:>1,040,5", "-[dur:>1,040]|[5]"),
            ("pid:12,345", "[pid:12]|[345]"),
            ("key:=", "[key:=]"),
            (":x", "[:x]"),
            ("\"a:b\"", "[a:b]"),
            ("\u{a0}ä\u{2003}Ö", "[ä][ö]"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
        assert_eq!(alternatives("\"a:b\"")[0][0].key, None, "quoted text has no key");
    }

    #[test]
    fn quoted_text_round_trips() {
        for text in ["a", "a b", "a,b", "say \"x\"", "", " ", "\""] {
            let typed = format!("key:{}", quoted(text));
            let words = alternatives(&typed);
            assert_eq!((words[0][0].value.as_str(), words[0].len(), words.len()), (text, 1, 1), "{typed}");
        }
    }
}
