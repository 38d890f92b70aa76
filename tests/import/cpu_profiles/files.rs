//! `.cpuprofile` files, and formats of older programs.

use flowline::import::{self, Progress};
use flowline::profile::WarningKind;

use super::{NODES, call_texts, names, read, sample_texts, sampled, samples, trace};

fn file(rest: &str) -> String {
    format!(r#"{{"nodes":[{NODES}],"startTime":1000,"endTime":1200,{rest}}}"#)
}

#[test]
fn calls_are_derived_from_samples_including_idle_and_program() {
    let profile = read(file(r#""samples":[3,2,5,6,6,4,4,6,5],"timeDeltas":[10,10,10,10,10,10,10,10,10]"#));
    assert_eq!((profile.meta.kind.id(), profile.processes.len(), profile.threads.len()), ("cpuprofile", 1, 1));
    let thread = sampled(&profile);
    let expected = [
        "1010+10 (idle) d0 s0",
        "1020+10 (program) d0 s1",
        "1030+70 a d0 s2",
        "1040+50 b<a d1 s3",
        "1060+20 (garbage collector)<b<a d2 s5",
    ];
    assert_eq!(call_texts(&profile, thread), expected);
    assert_eq!(sample_texts(&profile, thread)[5..7], ["1060 (garbage collector)", "1070 (garbage collector)"]);
    assert_eq!((profile.meta.range.start.0, profile.meta.range.end.0), (1_000_000, 1_200_000));
    assert_eq!((profile.meta.interval.0, profile.warnings.list().len()), (10_000, 0));
}

#[test]
fn calls_are_distinguished_by_node() {
    let nodes = format!(
        r#"{NODES},{{"id":8,"parent":1,"callFrame":{{"functionName":"a","url":"x.js","scriptId":5,"lineNumber":0}}}}"#
    );
    let text =
        format!(r#"{{"nodes":[{nodes}],"samples":[5,8,99,8],"startTime":0,"endTime":9,"timeDeltas":[10,10,10,10]}}"#);
    let profile = read(text);
    assert_eq!(
        call_texts(&profile, sampled(&profile)),
        ["10+10 a d0 s0", "20+30 a d0 s1"],
        "an unknown sample is skipped"
    );
    assert_eq!(profile.meta.range.end.0, 50_000, "the last sample lasts as long as the others");
}

#[test]
fn children_may_be_listed_or_nested() {
    let listed = r#"{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"hitCount":0,"children":[2,3]},
        {"id":3,"callFrame":{"functionName":"f"},"children":[4]},{"id":4,"callFrame":{"functionName":"g"}},
        {"id":2,"callFrame":{"functionName":"(idle)"}}],"samples":[4,2,3],"timeDeltas":[1,1,1],"startTime":0,"endTime":5}"#;
    // The oldest format: positions on the nodes, counted from 1; seconds, and sample times.
    let nested = r#"{"head":{"functionName":"(root)","id":1,"children":[{"functionName":"(idle)","id":2,"children":[]},
        {"children":[{"id":4,"functionName":"g","lineNumber":8,"columnNumber":0}],"id":3,"functionName":"f","url":"u","lineNumber":7,"columnNumber":3}]},
        "startTime":0.000001,"endTime":0.000005,"samples":[4,2,3],"timestamps":[1,2,3]}"#;
    for text in [listed, nested] {
        let profile = read(text);
        assert_eq!(sample_texts(&profile, sampled(&profile)), ["1 g<f", "2 (idle)", "3 f"], "{text}");
        assert!(profile.warnings.list().is_empty(), "{:?}", profile.warnings.list());
    }
    let profile = read(nested);
    let func = |name: &str| {
        let stacks = &profile.stacks;
        *stacks.funcs.iter().find(|func| stacks.strings.get(func.name) == name).expect("the profile exists")
    };
    assert_eq!((func("f").line, func("f").column), (6, 2));
    assert_eq!((func("g").line, func("g").column), (7, u32::MAX));
}

#[test]
fn samples_without_times_are_spread_evenly() {
    let profile = read(file(r#""samples":[5,6,3,7]"#));
    assert_eq!(sample_texts(&profile, sampled(&profile)), ["1000 a", "1050 b<a", "1100 (idle)", "1150 c"]);
    assert_eq!(profile.warnings.count(WarningKind::MissingPart), 1);
}

#[test]
fn a_cut_file_shows_samples_with_times() {
    let text = file(r#""samples":[5,6,3,7],"timeDeltas":[10,20,30,40]"#);
    let cut = |after: &str| {
        let at = text.find(after).expect("the profile exists") + after.len();
        let profile = read(&text.as_bytes()[..at]);
        assert_eq!(profile.warnings.count(WarningKind::Truncated), 1, "{after}");
        sample_texts(&profile, sampled(&profile))
    };
    assert_eq!(cut("[10,20,"), ["1010 a", "1030 b<a"]);
    assert_eq!(cut("\"timeDeltas\":["), [""; 0], "no times are invented");
    assert_eq!(cut("[5,6,"), [""; 0]);
}

#[test]
fn files_are_recognized_by_their_members() {
    let is_read = |text: &str| import::read(text.as_bytes().to_vec(), &Progress::default()).is_ok();
    assert!(is_read(r#"{"timeDeltas":[],"nodes":[]}"#));
    assert!(is_read(r#"{"head":{"functionName":"(root)"}}"#));
    assert!(is_read(r#"{"nodes":[{"id":1,"callFrame":{}}]}"#));
    assert!(!is_read(r#"{"nodes":[{"id":1,"label":"x"}],"edges":[]}"#));
    assert!(!is_read(r#"{"head":"HEAD","nodes":[1,2,3]}"#));
}

#[test]
fn old_traces_contain_whole_profiles_in_one_event() {
    let event = |ph: &str, profile: &str| {
        format!(
            r#"{{"name":"CpuProfile","ph":"{ph}","pid":10,"tid":11,"ts":5000,"s":"t","args":{{"data":{{"cpuProfile":{profile}}}}}}}"#
        )
    };
    let whole = file(r#""samples":[5,6,3],"timeDeltas":[10,10,10]"#);
    let profile = trace(&[event("I", &whole)]);
    let thread = sampled(&profile);
    assert_eq!(sample_texts(&profile, thread), ["1010 a", "1020 b<a", "1030 (idle)"]);
    assert_eq!(call_texts(&profile, thread), ["1010+20 a d0 s0", "1020+10 b<a d1 s1"]);
    assert_eq!(thread.markers.len(), 1, "the event is still drawn");
    let old = r#"{"head":{"functionName":"(root)","id":1,"children":[{"functionName":"f","id":2}]},"startTime":1,"endTime":2,
        "samples":[2,1],"timestamps":[7000,7500]}"#;
    let profile = trace(&[event("I", old)]);
    assert_eq!(sample_texts(&profile, sampled(&profile)), ["7000 f", "7500 ?"]);
    let table = &samples(sampled(&profile)).cpu;
    assert_eq!(names(&profile, table.stack(0).expect("f")), "f");
}

#[test]
fn annotations_name_the_source_files() {
    let place = |path: &str, line: u32| {
        format!(r#"{{"lineNumber":{line},"columnNumber":3,"source":{{"name":"n","path":"{path}"}}}}"#)
    };
    let annotations = format!(
        r#"{{"locations":[{{"callFrame":{{"functionName":"(root)"}},"locations":[]}},
            {{"callFrame":{{"functionName":"f"}},"locations":[{},{}]}}],"rootPath":"/src"}}"#,
        place("/out/a.js", 1),
        place("/src/a.ts", 40)
    );
    let saved = format!(
        r#"{{"nodes":[{{"id":1,"callFrame":{{"functionName":"(root)"}},"locationId":0,"children":[2]}},
            {{"id":2,"callFrame":{{"functionName":"f","url":"a.js","lineNumber":0,"columnNumber":9}},"locationId":1}}],
            "samples":[2],"timeDeltas":[1],"startTime":0,"endTime":5,"$vscode":{annotations}}}"#
    );
    // The model has the functions in its locations.
    let model = format!(
        r#"{{"nodes":[{{"id":1,"locationId":0,"children":[2]}},{{"id":2,"locationId":1,"parent":1,"children":[]}}],
            "locations":[{{"callFrame":{{"functionName":"(root)"}}}},{{"callFrame":{{"functionName":"f","url":"a.js"}},"src":{}}}],
            "samples":[2],"timeDeltas":[1],"rootPath":"/src"}}"#,
        place("/src/a.ts", 40)
    );
    for text in [saved, model] {
        let profile = read(text.as_str());
        let stack = samples(sampled(&profile)).cpu.stack(0).expect("a stack");
        let func = profile.stacks.func(stack);
        let facts = &profile.stacks.funcs[func.index()];
        assert_eq!((profile.stacks.name(func), profile.stacks.file(func)), ("f", "/src/a.ts"), "{text}");
        assert_eq!((facts.line, facts.column), (39, 2), "from 0");
        assert!(profile.warnings.list().is_empty(), "{:?}", profile.warnings.list());
    }
}

#[test]
fn the_answer_of_profiler_stop_opens_like_a_file() {
    let profile = file(r#""samples":[3,2,5,6],"timeDeltas":[10,10,10,10]"#);
    let plain = read(profile.as_str());
    for text in [
        format!(r#"{{"profile": {profile}}}"#),
        format!("{{\"id\":7,\"result\":{{\"profile\":{profile}}},\"sessionId\":\"A\"}}\n"),
    ] {
        let wrapped = read(text);
        assert_eq!(call_texts(&wrapped, sampled(&wrapped)), call_texts(&plain, sampled(&plain)));
        assert_eq!((wrapped.meta.kind.id(), wrapped.warnings.list().len()), ("cpuprofile", 0));
    }
    assert_eq!(read(format!(r#"{{"profile": {profile}}} {{}}"#)).warnings.count(WarningKind::BrokenJson), 1);
    assert_eq!(
        read(format!(r#"{{"profile": {}"#, &profile[..profile.len() - 9])).warnings.count(WarningKind::Truncated),
        1
    );
}
