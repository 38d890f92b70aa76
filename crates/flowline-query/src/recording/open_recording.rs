//! An open recording, with what its tables share.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use datafusion::error::{DataFusionError, Result};
use flowline_cache::{Cache, hash};
use flowline_import::{Budget, Options, Progress};
use flowline_index::Index;
use flowline_index::flows::RuleMatcher;
use flowline_load::{Loaded, Origin, UserRules};
use flowline_profile::{LocalMarker, MarkerId, Profile, ThreadId, get_or_build};

use super::names::Names;
use super::nesting_cache::NestingCache;

/// How recordings are opened.
#[derive(Clone, Debug)]
pub struct OpenOptions {
    /// Cache of indexes.
    pub cache: Cache,
    /// The user's flow rules.
    pub rules: UserRules,
    /// Limit of memory for unpacking and reading, in bytes.
    pub max_memory: Option<u64>,
    /// Progress of the recording that is being opened.
    pub progress: Arc<Progress>,
}

/// Id of the recording in a file: a hash of all bytes of the file.
///
/// # Errors
/// If the file cannot be read or is not a regular file.
pub fn recording_id(file: &Path, cache: &Cache) -> std::io::Result<String> {
    cache.content_hash(file).map(|hash| format!("{hash:016x}"))
}

/// A recording.
#[derive(Debug)]
pub struct Recording {
    index: Arc<Index>,
    rules: Arc<RuleMatcher>,
    id: String,
    file: String,
    labels: Vec<(String, String)>,
    names: OnceLock<Names>,
    nesting: NestingCache,
}

/// Opens the file `path`; `example` is the bundled example unless a file has that name, and `-` is standard input.
///
/// # Errors
/// If nothing in the file is usable.
pub fn open_recording(path: &Path, options: &OpenOptions, labels: &[(String, String)]) -> Result<Arc<Recording>> {
    let origin = if path == Path::new("example") && !path.exists() {
        Origin::Example
    } else {
        Origin::from_argument(path.to_owned())
    };
    let import = Options { budget: Budget { limit: options.max_memory }, ..Options::default() };
    let loaded = flowline_load::open(&origin, import, &options.cache, &options.rules, &options.progress);
    let loaded = loaded.map_err(|error| DataFusionError::Execution(origin.explain(&error)))?;
    // Failing to store the index only makes the next start slower.
    let _stored = loaded.keep();
    Ok(Arc::new(Recording::new(loaded, (&origin, &options.cache), labels)))
}

impl Recording {
    fn new(loaded: Loaded, (origin, cache): (&Origin, &Cache), labels: &[(String, String)]) -> Self {
        let id = match origin {
            Origin::File(path) => recording_id(path, cache).ok(),
            Origin::Input | Origin::Example => None,
        };
        let id = id.unwrap_or_else(|| format!("{:016x}", hash(loaded.index.profile().source.bytes())));
        let file = match origin {
            Origin::File(path) => path.display().to_string(),
            Origin::Input => "-".into(),
            Origin::Example => "example".into(),
        };
        Self {
            rules: Arc::clone(&loaded.setup.rules),
            index: loaded.index,
            id,
            file,
            labels: labels.to_vec(),
            names: OnceLock::new(),
            nesting: NestingCache::default(),
        }
    }

    /// The index.
    #[must_use]
    pub const fn index(&self) -> &Arc<Index> {
        &self.index
    }

    /// The profile.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        self.index.profile()
    }

    /// The flow rules.
    #[must_use]
    pub fn rules(&self) -> &RuleMatcher {
        &self.rules
    }

    /// 16 hexadecimal digits: a hash of all bytes of the file.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Path of the file as given.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Labels given on the command line.
    #[must_use]
    pub fn labels(&self) -> &[(String, String)] {
        &self.labels
    }

    /// The value of a label.
    #[must_use]
    pub fn label(&self, key: &str) -> Option<&str> {
        self.labels.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// Names and categories as text views.
    pub(crate) fn names(&self) -> &Names {
        get_or_build(&self.names, || Names::new(self.profile()))
    }

    /// Depths, parents and self times.
    pub(crate) const fn nesting(&self) -> &NestingCache {
        &self.nesting
    }

    /// The thread that a track belongs to: itself, or the thread that it is below.
    #[must_use]
    pub fn thread_of_track(&self, track: ThreadId) -> Option<ThreadId> {
        let profile = self.profile();
        let mut owners = std::iter::once(track).chain(profile.track_parents(track));
        owners.find(|owner| profile.is_thread(*owner))
    }

    /// The slice with a number.
    #[must_use]
    pub fn locate(&self, slice: i64) -> Option<(ThreadId, LocalMarker)> {
        self.profile().locate(MarkerId(u32::try_from(slice).ok()?))
    }
}
