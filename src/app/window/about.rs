//! Facts for the dialog about the program: where its data is kept, and the graphics device.

use std::path::PathBuf;

use flowline_cache::user_folders::{cache_folder, config_folder, state_folder};
use flowline_gpu::Gpu;
use flowline_ui::AboutFacts;

/// The folders of the program.
pub(super) fn about_facts() -> AboutFacts {
    let folders = [("Settings", config_folder()), ("Views and notes", state_folder()), ("Index cache", cache_folder())];
    let known = |(name, folder): (&'static str, Option<PathBuf>)| Some((name, folder?.display().to_string()));
    folders.into_iter().filter_map(known).collect()
}

/// The graphics device.
pub(super) fn graphics_facts(gpu: &Gpu) -> AboutFacts {
    let info = gpu.adapter.get_info();
    vec![("Graphics", format!("{} ({})", info.name, info.backend))]
}
