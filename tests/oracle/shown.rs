//! The figures as the command line prints them.

use std::path::Path;

use serde_json::Value;

use crate::program::Program;

/// The output of the commands for a recording.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) threads: Vec<Value>,
    pub(crate) streams: Vec<Value>,
    pub(crate) view: Vec<Value>,
}

/// The lines of a command, or its message if it fails.
pub(crate) fn lines(program: &Program, path: &Path, arguments: &[&str]) -> Result<Vec<Value>, String> {
    let path = path.to_str().expect("UTF-8");
    let outcome = program.run([&["dump", path], arguments].concat());
    if outcome.status != Some(0) {
        return Err(outcome.err);
    }
    Ok(outcome.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect())
}

impl Shown {
    /// The figures of a file; `None` if it is no recording.
    pub(crate) fn of(program: &Program, path: &Path) -> Option<Self> {
        let threads = lines(program, path, &["threads"]).ok()?;
        let read = |what: &str| lines(program, path, &[what]).unwrap_or_else(|message| panic!("{what}: {message}"));
        Some(Self { threads, streams: read("streams"), view: read("view") })
    }

    /// The lines of the view of an item.
    pub(crate) fn items<'a>(&'a self, item: &'a str) -> impl Iterator<Item = &'a Value> {
        self.view.iter().filter(move |line| line["item"] == item)
    }

    /// The rows of the view, top to bottom.
    pub(crate) fn rows(&self) -> Vec<&Value> {
        self.items("row").collect()
    }

    /// The visible range.
    pub(crate) fn range(&self) -> Option<[i64; 2]> {
        let line = self.items("range").next()?;
        Some([line["start_ns"].as_i64()?, line["end_ns"].as_i64()?])
    }
}
