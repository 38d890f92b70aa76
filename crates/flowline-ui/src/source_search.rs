//! Code search for names of markers and functions, in the source of the recorded browser.

/// Built-in search addresses. The first item is a substring of the recording's product name, in lower case.
const USUAL: [(&str, &str); 5] = [
    ("firefox", "https://searchfox.org/mozilla-central/search?q={name}"),
    ("fenix", "https://searchfox.org/mozilla-central/search?q={name}"),
    ("thunderbird", "https://searchfox.org/comm-central/search?q={name}"),
    ("chrome", "https://source.chromium.org/search?q={name}"),
    ("chromium", "https://source.chromium.org/search?q={name}"),
];

/// Maximum length of a searched name in characters; longer names are cut.
const LONGEST: usize = 200;

/// Search addresses by product. `{name}` in an address is replaced by the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceSearch(Vec<(String, String)>);

impl Default for SourceSearch {
    fn default() -> Self {
        Self(USUAL.iter().map(|(product, template)| ((*product).to_owned(), (*template).to_owned())).collect())
    }
}

impl SourceSearch {
    /// True if a text is a valid address for [`SourceSearch::set`].
    #[must_use]
    pub fn is_template(text: &str) -> bool {
        text.contains("{name}") && ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme))
    }

    /// Sets the address of a product; an empty address disables the search for it.
    pub fn set(&mut self, product: &str, template: &str) {
        let product = product.to_lowercase();
        self.0.retain(|(known, _)| *known != product);
        self.0.insert(0, (product, template.to_owned()));
    }

    /// The products with their addresses, the user's first.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(product, address)| (product.as_str(), address.as_str()))
    }

    /// The products whose addresses are not the built-in ones.
    #[must_use]
    pub fn changed(&self) -> Vec<(String, String)> {
        let is_usual = |(product, address): &&(String, String)| USUAL.contains(&(product.as_str(), address.as_str()));
        self.0.iter().filter(|own| !is_usual(own)).cloned().collect()
    }

    /// The address that searches for a name of a product; `None` for products without one.
    #[must_use]
    pub fn url(&self, product: &str, name: &str) -> Option<String> {
        let product = product.to_lowercase();
        let (_, template) = self.0.iter().find(|(known, _)| !known.is_empty() && product.contains(known.as_str()))?;
        let name = wanted(name);
        (!template.is_empty() && !name.is_empty()).then(|| template.replace("{name}", &encoded(name)))
    }
}

/// The part of a name that is searched for: a function's name without its arguments.
fn wanted(name: &str) -> &str {
    let name = name.trim();
    let name =
        name.split_once('(').map(|(before, _)| before.trim_end()).filter(|before| !before.is_empty()).unwrap_or(name);
    name.char_indices().nth(LONGEST).map_or(name, |(end, _)| &name[..end])
}

/// Percent-encodes a text for a URL. Letters, digits and `-._~` stay as they are.
fn encoded(text: &str) -> String {
    let mut url = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => url.push(char::from(byte)),
            _ => url.push_str(&format!("%{byte:02X}")),
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_product_has_its_own_search_address() {
        let search = SourceSearch::default();
        let url = |product: &str, name: &str| search.url(product, name).unwrap_or_default();
        assert_eq!(
            url("Firefox 140.0", "nsHttpChannel::AsyncOpen"),
            "https://searchfox.org/mozilla-central/search?q=nsHttpChannel%3A%3AAsyncOpen"
        );
        assert_eq!(url("Chrome/137.0", "v8::Run(int)"), "https://source.chromium.org/search?q=v8%3A%3ARun");
        assert_eq!(
            url("Firefox", "a&b=\"é\" ../#"),
            "https://searchfox.org/mozilla-central/search?q=a%26b%3D%22%C3%A9%22%20..%2F%23"
        );
        for (product, name) in [("", "x"), ("node", "x"), ("Firefox", "  ")] {
            assert_eq!(search.url(product, name), None, "{product} {name}");
        }
    }

    #[test]
    fn settings_override_built_in_addresses() {
        let mut search = SourceSearch::default();
        search.set("Firefox", "https://mine.example/{name}");
        search.set("chrome", "");
        assert_eq!(search.url("firefox nightly", "a").as_deref(), Some("https://mine.example/a"));
        assert_eq!(search.url("Chrome/1", "a"), None);
        assert!(SourceSearch::is_template("http://a/{name}") && !SourceSearch::is_template("javascript:{name}"));
    }
}
