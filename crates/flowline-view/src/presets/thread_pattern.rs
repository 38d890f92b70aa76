//! Names of threads in presets, and sets of them.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use flowline_profile::{Profile, ThreadId};

/// Matches any text in a name.
const ANY: char = '*';

/// Selects threads by their name and the name of their process. In both, `*` matches any text.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadPattern {
    /// Name of the process.
    pub process: String,
    /// Name of the thread; of a track below a thread, the name with those above it.
    pub thread: String,
}

/// A set of threads by name, with fast lookup.
#[derive(Debug)]
pub(super) struct NamedThreads<'a> {
    exact: HashSet<(&'a str, &'a str)>,
    patterns: Vec<&'a ThreadPattern>,
}

impl<'a> NamedThreads<'a> {
    pub(super) fn new(names: &'a [ThreadPattern]) -> Self {
        let (patterns, exact): (Vec<_>, Vec<_>) =
            names.iter().partition(|name| name.process.contains(ANY) || name.thread.contains(ANY));
        let exact = exact.into_iter().map(|name| (name.process.as_str(), name.thread.as_str())).collect();
        Self { exact, patterns }
    }

    pub(super) fn contains(&self, profile: &Profile, thread: ThreadId) -> bool {
        let (process, thread) = (profile.process_of(thread).name.as_str(), profile.long_name(thread));
        self.exact.contains(&(process, thread.as_ref()))
            || self.patterns.iter().any(|name| matches(&name.process, process) && matches(&name.thread, &thread))
    }
}

/// True if a text has the form of a pattern.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once(ANY) else { return pattern == text };
    let Some(mut text) = text.strip_prefix(start) else { return false };
    let mut parts: Vec<&str> = rest.split(ANY).collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = text.find(part) else { return false };
        text = &text[at + part.len()..];
    }
    text.ends_with(end)
}

/// The names of threads, sorted. The workers of a pool are one name if that does not include a thread of `others`.
pub(super) fn names_of(
    profile: &Profile,
    threads: impl Iterator<Item = ThreadId>,
    others: &BTreeSet<ThreadId>,
) -> Vec<ThreadPattern> {
    let mut exact = BTreeSet::new();
    let mut pools: BTreeMap<ThreadPattern, BTreeSet<ThreadPattern>> = BTreeMap::new();
    for thread in threads {
        let own = name_of(profile, thread);
        match pool_of(&own) {
            Some(pool) => _ = pools.entry(pool).or_default().insert(own),
            None => _ = exact.insert(own),
        }
    }
    // A pool of one thread is that thread.
    let (pools, single): (Vec<_>, Vec<_>) = pools.into_iter().partition(|(_, own)| own.len() > 1);
    exact.extend(single.into_iter().flat_map(|(_, own)| own));
    let others: BTreeSet<ThreadPattern> = others.iter().map(|thread| name_of(profile, *thread)).collect();
    for (pool, own) in pools {
        // Names with the pool's start follow each other in the order of the set.
        let start =
            ThreadPattern { thread: pool.thread.split(ANY).next().unwrap_or_default().to_owned(), ..pool.clone() };
        let from = others
            .range(&start..)
            .take_while(|other| other.process == start.process && other.thread.starts_with(start.thread.as_str()));
        if from.into_iter().any(|other| matches(&pool.thread, &other.thread)) || pool.process.contains(ANY) {
            exact.extend(own);
        } else {
            exact.insert(pool);
        }
    }
    exact.into_iter().collect()
}

fn name_of(profile: &Profile, thread: ThreadId) -> ThreadPattern {
    ThreadPattern {
        process: profile.process_of(thread).name.to_string(),
        thread: profile.long_name(thread).into_owned(),
    }
}

/// The pattern of a name that ends with a number, such as "StyleThread#*" of "StyleThread#2".
fn pool_of(name: &ThreadPattern) -> Option<ThreadPattern> {
    let (end, closing) = name.thread.strip_suffix(')').map_or((name.thread.as_str(), ""), |end| (end, ")"));
    let stem = end.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let is_numbered = stem.len() < end.len() && !stem.is_empty() && !stem.contains(ANY);
    is_numbered.then(|| ThreadPattern { process: name.process.clone(), thread: format!("{stem}{ANY}{closing}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        let cases = [
            ("StyleThread#*", "StyleThread#2", true),
            ("StyleThread#*", "StyleThread#", true),
            ("StyleThread#*", "StyleThread", false),
            ("*", "", true),
            ("*", "anything", true),
            ("a*b*c", "a.b.c", true),
            ("a*b*c", "abc", true),
            ("a*b*c", "ac", false),
            ("a*a", "a", false),
            ("*Worker", "ThreadPool Worker", true),
            ("worker (*)", "worker (12)", true),
            ("ü*ü", "üü", true),
            ("exact", "exact", true),
            ("exact", "exactly", false),
        ];
        for (pattern, text, expected) in cases {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn numbered_names_have_a_pattern() {
        let cases = [
            ("StyleThread#2", Some("StyleThread#*")),
            ("worker (12)", Some("worker (*)")),
            ("Renderer", None),
            ("42", None),
            ("a*1", None),
        ];
        for (thread, expected) in cases {
            let name = ThreadPattern { process: "p".to_owned(), thread: thread.to_owned() };
            assert_eq!(pool_of(&name).map(|pool| pool.thread).as_deref(), expected, "{thread}");
        }
    }
}
