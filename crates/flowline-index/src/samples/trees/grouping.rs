//! Grouping criteria of functions and trace events.

use flowline_profile::samples::ResourceKind;

/// A criterion by which functions are grouped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Grouping {
    /// No groups.
    #[default]
    None,
    /// The category of the innermost frame of a sample, or the kind of work of an event.
    Category,
    /// The file of the innermost function.
    File,
    /// The library, site or add-on that contains the function.
    Library,
    /// The author of the function: its add-on, or the site of its file.
    ThirdParty,
}

impl Grouping {
    /// All criteria.
    pub const ALL: [Self; 5] = [Self::None, Self::Category, Self::File, Self::Library, Self::ThirdParty];

    /// True if the arguments of trace events determine their group, so that events with equal names can differ.
    #[must_use]
    #[inline]
    pub const fn is_by_address(self) -> bool {
        matches!(self, Self::File | Self::ThirdParty)
    }

    /// Name of the group of functions without the property.
    pub(crate) const fn nothing(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Category => "(no category)",
            Self::File => "(no file)",
            Self::Library => "(no library)",
            Self::ThirdParty => "(no site)",
        }
    }
}

/// The author of a function: its add-on, or the site of its file or resource.
pub(crate) fn third_party(file: &str, (kind, resource): (ResourceKind, &str)) -> String {
    match kind {
        ResourceKind::ADDON => resource.to_owned(),
        ResourceKind::LIBRARY => String::new(),
        _ => match site(file) {
            "" => site(resource),
            site => site,
        }
        .to_owned(),
    }
}

/// The site of an address: the last two labels of its host, or three if the second one is a generic label, as in
/// `bbc.co.uk`. IP addresses and add-on hosts are returned whole. Empty for other addresses, such as files and browser
/// resources.
#[must_use]
pub fn site(url: &str) -> &str {
    let Some((scheme, rest)) = url.split_once("://") else { return "" };
    let is_addon = scheme.ends_with("-extension");
    if !is_addon && !["http", "https", "ws", "wss"].contains(&scheme) {
        return "";
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = &rest[..end];
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if is_addon {
        return host;
    }
    if host.starts_with('[') {
        return host.find(']').map_or(host, |end| &host[..=end]);
    }
    let host = host.split_once(':').map_or(host, |(host, _)| host).trim_end_matches('.');
    let is_address = host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let starts = || host.rmatch_indices('.').map(|(dot, _)| dot + 1);
    let Some(second) = starts().nth(1).filter(|_| !is_address) else { return host };
    let mut labels = host[second..].split('.');
    let is_general = labels.next().is_some_and(|label| GENERAL.contains(&label));
    let is_country = labels.next().is_some_and(|label| label.len() == 2);
    if is_general && is_country { starts().nth(2).map_or(host, |third| &host[third..]) } else { &host[second..] }
}

/// Second-level labels of country domains under which anybody can register a name.
const GENERAL: [&str; 10] = ["ac", "co", "com", "edu", "gov", "ne", "net", "or", "org", "go"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_registrable_domains() {
        for (url, expected) in [
            ("https://www.example.com/a.js?b=//c.d", "example.com"),
            ("https://example.com", "example.com"),
            ("http://user@a.b.c.net:8080/x", "c.net"),
            ("https://static.bbc.co.uk/x.js", "bbc.co.uk"),
            ("https://bbc.co.uk/", "bbc.co.uk"),
            ("https://co.uk/", "co.uk"),
            ("http://localhost:3000/main.js", "localhost"),
            ("http://192.168.0.1/x", "192.168.0.1"),
            ("http://[::1]:80/x", "[::1]"),
            ("http://[::1", "[::1"),
            ("https://ends.with.dot./", "with.dot"),
            ("file:///home/x.js", ""),
            ("resource://gre/modules/a.jsm", ""),
            ("moz-extension://1f2e-3d/background.js", "1f2e-3d"),
            ("/usr/lib/libc.so", ""),
            ("", ""),
            ("://", ""),
        ] {
            assert_eq!(site(url), expected, "{url}");
        }
    }

    #[test]
    fn third_parties_are_addons_and_sites() {
        let of = |file, kind, name| third_party(file, (kind, name));
        assert_eq!(of("moz-extension://0-1/a.js", ResourceKind::ADDON, "Blocker"), "Blocker");
        assert_eq!(of("https://cdn.example.com/a.js", ResourceKind::WEBHOST, "https://x.org"), "example.com");
        assert_eq!(of("", ResourceKind::WEBHOST, "https://www.x.org"), "x.org");
        assert_eq!(of("", ResourceKind::LIBRARY, "libxul.so"), "");
        assert_eq!(of("a.js", ResourceKind::UNKNOWN, ""), "");
    }
}
