//! Output of `perf script`.

use flowline::profile::samples::{ResourceKind, WeightUnit};
use flowline::profile::{Profile, StackId};

use super::{expected, read, refused, samples, warnings};

const TEXT: &str = "# captured on: today\n#\nsh 10/10 [001] 5.000000:     250000 cpu-clock:pppH: \n\
     \t    4005e5 inner+0x5 (/bin/a b)\n\t    400500 main+0x10 (/bin/a b)\n\n\
     Web Content 10/12 [000] 5.000100:     500000 cpu-clock:pppH: \n\
     \tffffffff8105e5f6 native_halt+0x6 ([kernel.kallsyms])\n\t    7f01 [unknown] (/lib/libc.so.6)\n\t    7f02 [unknown] ([unknown])\n\n\
     a.out 10/10 [001] 5.001000:     250000 cpu-clock:pppH: \n\t    4005f9 inner+0x19 (/bin/a b)\n\t    400501 main+0x11 (/bin/a b)\n\n\
     ksoftirqd/0 9/9 [000] 4.999: 1 cpu-clock:pppH: \n\n";

fn threads(profile: &Profile) -> Vec<(String, String, String, bool)> {
    let thread = |thread: &flowline::profile::Thread| {
        let pid = profile.processes[thread.process.index()].pid.to_string();
        (pid, thread.tid.to_string(), thread.name.to_string(), thread.is_main)
    };
    profile.threads.iter().map(thread).collect()
}

fn thread(pid: &str, tid: &str, name: &str, is_main: bool) -> (String, String, String, bool) {
    (pid.to_owned(), tid.to_owned(), name.to_owned(), is_main)
}

#[test]
fn processes_threads_and_samples_match_the_text() {
    for text in [TEXT.to_owned(), TEXT.replace('\n', "\r\n")] {
        let profile = read(text);
        assert_eq!(
            threads(&profile),
            [
                thread("10", "10", "a.out", true),
                thread("10", "12", "Web Content", false),
                thread("9", "9", "ksoftirqd/0", true),
            ]
        );
        let names: Vec<&str> = profile.processes.iter().map(|process| process.name.as_str()).collect();
        assert_eq!(names, ["a.out", "ksoftirqd/0"]);
        let all: Vec<_> = profile.threads.iter().map(|thread| samples(&profile, thread)).collect();
        assert_eq!(
            all[0],
            expected(&[(5_000_000_000, "main;inner", 250_000.0), (5_001_000_000, "main;inner", 250_000.0)])
        );
        assert_eq!(all[1], expected(&[(5_000_100_000, "[unknown];[libc.so.6];native_halt", 500_000.0)]));
        assert_eq!(all[2], expected(&[(4_999_000_000, "", 1.0)]));
        assert_eq!(profile.threads[0].samples.as_ref().expect("samples").cpu.weight_unit, WeightUnit::Nanoseconds);
        assert_eq!((profile.meta.range.start.0, profile.meta.interval.0), (4_999_000_000, 1_000_000));
        assert_eq!((profile.meta.kind.id(), warnings(&profile)), ("perf-script", vec![]));
    }
}

#[test]
fn functions_have_a_library_and_the_kernel_has_a_category() {
    let profile = read(TEXT);
    let tables = &profile.stacks;
    let table = &profile.threads[1].samples.as_ref().expect("samples").cpu;
    let facts =
        |stack: StackId| (tables.resource(tables.func(stack)), profile.category_name(tables.category_of(stack)));
    let all: Vec<_> = tables.walk(table.stack(0).expect("a stack")).map(facts).collect();
    let library = |name| Some((ResourceKind::LIBRARY, name));
    assert_eq!(
        all,
        [(library("[kernel.kallsyms]"), "Kernel"), (library("/lib/libc.so.6"), "User"), (library("[unknown]"), "User")]
    );
}

#[test]
fn inlined_functions_are_merged_into_their_caller() {
    let frames = "\t1 leaf (inlined)\n\t1 middle (inlined)\n\t1 outer+0x1 (/bin/a)\n\t2 main+0x2 (/bin/a)\n";
    let profile = read(format!("a 1 1.0: cycles:\n{frames}\n"));
    let tables = &profile.stacks;
    let stack = profile.threads[0].samples.as_ref().expect("samples").cpu.stack(0).expect("a stack");
    let depths: Vec<u16> = tables.walk(stack).map(|stack| tables.frame(stack).inline_depth).collect();
    assert_eq!(depths, [2, 1, 0, 0]);
    assert!(tables.walk(stack).all(|stack| tables.resource(tables.func(stack)).expect("a library").1 == "/bin/a"));
}

#[test]
fn several_events_use_separate_threads() {
    let text =
        "a 1 1.0: 7 cycles:\n\t1 f (/a)\n\na 1 1.0: 9 instructions:u:\n\t1 g (/a)\n\na 1 2.0: 8 cycles:\n\t1 f (/a)\n";
    let profile = read(text);
    let names: Vec<&str> = profile.threads.iter().map(|thread| thread.name.as_str()).collect();
    assert_eq!(names, ["a (cycles)", "a (instructions:u)"]);
    assert_eq!(profile.processes[0].name, "a");
    let table = &profile.threads[0].samples.as_ref().expect("samples").cpu;
    assert_eq!((&table.weight[..], table.weight_unit), (&[7.0, 8.0][..], WeightUnit::Plain));
}

#[test]
fn header_fields_may_be_missing() {
    let untimed = read("a 1 5 cycles:\n\t1 f (/a)\n\nb 2 7 cycles:\n\t1 g (/a)\n\na 1 5 cycles:\n\t1 f (/a)\n\n");
    assert_eq!(samples(&untimed, &untimed.threads[0]), expected(&[(0, "f", 5.0), (5_000, "f", 5.0)]));
    let bare = read("a 1 1.5:\n\t1 f (/a)\n\na 1 2.5:\n\t1 f\n\n");
    assert_eq!(samples(&bare, &bare.threads[0]), expected(&[(1_500_000_000, "f", 1.0), (2_500_000_000, "f", 1.0)]));
    assert_eq!(bare.threads[0].samples.as_ref().expect("samples").cpu.weight_unit, WeightUnit::Samples);
    let text =
        "prog 10\n\t1 f (/a)\n\t2 main (/a)\n\n   Web Content 10/12 [001]\n\t4005e5f6 g\n\nprog 10\n\t1 f (/a)\n\n";
    let names = read(text);
    assert_eq!(
        threads(&names),
        [thread("10", "10", "prog", true), thread("10", "12", "Web Content", false)],
        "of -F comm,pid,ip,sym"
    );
    assert_eq!(samples(&names, &names.threads[0]), expected(&[(0, "main;f", 1.0), (1_000, "f", 1.0)]));
    assert_eq!((samples(&names, &names.threads[1]), warnings(&names)), (expected(&[(0, "g", 1.0)]), vec![]));
    let one_line = read("a 1 1.5: 3 cycles:  4005e5 main+0x5 (/a)\na 1 2.5: 3 cycles:  4005e5 f+0x5 (/a)\n");
    assert_eq!(
        samples(&one_line, &one_line.threads[0]),
        expected(&[(1_500_000_000, "main", 3.0), (2_500_000_000, "f", 3.0)])
    );
}

#[test]
fn damage_is_counted_and_the_rest_is_read() {
    let text =
        "a 1 1.0: cycles:\n\t1 f (/a)\n\tnot a frame\n\t2 main (/a)\n\nlost line\n\ta 1\na 1 2.0: cycles:\n\t1 f (/a)";
    let profile = read(text);
    assert_eq!(
        samples(&profile, &profile.threads[0]),
        expected(&[(1_000_000_000, "main;f", 1.0), (2_000_000_000, "f", 1.0)])
    );
    assert_eq!(warnings(&profile), [("bad_line", 3)]);
    let first = &profile.warnings.list()[0].first;
    assert!(first.starts_with("byte 27"), "{first}");
    for (text, expected) in [
        ("a 1 1.0: cycles:\n", "the output of perf script without call stacks"),
        ("2024-01-01 12 10.5: info:\nand so on\nand on\nand on\n", "not a recording"),
        ("Chapter 1\nA dog barks\n", "not a recording"),
        ("Chapter 1\n  A dog barks\n  Add salt\nChapter 2\n", "not a recording"),
        ("Chapter 1\nChapter 2; or\n", "not a recording"),
    ] {
        assert!(refused(text).contains(expected), "{}", refused(text));
    }
}

#[test]
fn functions_without_a_symbol_are_kept() {
    let frames = "\tffff81071f61 lock ([kernel.kallsyms])\n\t  7f4198ace577  ()\n\t  401c00 main (/bin/prog)\n";
    let profile = read(format!(
        "a 1 1.0: cycles:\n{frames}\na 1 2.0: cycles:\n\tb73f2a62  (/usr/lib/libX11.so.6)\n\t401c00 main (/bin/prog)\n"
    ));
    assert_eq!(
        samples(&profile, &profile.threads[0]),
        expected(&[(1_000_000_000, "main;[unknown];lock", 1.0), (2_000_000_000, "main;[libX11.so.6]", 1.0)])
    );
    let tables = &profile.stacks;
    let stack = profile.threads[0].samples.as_ref().expect("samples").cpu.stack(1).expect("a stack");
    assert_eq!(tables.resource(tables.func(stack)).expect("a library").1, "/usr/lib/libX11.so.6");
    assert_eq!(warnings(&profile), []);
}

#[test]
fn positions_name_the_file_and_line_of_a_frame() {
    let text = "a 1 1.0: cycles:\n\t1 inner+0x1 (inlined)\n\t1 outer+0x1 (/bin/a)\n  main.c:12\n\t2 main+0x2 (/bin/a)\n  main.c:20\n\n\
         a 1 2.0: cycles:\n\t1 outer+0x9 (/bin/a)\n  ??:0\n\t2 main+0x2 (/bin/a)\n  main.c:21\n";
    let profile = read(text);
    let tables = &profile.stacks;
    let table = &profile.threads[0].samples.as_ref().expect("samples").cpu;
    let places = |sample: usize| -> Vec<(String, String, u32)> {
        let place = |stack: StackId| {
            let func = tables.func(stack);
            (tables.name(func).to_owned(), tables.file(func).to_owned(), tables.frame(stack).line)
        };
        tables.walk(table.stack(sample).expect("a stack")).map(place).collect()
    };
    let place = |name: &str, file: &str, line| (name.to_owned(), file.to_owned(), line);
    let unknown = flowline::profile::samples::NONE;
    let file = "main.c";
    assert_eq!(places(0), [place("inner", "", unknown), place("outer", file, 12), place("main", file, 20)]);
    assert_eq!(places(1), [place("outer", file, unknown), place("main", file, 21)]);
    assert_eq!((tables.funcs.len(), warnings(&profile)), (3, vec![]));
}

#[test]
fn names_may_be_missing_and_other_records_are_skipped() {
    let text = "   10/10  1.0: PERF_RECORD_COMM exec: a:10/10\n   10/11  1.5:  5 cycles: \n\t401c00 main+0x3 (/a)\n\n\
         a 10/11 2.0: PERF_RECORD_MMAP2 10/10: [0x400000(0x1000) @ 0 08:01 1 2]: r-xp /bin/a\n   10/11  2.5:  5 cycles: \n\t401c00 f+0x3 (/a)\n\n";
    let profile = read(text);
    assert_eq!(threads(&profile), [thread("10", "11", "Thread 11", false)]);
    assert_eq!(profile.processes[0].name, "Process 10");
    assert_eq!(
        samples(&profile, &profile.threads[0]),
        expected(&[(1_500_000_000, "main", 5.0), (2_500_000_000, "f", 5.0)])
    );
    assert_eq!(warnings(&profile), []);
}

#[test]
fn threads_without_processes_belong_to_one_process() {
    let sample = |name: &str, tid: u32| format!("{name} {tid} 1.0: 5 cycles: \n\t 401136 work+0x10 (/opt/multi)\n\n");
    let same: String = (4001..4007).map(|tid| sample("multi", tid)).collect();
    let profile = read(&same);
    assert_eq!((profile.processes.len(), profile.processes[0].name.as_str()), (1, "multi"));
    assert_eq!(profile.processes[0].pid, "");
    let tids: Vec<&str> = profile.threads.iter().map(|thread| thread.tid.as_str()).collect();
    assert_eq!(tids, ["4001", "4002", "4003", "4004", "4005", "4006"]);
    let others = read(same + &sample("ksoftirqd", 9));
    assert_eq!((others.processes.len(), others.processes[0].name.as_str()), (1, "All threads"));
    let stated = read(sample("a", 1) + &sample("b", 2) + &sample("b", 3).replace(" 3 ", " 2/3 "));
    assert_eq!(stated.processes.len(), 2, "one header with a process is enough");
    let alone = read(sample("a", 7) + &sample("a", 7));
    assert_eq!((alone.processes[0].pid.as_str(), alone.threads[0].is_main), ("7", true));
}

#[test]
fn functions_of_different_libraries_without_symbols_differ() {
    let sample = |library: &str| {
        format!("app 10/10 1.0: 5 cycles: \n\t 7f01 [unknown] ({library})\n\t 401180 main+0x20 (/opt/app)\n\n")
    };
    let profile =
        read(["/usr/lib/libssl.so.3", "/usr/lib/libc.so.6", "[kernel.kallsyms]", "[unknown]"].map(sample).concat());
    let paths: Vec<String> = samples(&profile, &profile.threads[0]).into_iter().map(|(_, path, _)| path).collect();
    assert_eq!(paths, ["main;[libssl.so.3]", "main;[libc.so.6]", "main;[kernel.kallsyms]", "main;[unknown]"]);
}
