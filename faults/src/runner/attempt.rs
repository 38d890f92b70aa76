//! Runs a scenario in folders of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::folder;
use super::plan::{Fault, Kind};
use super::scenario::Scenario;

/// The programs.
pub(crate) struct Programs {
    pub(crate) flowline: PathBuf,
    pub(crate) stores: PathBuf,
    pub(crate) library: PathBuf,
}

/// The contents of a target before the command.
pub(crate) const OLD: &[u8] = b"the old contents of the file\n";

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The exit status; `None` after a signal.
    pub(crate) status: Option<i32>,
    pub(crate) how: String,
    pub(crate) out: String,
    pub(crate) err: String,
    /// The report of the preload library.
    pub(crate) report: String,
}

impl Outcome {
    /// The number that follows a word in the report.
    pub(crate) fn reported(&self, word: &str) -> Option<u64> {
        self.report.lines().find_map(|line| line.strip_prefix(word)?.trim().parse().ok())
    }
}

/// Prepares the folders of a run: the home of the user without any files, and the old target.
pub(crate) fn prepare(scenario: &Scenario, folder: &Path) {
    for part in ["home", "out"] {
        folder::copy(Path::new("/nonexistent"), &folder.join(part));
    }
    if let Some(target) = scenario.target {
        std::fs::write(folder.join("out").join(target), OLD).expect("written");
    }
}

/// Runs a scenario in prepared folders.
pub(crate) fn run(programs: &Programs, scenario: &Scenario, fault: Option<Fault>, folder: &Path) -> Outcome {
    let (home, out, report) = (folder.join("home"), folder.join("out"), folder.join("report"));
    let _absent = std::fs::remove_file(&report);
    let mut command = Command::new(if scenario.is_store { &programs.stores } else { &programs.flowline });
    let out_text = out.to_str().expect("UTF-8");
    command.args(scenario.arguments.iter().map(|argument| argument.replace("{out}", out_text)));
    for name in ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "TMPDIR"] {
        let own = home.join(name);
        std::fs::create_dir_all(&own).expect("a folder");
        command.env(name, own);
    }
    command.env("FLOWLINE_FAULT_FOLDER", &out).env("RUST_BACKTRACE", "0").stdin(Stdio::null());
    if let Some(fault) = fault {
        command.env("LD_PRELOAD", &programs.library);
        command.env("FLOWLINE_FAULT", fault.to_string()).env("FLOWLINE_FAULT_REPORT", &report);
    }
    let output = command.output().expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Outcome {
        status: output.status.code(),
        how: output.status.to_string(),
        out: text(&output.stdout),
        err: text(&output.stderr),
        report: std::fs::read_to_string(&report).unwrap_or_default(),
    }
}

/// Number of places of a scenario that can fail.
pub(crate) fn count(programs: &Programs, scenario: &Scenario, kind: Kind, folder: &Path) -> usize {
    prepare(scenario, folder);
    let never = Fault { kind, at: usize::MAX >> 1, variant: 0 };
    let outcome = run(programs, scenario, Some(never), folder);
    assert_eq!(outcome.status, Some(0), "{}: {outcome:?}", scenario.name);
    let count = outcome.reported("count");
    count.and_then(|count| usize::try_from(count).ok()).unwrap_or_else(|| panic!("{}: {outcome:?}", scenario.name))
}
