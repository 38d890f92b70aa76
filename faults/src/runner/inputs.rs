//! The recordings of the scenarios.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Size from which the program stores the index of a recording.
const CACHED: usize = 9 << 20;

/// Paths of the recordings.
pub(crate) struct Inputs {
    pub(crate) small: PathBuf,
    /// The small one, compressed.
    pub(crate) packed: PathBuf,
    pub(crate) large: PathBuf,
}

/// A Chrome trace with some slices, notes of DevTools, and padding.
fn trace(padding: usize) -> String {
    let mut text = String::from("{\"traceEvents\":[\n");
    for at in 0..60 {
        let (start, length, thread) = (at * 100, 40 + at % 7, 1 + at % 3);
        // Writing to a string cannot fail.
        _ = writeln!(
            text,
            "{{\"ph\":\"X\",\"pid\":1,\"tid\":{thread},\"ts\":{start},\"dur\":{length},\"name\":\"slice {}\",\"cat\":\"c\",\
             \"args\":{{\"number\":{at}}}}},",
            at % 5
        );
    }
    _ = writeln!(
        text,
        "{{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"process_name\",\"args\":{{\"name\":\"app\"}}}}],"
    );
    _ = writeln!(text, "\"padding\":\"{}\",", "x".repeat(padding));
    text.push_str(
        "\"metadata\":{\"modifications\":{\"entriesModifications\":{\"hiddenEntries\":[],\"expandableEntries\":[]},\
         \"initialBreadcrumb\":{\"window\":{\"min\":0,\"max\":6000,\"range\":6000},\"child\":null},\
         \"annotations\":{\"entryLabels\":[],\"labelledTimeRanges\":[{\"bounds\":{\"min\":100,\"max\":900,\"range\":800},\
         \"label\":\"a range\"}],\"linksBetweenEntries\":[]}}}}",
    );
    text
}

/// Writes the recordings.
pub(crate) fn write(flowline: &Path, folder: &Path) -> Inputs {
    let [small, packed, large] = ["small.json", "small.json.gz", "large.json"].map(|name| folder.join(name));
    let inputs = Inputs { small, packed, large };
    std::fs::write(&inputs.small, trace(10)).expect("written");
    std::fs::write(&inputs.large, trace(CACHED)).expect("written");
    let mut command = Command::new(flowline);
    command.args([OsStr::new("annotate"), inputs.small.as_os_str(), OsStr::new("-o"), inputs.packed.as_os_str()]);
    assert!(command.arg("--no-cache").status().is_ok_and(|status| status.success()), "{command:?}");
    inputs
}
