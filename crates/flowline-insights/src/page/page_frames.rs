//! The frames of a page of Chrome: which processes hosted them, and which one is the main frame.

use std::collections::{BTreeMap, BTreeSet};

use super::events::Event;
use flowline_profile::Value;

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
    pub(crate) fn new(events: &[Event]) -> Self {
        let mut frames = Self::default();
        for event in events {
            match event.name {
                "TracingStartedInBrowser" => frames.started(event),
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
        if frames.main.is_none() {
            frames.main = outermost(events);
        }
        frames
    }

    fn add(&mut self, frame: &str, host: Option<String>) {
        self.hosts.entry(frame.to_owned()).or_default().extend(host);
    }

    /// Reads the frames that existed when tracing began.
    fn started(&mut self, event: &Event) {
        let Some(Value::List(all)) = event.data("frames") else { return };
        let id = |frame: &Value| frame.get("frame").and_then(Value::as_str).map(str::to_owned);
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
            _ => {
                let has_url = frame.get("url").and_then(Value::as_str).is_some_and(|url| !url.is_empty());
                frame.get("parent").is_none() && has_url
            }
        };
        let main = if has(outermost) { all.iter().find(is_main) } else { all.iter().rfind(is_main) };
        if let Some(url) = main.and_then(|frame| frame.get("url")).and_then(Value::as_str) {
            url.clone_into(&mut self.main_url);
        }
        self.main = main.and_then(id).or(self.main.take());
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

/// The only frame whose navigations to a document state that it is the outermost one. Pages without an address, such as
/// those that a browser keeps ready, do not count.
fn outermost(events: &[Event]) -> Option<String> {
    let is_outermost = |event: &&Event| {
        event.name == "navigationStart"
            && matches!(event.data("isOutermostMainFrame"), Some(Value::Bool(true)))
            && event.data("documentLoaderURL").and_then(Value::as_str) != Some("")
    };
    let frames: BTreeSet<&str> = events.iter().filter(is_outermost).filter_map(|event| event.text("frame")).collect();
    (frames.len() == 1).then(|| frames.first().map(|frame| (*frame).to_owned())).flatten()
}
