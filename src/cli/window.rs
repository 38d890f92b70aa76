//! `flowline [FILE]`: opens the window.

use std::io::Write as _;
use std::time::Instant;

use serde::Serialize;

use super::args::{Arguments, SecondArgs};
use super::opening::{Opening, origin_for};
use crate::app::{CompareWith, LoadTimes, Settings, WindowOptions, run as run_window};
use flowline_terminal::Output;

/// Output of `--measure-load`: times in milliseconds.
#[derive(Serialize)]
struct MeasuredLoad {
    window_ms: u128,
    first_picture_ms: u128,
    markers_ms: u128,
    whole_ms: u128,
}

impl From<LoadTimes> for MeasuredLoad {
    fn from(times: LoadTimes) -> Self {
        let rounded = |time: std::time::Duration| (time.as_micros() + 500) / 1000;
        Self {
            window_ms: rounded(times.window),
            first_picture_ms: rounded(times.first),
            markers_ms: rounded(times.markers),
            whole_ms: rounded(times.whole),
        }
    }
}

pub(super) fn run(arguments: Arguments, opening: Opening, started: Instant) -> anyhow::Result<()> {
    let SecondArgs { compare, align } = arguments.compare;
    let Opening { notes, mut import, cache, rules, inputs: _ } = opening;
    let settings = Settings::read();
    let memory_limit = import.budget.limit;
    import.budget.limit = memory_limit.or(settings.preferences.max_memory);
    let options = WindowOptions {
        origin: arguments.file.as_deref().map(origin_for),
        compare: compare.map(|file| CompareWith { origin: origin_for(&file), align }),
        import,
        memory_limit,
        cache,
        rules,
        keys: arguments.keys.map_or(settings.keys, Into::into),
        theme: arguments.theme.map_or(settings.theme, Into::into),
        settings,
        measure_load: arguments.measure_load,
        started,
        notes,
        view: arguments.view,
    };
    if let Some(times) = run_window(options)? {
        let mut out = Output::new();
        writeln!(out, "{}", serde_json::to_string(&MeasuredLoad::from(times))?)?;
        out.flush()?;
    }
    Ok(())
}
