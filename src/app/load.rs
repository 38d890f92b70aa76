//! Loads a file into an index, with a report of times.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::user_files::UserRules;
use crate::cache::{Cache, Outcome, Snapshot, StoreHandle};
use crate::import::{self, ImportError, Imported, Options, Phase, Progress, Timings};
use crate::index::flows::{FlowRules, FlowSetup, RuleMatcher};
use crate::index::{BuildTimings, Index};

/// Origin of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file.
    File(PathBuf),
    /// Standard input.
    Input,
    /// The recording that comes with the program.
    Example,
}

/// The bundled example recording.
static EXAMPLE: &[u8] = include_bytes!("../../fixtures/example.json.gz");

/// What standard input is called.
const INPUT_NAME: &str = "standard input";

/// Times of a load.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoadReport {
    /// Steps of the import.
    pub import: Timings,
    /// Steps of the index.
    pub index: BuildTimings,
    /// Total time.
    pub total: Duration,
}

/// Result of the cache lookup, and the handle to store a new index.
#[derive(Clone, Debug)]
pub struct CacheUse {
    /// Outcome of the lookup.
    pub outcome: Outcome,
    /// Short reason; empty for a hit.
    pub reason: &'static str,
    /// Bytes of the memory map that profile and index borrow from.
    pub mapped: u64,
    handle: Option<StoreHandle>,
    /// The flow rules of the setup.
    rules: FlowRules,
}

/// A loaded recording.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Recording and index.
    pub index: Arc<Index>,
    /// Flow rules applied to the recording.
    pub setup: Arc<FlowSetup>,
    /// Times of the load.
    pub report: LoadReport,
    /// Use of the cache.
    pub cache: CacheUse,
}

impl Loaded {
    /// Stores the index in the cache if that pays off; returns the bytes stored.
    ///
    /// # Errors
    /// When it cannot be written. The recording remains usable.
    pub fn keep(&self) -> std::io::Result<Option<u64>> {
        let Some(handle) = &self.cache.handle else { return Ok(None) };
        handle.store(Snapshot { index: &self.index, setup: &self.setup, rules: &self.cache.rules })
    }
}

/// Opens the cached index, or loads the recording.
///
/// # Errors
/// As [`load`].
pub fn open(
    origin: &Origin,
    options: Options,
    cache: &Cache,
    rules: &UserRules,
    progress: &Progress,
) -> Result<Loaded, ImportError> {
    open_or(origin, options, cache, rules, progress, || ())
}

/// Like [`open`]; `on_miss` is called before a recording without a cached index is loaded.
pub(super) fn open_or(
    origin: &Origin,
    options: Options,
    cache: &Cache,
    rules: &UserRules,
    progress: &Progress,
    on_miss: impl FnOnce(),
) -> Result<Loaded, ImportError> {
    let began = Instant::now();
    let Origin::File(path) = origin else { return load(origin, options, rules, progress) };
    // Unpacked text is written beside the cache; without a cache, to the temporary folder.
    let spill = cache.folder().map(Path::to_owned).or(options.spill.clone());
    let options = Options { spill, ..options };
    let lookup = cache.lookup(path);
    let mut cache = CacheUse {
        outcome: lookup.outcome,
        reason: lookup.reason,
        mapped: 0,
        handle: lookup.handle,
        rules: rules.rules.clone(),
    };
    let found = lookup.found.filter(|found| found.rules.same_flows(&rules.rules));
    if found.is_none() && cache.outcome == Outcome::Hit {
        cache.outcome = Outcome::Rebuilt;
        cache.reason = "the rules that divide flows have changed";
    }
    let Some(found) = found else {
        on_miss();
        return load(origin, options, rules, progress).map(|loaded| Loaded { cache, ..loaded });
    };
    let read = began.elapsed();
    let index = Arc::new(found.index);
    let matcher = || RuleMatcher::new(rules.rules.clone(), index.profile());
    cache.mapped = found.bytes;
    let same_rules = found.rules == cache.rules;
    let kept = same_rules.then(|| FlowSetup::restore(matcher(), found.tracks, rules.messages.clone())).flatten();
    let setup = match kept {
        Some(setup) => {
            // Everything is already stored.
            cache.handle = None;
            Arc::new(setup)
        }
        None => set_up(&index, rules),
    };
    let import = Timings { read, ..Timings::default() };
    let report = LoadReport { import, total: began.elapsed(), ..LoadReport::default() };
    Ok(Loaded { index, setup, report, cache })
}

fn set_up(index: &Index, rules: &UserRules) -> Arc<FlowSetup> {
    let matcher = RuleMatcher::new(rules.rules.clone(), index.profile());
    Arc::new(FlowSetup::new(index, matcher, rules.messages.clone()))
}

/// Loads and indexes a recording without using the cache.
///
/// # Errors
/// [`ImportError`] when nothing is usable or the load was cancelled.
pub fn load(origin: &Origin, options: Options, rules: &UserRules, progress: &Progress) -> Result<Loaded, ImportError> {
    let began = Instant::now();
    let imported = match origin {
        Origin::File(path) => import::open(path, &options, progress)?,
        Origin::Input => import::open_input(&options, progress)?,
        Origin::Example => import::read(EXAMPLE, progress)?,
    };
    let loaded = index_imported(imported, rules, progress)?;
    let report = LoadReport { total: began.elapsed(), ..loaded.report };
    Ok(Loaded { report, ..loaded })
}

/// Indexes an imported recording.
pub(super) fn index_imported(
    imported: Imported,
    rules: &UserRules,
    progress: &Progress,
) -> Result<Loaded, ImportError> {
    let began = Instant::now();
    let threads = imported.profile.threads.len() as u64;
    progress.begin(Phase::Index, threads);
    let arrangement = imported.profile.meta.arrangement();
    let index = Index::build_with(Arc::new(imported.profile), arrangement, &rules.rules);
    if progress.is_cancelled() {
        return Err(ImportError::Cancelled);
    }
    let report = LoadReport { import: imported.timings, index: index.timings, total: began.elapsed() };
    let setup = set_up(&index, rules);
    let report = LoadReport { total: began.elapsed(), ..report };
    let cache = CacheUse {
        outcome: Outcome::Off,
        reason: "the recording itself was asked for",
        mapped: 0,
        handle: None,
        rules: FlowRules::default(),
    };
    Ok(Loaded { index: Arc::new(index), setup, report, cache })
}

impl Origin {
    /// The origin that an argument of the command line names: `-` is standard input.
    #[must_use]
    pub fn from_argument(path: PathBuf) -> Self {
        if path.as_os_str() == "-" { Self::Input } else { Self::File(path) }
    }

    /// The path; that of the example and of standard input leads to no file.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::File(path) => path,
            Self::Input => Path::new(INPUT_NAME),
            Self::Example => Path::new(""),
        }
    }

    /// Display name.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => {
                path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
            }
            Self::Input => INPUT_NAME.into(),
            Self::Example => "the example recording".into(),
        }
    }

    /// The error message, with the name of the recording once.
    #[must_use]
    pub fn explain(&self, error: &ImportError) -> String {
        match error {
            ImportError::Io { .. } => error.to_string(),
            _ => match self {
                Self::File(path) => format!("{}: {error}", path.display()),
                Self::Input | Self::Example => format!("{}: {error}", self.name()),
            },
        }
    }
}
