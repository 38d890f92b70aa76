//! A SQL session over recordings or over a folder of exported tables.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::common::{Result, exec_err};
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::logical_expr::{AggregateUDF, ScalarUDF};
use datafusion::prelude::{SessionConfig, SessionContext};

use super::folder::{register_folder, table_folders};
use crate::fleet::register_views;
use crate::functions::{ExtractArg, IntersectNs, PercentileExact, Relation, RelationFunction};
use crate::recording::{OpenOptions, Recording, open_recording};
use crate::schema::TABLES;
use crate::tables::RowsProvider;

/// How a session is built.
#[derive(Clone, Debug)]
pub struct SessionOptions {
    /// How recordings are opened; its limit of memory also applies to queries, which spill to the temporary folder.
    pub open: OpenOptions,
    /// Number of threads of a query.
    pub threads: usize,
    /// Leaves out damaged files of an exported folder instead of refusing the folder.
    pub skip_damaged: bool,
}

/// A session, and what was left out of it.
#[expect(missing_debug_implementations, reason = "a session has none")]
pub struct Opened {
    /// The session.
    pub context: SessionContext,
    /// The recordings; none for a folder.
    pub recordings: Vec<Arc<Recording>>,
    /// Damaged files that were left out, with the reasons.
    pub skipped: Vec<String>,
}

/// Opens recordings, or one folder of exported tables.
///
/// # Errors
/// If a recording or the folder cannot be read.
pub async fn open_session(inputs: &[PathBuf], options: &SessionOptions) -> Result<Opened> {
    let context = context(options)?;
    if let [folder] = inputs
        && folder.is_dir()
    {
        if table_folders(folder).is_empty() {
            return exec_err!(
                "{}: this folder has no exported tables; flowline export-tables FILE -o FOLDER writes them",
                folder.display()
            );
        }
        let skipped = register_folder(&context, folder, options.skip_damaged)?;
        register_functions(&context, &[]);
        register_views(&context, str::to_owned).await?;
        return Ok(Opened { context, recordings: Vec::new(), skipped });
    }
    if let Some(folder) = inputs.iter().find(|input| input.is_dir()) {
        return exec_err!("{}: a folder of exported tables is queried alone, without other inputs", folder.display());
    }
    let recordings =
        inputs.iter().map(|input| open_recording(input, &options.open, &[])).collect::<Result<Vec<_>>>()?;
    register_recordings(&context, &recordings)?;
    Ok(Opened { context, recordings, skipped: Vec::new() })
}

/// Makes the tables and functions of recordings known to a session.
///
/// # Errors
/// If a table is already known.
pub fn register_recordings(context: &SessionContext, recordings: &[Arc<Recording>]) -> Result<()> {
    for spec in TABLES {
        context.register_table(spec.name, Arc::new(RowsProvider::new(spec, recordings)))?;
    }
    register_functions(context, recordings);
    Ok(())
}

fn register_functions(context: &SessionContext, recordings: &[Arc<Recording>]) {
    context.register_udaf(AggregateUDF::new_from_impl(PercentileExact::new()));
    context.register_udf(ScalarUDF::new_from_impl(IntersectNs::new()));
    context.register_udf(ScalarUDF::new_from_impl(ExtractArg::new(recordings)));
    for relation in Relation::ALL {
        let function = RelationFunction { relation, recordings: recordings.to_vec() };
        context.register_udtf(relation.name(), Arc::new(function));
    }
}

/// Bytes at the end of a Parquet file that are read first. Most footers are shorter; the rest of others is read afterwards.
const FOOTER: usize = 16 << 10;
/// Limit in bytes of the footers that are kept for later queries, those of some thousands of recordings.
const FOOTERS: usize = 256 << 20;

/// A session without tables.
///
/// # Errors
/// If the temporary folder cannot be used.
pub fn context(options: &SessionOptions) -> Result<SessionContext> {
    let mut config = SessionConfig::new().with_target_partitions(options.threads).with_information_schema(true);
    let settings = config.options_mut();
    // `SELECT Name` means the column `name`, as in SQLite and Perfetto.
    settings.sql_parser.enable_ident_normalization = true;
    settings.optimizer.enable_dynamic_filter_pushdown = true;
    settings.execution.parquet.pushdown_filters = true;
    settings.execution.collect_statistics = true;
    // The exported files have no page indexes and no Bloom filters.
    settings.execution.parquet.enable_page_index = false;
    settings.execution.parquet.bloom_filter_on_read = false;
    // A larger first read, such as the default, would read most files as a whole to find their footers.
    settings.execution.parquet.metadata_size_hint = Some(FOOTER);
    let mut runtime = RuntimeEnvBuilder::new()
        .with_disk_manager_builder(DiskManagerBuilder::default().with_mode(DiskManagerMode::OsTmpDirectory))
        .with_metadata_cache_limit(FOOTERS)
        .with_file_statistics_cache_limit(FOOTERS);
    if let Some(limit) = options.open.max_memory {
        runtime = runtime.with_memory_pool(Arc::new(FairSpillPool::new(usize::try_from(limit).unwrap_or(usize::MAX))));
    }
    Ok(SessionContext::new_with_config_rt(config, Arc::new(runtime.build()?)))
}

/// True if a path is a folder of exported tables.
#[must_use]
pub fn is_exported(path: &Path) -> bool {
    path.is_dir() && !table_folders(path).is_empty()
}
