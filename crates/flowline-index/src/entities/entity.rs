//! The entity of an address. Sites that the list of owners does not contain are entities of their own.

use super::owners::OWNERS;
use super::site::site;
use flowline_profile::text::parts_of_url;

/// A company or a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entity<'a> {
    /// Name of the company, or the site.
    pub name: &'a str,
    /// True for a company of the list, false for a site.
    pub is_known: bool,
}

/// The entity of an address; `None` for addresses without a site, such as files.
#[must_use]
pub fn entity_of(url: &str) -> Option<Entity<'_>> {
    let site = site(url);
    if site.is_empty() {
        return None;
    }
    let known = owner(host(url)).map(|name| Entity { name, is_known: true });
    Some(known.unwrap_or(Entity { name: site, is_known: false }))
}

/// The host of an address, without user and port.
#[must_use]
pub fn host(url: &str) -> &str {
    let (_, authority, _) = parts_of_url(url);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if host.starts_with('[') {
        return host.find(']').map_or(host, |end| &host[..=end]);
    }
    host.split_once(':').map_or(host, |(host, _)| host).trim_end_matches('.')
}

/// The owner of the most specific domain in the list that contains a host.
fn owner(host: &str) -> Option<&'static str> {
    let mut domain = host;
    loop {
        if let Ok(found) = OWNERS.binary_search_by_key(&domain, |(domain, _)| domain) {
            return Some(OWNERS[found].1);
        }
        domain = domain.split_once('.')?.1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_are_sorted_domains() {
        assert!(OWNERS.is_sorted_by(|a, b| a.0 < b.0));
        assert!(OWNERS.iter().all(|(domain, name)| domain.contains('.') && !name.is_empty()));
    }

    #[test]
    fn an_entity_is_a_company_or_a_site() {
        for (url, name, is_known) in [
            ("https://www.googletagmanager.com:37975/gtm.js", "Google Tag Manager", true),
            ("https://fonts.gstatic.com/a.woff2", "Google Fonts", true),
            ("https://www.gstatic.com/a.js", "Google CDN", true),
            ("https://web-dev.imgix.net/a.svg", "imgix", true),
            ("https://someone.github.io/page/", "GitHub", true),
            ("https://static.bbc.co.uk/x.js", "bbc.co.uk", false),
            ("http://shop.test:40027/cls.html", "shop.test", false),
            ("http://127.0.0.1:80/", "127.0.0.1", false),
            ("http://[::1]:80/", "[::1]", false),
            ("chrome-extension://abcdef/run.js", "abcdef", false),
        ] {
            assert_eq!(entity_of(url), Some(Entity { name, is_known }), "{url}");
        }
        for url in ["file:///home/a.html", "data:text/css,a", "about:blank", "", "://"] {
            assert_eq!(entity_of(url), None, "{url}");
        }
    }
}
