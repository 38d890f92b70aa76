//! Runs commands and compares their CPU times.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Shape;
use crate::support::folder::Folder;
use crate::support::program;

/// CPU time below which a run is too short to be compared: the system counts in hundredths of a second.
const LEAST: f64 = 0.25;
/// Greatest ratio of the times at 4n and 2n. It is 2 for linear costs, 2.2 for n log n and 4 for quadratic ones.
const GREATEST: f64 = 2.7;
/// Number of times that suspicious runs are repeated; the least times count.
const REPEATS: usize = 3;
/// A run is stopped after this time.
const LIMIT: Duration = Duration::from_secs(120);

/// CPU seconds of all ended child processes.
fn cpu_of_children() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("the statistics of the process");
    // The name of the program, in parentheses, can contain spaces. User and system time of children are fields 16 and 17.
    let after_name = stat.rsplit_once(')').expect("a name").1;
    let ticks = |at: usize| -> f64 {
        after_name.split_whitespace().nth(at).and_then(|text| text.parse().ok()).expect("a number of ticks")
    };
    (ticks(13) + ticks(14)) / 100.0
}

/// CPU seconds of a command, or why it failed.
fn run(folder: &Folder, arguments: &str, file: &str, items: usize) -> Result<f64, String> {
    let out = folder.path("out").to_str().expect("UTF-8").to_owned();
    let replaced = |word: &str| match word {
        "FILE" => file.to_owned(),
        "LAST" => (items - 1).to_string(),
        word => word.replace("OUT", &out),
    };
    let mut command = program::command(folder.root());
    if let Some(other) = std::env::var_os("FLOWLINE_PROGRAM") {
        let with_home = command;
        command = Command::new(other);
        command.envs(with_home.get_envs().filter_map(|(name, value)| Some((name, value?))));
    }
    command.args(arguments.split(' ').map(replaced)).arg("--no-cache");
    let before = cpu_of_children();
    let started = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    let status = loop {
        match child.try_wait().expect("a child process") {
            Some(status) => break status,
            None if started.elapsed() > LIMIT => {
                child.kill().expect("the process ends");
                child.wait().expect("the process ended");
                return Err(format!("takes more than {} s", LIMIT.as_secs()));
            }
            None => std::thread::sleep(Duration::from_millis(3)),
        }
    };
    // Some commands refuse some inputs, such as ranges without markers.
    match status.code() {
        Some(0 | 1) => Ok(cpu_of_children() - before),
        _ => Err(format!("ends with {status}")),
    }
}

/// Measures commands with inputs of one shape and prints the longest. Returns descriptions of those that grow too fast.
#[expect(clippy::print_stdout, reason = "the table of measurements")]
pub(crate) fn measure(shape: &Shape, items: usize, commands: &[&str]) -> Vec<String> {
    let folder = Folder::new("growth");
    let sizes = [items, 2 * items, 4 * items];
    let files = sizes.map(|items| {
        let path = folder.file(&format!("{}-{items}", shape.name), (shape.make)(items));
        path.to_str().expect("UTF-8").to_owned()
    });
    let mut faults = Vec::new();
    let mut longest = (0.0, "");
    for arguments in commands.iter().copied() {
        let at = |size: usize| run(&folder, arguments, &files[size], sizes[size]);
        let measured = compare(&at);
        match measured {
            Ok(times) => {
                if times[2] > longest.0 {
                    longest = (times[2], arguments);
                }
                if is_suspicious(times) {
                    faults.push(format!("{} {arguments}: {times:.2?} s at {sizes:?}", shape.name));
                }
            }
            Err(reason) => faults.push(format!("{} {arguments} {reason} at up to {}", shape.name, sizes[2])),
        }
    }
    let verdict = if faults.is_empty() { "ok" } else { "grows too fast" };
    println!("{:26} {:7} {:6.2} s  {:50} {verdict}", shape.name, sizes[2], longest.0, longest.1);
    faults.iter().for_each(|fault| println!("    {fault}"));
    faults
}

/// The CPU times at n, 2n and 4n. Short runs are not compared, so the smaller sizes are then left out.
fn compare(at: &impl Fn(usize) -> Result<f64, String>) -> Result<[f64; 3], String> {
    let mut times = [0.0, 0.0, at(2)?];
    if times[2] < LEAST {
        return Ok(times);
    }
    (times[0], times[1]) = (at(0)?, at(1)?);
    for _ in 0..REPEATS {
        if !is_suspicious(times) {
            break;
        }
        for (size, time) in times.iter_mut().enumerate().skip(1) {
            *time = time.min(at(size)?);
        }
    }
    Ok(times)
}

/// True if the time grows too fast. The ratio of the least times is not suspicious only because the smaller one is noise.
fn is_suspicious([_, half, whole]: [f64; 3]) -> bool {
    whole >= LEAST && half > 0.0 && whole / half > GREATEST
}

#[test]
fn quadratic_times_are_suspicious_and_linear_ones_are_not() {
    assert!(is_suspicious([0.1, 0.4, 1.6]));
    assert!(is_suspicious([0.15, 0.5, 1.5]), "mostly quadratic");
    assert!(!is_suspicious([0.4, 0.8, 1.6]));
    assert!(!is_suspicious([0.36, 0.8, 1.76]), "n log n");
    assert!(!is_suspicious([0.0, 0.01, 0.05]), "too short");
}
