//! Judges how a run with a fault ended.

use std::path::Path;

use super::attempt::{OLD, Outcome, Programs, prepare, run};
use super::folder::contents;
use super::plan::{Fault, Kind};
use super::scenario::Scenario;

/// The result without a fault.
pub(crate) struct Reference {
    out: String,
    files: Vec<(String, Vec<u8>)>,
}

impl Reference {
    pub(crate) fn of(programs: &Programs, scenario: &Scenario, folder: &Path) -> Self {
        prepare(scenario, folder);
        let outcome = run(programs, scenario, None, folder);
        assert_eq!((outcome.status, outcome.err.as_str()), (Some(0), ""), "{}: {outcome:?}", scenario.name);
        Self { out: timeless(&outcome.out), files: contents(&folder.join("out")) }
    }
}

/// The output without the times that the test harness prints.
fn timeless(out: &str) -> String {
    out.split("finished in").next().unwrap_or_default().to_owned()
}

/// How a run with a fault ended.
pub(crate) enum Verdict {
    /// The program ended before the place.
    NotReached,
    /// With a sentence and status 1; nothing is lost.
    Refused,
    /// With the complete result.
    Survived,
    /// An allocation of the standard library that bypasses the allocator of the program failed, which aborts.
    StandardLibrary,
    Wrong(String),
}

/// The system calls that remove a file; if they fail, the file stays.
const REMOVING: [u64; 2] = [libc::SYS_unlink as u64, libc::SYS_unlinkat as u64];

/// Runs a scenario with a fault.
pub(crate) fn judge(
    programs: &Programs,
    scenario: &Scenario,
    reference: &Reference,
    fault: Fault,
    folder: &Path,
) -> Verdict {
    prepare(scenario, folder);
    let outcome = run(programs, scenario, Some(fault), folder);
    let Some(hit) = outcome.reported("hit") else { return Verdict::NotReached };
    match ending(scenario, reference, fault, (&outcome, hit), folder) {
        Err(how) => {
            Verdict::Wrong(format!("call or size {hit}: {how}\n  {}", outcome.err.trim().replace('\n', "\n  ")))
        }
        Ok(verdict) if scenario.runs_again => {
            let again = run(programs, scenario, None, folder);
            if again.status == Some(0) && again.err.is_empty() && timeless(&again.out) == reference.out {
                verdict
            } else {
                Verdict::Wrong(format!("the next run differs: {again:?}"))
            }
        }
        Ok(verdict) => verdict,
    }
}

fn ending(
    scenario: &Scenario,
    reference: &Reference,
    fault: Fault,
    (outcome, hit): (&Outcome, u64),
    folder: &Path,
) -> Result<Verdict, String> {
    let is_sentence = |line: &str| line.starts_with("flowline: ") || line.starts_with("Error: ");
    // Handles of threads are allocated by the system allocator directly. Stable Rust has no hook for their failure.
    let is_own = outcome.err.lines().next().is_some_and(|line| line.starts_with("memory allocation of "));
    if fault.kind == Kind::Memory && is_own && outcome.status.is_none() {
        files(scenario, reference, (outcome, hit), folder)?;
        return Ok(Verdict::StandardLibrary);
    }
    if outcome.err.contains("panicked") || outcome.status.is_none_or(|status| status > 1) {
        return Err(format!("ended with {}", outcome.how));
    }
    files(scenario, reference, (outcome, hit), folder)?;
    if outcome.status == Some(1) {
        if !outcome.err.lines().last().is_some_and(is_sentence) {
            return Err("no sentence".into());
        }
        if fault.kind == Kind::Memory && !outcome.err.contains("not enough memory") {
            return Err("not the sentence of missing memory".into());
        }
        return Ok(Verdict::Refused);
    }
    if timeless(&outcome.out) != reference.out {
        return Err(format!("status 0 with another output: {}", outcome.out));
    }
    Ok(Verdict::Survived)
}

/// Checks the files of the result: each is the old or the new one, and there are no others.
fn files(
    scenario: &Scenario,
    reference: &Reference,
    (outcome, hit): (&Outcome, u64),
    folder: &Path,
) -> Result<(), String> {
    let found = contents(&folder.join("out"));
    if scenario.is_store {
        // The test has checked them.
        return Ok(());
    }
    for (name, bytes) in &found {
        let is_new = reference.files.iter().any(|(known, new)| known == name && new == bytes);
        let is_old = scenario.target == Some(name.as_str()) && bytes == OLD;
        let is_left = name.ends_with(".part") && REMOVING.contains(&hit);
        if !(is_new || is_left || is_old && outcome.status != Some(0)) {
            return Err(format!("{name} is neither old nor new: {} bytes", bytes.len()));
        }
    }
    match scenario.target {
        Some(target) if found.iter().all(|(name, _)| name != target) => Err(format!("{target} is lost")),
        _ => Ok(()),
    }
}
