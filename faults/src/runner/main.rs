//! `faults PROGRAM STORES POINTS`: fails system calls and allocations of Flowline one at a time, and checks that each run ends as
//! real failures do: no signal, no panic, a sentence and status 1 or the complete result, no lost and no partial file.
//!
//! PROGRAM is `flowline`, STORES the program of the unit tests of the root package, whose test `app::files::faults` writes the
//! user's files. About POINTS places are chosen evenly from all scenarios. `FLOWLINE_FAULTS_ONLY` restricts the run to scenarios
//! with this text in their names.

mod attempt;
mod folder;
mod inputs;
mod plan;
mod scenario;
mod verdict;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use attempt::Programs;
use plan::{Fault, Kind};
use scenario::Scenario;
use verdict::{Reference, Verdict};

/// Results of a scenario and a kind of fault.
#[derive(Clone, Debug, Default)]
struct Tally {
    injected: usize,
    refused: usize,
    survived: usize,
    library: usize,
    wrong: Vec<String>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, stores, points] = &arguments[..] else {
        eprintln!("usage: faults PROGRAM STORES POINTS");
        return ExitCode::from(2);
    };
    let points: usize = points.parse().expect("a number of points");
    let library = std::env::current_exe().expect("this program").with_file_name("libflowline_faults.so");
    let programs = Programs { flowline: absolute(program), stores: absolute(stores), library };
    let root = folder::Folder::new("flowline-faults");
    let only = std::env::var("FLOWLINE_FAULTS_ONLY").unwrap_or_default();
    let inputs = inputs::write(&programs.flowline, root.path());
    let scenarios: Vec<Scenario> =
        scenario::all(&inputs).into_iter().filter(|scenario| scenario.name.contains(&only)).collect();
    let tallies = inject(&programs, root.path(), &scenarios, points);
    report(&tallies)
}

fn absolute(path: &str) -> PathBuf {
    std::path::absolute(Path::new(path)).expect("a path")
}

/// Injects faults from all cores; returns the results by scenario and kind.
fn inject(
    programs: &Programs,
    root: &Path,
    scenarios: &[Scenario],
    points: usize,
) -> BTreeMap<(&'static str, Kind), Tally> {
    let references: Vec<Reference> =
        scenarios.iter().map(|scenario| Reference::of(programs, scenario, &root.join("reference"))).collect();
    let mut sets = Vec::new();
    for (number, scenario) in scenarios.iter().enumerate() {
        for kind in Kind::ALL.into_iter().filter(|kind| scenario.kinds.contains(kind)) {
            let places = attempt::count(programs, scenario, kind, &root.join("reference"));
            sets.push(((number, kind), places * kind.variants(), points / scenario.cost));
        }
    }
    let jobs: Vec<(usize, Fault)> = plan::chosen(&sets, points)
        .into_iter()
        .map(|((number, kind), at)| {
            let (at, variant) = (at / kind.variants(), at % kind.variants());
            (number, Fault { kind, at, variant })
        })
        .collect();
    let (next, tallies) = (AtomicUsize::new(0), Mutex::new(BTreeMap::<(&'static str, Kind), Tally>::new()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let (next, tallies, jobs, references) = (&next, &tallies, &jobs, &references);
            scope.spawn(move || {
                let own = root.join(format!("worker-{worker}"));
                while let Some((number, fault)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let scenario = &scenarios[*number];
                    let verdict = verdict::judge(programs, scenario, &references[*number], *fault, &own);
                    let mut tallies = tallies.lock().expect("no panic");
                    let tally = tallies.entry((scenario.name, fault.kind)).or_default();
                    add(tally, verdict, scenario, *fault);
                }
            });
        }
    });
    tallies.into_inner().expect("no panic")
}

fn add(tally: &mut Tally, verdict: Verdict, scenario: &Scenario, fault: Fault) {
    tally.injected += usize::from(!matches!(verdict, Verdict::NotReached));
    match verdict {
        Verdict::NotReached => {}
        Verdict::Refused => tally.refused += 1,
        Verdict::Survived => tally.survived += 1,
        Verdict::StandardLibrary => tally.library += 1,
        Verdict::Wrong(how) => tally.wrong.push(format!("{} {fault}: {how}", scenario.name)),
    }
}

/// Prints the table, and the wrong ends.
fn report(tallies: &BTreeMap<(&'static str, Kind), Tally>) -> ExitCode {
    println!("{:<24} {:<8} {:>9} {:>9} {:>9} {:>6}", "scenario", "fault", "injected", "sentence", "complete", "wrong");
    let mut total = Tally::default();
    for ((name, kind), tally) in tallies {
        let (injected, refused, survived) = (tally.injected, tally.refused, tally.survived);
        let wrong = tally.wrong.len();
        println!("{name:<24} {:<8} {injected:>9} {refused:>9} {survived:>9} {wrong:>6}", kind.name());
        total.injected += injected;
        total.refused += refused;
        total.survived += survived;
        total.library += tally.library;
        total.wrong.extend(tally.wrong.iter().cloned());
    }
    let wrong = total.wrong.len();
    println!("{:<24} {:<8} {:>9} {:>9} {:>9} {wrong:>6}", "all", "", total.injected, total.refused, total.survived);
    if total.library > 0 {
        println!("{} aborts of the standard library, which allocates handles of threads by itself", total.library);
    }
    total.wrong.iter().for_each(|line| println!("wrong: {line}"));
    if wrong == 0 && total.injected > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
