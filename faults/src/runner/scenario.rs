//! The commands that run while something fails.

use super::inputs::Inputs;
use super::plan::Kind;

/// A command and what is expected of it.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// Arguments; `{out}` is the folder for results.
    pub(crate) arguments: Vec<String>,
    /// A file in the folder for results that exists before, and that the command replaces.
    pub(crate) target: Option<&'static str>,
    pub(crate) kinds: &'static [Kind],
    /// True if the command runs again without a fault afterwards: what the fault left must not matter.
    pub(crate) runs_again: bool,
    /// The number of places that may fail is divided by this; for slow commands.
    pub(crate) cost: usize,
    /// True for the unit test that writes the user's files.
    pub(crate) is_store: bool,
}

const ALL: &[Kind] = &Kind::ALL;
const READS: &[Kind] = &[Kind::Calls, Kind::Memory];
/// The unit tests have another allocator.
const STORES: &[Kind] = &[Kind::Calls, Kind::Full];

fn command(name: &'static str, arguments: &str, file: &std::path::Path, target: Option<&'static str>) -> Scenario {
    let file = file.to_str().expect("UTF-8");
    let arguments = arguments.split(' ').map(|word| word.replace("{file}", file)).collect();
    let kinds = if target.is_some() { ALL } else { READS };
    Scenario { name, arguments, target, kinds, runs_again: false, cost: 1, is_store: false }
}

/// All scenarios.
pub(crate) fn all(inputs: &Inputs) -> Vec<Scenario> {
    let (small, large) = (&inputs.small, &inputs.large);
    let once = |name, arguments, target| command(name, arguments, small, target);
    vec![
        once("open", "dump {file} markers --no-cache", None),
        command("open compressed", "dump {file} markers", &inputs.packed, None),
        once("index", "dump {file} rows --no-cache", None),
        Scenario { kinds: ALL, runs_again: true, cost: 20, ..command("cache", "dump {file} markers", large, None) },
        once("cut", "cut {file} --range 1ms..4ms -o {out}/part.json", Some("part.json")),
        once("cut compressed", "cut {file} --range 1ms..4ms -o {out}/part.json.gz", Some("part.json.gz")),
        once("annotate", "annotate {file} -o {out}/copy.json", Some("copy.json")),
        once("export", "export {file} -o {out}/table.csv", Some("table.csv")),
        once("notes", "dump {file} annotations", None),
        Scenario {
            name: "settings, views, notes",
            arguments: ["--exact", "app::files::faults::the_files_of_the_user", "--test-threads=1", "--nocapture"]
                .map(str::to_owned)
                .into(),
            target: None,
            kinds: STORES,
            runs_again: false,
            cost: 1,
            is_store: true,
        },
    ]
}
