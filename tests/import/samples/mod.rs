//! Recordings that contain only samples: speedscope, collapsed stacks, `perf script`. Round trips preserve them.

mod collapsed;
mod heap_profile;
mod perf_script;
mod round_trip;
mod speedscope;
mod units;

use flowline::import::{ImportError, Options, Progress, read_with};
use flowline::profile::{Profile, StackId, Thread};

/// Reads a text in one chunk and in small ones, plain and compressed. The result must always be the same.
fn read(text: impl AsRef<[u8]>) -> Profile {
    let text = text.as_ref();
    let profile = read_in_chunks(text.to_vec(), Options::default().chunk).expect("a recording");
    assert!(profile.is_consistent());
    let expected = facts(&profile);
    for (bytes, chunk) in [(text.to_vec(), 1), (text.to_vec(), 40), (crate::gzip(text), 64)] {
        let other = read_in_chunks(bytes, chunk).expect("a recording");
        assert_eq!(facts(&other), expected, "chunks of {chunk}");
    }
    profile
}

fn read_in_chunks(bytes: Vec<u8>, chunk: usize) -> Result<Profile, ImportError> {
    let options = Options { chunk, ..Options::default() };
    read_with(bytes, &options, &Progress::default()).map(|imported| imported.profile)
}

/// The reason why a text is refused.
fn refused(text: &str) -> String {
    read_in_chunks(text.as_bytes().to_vec(), Options::default().chunk).expect_err("no recording").to_string()
}

/// A sample: time, function names from the root joined by `;`, weight.
type Sample = (i64, String, f64);

/// Function names of a stack, from the root.
fn path(profile: &Profile, stack: StackId) -> String {
    let tables = &profile.stacks;
    let mut names: Vec<&str> = tables.walk(stack).map(|stack| tables.name(tables.func(stack))).collect();
    names.reverse();
    names.join(";")
}

/// The samples of a thread.
fn samples(profile: &Profile, thread: &Thread) -> Vec<Sample> {
    let table = &thread.samples.as_ref().expect("samples").cpu;
    let stack = |sample| table.stack(sample).map_or_else(String::new, |stack| path(profile, stack));
    (0..table.len()).map(|sample| (table.time[sample].0, stack(sample), table.weight(sample))).collect()
}

/// The calls of a thread: start, end, path, depth.
fn calls(profile: &Profile, thread: &Thread) -> Vec<(i64, i64, String, u32)> {
    let table = thread.samples.as_ref().and_then(|samples| samples.calls.as_ref()).expect("calls");
    let call = |at: usize| (table.start[at].0, table.end[at].0, path(profile, table.stack[at]), table.depth[at]);
    (0..table.len()).map(call).collect()
}

/// Id, name and samples of a thread.
type ThreadFacts = (String, String, Vec<Sample>);

/// All facts that must not depend on how a text is read; for warnings the kind, the count and the first position.
fn facts(profile: &Profile) -> (Vec<ThreadFacts>, Vec<(String, u64, String)>) {
    let thread = |thread: &Thread| (thread.tid.to_string(), thread.name.to_string(), samples(profile, thread));
    let warnings = profile.warnings.list().into_iter();
    (
        profile.threads.iter().map(thread).collect(),
        warnings.map(|warning| (warning.kind.name().to_owned(), warning.count, warning.first)).collect(),
    )
}

/// Kinds of warnings with their counts.
fn warnings(profile: &Profile) -> Vec<(&'static str, u64)> {
    profile.warnings.list().iter().map(|warning| (warning.kind.name(), warning.count)).collect()
}

/// Samples in the notation of a test.
fn expected(samples: &[(i64, &str, f64)]) -> Vec<Sample> {
    samples.iter().map(|(time, path, weight)| (*time, (*path).to_owned(), *weight)).collect()
}
