//! Parts of addresses: scheme, host, and the name by which people know a file.

/// Splits a URL into the scheme with its slashes, the host, and the rest.
#[must_use]
pub fn parts_of_url(url: &str) -> (&str, &str, &str) {
    let Some((scheme, _)) = url.split_once("://") else { return ("", "", url) };
    let (scheme, rest) = url.split_at(scheme.len() + 3);
    let (host, rest) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    (scheme, host, rest)
}

/// The last segment of a URL's path, otherwise its host, otherwise the whole URL.
#[must_use]
pub fn short_name(url: &str) -> &str {
    let (_, host, rest) = parts_of_url(url);
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    [name, host, url].into_iter().find(|text| !text.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_have_short_names() {
        for (url, short) in [
            ("https://a.test/x/one.js?v=1", "one.js"),
            ("https://a.test/x/", "x"),
            ("https://a.test/", "a.test"),
            ("https://a.test?q=/", "a.test"),
            ("blob:https://a.test/9", "9"),
            ("about:blank", "about:blank"),
            ("", ""),
        ] {
            assert_eq!(short_name(url), short, "{url}");
        }
    }
}
