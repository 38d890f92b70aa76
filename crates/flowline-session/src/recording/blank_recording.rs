//! A recording with nothing to draw: what it contains nevertheless, and what could be done.

use flowline_format::format_counted;
use flowline_index::Index;
use flowline_profile::{SourceKind, Warnings};

/// Maximum number of names in a line.
const MAX_NAMES: usize = 4;
/// Maximum number of warnings.
const MAX_WARNINGS: usize = 3;

/// The contents of a recording without markers, samples and counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlankRecording {
    /// Sentence that names the missing contents.
    pub what: &'static str,
    /// Contents that are not drawn, one text per kind: processes, threads, metadata, events that are not drawn, warnings.
    pub contents: Vec<String>,
    /// What could be done.
    pub advice: &'static str,
}

impl BlankRecording {
    /// Describes a recording with its warnings; `None` if it has something to draw.
    #[must_use]
    pub fn of(index: &Index, warnings: &Warnings) -> Option<Self> {
        if !index.is_blank() {
            return None;
        }
        let profile = index.profile();
        let is_left_out = !warnings.list().is_empty();
        let processes = profile.processes.iter().map(|process| process.name.as_str()).collect();
        let threads = profile.threads.iter().map(|thread| thread.name.as_str()).collect();
        let metadata = profile.parts.iter().map(|(name, _)| name.as_str()).collect();
        let lists = [("process", processes), ("thread", threads), ("metadata entry", metadata)];
        let mut contents: Vec<String> = lists.into_iter().filter_map(|(what, names)| named(what, names)).collect();
        let events = profile.meta.not_drawn.iter();
        contents.extend(events.map(|(phase, count)| format!("{} of type “{phase}”", format_counted(*count, "event"))));
        let list = warnings.list();
        contents.extend(list.iter().take(MAX_WARNINGS).map(|own| format!("{} × {}", own.count, own.kind.explain())));
        if let Some(more) = list.len().checked_sub(MAX_WARNINGS).filter(|more| *more > 0) {
            contents.push(format!("and {more} more kinds of warnings"));
        }
        if contents.is_empty() {
            contents.push("The file has no names and no metadata either.".to_owned());
        }
        Some(Self {
            what: match is_left_out {
                true => "Nothing in this recording can be drawn.",
                false => "This recording has no markers, samples or counters.",
            },
            contents,
            advice: match is_left_out {
                true => "“Import warnings” lists what was left out, with places in the file.",
                false => advice(profile.meta.kind),
            },
        })
    }
}

/// A count with the first names; `None` if there are none.
fn named(what: &str, all: Vec<&str>) -> Option<String> {
    if all.is_empty() {
        return None;
    }
    let count = match (what, all.len()) {
        ("metadata entry", number) if number > 1 => format!("{number} metadata entries"),
        (_, number) => format_counted(number as u64, what),
    };
    let mut names: Vec<&str> = Vec::new();
    for name in all.iter().filter(|name| !name.is_empty()) {
        if !names.contains(name) && names.len() <= MAX_NAMES {
            names.push(name);
        }
    }
    let more = if names.len() > MAX_NAMES { ", …" } else { "" };
    names.truncate(MAX_NAMES);
    Some(if names.is_empty() { count } else { format!("{count}: {}{more}", names.join(", ")) })
}

/// How to get a recording with contents.
const fn advice(kind: SourceKind) -> &'static str {
    match kind {
        SourceKind::FirefoxRaw | SourceKind::FirefoxProcessed | SourceKind::FirefoxJslb => {
            "Record again while something happens, with the threads of interest in the settings of the profiler."
        }
        SourceKind::ChromeTrace => {
            "Record again while something happens, with categories such as devtools.timeline or those of your program."
        }
        SourceKind::PerfettoTrace => {
            "Record again while something happens, with data sources such as track_event or linux.ftrace."
        }
        _ => "Record again while the program runs.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_once_up_to_a_limit() {
        assert_eq!(named("thread", Vec::new()), None);
        assert_eq!(named("thread", vec!["", ""]).as_deref(), Some("2 threads"));
        assert_eq!(named("thread", vec!["a", "b", "a"]).as_deref(), Some("3 threads: a, b"));
        assert_eq!(named("process", vec!["a", "b", "c", "d"]).as_deref(), Some("4 processes: a, b, c, d"));
        assert_eq!(named("process", vec!["a", "b", "c", "d", "e"]).as_deref(), Some("5 processes: a, b, c, d, …"));
        assert_eq!(named("metadata entry", vec!["os", "v"]).as_deref(), Some("2 metadata entries: os, v"));
    }
}
