//! From a file to an index that can be shown, with a report of times and sizes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::user_files::UserRules;
use crate::cache::{Cache, Outcome, Snapshot, StoreHandle};
use crate::import::{self, ImportError, Imported, Options, Phase, Progress, Timings};
use crate::index::flows::{FlowRules, FlowSetup, RuleMatcher};
use crate::index::{BuildTimings, Index};

/// What is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file.
    File(PathBuf),
    /// The recording that comes with the program.
    Example,
}

/// The bundled example recording.
static EXAMPLE: &[u8] = include_bytes!("../../fixtures/example.json.gz");

/// How long a load took and what it left in memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoadReport {
    /// Steps of the import.
    pub import: Timings,
    /// Steps of the index.
    pub index: BuildTimings,
    /// All of it.
    pub total: Duration,
}

/// Whether an index was kept from an earlier opening, and the right to keep this one.
#[derive(Clone, Debug)]
pub struct CacheUse {
    /// What was found.
    pub outcome: Outcome,
    /// Why, in a few words; empty for a hit.
    pub reason: &'static str,
    /// Bytes of the map that profile and index borrow from.
    pub mapped: u64,
    handle: Option<StoreHandle>,
    /// The rules that the setup was made by.
    rules: FlowRules,
}

/// A recording that can be shown.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Recording and index.
    pub index: Arc<Index>,
    /// Rules of flows applied to it.
    pub setup: Arc<FlowSetup>,
    /// Times.
    pub report: LoadReport,
    /// What the cache had to do with it.
    pub cache: CacheUse,
}

impl Loaded {
    /// Keeps the index for the next opening, if that is worth it; gives back the bytes it takes. The index stays as it
    /// is.
    ///
    /// # Errors
    /// When it cannot be written; that is worth a note, no more.
    pub fn keep(&self) -> std::io::Result<Option<u64>> {
        let Some(handle) = &self.cache.handle else { return Ok(None) };
        handle.store(Snapshot { index: &self.index, setup: &self.setup, rules: &self.cache.rules })
    }
}

/// Takes the index that was kept from an earlier opening, or loads.
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

/// As [`open`]; `on_miss` is called before a recording is loaded of which no index was kept.
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
    // Unpacked text lies beside what is kept; where nothing is, among other temporary files.
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
    let Some(found) = lookup.found else {
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
            // All that there is to keep is kept.
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

/// Loads and indexes, without a look at what was kept.
///
/// # Errors
/// [`ImportError`] when nothing is usable or the load was cancelled.
pub fn load(origin: &Origin, options: Options, rules: &UserRules, progress: &Progress) -> Result<Loaded, ImportError> {
    let began = Instant::now();
    let imported = match origin {
        Origin::File(path) => import::open(path, &options, progress)?,
        Origin::Example => import::read(EXAMPLE, progress)?,
    };
    let loaded = index_imported(imported, rules, progress)?;
    let report = LoadReport { total: began.elapsed(), ..loaded.report };
    Ok(Loaded { report, ..loaded })
}

/// Indexes what was imported.
pub(super) fn index_imported(
    imported: Imported,
    rules: &UserRules,
    progress: &Progress,
) -> Result<Loaded, ImportError> {
    let began = Instant::now();
    let threads = imported.profile.threads.len() as u64;
    progress.begin(Phase::Index, threads);
    let arrangement = imported.profile.meta.arrangement();
    let index = Index::build(Arc::new(imported.profile), arrangement);
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
    /// The path, empty for the example.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::File(path) => path,
            Self::Example => Path::new(""),
        }
    }

    /// Name to show.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => {
                path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
            }
            Self::Example => "the example recording".into(),
        }
    }

    /// Why it cannot be shown, with its name said once.
    #[must_use]
    pub fn explain(&self, error: &ImportError) -> String {
        match error {
            ImportError::Io { .. } => error.to_string(),
            _ => match self {
                Self::File(path) => format!("{}: {error}", path.display()),
                Self::Example => format!("{}: {error}", self.name()),
            },
        }
    }
}
