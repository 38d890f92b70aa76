//! Arguments about what a window shows.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::values::{parse_seconds, parse_view};
use crate::app::PresetsFile;
use flowline_profile::SourceKind;
use flowline_session::{LINKED_QUERY_TIME, LinkedQueries};
use flowline_ui::SavedView;
use flowline_view::Preset;

/// The view of `render` and `dump view`, and the limit of its queries.
#[derive(Debug, Args)]
pub(crate) struct ViewArgs {
    /// View of a window, as text from "Copy link" or "Copy as command"; other options override it
    #[arg(long, value_name = "TEXT", value_parser = parse_view, allow_hyphen_values = true)]
    pub(crate) view: Option<SavedView>,
    /// Time limit in seconds for each query of the view; 0 runs none (default: 10)
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, requires = "view")]
    query_time: Option<Duration>,
    /// Search and threads of a preset that was saved in the window
    #[arg(long, value_name = "NAME")]
    pub(crate) preset: Option<String>,
}

impl ViewArgs {
    /// Whether the queries of the view run.
    pub(crate) fn queries(&self) -> LinkedQueries {
        LinkedQueries::within(self.query_time.unwrap_or(LINKED_QUERY_TIME))
    }

    /// The preset for recordings of a format.
    ///
    /// # Errors
    /// If the presets cannot be read, or none for the format has the name.
    pub(crate) fn preset(&self, kind: SourceKind) -> anyhow::Result<Option<Arc<Preset>>> {
        let Some(name) = &self.preset else { return Ok(None) };
        let presets = PresetsFile::of_user().read().map_err(anyhow::Error::msg)?;
        if let Some(preset) = presets.get(kind, name) {
            return Ok(Some(Arc::clone(preset)));
        }
        let names: Vec<String> = presets.of_format(kind).map(|preset| format!("\"{}\"", preset.name)).collect();
        let known = match names.is_empty() {
            true => "there are none for recordings of this format".to_owned(),
            false => format!("those for this format are {}", names.join(", ")),
        };
        anyhow::bail!("--preset: no preset is named \"{name}\"; {known}")
    }
}
