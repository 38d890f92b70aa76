//! Removes URLs and images from texts of a part of a recording.
//!
//! A URL becomes its scheme and a number, for example `https:<URL-3>`; equal URLs get equal numbers. Hosts of these URLs are
//! replaced where they appear alone, too, for example as the name of a resource. The text may be escaped; the replacement needs
//! no escapes. URLs of extensions and of the browser itself (`about:`, `chrome:`) stay.

use foldhash::{HashMap, HashSet};
use memchr::memmem;

use super::urls::{continues_as_url, next_dotted_word, next_url, url_end};

/// Private content to leave out of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Removal {
    /// Replaces URLs and hosts in all texts.
    pub urls: bool,
    /// Omits screenshots, and images in all texts.
    pub screenshots: bool,
}

impl Removal {
    /// True if nothing is removed.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        !self.urls && !self.screenshots
    }
}

/// Start of a data URL with an image.
const IMAGE: &[u8] = b"data:image";
/// Starts of images in base64: JPEG, PNG, WebP, GIF.
const ENCODED_IMAGES: [&[u8]; 4] = [b"/9j/", b"iVBORw0KGgo", b"UklGR", b"R0lGOD"];
/// Starts of images in bytes.
const IMAGES: [&[u8]; 2] = [b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"];
/// Shorter texts are no images.
const SHORTEST_IMAGE: usize = 64;

/// Replaces private content in texts.
#[derive(Debug)]
pub(crate) struct TextFilter {
    removal: Removal,
    /// Hosts of all URLs, and their domains.
    hosts: HashSet<Vec<u8>>,
    /// Numbers of replaced URLs.
    numbers: HashMap<Vec<u8>, usize>,
    /// True while hosts are collected, before anything is replaced.
    is_collecting: bool,
}

impl TextFilter {
    /// A filter that collects the hosts of the texts that it receives first.
    pub(crate) fn new(removal: Removal) -> Self {
        Self { removal, hosts: HashSet::default(), numbers: HashMap::default(), is_collecting: true }
    }

    /// Ends the collection of hosts.
    pub(crate) fn start_replacing(&mut self) {
        self.is_collecting = false;
    }

    /// Returns the text without private content; `None` if it has none.
    pub(crate) fn text(&mut self, text: &[u8]) -> Option<Vec<u8>> {
        if self.is_collecting {
            self.collect(text);
            return None;
        }
        let without_images = if self.removal.screenshots { without_images(text) } else { None };
        let rest = without_images.as_deref().unwrap_or(text);
        let without_urls = if self.removal.urls { self.without_urls(rest) } else { None };
        without_urls.or(without_images)
    }

    /// True if bytes are an image to remove.
    pub(crate) fn is_removed_image(&self, bytes: &[u8]) -> bool {
        let is_image = || IMAGES.iter().any(|start| bytes.starts_with(start));
        self.removal.screenshots && !self.is_collecting && is_image()
    }

    fn collect(&mut self, text: &[u8]) {
        let mut at = 0;
        while let Some(url) = next_url(text, at) {
            at = url.range.end.max(url.scheme_end + 1);
            let authority = &text[url.authority];
            let user = authority.iter().rposition(|byte| *byte == b'@').map_or(0, |at| at + 1);
            let host = authority[user..].split(|byte| *byte == b':').next().unwrap_or_default().to_ascii_lowercase();
            let host = host.strip_suffix(b".").unwrap_or(&host);
            let is_address = host.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
            let mut domain = host;
            while let Some(dot) = domain.iter().position(|byte| *byte == b'.') {
                self.hosts.insert(domain.to_vec());
                domain = if is_address { &[] } else { &domain[dot + 1..] };
            }
        }
    }

    /// True if a word is a host of a URL, or belongs to the domain of one.
    fn is_host(&self, word: &[u8]) -> bool {
        let word = word.to_ascii_lowercase();
        let mut rest = &*word;
        loop {
            if self.hosts.contains(rest) {
                return true;
            }
            let Some(dot) = rest.iter().position(|byte| *byte == b'.') else { return false };
            rest = &rest[dot + 1..];
        }
    }

    /// Returns the next host outside of a URL, with the path after it.
    fn next_host(&self, text: &[u8], from: usize) -> Option<std::ops::Range<usize>> {
        if self.hosts.is_empty() {
            return None;
        }
        let mut at = from;
        loop {
            let mut word = next_dotted_word(text, at)?;
            at = word.end.max(at + 1);
            let is_edge = |byte: &u8| matches!(byte, b'.' | b'-');
            word.end -= text[word.clone()].iter().rev().take_while(|byte| is_edge(byte)).count();
            // The letter of an escape (`\n`) is not part of the word.
            let is_escaped = word.start > from && text[word.start - 1] == b'\\';
            let skipped = usize::from(is_escaped && word.start < word.end);
            let starts = [word.start, word.start + skipped];
            let found = starts.into_iter().find(|start| *start < word.end && self.is_host(&text[*start..word.end]));
            if let Some(mut start) = found {
                start += if start == word.start { skipped } else { 0 };
                let end = if continues_as_url(text, word.end) { url_end(text, start, word.end) } else { word.end };
                return Some(start..end.max(word.end));
            }
        }
    }

    fn without_urls(&mut self, text: &[u8]) -> Option<Vec<u8>> {
        let (mut out, mut at) = (Vec::new(), 0);
        let mut url = next_url(text, 0);
        let mut host = self.next_host(text, 0);
        while url.is_some() || host.is_some() {
            let is_host = host.as_ref().is_some_and(|host| url.as_ref().is_none_or(|url| host.start < url.range.start));
            let (start, end, scheme) = match (&url, &host) {
                (_, Some(host)) if is_host => (host.start, host.end, &[][..]),
                (Some(url), _) => (url.range.start, url.range.end, &text[url.range.start..=url.scheme_end]),
                _ => break,
            };
            let scheme = if scheme.ends_with(b"%") { &scheme[..scheme.len() - 1] } else { scheme };
            out.extend_from_slice(&text[at..start]);
            out.extend_from_slice(&scheme.to_ascii_lowercase());
            if scheme.last().is_some_and(|last| *last != b':') {
                out.push(b':');
            }
            let number = self.number(&text[start..end]);
            out.extend_from_slice(format!("<URL-{number}>").as_bytes());
            at = end;
            if url.as_ref().is_some_and(|url| url.range.start < end) {
                url = next_url(text, end);
            }
            if host.as_ref().is_some_and(|host| host.start < end) {
                host = self.next_host(text, end);
            }
        }
        if at == 0 {
            return None;
        }
        out.extend_from_slice(&text[at..]);
        Some(out)
    }

    /// The number of a URL.
    fn number(&mut self, url: &[u8]) -> usize {
        let plain: Vec<u8> = url.iter().copied().filter(|byte| *byte != b'\\').collect();
        let next = self.numbers.len() + 1;
        *self.numbers.entry(plain).or_insert(next)
    }
}

/// Returns the text without images; `None` if it has none.
fn without_images(text: &[u8]) -> Option<Vec<u8>> {
    if is_encoded_image(text) {
        return Some(Vec::new());
    }
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(found) = memmem::find(&text[at..], IMAGE) {
        let start = at + found;
        out.extend_from_slice(&text[at..start]);
        out.extend_from_slice(b"data:<image>");
        at = url_end(text, start, start + IMAGE.len());
    }
    if at == 0 {
        return None;
    }
    out.extend_from_slice(&text[at..]);
    Some(out)
}

/// True if a text is nothing but an image in base64.
fn is_encoded_image(text: &[u8]) -> bool {
    let plain = || text.iter().copied().filter(|byte| *byte != b'\\');
    let has_start = |start: &&[u8]| plain().take(start.len()).eq(start.iter().copied());
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_');
    text.len() >= SHORTEST_IMAGE && ENCODED_IMAGES.iter().any(has_start) && plain().all(is_base64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const URLS: Removal = Removal { urls: true, screenshots: false };

    /// Filters texts; the hosts of all of them are known.
    fn filtered(removal: Removal, texts: &[&str]) -> Vec<String> {
        let mut filter = TextFilter::new(removal);
        assert!(texts.iter().all(|text| filter.text(text.as_bytes()).is_none()), "nothing is replaced yet");
        filter.start_replacing();
        let one = |text: &&str| {
            let text = filter.text(text.as_bytes()).unwrap_or_else(|| text.as_bytes().to_vec());
            String::from_utf8(text).expect("UTF-8")
        };
        texts.iter().map(one).collect()
    }

    #[test]
    fn equal_urls_get_equal_numbers() {
        let texts = [
            "Load 3: https://a.example/x?q=secret",
            r"https:\/\/a.example\/x?q=secret and http://b.example/",
            "f (https://a.example/x?q=secret:3:4)",
            "HTTPS%3A%2F%2Fa.example%2Fx",
            "moz-extension://0b1/a.js about:home data.length 3.14",
        ];
        let expected = [
            "Load 3: https:<URL-1>",
            "https:<URL-1> and http:<URL-2>",
            "f (https:<URL-1>:3:4)",
            "https:<URL-3>",
            "moz-extension://0b1/a.js about:home data.length 3.14",
        ];
        assert_eq!(filtered(URLS, &texts), expected);
        assert_eq!(filtered(URLS, &expected), expected, "placeholders stay");
    }

    #[test]
    fn hosts_alone_are_replaced_with_what_follows_them() {
        let texts = [
            "the resource cdn.a.example, of a.example/private?x",
            "https://user@cdn.a.example:8080/x",
            "//other.A.example/y x@a.example",
            r"line\na.example and banana.example.org",
            "http://127.0.0.1:80/ 127.0.0.1 0.0.1",
        ];
        let expected = [
            "the resource <URL-1>, of <URL-2>",
            "https:<URL-3>",
            "//<URL-4> x@<URL-5>",
            r"line\n<URL-5> and banana.example.org",
            "http:<URL-6> <URL-7> 0.0.1",
        ];
        assert_eq!(filtered(URLS, &texts), expected);
    }

    #[test]
    fn images_are_removed_on_request() {
        let picture = format!("/9j/{}", "Ab+/".repeat(40));
        let escaped = picture.replace('/', r"\/");
        let texts =
            [&*picture, &escaped, "a data:image/png;base64,iVBORw0 b", "/9j/ is short", "https://a.example/data:x"];
        let removal = Removal { urls: false, screenshots: true };
        let expected = ["", "", "a data:<image> b", "/9j/ is short", "https://a.example/data:x"];
        assert_eq!(filtered(removal, &texts), expected);
        assert_eq!(filtered(URLS, &[&picture]), [picture]);
    }
}
