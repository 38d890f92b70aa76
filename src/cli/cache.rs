//! `flowline cache`, and the cache settings of all commands.

use std::io::Write;

use anyhow::Context as _;

use super::args::{Arguments, CacheAction, CacheArgs};
use flowline_cache::Cache;
use flowline_format::{format_bytes, format_counted};
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
    let cache = Cache::for_user(arguments.cache_limit.or(stated.transpose()?));
    if let Some(warning) = cache.warning() {
        terminal::error_line(&format!("flowline: {warning}, so it is not used"));
    }
    Ok(cache)
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
            for (path, bytes) in cache.leftovers() {
                terminal::line(&mut out, format_args!("{:>8}  unfinished: {}", size(bytes), path.display()))?;
            }
        }
        CacheAction::Clear => {
            let cleared = cache.clear();
            let unfinished = match cleared.unfinished {
                0 => String::new(),
                count => format!(" and {}", format_counted(count as u64, "unfinished file")),
            };
            writeln!(out, "{} removed{unfinished}, {}", cleared.entries, size(cleared.bytes))?;
        }
    }
    out.flush()?;
    Ok(())
}
