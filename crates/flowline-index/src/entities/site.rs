//! Sites of addresses: the domains that are registered.

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
}
