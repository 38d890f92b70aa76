//! Texts shortened in the middle: addresses and paths keep the start of the host and the last segment, and names that end
//! in a number keep the number.

/// Longer names with a number are sentences, whose end says no more than their middle.
const MAX_NAME: usize = 80;

/// True for texts that are shortened in the middle: URLs, paths, and names that end in a number.
#[must_use]
pub fn shortens_in_middle(text: &str) -> bool {
    is_place(text) || is_numbered(text)
}

/// Words before the URL of a place, at most: "Load 3: https://a.test/".
const MAX_WORDS: usize = 3;

/// True for a URL or a path, but not for a sentence that contains one.
#[must_use]
pub fn is_place(text: &str) -> bool {
    if text.contains(' ') {
        let Some((before, after)) = text.split_once("://") else { return false };
        if after.contains(' ') || before.split_whitespace().count() > MAX_WORDS {
            return false;
        }
    }
    let is_path = text.starts_with(['/', '~']) && text[1..].contains('/');
    text.contains("://") || is_path || text.matches('/').count() > 1
}

/// Symbols with fewer letters are cut at the end, like other names.
const LONG_SYMBOL: usize = 24;

/// True for a long symbol in parts, such as that of a kernel of a library for GPUs. Those of one family differ at their ends.
#[must_use]
pub fn is_long_symbol(text: &str) -> bool {
    text.len() >= LONG_SYMBOL && !text.contains(char::is_whitespace) && text.matches('_').count() > 1
}

/// True for a name that ends in a number, such as "Worker 27561" or "stream#7".
#[must_use]
fn is_numbered(text: &str) -> bool {
    let name = text.trim_end_matches(|letter: char| letter.is_ascii_digit());
    name.len() < text.len() && name.len() <= MAX_NAME && name.chars().next().is_some_and(char::is_alphabetic)
}

/// Letters at the end of a URL that its scheme and host leave room for, at most.
const URL_END: usize = 12;
/// Letters of the words before a URL, with their ellipsis, that are worth showing.
const LEAST_WORDS: usize = 4;

/// A text of at most `letters` characters: its start, an ellipsis, and its end with the last segment or number. A URL keeps
/// its scheme and host if there is room for them.
#[must_use]
pub fn shorten_middle(text: &str, letters: usize) -> String {
    let count = text.chars().count();
    if count <= letters {
        return text.to_owned();
    }
    if let Some(short) = with_root(text, letters) {
        return short;
    }
    let kept = letters.saturating_sub(1);
    let last = last_part(text).chars().count();
    let tail = last.min(kept * 2 / 3).max(kept / 2);
    let end: String = text.chars().skip(count - tail).collect();
    text.chars().take(kept - tail).chain(['…']).chain(end.chars()).collect()
}

/// A URL and the words before it, shortened to `letters` characters, with scheme, host and end. `None` without a URL or without
/// room for these.
fn with_root(text: &str, letters: usize) -> Option<String> {
    let scheme = text.find("://").filter(|_| is_place(text))?;
    let start = text[..scheme].rfind(' ').map_or(0, |space| space + 1);
    let host = scheme + "://".len();
    let end = host + text[host..].find(['/', '?', '#'])?;
    let end = end + usize::from(text[end..].starts_with('/'));
    let [words, root, rest] = [&text[..start], &text[start..end], &text[end..]];
    let [before, fixed, after] = [words, root, rest].map(|part| part.chars().count());
    let least = last_part(text).chars().count().min(URL_END).min(after);
    let room = letters.checked_sub(fixed + 1 + least)?;
    let mut short = match before {
        _ if before <= room => words.to_owned(),
        _ if room >= LEAST_WORDS => words.chars().take(room - 1).chain(['…']).collect(),
        _ => return None,
    };
    short.push_str(root);
    let left = letters.saturating_sub(short.chars().count());
    if after <= left {
        return Some(short + rest);
    }
    short.push('…');
    short.extend(rest.chars().skip(after + 1 - left));
    Some(short)
}

/// The last segment of a place with the slash before it, or the number of a name with the word before it.
fn last_part(text: &str) -> &str {
    if is_place(text) {
        let at = text.trim_end_matches('/').rfind('/');
        return at.map_or(text, |at| &text[at..]);
    }
    let name = text.trim_end_matches(|letter: char| !letter.is_alphabetic());
    // A word starts after a character that is no letter, or at the last capital letter.
    let mut at = name.len();
    for (start, letter) in name.char_indices().rev() {
        if !letter.is_alphabetic() {
            break;
        }
        at = start;
        if letter.is_uppercase() {
            break;
        }
    }
    &text[at..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_keep_host_and_last_segment() {
        let url = "https://shop.example/static/scripts/js/app.8f3c.js";
        assert_eq!(shorten_middle(url, 35), "https://shop.example/…s/app.8f3c.js");
        assert_eq!(shorten_middle(url, 36), "https://shop.example/…js/app.8f3c.js");
        assert_eq!(shorten_middle(url, 33), "https://shop.exa…s/js/app.8f3c.js", "no room for the host");
        let load = format!("LoadTask, {url}");
        assert_eq!(shorten_middle(&load, 48), "LoadTask, https://shop.example/…s/js/app.8f3c.js");
        assert_eq!(shorten_middle(&load, 40), "LoadT…https://shop.example/…/app.8f3c.js");
        assert_eq!(shorten_middle("Wait for http://a.test:80/?q", 24), "Wai…http://a.test:80/?q");
        assert_eq!(shorten_middle(url, 20), "https:/…/app.8f3c.js");
        assert_eq!(shorten_middle(url, 100), url);
        assert_eq!(shorten_middle("/usr/lib/x86_64-linux-gnu/libc.so.6", 20), "/usr/lib/…/libc.so.6");
    }

    /// Kernels of one family differ at their ends, and keep these when they are shortened.
    #[test]
    fn shortened_symbols_of_a_family_differ() {
        let kernels =
            ["nt", "nn", "tn"].map(|layout| format!("ampere_fp16_s1688gemm_fp16_128x128_ldg8_stages_{layout}"));
        assert!(kernels.iter().all(|kernel| is_long_symbol(kernel)));
        let short: Vec<String> = kernels.iter().map(|kernel| shorten_middle(kernel, 20)).collect();
        assert!(
            short.iter().zip(&kernels).all(|(short, kernel)| short[short.len() - 3..] == kernel[kernel.len() - 3..])
        );
        assert!(
            ["paint", "a_long_name with words in it", "LongNameWithoutAnyParts_"]
                .iter()
                .all(|name| !is_long_symbol(name))
        );
    }

    #[test]
    fn names_keep_their_number() {
        assert_eq!(shorten_middle("ThreadPoolForegroundWorker 27561", 22), "ThreadPoo…Worker 27561");
        assert_eq!(shorten_middle("a long name of one compositor#7", 22), "a long na…compositor#7");
        assert_eq!(shorten_middle("ThreadPoolForegroundWorker 27561", 10), "Thr… 27561");
        for (text, expected) in [
            ("Worker 27561", true),
            ("stream#7", true),
            ("12,345", false),
            ("paint", false),
            ("a/b", false),
            ("src/a/b.rs", true),
            ("/usr/lib", true),
            ("GC / CC", false),
            ("https://a.test/", true),
            ("Load 3: https://a.test/x", true),
            ("Document http://a.test/x/y loaded after 400 ms", false),
            ("First paint after 225ms for URL http://a.test/x/y", false),
            ("", false),
            ("/", false),
            ("~", false),
        ] {
            assert_eq!(shortens_in_middle(text), expected, "{text}");
        }
    }

    #[test]
    fn short_limits_and_wide_letters_are_no_problem() {
        for letters in 0..12 {
            for text in ["éééééééé/ééééé/é", "https://", "Worker 1", "////////////"] {
                let short = shorten_middle(text, letters);
                assert!(short.chars().count() <= letters.max(1), "{text} {letters} {short}");
            }
        }
    }
}
