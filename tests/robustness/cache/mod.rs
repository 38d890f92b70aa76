//! Cached indexes: a recording opened from one equals the recording that was read, and no damaged index prevents
//! opening.

mod damage;
mod folder;
mod round_trip;

use std::path::{Path, PathBuf};

use flowline::cache::Cache;
use flowline::import::{Options, Progress};
use flowline::profile::persist::{Persist, Writer};
use flowline_load::{Loaded, Origin, UserRules, open};

use crate::support::FORMATS;
use crate::support::folder::Folder;

impl Folder {
    /// A cache in the folder that accepts recordings of any size.
    pub(crate) fn cache(&self) -> Cache {
        Cache::new(self.path("kept"), Some(u64::MAX)).with_min_bytes(0)
    }

    /// Files in the cache by name, without the stamps beside indexes.
    pub(crate) fn kept(&self) -> Vec<PathBuf> {
        let files = std::fs::read_dir(self.path("kept")).into_iter().flatten();
        let paths = files.map(|file| file.expect("an entry").path());
        let mut paths: Vec<PathBuf> =
            paths.filter(|path| path.extension().is_none_or(|extension| extension != "checked")).collect();
        paths.sort();
        paths
    }
}

/// Opens through a cache.
#[track_caller]
pub(crate) fn opened(path: &Path, cache: &Cache) -> Loaded {
    let origin = Origin::File(path.to_owned());
    let rules = UserRules::built_in();
    open(&origin, Options::default(), cache, &rules, &Progress::default()).expect("a recording")
}

/// Opens a recording and caches its index. Returns it with the name of the outcome.
#[track_caller]
pub(crate) fn visit(path: &Path, cache: &Cache) -> (Loaded, &'static str) {
    let loaded = opened(path, cache);
    loaded.keep().expect("kept");
    let outcome = loaded.cache.outcome.name();
    (loaded, outcome)
}

/// All contents of an index and its recording, as bytes.
pub(crate) fn contents(loaded: &Loaded) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes);
    loaded.index.profile().write(&mut writer).expect("memory");
    loaded.index.write(&mut writer).expect("memory");
    loaded.setup.tracks.write(&mut writer).expect("memory");
    writer.finish().expect("memory");
    bytes.extend_from_slice(loaded.index.profile().source.bytes());
    bytes
}
