//! From a file to an index that can be shown, with a report of times and sizes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::user_files::UserRules;
use crate::import::{self, ImportError, Options, Phase, Progress, Timings};
use crate::index::flows::{FlowSetup, RuleBook};
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

/// A recording that can be shown.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Recording and index.
    pub index: Arc<Index>,
    /// Rules of flows applied to it.
    pub setup: Arc<FlowSetup>,
    /// Times.
    pub report: LoadReport,
}

/// Loads and indexes.
///
/// # Errors
/// [`ImportError`] when nothing is usable or the load was cancelled.
pub fn load(origin: &Origin, options: Options, rules: &UserRules, progress: &Progress) -> Result<Loaded, ImportError> {
    let began = Instant::now();
    let imported = match origin {
        Origin::File(path) => import::open(path, &options, progress)?,
        Origin::Example => import::read(EXAMPLE, progress)?,
    };
    let threads = imported.profile.threads.len() as u64;
    progress.begin(Phase::Index, threads);
    let arrangement = imported.profile.meta.arrangement();
    let index = Index::build(Arc::new(imported.profile), arrangement);
    if progress.is_cancelled() {
        return Err(ImportError::Cancelled);
    }
    let report = LoadReport { import: imported.timings, index: index.timings, total: began.elapsed() };
    let book = RuleBook::new(rules.rules.clone(), index.profile());
    let setup = Arc::new(FlowSetup::new(&index, book, rules.messages.clone()));
    let report = LoadReport { total: began.elapsed(), ..report };
    Ok(Loaded { index: Arc::new(index), setup, report })
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

/// The most memory this process has had resident so far, in bytes; 0 where the system does not tell.
#[must_use]
pub fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
