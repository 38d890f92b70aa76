//! The resources of a recording, for completion after `res:`. They are collected on the pool at the first request:
//! addresses and files as written in markers, and the hosts of addresses.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use memchr::memmem::Finder;
use rayon::prelude::*;

use crate::tasks::{OnDemand, Wake};
use flowline_index::Index;
use flowline_profile::{LocalMarker, ThreadId};

/// Markers per job of the pool.
const BATCH: usize = 1 << 12;
/// Maximum length in bytes of a suggested resource. Longer ones, such as data URLs, are skipped.
const LONGEST: usize = 400;

/// A resource.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Resource {
    text: String,
    /// Lowercase text, if it differs.
    lower: Option<String>,
    /// Number of markers with this resource.
    count: u32,
}

/// All resources of a recording, the most frequent first.
#[derive(Clone, Debug, Default)]
pub struct Resources {
    all: Vec<Resource>,
}

/// Resources that contain a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suggestions {
    /// The most frequent ones, with their number of markers.
    pub first: Vec<(String, u32)>,
    /// Number of all matching resources.
    pub total: usize,
}

/// The host of an address: the text between `://` and the next `/`, without user and port.
fn host(resource: &str) -> Option<&str> {
    let (scheme, rest) = resource.split_once("://")?;
    let rest = rest.split(['/', '?', '#']).next()?;
    let rest = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    let host = if rest.starts_with('[') { rest } else { rest.split(':').next()? };
    (!host.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())).then_some(host)
}

fn add(counts: &mut HashMap<String, u32>, text: &str, count: u32) {
    match counts.get_mut(text) {
        Some(known) => *known = known.saturating_add(count),
        None => drop(counts.insert(text.to_owned(), count)),
    }
}

impl Resources {
    /// Collects the resources of all markers. The result is incomplete once `is_wanted` returns false.
    fn collect(index: &Index, is_wanted: &(dyn Fn() -> bool + Sync)) -> Self {
        let profile = index.profile();
        let batches: Vec<(ThreadId, usize)> = profile
            .threads_with_ids()
            .flat_map(|(id, thread)| (0..thread.markers.len()).step_by(BATCH).map(move |first| (id, first)))
            .collect();
        let read = |(id, first): (ThreadId, usize)| {
            let mut counts = HashMap::new();
            let end = profile.thread(id).markers.len().min(first + BATCH);
            for at in (first..end).take_while(|at| at % 64 != 0 || is_wanted()) {
                if let Some(text) = profile.resource_of(id, LocalMarker::new(at)) {
                    add(&mut counts, text.trim(), 1);
                }
            }
            counts
        };
        let join = |mut one: HashMap<String, u32>, mut other: HashMap<String, u32>| {
            if one.len() < other.len() {
                std::mem::swap(&mut one, &mut other);
            }
            // The order does not matter for sums.
            for (text, count) in other.into_iter().collect::<Vec<_>>() {
                *one.entry(text).or_default() += count;
            }
            one
        };
        let counts = batches.into_par_iter().map(read).reduce(HashMap::new, join);
        Self::of(counts)
    }

    /// Creates the list from resources with their number of markers.
    #[must_use]
    pub fn of(counts: HashMap<String, u32>) -> Self {
        let mut all: HashMap<String, u32> = HashMap::new();
        let mut sorted: Vec<(String, u32)> = counts.into_iter().collect();
        sorted.sort_unstable();
        for (text, count) in &sorted {
            if let Some(host) = host(text).filter(|host| host != text) {
                add(&mut all, host, *count);
            }
            if text.len() <= LONGEST {
                add(&mut all, text, *count);
            }
        }
        let mut all: Vec<(String, u32)> = all.into_iter().collect();
        all.sort_unstable_by(|(a, one), (b, other)| (Reverse(one), a).cmp(&(Reverse(other), b)));
        let resource = |(text, count): (String, u32)| {
            let lower = text.to_lowercase();
            Resource { lower: (lower != text).then_some(lower), text, count }
        };
        Self { all: all.into_iter().map(resource).collect() }
    }

    /// The resources that contain a text, ignoring case: the `most` most frequent ones.
    #[must_use]
    pub fn containing(&self, text: &str, most: usize) -> Suggestions {
        let lower = text.to_lowercase();
        let finder = Finder::new(lower.as_bytes());
        let mut found = Suggestions::default();
        for resource in &self.all {
            let text = resource.lower.as_ref().unwrap_or(&resource.text);
            if finder.find(text.as_bytes()).is_some() {
                found.total += 1;
                if found.first.len() < most {
                    found.first.push((resource.text.clone(), resource.count));
                }
            }
        }
        found
    }

    /// Number of distinct resources.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// True if there are no resources.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

/// The resources of the open recording, collected on demand.
pub struct ResourceNames(OnDemand<(), Resources>);

impl ResourceNames {
    /// `wake` is called when they have been collected.
    #[must_use]
    pub fn new(wake: &Wake) -> Self {
        Self(OnDemand::new(wake, 1))
    }

    /// The resources; `None` until they are collected.
    #[must_use]
    pub fn get(&self, index: &Arc<Index>) -> Option<Arc<Resources>> {
        let index = Arc::clone(index);
        self.0.get((), move |is_wanted| Resources::collect(&index, is_wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resources(texts: &[(&str, u32)]) -> Resources {
        Resources::of(texts.iter().map(|(text, count)| ((*text).to_owned(), *count)).collect())
    }

    #[test]
    fn hosts_are_read() {
        for (text, expected) in [
            ("https://a.example/x?y://z", Some("a.example")),
            ("http://me@b.example:8080", Some("b.example")),
            ("http://[::1]:80/", Some("[::1]:80")),
            ("a.example/x", None),
            ("/tmp/file", None),
            ("file:///tmp", None),
            ("not a scheme://x", None),
        ] {
            assert_eq!(host(text), expected, "{text}");
        }
    }

    #[test]
    fn suggestions_have_counts_and_the_most_frequent_comes_first() {
        let all = resources(&[
            ("https://a.example/Favicon.ico", 2),
            ("https://a.example/app.js", 5),
            ("a.example", 1),
            ("/usr/lib/app.so", 4),
        ]);
        assert_eq!(all.len(), 4);
        let found = all.containing("A.EX", 2);
        assert_eq!(found.first, [("a.example".into(), 8), ("https://a.example/app.js".into(), 5)]);
        assert_eq!(found.total, 3);
        assert_eq!(all.containing("favicon", 9).first, [("https://a.example/Favicon.ico".into(), 2)]);
        assert_eq!(all.containing("", 9).total, 4);
        assert_eq!(all.containing("nothing", 9), Suggestions::default());
    }

    #[test]
    fn a_very_long_resource_is_suggested_only_by_its_host() {
        let long = format!("https://b.example/{}", "x".repeat(LONGEST));
        assert_eq!(resources(&[(&long, 3)]).containing("b", 9).first, [("b.example".into(), 3)]);
    }
}
