//! Loads a file into an index, with a report of times.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::origin::{EXAMPLE, Origin};
use crate::user_rules::UserRules;
use flowline_cache::{Cache, Outcome, Snapshot, StoreHandle};
use flowline_import::{ImportError, Imported, Options, Phase, Progress, Timings};
use flowline_index::flows::{FlowRules, FlowSetup, RuleMatcher};
use flowline_index::{BuildTimings, Index};
use flowline_profile::Stopwatch;

/// Times of a load.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoadReport {
    /// Steps of the import.
    pub import: Timings,
    /// Steps of the index.
    pub index: BuildTimings,
    /// Time until everything except flows could be shown.
    pub picture: Duration,
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
    /// Size in bytes of the memory map that profile and index borrow from.
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
    /// Stores the index in the cache if that is worthwhile; returns the number of bytes stored.
    ///
    /// # Errors
    /// If the index cannot be written. The recording remains usable.
    pub fn keep(&self) -> std::io::Result<Option<u64>> {
        let Some(handle) = &self.cache.handle else { return Ok(None) };
        handle.store(Snapshot { index: &self.index, setup: &self.setup, rules: &self.cache.rules })
    }
}

/// Opens the cached index, or loads the recording.
///
/// # Errors
/// Same as [`load`].
pub fn open(
    origin: &Origin,
    options: Options,
    cache: &Cache,
    rules: &UserRules,
    progress: &Progress,
) -> Result<Loaded, ImportError> {
    open_with_callbacks(origin, options, cache, rules, progress, Early { on_miss: &mut || (), on_picture: &mut |_| () })
}

/// Callbacks that run before a recording is complete.
pub struct Early<'a> {
    /// Called before a recording without a cached index is loaded.
    pub on_miss: &'a mut dyn FnMut(),
    /// Called with a recording without flows, if analyzing the flows will take a while.
    pub on_picture: &'a mut dyn FnMut(Loaded),
}

/// Minimum number of markers for which analyzing flows takes a while.
const MANY: usize = 4_000_000;

/// Like [`open`], with callbacks for early results.
///
/// # Errors
/// Same as [`load`].
pub fn open_with_callbacks(
    origin: &Origin,
    options: Options,
    cache: &Cache,
    rules: &UserRules,
    progress: &Progress,
    early: Early<'_>,
) -> Result<Loaded, ImportError> {
    let began = Stopwatch::start();
    let Early { on_miss, on_picture } = early;
    let Origin::File(path) = origin else { return load_early(origin, options, rules, progress, on_picture) };
    // Unpacked text spills to the cache folder, or without a cache to the temporary folder.
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
        cache.reason = "the flow rules have changed";
    }
    let Some(found) = found else {
        on_miss();
        return load_early(origin, options, rules, progress, on_picture).map(|loaded| Loaded { cache, ..loaded });
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
    let total = began.elapsed().wall;
    let report = LoadReport { import, picture: total, total, ..LoadReport::default() };
    Ok(Loaded { index, setup, report, cache })
}

fn set_up(index: &Index, rules: &UserRules) -> Arc<FlowSetup> {
    let _span = tracing::trace_span!("flow rules").entered();
    let matcher = RuleMatcher::new(rules.rules.clone(), index.profile());
    Arc::new(FlowSetup::new(index, matcher, rules.messages.clone()))
}

/// Loads and indexes a recording without using the cache.
///
/// # Errors
/// [`ImportError`] if nothing is usable or the load was canceled.
pub fn load(origin: &Origin, options: Options, rules: &UserRules, progress: &Progress) -> Result<Loaded, ImportError> {
    load_early(origin, options, rules, progress, &mut |_| ())
}

fn load_early(
    origin: &Origin,
    options: Options,
    rules: &UserRules,
    progress: &Progress,
    on_picture: &mut dyn FnMut(Loaded),
) -> Result<Loaded, ImportError> {
    let began = Instant::now();
    let import = tracing::trace_span!("import", detail = origin.name()).entered();
    let imported = match origin {
        Origin::File(path) => flowline_import::open(path, &options, progress)?,
        Origin::Input => flowline_import::open_input(&options, progress)?,
        Origin::Example => flowline_import::read(EXAMPLE, progress)?,
    };
    drop(import);
    index_imported(imported, began, rules, progress, on_picture)
}

/// Indexes a recording whose import started at `began`. See [`Early::on_picture`].
///
/// # Errors
/// [`ImportError::Cancelled`] or [`ImportError::OutOfMemory`].
pub fn index_imported(
    imported: Imported,
    began: Instant,
    rules: &UserRules,
    progress: &Progress,
    on_picture: &mut dyn FnMut(Loaded),
) -> Result<Loaded, ImportError> {
    let threads = imported.profile.threads.len() as u64;
    progress.begin(Phase::Index, threads);
    let arrangement = imported.profile.meta.arrangement();
    let build = tracing::trace_span!("base index").entered();
    let picture = Arc::new(Index::without_flows(Arc::new(imported.profile), arrangement));
    drop(build);
    let shown_after = began.elapsed();
    let report =
        LoadReport { import: imported.timings, index: picture.timings, picture: shown_after, total: shown_after };
    let cache = CacheUse {
        outcome: Outcome::Off,
        reason: "the cache was bypassed",
        mapped: 0,
        handle: None,
        rules: FlowRules::default(),
    };
    progress.begin(Phase::Flows, 0);
    if picture.profile().marker_count() >= MANY && !progress.is_cancelled() {
        let setup = set_up(&picture, rules);
        on_picture(Loaded { index: Arc::clone(&picture), setup, report, cache: cache.clone() });
    }
    if progress.is_cancelled() {
        return Err(progress.stop_error());
    }
    let build = tracing::trace_span!("flows").entered();
    let index = picture.with_flows(&rules.rules);
    drop(build);
    if progress.is_cancelled() {
        return Err(progress.stop_error());
    }
    let setup = set_up(&index, rules);
    let report = LoadReport { index: index.timings, total: began.elapsed(), ..report };
    Ok(Loaded { index: Arc::new(index), setup, report, cache })
}
