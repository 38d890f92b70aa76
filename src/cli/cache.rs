//! `flowline cache`, and the cache settings of all commands.

use std::io::Write;

use anyhow::Context as _;

use super::args::{Arguments, CacheAction, CacheArgs};
use flowline_cache::Cache;
use flowline_format::format_bytes;
use flowline_terminal::{self as terminal, Output};

/// Environment variable with the maximum size of the index cache in bytes; the option takes precedence.
const LIMIT: &str = "FLOWLINE_CACHE_LIMIT";

/// Returns the cache configured by arguments and environment.
pub(super) fn from_arguments(arguments: &Arguments) -> anyhow::Result<Cache> {
    if arguments.no_cache {
        return Ok(Cache::off("switched off"));
    }
    let stated = std::env::var(LIMIT).ok().filter(|text| !text.is_empty());
    let stated = stated.map(|text| text.parse().with_context(|| format!("{LIMIT}={text}: expected a number of bytes")));
    Ok(Cache::for_user(arguments.cache_limit.or(stated.transpose()?)))
}

pub(super) fn run(options: &CacheArgs, cache: &Cache) -> anyhow::Result<()> {
    #[expect(clippy::cast_precision_loss, reason = "rounded for display")]
    let size = |bytes: u64| format_bytes(bytes as f64);
    let mut out = Output::new();
    match options.what {
        CacheAction::List => {
            for entry in cache.list() {
                terminal::line(&mut out, format_args!("{:>8}  {}", size(entry.bytes), entry.recording.display()))?;
            }
        }
        CacheAction::Clear => {
            let (count, bytes) = cache.clear();
            writeln!(out, "{count} removed, {}", size(bytes))?;
        }
    }
    out.flush()?;
    Ok(())
}
