//! The frames of a page of Chrome: which processes hosted them, and which one is the main frame.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::events::Event;
use super::frame_work::FrameWork;
use crate::browser_pages::is_of_browser;
use flowline_profile::{Profile, Value};

/// The frames of the page.
#[derive(Clone, Debug, Default)]
pub struct PageFrames {
    /// The processes that hosted each frame.
    hosts: BTreeMap<String, BTreeSet<String>>,
    /// The main frame, if it is known.
    main: Option<String>,
    /// The address that the main frame showed when tracing began; empty if unknown.
    main_url: String,
}

impl PageFrames {
    /// Reads the frames from events in time order.
    pub(crate) fn new(profile: &Profile, events: &[Event]) -> Self {
        let mut frames = Self::default();
        let mut candidates: Vec<Candidate> = Vec::new();
        for event in events {
            match event.name {
                "TracingStartedInBrowser" => {
                    let started = frames.started(event);
                    if !started.is_empty() {
                        candidates = started;
                    }
                }
                "FrameCommittedInBrowser" => {
                    if let Some(frame) = event.data_text("frame") {
                        let host = event.data("processId").map(Value::display_js);
                        frames.add(frame, host);
                    }
                }
                "CommitLoad" => {
                    if let Some(frame) = event.data_text("frame") {
                        frames.add(frame, Some(event.pid.clone()));
                    }
                }
                _ => {}
            }
        }
        if candidates.is_empty() {
            candidates = outermost(events);
        }
        if let Some(main) = frames.choose(profile, candidates) {
            (frames.main, frames.main_url) = (Some(main.frame), main.url_at_start);
        }
        frames
    }

    /// The frame of a page of the web before others, then the one with most work, then the first one.
    fn choose(&self, profile: &Profile, mut candidates: Vec<Candidate>) -> Option<Candidate> {
        if candidates.len() > 1 {
            let mut work = FrameWork::new(profile);
            let hosts = |own: &Candidate| self.hosts.get(&own.frame).into_iter().flatten();
            candidates.sort_by_cached_key(|own| (!own.is_web, Reverse(work.of(hosts(own)))));
        }
        candidates.into_iter().next()
    }

    fn add(&mut self, frame: &str, host: Option<String>) {
        self.hosts.entry(frame.to_owned()).or_default().extend(host);
    }

    /// Reads the frames that existed when tracing began. Returns those that can be the main frame.
    fn started(&mut self, event: &Event) -> Vec<Candidate> {
        let Some(Value::List(all)) = event.data("frames") else { return Vec::new() };
        let id = |frame: &Value| frame.get("frame").and_then(Value::as_str).map(str::to_owned);
        let url = |frame: &Value| frame.get("url").and_then(Value::as_str).unwrap_or_default().to_owned();
        let flag = |frame: &Value, key: &str| match frame.get(key) {
            Some(Value::Bool(flag)) => Some(*flag),
            _ => None,
        };
        for frame in all {
            if let Some(id) = id(frame) {
                self.add(&id, frame.get("processId").map(Value::display_js));
            }
        }
        let (outermost, primary) = ("isOutermostMainFrame", "isInPrimaryMainFrame");
        let has = |key: &str| all.iter().any(|frame| flag(frame, key).is_some());
        let is_main = |frame: &&Value| match (has(outermost), has(primary)) {
            (true, true) => flag(frame, outermost) == Some(true) && flag(frame, primary) == Some(true),
            (true, false) => flag(frame, outermost) == Some(true),
            _ => frame.get("parent").is_none() && !url(frame).is_empty(),
        };
        let candidate = |frame: &Value| id(frame).map(|frame_id| Candidate::new(frame_id, url(frame)));
        // Without the flags, the last one is the page.
        let last = || all.iter().rfind(is_main).and_then(candidate).into_iter().collect();
        if has(outermost) { all.iter().filter(is_main).filter_map(candidate).collect() } else { last() }
    }

    /// The main frame, if it is known.
    #[must_use]
    pub fn main(&self) -> Option<&str> {
        self.main.as_deref()
    }

    /// The address that the main frame showed when tracing began; empty if unknown.
    #[must_use]
    pub fn main_url(&self) -> &str {
        &self.main_url
    }

    /// True if a process, given by its id, hosted a frame of the page.
    #[must_use]
    pub fn is_hosted(&self, frame: &str, pid: &str) -> bool {
        self.hosts.get(frame).is_some_and(|hosts| hosts.is_empty() || hosts.contains(pid))
    }

    /// True for the main frame.
    #[must_use]
    pub fn is_main(&self, frame: &str) -> bool {
        self.main.as_deref() == Some(frame)
    }
}

/// A frame that can be the main frame.
struct Candidate {
    frame: String,
    /// The address that it showed when tracing began; empty if unknown.
    url_at_start: String,
    /// True if it showed a page of the web.
    is_web: bool,
}

impl Candidate {
    fn new(frame: String, url: String) -> Self {
        Self { frame, is_web: is_web(&url), url_at_start: url }
    }
}

fn is_web(url: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| url.starts_with(scheme))
}

/// The frames whose navigations to a document state that they are the outermost ones. Recordings that begin with the
/// browser contain no other statement about them. Pages of the browser itself and pages without an address, such as
/// those that a browser keeps ready, do not count.
fn outermost(events: &[Event]) -> Vec<Candidate> {
    let is_outermost = |event: &&Event| {
        event.name == "navigationStart" && matches!(event.data("isOutermostMainFrame"), Some(Value::Bool(true)))
    };
    let mut found: Vec<Candidate> = Vec::new();
    for event in events.iter().filter(is_outermost) {
        let url = event.data("documentLoaderURL").and_then(Value::as_str);
        let Some(frame) = event.text("frame").filter(|_| url.is_none_or(|url| !url.is_empty() && !is_of_browser(url)))
        else {
            continue;
        };
        let is_web = url.is_some_and(is_web);
        match found.iter_mut().find(|own| own.frame == frame) {
            Some(own) => own.is_web |= is_web,
            None => found.push(Candidate { frame: frame.to_owned(), url_at_start: String::new(), is_web }),
        }
    }
    found
}
