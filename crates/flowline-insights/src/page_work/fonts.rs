//! Fonts that a page began to load, and their names.

use std::collections::BTreeMap;

use crate::markers_by_name::{Named, markers_named};
use flowline_index::{Derived, Index};
use flowline_profile::{MarkerId, Ns, Profile, Value};

/// The load of a font.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FontLoad {
    pub(crate) time: Ns,
    pub(crate) marker: MarkerId,
    /// The id of its request.
    pub(crate) request: String,
    pub(crate) url: String,
    /// Its `font-display`.
    pub(crate) display: String,
}

/// All loads by time, and the names of fonts by address.
#[derive(Clone, Debug, Default)]
pub(crate) struct FontLoads {
    pub(crate) loads: Vec<FontLoad>,
    names: BTreeMap<String, String>,
}

impl FontLoads {
    /// The loads of an index; see [`Index::derived`].
    pub(crate) fn of(index: &Index) -> &Self {
        index.derived()
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
        all.loads.sort_by_key(|load| (load.time, load.marker));
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
            let (time, marker) = (thread.markers.start(marker), thread.global(marker));
            self.loads.push(FontLoad { time, marker, request, url, display });
        } else if let Some(name) = text("name") {
            self.names.insert(url, name.to_owned());
        }
        Some(())
    }
}
