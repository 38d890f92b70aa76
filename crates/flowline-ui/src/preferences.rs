//! Settings that the settings dialog changes and the application stores, besides theme, keys and scale.

use crate::source_search::SourceSearch;

/// Settings of the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preferences {
    /// True for low rows in newly opened recordings.
    pub compact: bool,
    /// Command that opens a source location; empty if none is set.
    pub open_place: Vec<String>,
    /// Command that opens a URL; empty for the system's default.
    pub open_link: Vec<String>,
    /// Memory limit of loading in bytes; `None` for all available memory.
    pub max_memory: Option<u64>,
    /// Code search addresses.
    pub source_search: SourceSearch,
}

/// The words of a command line: separated by spaces, quoted with `"` if they contain some.
#[must_use]
pub(crate) fn split_command(text: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted, mut has_word) = (Vec::new(), String::new(), false, false);
    for letter in text.chars() {
        match letter {
            '"' => (is_quoted, has_word) = (!is_quoted, true),
            ' ' if !is_quoted => {
                if std::mem::take(&mut has_word) {
                    words.push(std::mem::take(&mut word));
                }
            }
            letter => {
                word.push(letter);
                has_word = true;
            }
        }
    }
    words.extend(has_word.then_some(word));
    words
}

/// The command line of words.
#[must_use]
pub(crate) fn join_command(words: &[String]) -> String {
    let quoted = |word: &String| match word.is_empty() || word.contains(' ') {
        true => format!("\"{word}\""),
        false => word.clone(),
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// The number of bytes that a text such as "8 GB" states; `None` if it states none.
#[must_use]
pub(crate) fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim().replace(',', "");
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let factor = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "tb" => 1e12,
        _ => return None,
    };
    let bytes = number.parse::<f64>().ok()? * factor;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
    (1.0..1e15).contains(&bytes).then_some(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_split_and_joined() {
        for (text, words) in [
            ("code --goto {file}:{line}", vec!["code", "--goto", "{file}:{line}"]),
            ("  ed   {file} ", vec!["ed", "{file}"]),
            ("\"/my editor/ed\" -n", vec!["/my editor/ed", "-n"]),
            ("a\"b c\"d \"\"", vec!["ab cd", ""]),
            ("\"open", vec!["open"]),
            ("   ", vec![]),
        ] {
            let found = split_command(text);
            assert_eq!(found, words, "{text}");
            assert_eq!(split_command(&join_command(&found)), found);
        }
    }

    #[test]
    fn sizes_are_parsed() {
        for (text, bytes) in [
            ("8 GB", Some(8_000_000_000)),
            ("1.5gb", Some(1_500_000_000)),
            ("500 MB", Some(500_000_000)),
            ("1,024", Some(1024)),
            ("0", None),
            ("GB", None),
            ("-1 GB", None),
            ("1 parsec", None),
            ("9999999999999999999999", None),
        ] {
            assert_eq!(parse_size(text), bytes, "{text}");
        }
    }
}
