//! Fonts that a page began to load, and their names.

use std::collections::BTreeMap;

use crate::markers_by_name::{Named, markers_named};
use flowline_index::{Derived, Index};
use flowline_profile::{MarkerId, Profile, Value};

/// At most this many loads of a request are kept.
const MAX_LOADS: usize = 100;

/// The load of a font.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FontLoad {
    pub(crate) marker: MarkerId,
    pub(crate) url: String,
    /// Its `font-display`.
    pub(crate) display: String,
}

/// All loads by request, and the names of fonts by address.
#[derive(Clone, Debug, Default)]
pub(crate) struct FontLoads {
    loads: BTreeMap<String, Vec<FontLoad>>,
    names: BTreeMap<String, String>,
}

impl FontLoads {
    /// The loads for which a request was sent, by its id.
    pub(crate) fn of_request(&self, id: &str) -> &[FontLoad] {
        self.loads.get(id).map_or(&[], Vec::as_slice)
    }

    /// The name of the font at an address.
    pub(crate) fn name(&self, url: &str) -> Option<&str> {
        self.names.get(url).map(String::as_str)
    }
}

impl Derived for FontLoads {
    fn derive(index: &Index) -> Self {
        let profile = index.profile();
        let mut all = Self::default();
        if !profile.source.holds_events() {
            return all;
        }
        for named in markers_named(profile, &["BeginRemoteFontLoad", "RemoteFontLoaded"], |_| true) {
            all.add(profile, named);
        }
        all
    }
}

impl FontLoads {
    fn add(&mut self, profile: &Profile, (name, id, marker): Named) -> Option<()> {
        let thread = profile.thread(id);
        let payload = profile.payload_in(thread, marker);
        let text = |key: &str| payload.get(key).and_then(Value::as_str);
        let url = text("url")?.to_owned();
        if name == 0 {
            let request = format!("{}.{}", profile.process_of(id).pid, payload.get("id")?.display_js());
            let display = text("display").unwrap_or_default().to_owned();
            let loads = self.loads.entry(request).or_default();
            // A font is loaded by a few documents at most.
            if loads.len() < MAX_LOADS {
                loads.push(FontLoad { marker: thread.global(marker), url, display });
            }
        } else if let Some(name) = text("name") {
            self.names.insert(url, name.to_owned());
        }
        Some(())
    }
}
