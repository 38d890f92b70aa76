//! Text formats without a reader, detected by their first lines.

use super::Named;
use crate::perf_script;
use crate::sampled;

const LFS: Named =
    ("a pointer of Git LFS instead of the file", "download the file with git lfs pull and open it again");
const CALLGRIND: Named = (
    "a Callgrind profile",
    "it contains totals without a timeline; open it in KCachegrind, or in speedscope and save it there (Ctrl+S): \
     the saved file opens here",
);
const BPFTRACE: Named = (
    "the output of bpftrace",
    "collapse its stacks and open the result here: stackcollapse-bpftrace.pl FILE > OUT.collapsed",
);
const DTRACE: Named =
    ("the output of DTrace", "collapse its stacks and open the result here: stackcollapse.pl FILE > OUT.collapsed");
const PERF_REPORT: Named =
    ("a report of Linux perf", "it contains totals without a timeline; open the output of perf script instead");
const PERF_WITHOUT_STACKS: Named = (
    "the output of perf script without call stacks",
    "record them with perf record -g, or have perf script print them: perf script -F +ip,+sym",
);
const FTRACE: Named =
    ("text of ftrace", "open it at ui.perfetto.dev, or record with Perfetto's tracebox, whose traces open here");

/// Number of lines to examine.
const LOOK_LINES: usize = 200;

/// Returns the format of a text that a well-known program writes.
pub(super) fn by_lines(text: &[u8]) -> Option<Named> {
    let lines = || sampled::lines(text, 0..text.len()).map(|(_, line)| line).take(LOOK_LINES);
    let first = lines().find(|line| !line.trim_ascii().is_empty())?;
    let has = |start: &[u8]| lines().any(|line| line.starts_with(start));
    if first.starts_with(b"version https://git-lfs.github.com/spec/") {
        return Some(LFS);
    }
    if first.starts_with(b"# callgrind format") || (has(b"events: ") && (has(b"fn=") || has(b"creator: "))) {
        return Some(CALLGRIND);
    }
    if is_bpftrace(first) || (first.starts_with(b"@") && lines().any(|line| line.starts_with(b"]: "))) {
        return Some(BPFTRACE);
    }
    if is_dtrace_header(first) || lines().any(is_dtrace_frame) {
        return Some(DTRACE);
    }
    if first.starts_with(b"# To display the perf.data header") {
        return Some(PERF_REPORT);
    }
    if has(b"# tracer: ") {
        return Some(FTRACE);
    }
    perf_script::lacks_stacks(text).then_some(PERF_WITHOUT_STACKS)
}

/// Returns true for `Attaching 1 probe...`.
fn is_bpftrace(line: &[u8]) -> bool {
    line.strip_prefix(b"Attaching ").is_some_and(|rest| rest.windows(5).any(|word| word == b"probe"))
}

/// Returns true for the titles of DTrace's columns: `CPU     ID                    FUNCTION:NAME`.
fn is_dtrace_header(line: &[u8]) -> bool {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    [b"CPU".as_slice(), b"ID", b"FUNCTION:NAME"].iter().all(|title| words.next() == Some(*title))
}

/// Returns true for an indented frame: module, backquote, function, offset.
fn is_dtrace_frame(line: &[u8]) -> bool {
    let frame = line.trim_ascii();
    let offset = memchr::memmem::rfind(frame, b"+0x");
    line.first().is_some_and(u8::is_ascii_whitespace)
        && memchr::memchr(b'`', frame).is_some_and(|at| at > 0 && offset.is_some_and(|offset| at < offset))
        && !frame.iter().any(u8::is_ascii_whitespace)
}
