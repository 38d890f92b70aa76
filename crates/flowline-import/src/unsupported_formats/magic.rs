//! Formats with a magic number.

use super::Named;

const JFR: Named = (
    "a Java Flight Recorder recording",
    "convert it to a Firefox profile with jfrtofp and open that here, or use JDK Mission Control",
);
const PERF: Named = (
    "a Linux perf recording",
    "open the output of perf script here, or convert the recording to a Firefox profile: \
     samply import FILE --save-only -o FILE.json.gz",
);
const TRACY: Named = (
    "a Tracy recording",
    "open it in the Tracy profiler; no tool converts it to trace events (tracy-csvexport writes CSV)",
);
const GO_TRACE: Named = ("a Go execution trace", "open it with go tool trace FILE");
const ART: Named = (
    "a method trace of Android's runtime (ART)",
    "open it in the profiler of Android Studio, or record with Perfetto, whose traces open here",
);
const SIMPLEPERF: Named =
    ("a simpleperf recording", "convert it to a Firefox profile with simpleperf's gecko_profile_generator.py");
const UTF_32: Named = ("UTF-32 text", "save it as UTF-8");
const NETTRACE: Named = (
    "a .NET event trace",
    "convert it to trace events and open those here: dotnet-trace convert FILE --format Chromium",
);
const MOJO: Named = (
    "an Austin recording in MOJO format",
    "convert it to a speedscope profile and open that here: mojo2austin FILE OUT, then austin2speedscope OUT OUT.json",
);
const HPROF: Named =
    ("a Java heap dump", "it contains objects, not times; open it in Eclipse Memory Analyzer or VisualVM");
const MEASUREME: Named = (
    "a self-profile of the Rust compiler",
    "convert it to trace events with crox FILE (of rust-lang/measureme) and open chrome_profiler.json here",
);
const SPALL: Named =
    ("a binary Spall trace", "open it in Spall, or let the program write trace events in JSON, which open here");
const SQLITE: Named = (
    "an SQLite database",
    "if it is an export of Nsight Systems, convert it to trace events with nsys2json and open those here; \
     if rocprofv3 wrote it, use rocpd convert -f pftrace",
);
const TRACE_CMD: Named = (
    "a trace-cmd recording",
    "convert it with trace-cmd convert for KernelShark, or record with Perfetto's tracebox, whose traces open here",
);
const CTF: Named = ("a CTF trace, as written by LTTng", "open its folder in Trace Compass");
const RBSPY: Named = (
    "a raw rbspy recording",
    "convert it to a speedscope profile and open that here: rbspy report -f speedscope -i FILE -o OUT.json",
);
const MEMRAY: Named = ("a memray recording", "it contains allocations; open it with memray flamegraph FILE");
const RUBY: Named = (
    "Ruby data, such as a StackProf dump",
    "convert a StackProf dump to collapsed stacks and open those here: stackprof --stackcollapse FILE > OUT.collapsed",
);
const PYTHON_STATISTICS: Named = (
    "Python data, such as the statistics of cProfile",
    "they are totals without a timeline; record with py-spy record -f speedscope -o OUT.json and open that here",
);
const PICKLE: Named = ("a Python pickle", "if it is a memory snapshot of PyTorch, open it at pytorch.org/memory_viz");
const GPROF: Named =
    ("a gprof profile", "it contains totals without a timeline; print it with gprof PROGRAM FILE, or record with perf");
const INSIGHTS: Named = ("an Unreal Insights trace", "open it in Unreal Insights");

/// Magic numbers of unsupported recordings.
const RECORDINGS: [(&[u8], Named); 38] = [
    (b"FLR\0", JFR),
    (b"PERFILE2", PERF),
    (b"2ELIFREP", PERF),
    (b"tlZ\x04", TRACY),
    (b"tZst", TRACY),
    (b"trP\xfd", TRACY),
    (b"go 1.", GO_TRACE),
    (b"*version\n", ART),
    (b"SLOW", ART),
    (b"SIMPLEPERF", SIMPLEPERF),
    (b"\xff\xfe\0\0", UTF_32),
    (b"\0\0\xfe\xff", UTF_32),
    (b"Nettrace", NETTRACE),
    (b"MOJ", MOJO),
    (b"JAVA PROFILE 1.0", HPROF),
    (b"MMPD", MEASUREME),
    (b"MMES", MEASUREME),
    (b"\x0d\xf0\xad\x0b", SPALL),
    (b"SQLite format 3", SQLITE),
    (b"\x17\x08\x44tracing", TRACE_CMD),
    (b"\xc1\x1f\xfc\xc1", CTF),
    (b"\xc1\xfc\x1f\xc1", CTF),
    (b"rbspy", RBSPY),
    (b"memray\0", MEMRAY),
    (b"\x04\x08", RUBY),
    // A dictionary whose first key is a tuple.
    (b"{\xa8", PYTHON_STATISTICS),
    (b"{\xa9", PYTHON_STATISTICS),
    (b"{\x28\x03\0\0\0", PYTHON_STATISTICS),
    (b"\x80\x02", PICKLE),
    (b"\x80\x03", PICKLE),
    (b"\x80\x04", PICKLE),
    (b"\x80\x05", PICKLE),
    (b"gmon", GPROF),
    (b"TRC2", INSIGHTS),
    (b"2CRT", INSIGHTS),
    (b"BZh", ("bzip2 data", "decompress it with bunzip2 first")),
    (b"\xfd7zXZ", ("xz data", "decompress it with unxz first")),
    (b"\x04\x22\x4d\x18", ("lz4 data", "decompress it with lz4 -d first")),
];

/// Magic numbers of archives, and of files that are not recordings. The advice of the latter is empty.
const OTHERS: [(&[u8], Named); 9] = [
    (b"7z\xbc\xaf\x27\x1c", ("a 7z archive", "extract the recording first: 7z x FILE")),
    (b"Rar!\x1a\x07", ("a RAR archive", "extract the recording first: unrar x FILE")),
    (b"\x89PNG", ("a PNG image", "")),
    (b"\xff\xd8\xff", ("a JPEG image", "")),
    (b"GIF8", ("a GIF image", "")),
    (b"%PDF", ("a PDF document", "")),
    (b"\x7fELF", ("a program", "")),
    (b"MZ", ("a program", "")),
    (b"<", ("an HTML or XML document", "")),
];

const TAR: Named = ("a tar archive", "extract the recordings first (tar xf FILE) and open one of them");

/// Returns the recording, archive or other file with a magic number. The advice is empty for files without a way out.
pub(super) fn by_magic_number(bytes: &[u8]) -> Option<Named> {
    const TAR_MAGIC: (usize, &[u8]) = (257, b"ustar");
    let (at, tar) = TAR_MAGIC;
    if bytes.get(at..).is_some_and(|rest| rest.starts_with(tar)) {
        return Some(TAR);
    }
    let known =
        |list: &[(&[u8], Named)]| list.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, named)| *named);
    known(&RECORDINGS).or_else(|| known(&OTHERS))
}
