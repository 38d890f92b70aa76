//! Reads a recording and prints its threads, its warnings and the longest markers that match a search.
//!
//! `cargo run -p flowline-index --example read_profile -- FILE [SEARCH]` builds without graphics crates.
#![expect(clippy::print_stdout, reason = "prints its results")]

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use flowline_import::{self as import, Options, Progress};
use flowline_index::Index;
use flowline_index::search::{Query, run};
use flowline_profile::{MarkerId, Profile};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let file = PathBuf::from(arguments.next().ok_or("usage: read_profile FILE [SEARCH]")?);
    let search = arguments.next().unwrap_or_default().to_string_lossy().into_owned();

    // Damaged parts are not errors: everything readable is loaded, and `warnings` describe the problems.
    let profile = Arc::new(import::open(&file, &Options::default(), &Progress::default())?.profile);
    for (id, thread) in profile.threads_with_ids() {
        let process = profile.process_of(id);
        println!("{:>9} markers  {} ({}) / {}", thread.markers.len(), process.name, process.pid, thread.name);
    }
    for warning in profile.warnings.list() {
        println!("{} times: {} First: {}", warning.count, warning.kind.explain(), warning.first);
    }

    // The index adds rows, levels of detail and the flow graph.
    let index = Index::build(Arc::clone(&profile), profile.meta.arrangement());
    println!("{} flows", index.flows().len());

    // This search cannot be canceled, so it always finishes.
    let hits = run(&profile, index.flows(), &Query::parse(&search), &|| true).ok_or("the search was canceled")?;
    let mut found: Vec<MarkerId> = hits.iter(&profile).collect();
    println!("{} matching markers; the longest:", found.len());
    found.sort_by_key(|marker| std::cmp::Reverse(nanoseconds(&profile, *marker)));
    for marker in found.into_iter().take(5) {
        println!("{:>12} ns  {}", nanoseconds(&profile, marker), name(&profile, marker));
    }
    Ok(())
}

fn nanoseconds(profile: &Profile, marker: MarkerId) -> i64 {
    profile.locate(marker).map_or(0, |(thread, local)| {
        let range = profile.thread(thread).markers.range(local);
        (range.end - range.start).0
    })
}

fn name(profile: &Profile, marker: MarkerId) -> &str {
    profile.locate(marker).map_or("", |(thread, local)| profile.marker_name(thread, local))
}
