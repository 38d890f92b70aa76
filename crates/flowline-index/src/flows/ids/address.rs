//! Addresses in labels: host and tail, elided in the middle.

/// Maximum length of an address in characters; longer ones are shortened.
const MAX_ADDRESS: usize = 56;
/// Maximum length of the tail of a shortened address, in characters.
const MAX_END: usize = 56;

/// An address without its scheme. A long address is shortened to its host and tail, because the tail distinguishes
/// similar addresses. Other text is returned unchanged.
pub(crate) fn short_address(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    if !matches!(scheme, "http" | "https" | "ws" | "wss") || rest.contains(char::is_whitespace) {
        return text.to_owned();
    }
    if rest.chars().count() <= MAX_ADDRESS {
        return rest.trim_end_matches('/').to_owned();
    }
    let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    format!("{host}/…{}", end_of(path))
}

/// The longest tail of a path that begins at a separator and fits into [`MAX_END`], else the last characters.
fn end_of(path: &str) -> &str {
    let mut cut = path.len();
    let mut division = None;
    for (at, letter) in path.char_indices().rev().take(MAX_END) {
        cut = at;
        if matches!(letter, '/' | '?' | '&' | '#') && at + 1 < path.len() {
            division = Some(at);
        }
    }
    // A separator near the end would drop too much.
    let keeps_enough = |at: &usize| path.len() - at >= (path.len() - cut) / 3;
    &path[division.filter(keeps_enough).unwrap_or(cut)..]
}

/// The text, elided in the middle to at most `max` characters.
#[must_use]
pub fn elided(text: &str, max: usize) -> String {
    let count = text.chars().count();
    if count <= max {
        return text.to_owned();
    }
    let kept = max.saturating_sub(1);
    let (head, tail) = (kept / 2, kept - kept / 2);
    let end: String = text.chars().skip(count - tail).collect();
    text.chars().take(head).chain(['…']).chain(end.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_keep_host_and_end() {
        for (address, expected) in [
            ("https://a.example/logo.png", "a.example/logo.png"),
            ("https://a.example/", "a.example"),
            ("chrome://browser/content/browser.xhtml", "chrome://browser/content/browser.xhtml"),
            ("Pending https://a.example/", "Pending https://a.example/"),
            (
                "https://cdn.gallery.example/2026/11/22/large/and/deep/folders/of/pictures/aurora-hero-3840.jpg",
                "cdn.gallery.example/…/large/and/deep/folders/of/pictures/aurora-hero-3840.jpg",
            ),
            (
                "https://settings.example/v1/buckets/monitor/changes/changeset?collection=query-stripping&_expected=0",
                "settings.example/…/changeset?collection=query-stripping&_expected=0",
            ),
            (
                "https://a.example/0123456789012345678901234567890123456789012345678901234567890123456789",
                "a.example/…45678901234567890123456789012345678901234567890123456789",
            ),
        ] {
            assert_eq!(short_address(address), expected);
        }
    }

    #[test]
    fn texts_lose_their_middle() {
        assert_eq!(elided("abcdefghij", 10), "abcdefghij");
        assert_eq!(elided("abcdefghij", 5), "ab…ij");
        assert_eq!(elided("äöüäöü", 4), "ä…öü");
        assert_eq!(elided("ab", 0), "…");
    }
}
