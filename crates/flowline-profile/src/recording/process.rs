//! Processes, and the pages that they showed.

use compact_str::CompactString;

use crate::persist::persist;

/// A process in the recording.
#[derive(Clone, Debug, Default)]
pub struct Process {
    /// Process id as written in the file; it may be synthetic.
    pub pid: CompactString,
    /// Name.
    pub name: CompactString,
}
persist!(Process { pid, name });

impl Process {
    /// Name with the process id, such as "Web Content (1234)". Missing parts, and an id that the name already ends with, are
    /// left out.
    #[must_use]
    pub fn title(&self) -> String {
        match (self.name.as_str(), self.pid.as_str()) {
            (name, pid) if Self::names(name, pid) => name.to_owned(),
            ("", pid) => format!("pid {pid}"),
            (name, pid) => format!("{name} ({pid})"),
        }
    }

    /// Name of one of its threads with the process, such as "GeckoMain (Web Content 1234)".
    #[must_use]
    pub fn thread_title(&self, thread: &str) -> String {
        match (self.name.as_str(), self.pid.as_str()) {
            ("", "") => thread.to_owned(),
            (name, pid) if Self::names(name, pid) => format!("{thread} ({name})"),
            ("", pid) => format!("{thread} (pid {pid})"),
            (name, pid) => format!("{thread} ({name} {pid})"),
        }
    }

    /// Name behind the page's address, such as "example.com/a, Web Content", because narrow columns cut the end. Processes
    /// of Firefox have the origin of their page in their names.
    #[must_use]
    pub fn heading(&self, page: Option<&str>) -> String {
        let origin = self.name.rsplit_once(' ').filter(|(_, last)| last.contains("://"));
        let (role, page) = match (origin, page) {
            (Some((role, origin)), None) => (role, origin),
            (Some((role, _)), Some(page)) => (role, page),
            (None, Some(page)) => (self.name.as_str(), page),
            (None, None) => return self.name.to_string(),
        };
        let short = page.strip_prefix("https://").or_else(|| page.strip_prefix("http://")).unwrap_or(page);
        let short = short.strip_suffix('/').unwrap_or(short);
        if role.is_empty() { short.to_owned() } else { format!("{short}, {role}") }
    }

    /// The two parts of a heading: the origin of the page or, without one, the name; then the name behind an origin.
    #[must_use]
    pub fn heading_parts(&self, page: Option<&str>) -> (String, &str) {
        let origin = self.name.rsplit_once(' ').filter(|(_, last)| last.contains("://"));
        let role = origin.map_or(self.name.as_str(), |(role, _)| role);
        match page.or(origin.map(|(_, origin)| origin)) {
            Some(page) => (origin_of(page), role),
            None if self.name.is_empty() => (self.title(), ""),
            None => (self.name.to_string(), ""),
        }
    }

    /// True if a name says the process id, or if there is no id.
    fn names(name: &str, pid: &str) -> bool {
        !name.is_empty() && (pid.is_empty() || name.rsplit(' ').next() == Some(pid))
    }
}

/// Host and port of an address; other addresses, such as those of files, stay whole.
fn origin_of(page: &str) -> String {
    let short = page.strip_prefix("https://").or_else(|| page.strip_prefix("http://"));
    short.map_or(page, |short| short.split(['/', '?', '#']).next().unwrap_or(short)).to_owned()
}

/// Id of a tab, as Firefox gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TabId(pub i64);
persist!(TabId(id));

/// A web page that the recorded program showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Id of the page's window; payloads refer to it as `innerWindowID`.
    pub window: i64,
    /// Address.
    pub url: String,
    /// The window of the page that contains it as a frame; 0 for the page of a tab.
    pub embedder: i64,
    /// Its tab; `None` if the recording has none.
    pub tab: Option<TabId>,
    /// True for a page in a private window.
    pub is_private: bool,
}
persist!(Page { window, url, embedder, tab, is_private });

#[cfg(test)]
mod tests {
    use super::Process;

    #[test]
    fn titles_have_no_empty_or_repeated_ids() {
        let process = |name: &str, pid: &str| Process { pid: pid.into(), name: name.into() };
        for (process, title, thread) in [
            (process("Web Content", "12"), "Web Content (12)", "Main (Web Content 12)"),
            (process("Whole recording", ""), "Whole recording", "Main (Whole recording)"),
            (process("Process 2", "2"), "Process 2", "Main (Process 2)"),
            (process("", "7"), "pid 7", "Main (pid 7)"),
        ] {
            assert_eq!((process.title(), process.thread_title("Main")), (title.to_owned(), thread.to_owned()));
        }
        assert_eq!(process("", "").thread_title("Main"), "Main");
    }

    #[test]
    fn headings_have_an_origin_and_a_role() {
        let parts = |name: &str, page| {
            let process = Process { pid: "1".into(), name: name.into() };
            let (first, role) = process.heading_parts(page);
            (first, role.to_owned())
        };
        let expected = |first: &str, role: &str| (first.to_owned(), role.to_owned());
        assert_eq!(parts("Renderer", Some("https://a.example:8/b?c")), expected("a.example:8", "Renderer"));
        assert_eq!(parts("Web Content http://a.example", None), expected("a.example", "Web Content"));
        assert_eq!(parts("", Some("file:///tmp/x")), expected("file:///tmp/x", ""));
        assert_eq!(parts("GPU Process", None), expected("GPU Process", ""));
        assert_eq!(parts("", None), expected("pid 1", ""));
    }

    #[test]
    fn headings_begin_with_the_page() {
        let heading = |name: &str, page| Process { pid: "1".into(), name: name.into() }.heading(page);
        assert_eq!(heading("Renderer", Some("https://a.example/b?c")), "a.example/b?c, Renderer");
        assert_eq!(heading("Web Content http://a.example", None), "a.example, Web Content");
        assert_eq!(heading("Web Content http://a.example", Some("http://a.example/")), "a.example, Web Content");
        assert_eq!(heading("", Some("file:///tmp/x")), "file:///tmp/x");
        assert_eq!(heading("GPU Process", None), "GPU Process");
    }
}
