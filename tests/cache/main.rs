//! Kept indexes: what is opened from one is what was read, and nothing that happens to one keeps a recording from opening.

mod command_line;
mod damage;
mod folder;
mod same;

use std::path::{Path, PathBuf};

use flowline::app::{Loaded, Origin, UserRules, open};
use flowline::cache::Cache;
use flowline::import::{Options, Progress};
use flowline::profile::persist::{Persist, Writer};
use flowline::synth::{self, Format};

/// A folder of a test's own, removed at its end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cache-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A cache in it that keeps whatever is loaded.
    pub(crate) fn cache(&self) -> Cache {
        Cache::new(self.path("kept"), Some(u64::MAX)).with_min_bytes(0)
    }

    /// What lies in the cache, by name.
    pub(crate) fn kept(&self) -> Vec<PathBuf> {
        let files = std::fs::read_dir(self.path("kept")).into_iter().flatten();
        let mut paths: Vec<PathBuf> = files.map(|file| file.expect("an entry").path()).collect();
        paths.sort();
        paths
    }

    /// A synthetic recording in it.
    pub(crate) fn synthetic(&self, name: &str, format: Format, markers: u64, seed: u64) -> PathBuf {
        let threads = u32::try_from(seed % 5 + 1).expect("few");
        let flows = seed.is_multiple_of(3).then_some(markers / 8);
        let mut text = Vec::new();
        let options = synth::Options { markers, format, threads: Some(threads), flows, seed };
        synth::write(&options, &mut text).expect("memory");
        let path = self.path(name);
        std::fs::write(&path, text).expect("a file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed lies in the build folder and harms nobody.
        let _left = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) const FORMATS: [Format; 2] = [Format::Firefox, Format::Chrome];

/// Opens through a cache.
#[track_caller]
pub(crate) fn opened(path: &Path, cache: &Cache) -> Loaded {
    let origin = Origin::File(path.to_owned());
    let rules = UserRules::built_in();
    open(&origin, Options::default(), cache, &rules, &Progress::default()).expect("a recording")
}

/// Opens, and keeps the index; gives it back with the outcome's name.
#[track_caller]
pub(crate) fn visit(path: &Path, cache: &Cache) -> (Loaded, &'static str) {
    let loaded = opened(path, cache);
    loaded.keep().expect("kept");
    let outcome = loaded.cache.outcome.name();
    (loaded, outcome)
}

/// Everything that an index and its recording hold, as bytes.
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
