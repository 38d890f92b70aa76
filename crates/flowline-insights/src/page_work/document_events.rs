//! Events of documents that several periods ask for, read once: paints of images, checks of the encoding, viewports, early
//! connections.

use std::collections::BTreeMap;

use crate::markers_by_name::markers_named;
use crate::page::Page;
use flowline_index::{Derived, Index};
use flowline_profile::{MarkerId, Ns, ProcessId, Value};

const NAMES: [&str; 5] = [
    "LargestImagePaint::Candidate",
    "MetaCharsetCheck",
    "ParseMetaViewport",
    "BeginCommitCompositorFrame",
    "LinkPreconnect",
];

/// An event of a document, with the text or the flag that it states.
#[derive(Clone, Debug)]
pub(crate) struct Stated<T> {
    pub(crate) time: Ns,
    pub(crate) marker: MarkerId,
    pub(crate) value: T,
}

/// The events. Lists are by time.
#[derive(Clone, Debug, Default)]
pub(crate) struct DocumentEvents {
    /// The last image that was painted for each node as the largest one: its address.
    paints: BTreeMap<(ProcessId, i64), Stated<String>>,
    /// Where the main frame stated its encoding.
    charsets: Vec<Stated<String>>,
    /// Meta elements for the viewport of the main frame.
    viewports: Vec<Stated<()>>,
    /// Frames of the main frame: whether the page was made for small screens.
    commits: Vec<Stated<bool>>,
    /// Connections that link elements asked for: their addresses.
    preconnects: Vec<Stated<String>>,
}

/// The part of a list that begins in a time.
fn within<T>(list: &[Stated<T>], (start, end): (Ns, Ns)) -> &[Stated<T>] {
    let from = list.partition_point(|own| own.time < start);
    let until = list.partition_point(|own| own.time <= end);
    list.get(from..until).unwrap_or_default()
}

impl DocumentEvents {
    /// The last paint of an image as the largest one, by process and node.
    pub(crate) fn paint(&self, process: ProcessId, node: i64) -> Option<&Stated<String>> {
        self.paints.get(&(process, node))
    }

    /// Checks of the main frame's encoding between two times.
    pub(crate) fn charsets(&self, times: (Ns, Ns)) -> &[Stated<String>] {
        within(&self.charsets, times)
    }

    /// Meta elements for the main frame's viewport between two times.
    pub(crate) fn viewports(&self, times: (Ns, Ns)) -> &[Stated<()>] {
        within(&self.viewports, times)
    }

    /// Frames of the main frame between two times.
    pub(crate) fn commits(&self, times: (Ns, Ns)) -> &[Stated<bool>] {
        within(&self.commits, times)
    }

    /// All connections that link elements asked for.
    pub(crate) fn preconnects(&self) -> &[Stated<String>] {
        &self.preconnects
    }
}

impl Derived for DocumentEvents {
    fn derive(index: &Index) -> Self {
        let profile = index.profile();
        let frames = Page::of(index).frames();
        let mut own = Self::default();
        let mut found = markers_named(profile, &NAMES, |_| true);
        found.sort_by_key(|(_, thread, marker)| profile.thread(*thread).markers.start(*marker));
        for (name, id, local) in found {
            let thread = profile.thread(id);
            let args = profile.payload_in(thread, local);
            let data = args.get("data");
            let text = |key: &str| data.and_then(|data| data.get(key)).and_then(Value::as_str).map(str::to_owned);
            let frame = text("frame").or_else(|| args.get("frame").and_then(Value::as_str).map(str::to_owned));
            let is_main = frame.is_some_and(|frame| frames.is_main(&frame));
            let (time, marker) = (thread.markers.start(local), thread.global(local));
            match NAMES[name] {
                "LargestImagePaint::Candidate" => {
                    let node = data.and_then(|data| data.get("DOMNodeId")).and_then(Value::as_i64);
                    if let (Some(node), Some(value)) = (node, text("imageUrl")) {
                        own.paints.insert((thread.process, node), Stated { time, marker, value });
                    }
                }
                "MetaCharsetCheck" if is_main => {
                    own.charsets.extend(text("disposition").map(|value| Stated { time, marker, value }));
                }
                "ParseMetaViewport" if is_main => own.viewports.push(Stated { time, marker, value: () }),
                "BeginCommitCompositorFrame" if is_main => {
                    if let Some(Value::Bool(value)) = args.get("is_mobile_optimized") {
                        own.commits.push(Stated { time, marker, value: *value });
                    }
                }
                "LinkPreconnect" => {
                    own.preconnects.extend(text("url").map(|value| Stated { time, marker, value }));
                }
                _ => {}
            }
        }
        own
    }
}
