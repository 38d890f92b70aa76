//! Events that form a profile, selection of a thread's profile, and sample times.

use flowline::profile::WarningKind;
use flowline::profile::samples::FuncFlags;

use super::{NODES, chunk, chunk_with, head, names, read, sample_texts, sampled, samples, slice, trace};

#[test]
fn chunks_belong_to_the_head_of_their_process_and_id() {
    let other = head(7000).replace("\"pid\":10,\"tid\":11", "\"pid\":20,\"tid\":21");
    let of_other = chunk(NODES, "7,7", "1,1").replace("\"pid\":10", "\"pid\":20");
    // The head of this profile comes last.
    let profile = trace(&[chunk(NODES, "2,5", "50,100"), of_other, chunk("", "6", "25"), other, head(1000)]);
    let told: Vec<_> = profile.threads.iter().map(|thread| (&*thread.tid, sample_texts(&profile, thread))).collect();
    let of = |tid: &str| told.iter().find(|told| told.0 == tid).map(|told| told.1.join(", ")).unwrap_or_default();
    assert_eq!(of("11"), "1050 (program), 1150 a, 1175 b<a");
    assert_eq!(of("21"), "7001 c, 7002 c");
    assert_eq!(told.len(), 2, "the sampling thread gets no samples");
    assert!(profile.warnings.list().is_empty());
    assert_eq!(profile.meta.range.start.0, 1_050_000, "samples are part of the recording");
}

#[test]
fn stacks_consist_of_script_functions_below_the_root() {
    let profile = trace(&[head(0), chunk(NODES, "1,2,3,4,6", "1,1,1,1,1")]);
    assert_eq!(
        sample_texts(&profile, sampled(&profile)),
        ["1 ?", "2 (program)", "3 (idle)", "4 (garbage collector)", "5 b<a"]
    );
    let stacks = &profile.stacks;
    let table = &samples(sampled(&profile)).cpu;
    let category = |sample: usize| {
        let stack = table.stack(sample).expect("a stack");
        profile.category_name(stacks.category_of(stack))
    };
    assert_eq!([1, 2, 3, 4].map(category), ["Program", "Idle", "Garbage collection", "JavaScript"]);
    let func = stacks.func(table.stack(4).expect("b"));
    let of_func = &stacks.funcs[func.index()];
    assert_eq!((stacks.file(func), of_func.line, of_func.column), ("x.js", 5, 4));
    assert_eq!(stacks.strings.get(stacks.sources[of_func.source as usize].id), "5");
    assert!(stacks.funcs.iter().all(|func| func.flags.has(FuncFlags::IS_JS)));
    assert_eq!(profile.meta.interval.0, 1000);
}

#[test]
fn equal_frames_are_one_function_and_others_are_not() {
    let frame = |id: u32, parent: u32, script: &str, column: u32| {
        format!(
            r#"{{"id":{id},"parent":{parent},"callFrame":{{"functionName":"f","scriptId":{script},"url":"u","lineNumber":1,"columnNumber":{column}}}}}"#
        )
    };
    let nodes =
        [NODES.to_owned(), frame(8, 5, "9", 1), frame(9, 7, "\"9\"", 1), frame(10, 7, "8", 1), frame(11, 7, "9", 2)];
    let profile = trace(&[head(0), chunk(&nodes.join(","), "8,9,10,11", "1,1,1,1")]);
    let table = &samples(sampled(&profile)).cpu;
    let func = |sample: usize| profile.stacks.func(table.stack(sample).expect("a stack"));
    assert_eq!(func(0), func(1), "script ids may be numbers or text");
    assert!(func(2) != func(0) && func(3) != func(0) && func(3) != func(2));
    assert_eq!(names(&profile, table.stack(0).expect("a stack")), "f<a");
}

#[test]
fn tracings_own_profile_wins_over_other_profiles_of_a_thread() {
    let named = |id: &str, source: &str, sample: u32| {
        let source = format!("\"data\":{{\"source\":\"{source}\"");
        let head = head(1000).replace("0x1", id).replace("\"data\":{", &source);
        [head, chunk(NODES, &sample.to_string(), "1").replace("0x1", id)]
    };
    let shown = |profiles: &[[String; 2]]| {
        let profile = trace(&profiles.concat());
        let others = profiles.len() as u64 - 1;
        assert_eq!(profile.warnings.count(WarningKind::CpuSamples), others);
        sample_texts(&profile, sampled(&profile)).join(", ")
    };
    let [own, debugger, first, second] =
        [named("1", "Internal", 5), named("2", "Inspector", 7), named("3", "SelfProfiling", 6), named("4", "", 3)];
    assert_eq!(shown(&[first.clone(), debugger.clone(), own.clone()]), "1001 a");
    assert_eq!(shown(&[first.clone(), debugger, second.clone()]), "1001 c");
    assert_eq!(shown(&[second.clone(), first.clone()]), "1001 (idle)");
    // Newer browsers write the source on chunks.
    let on_chunk =
        [own[0].replace("Internal", ""), own[1].replace("\"timeDeltas\"", "\"source\":\"Internal\",\"timeDeltas\"")];
    assert_eq!(shown(&[first, on_chunk]), "1001 a");
}

#[test]
fn samples_are_stably_sorted_by_time() {
    let profile = trace(&[head(1000), chunk(NODES, "2,5,7,3,6", "100,100,-150,50,0"), chunk("", "7", "-500")]);
    let expected = ["600 c", "1050 c", "1100 (program)", "1100 (idle)", "1100 b<a", "1200 a"];
    assert_eq!(sample_texts(&profile, sampled(&profile)), expected);
    let exact = trace(&[head(1).replace("\"ts\":1", "\"ts\":1.001"), chunk(NODES, "5,5", "0.5,\"2\"")]);
    assert_eq!(samples(sampled(&exact)).cpu.time[..].iter().map(|time| time.0).collect::<Vec<_>>(), [1501, 3501]);
}

#[test]
fn any_part_of_a_chunk_may_be_missing() {
    let none = r#"{"name":"ProfileChunk","ph":"P","pid":10,"tid":99,"id":"0x1"}"#;
    let no_profile = r#"{"name":"ProfileChunk","ph":"P","pid":10,"tid":99,"id":"0x1","args":{"data":{"endTime":7}}}"#;
    let null = r#"{"name":"ProfileChunk","ph":"P","pid":10,"tid":99,"id":"0x1","args":{"data":{"cpuProfile":{"nodes":null,"samples":null},"timeDeltas":null}}}"#;
    let events = [
        head(0),
        none.into(),
        no_profile.into(),
        null.into(),
        chunk(NODES, "", ""),
        chunk_with(r#""samples":[5]"#, "9"),
    ];
    let profile = trace(&events);
    assert_eq!(sample_texts(&profile, sampled(&profile)), ["9 a"]);
    assert!(profile.warnings.list().is_empty(), "{:?}", profile.warnings.list());
}

#[test]
fn a_single_program_sample_inside_one_function_is_repaired() {
    let told = |samples: &str| {
        let count = samples.split(',').count();
        let profile = trace(&[head(0), chunk(NODES, samples, &vec!["1"; count].join(","))]);
        let told = sample_texts(&profile, sampled(&profile));
        told.iter().map(|line| line.split(' ').nth(1).expect("a stack").to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(told("6,2,5"), "b<a b<a a");
    assert_eq!(told("5,2,7"), "a (program) c");
    assert_eq!(told("5,2,2,5"), "a (program) (program) a");
    assert_eq!(told("5,2,3"), "a (program) (idle)");
    assert_eq!(told("5,2"), "a (program)");
    assert_eq!(told("5,2,5,2,6"), "a a a a b<a");
    assert_eq!(told("5,2,99,2,5"), "a (program) ? (program) a");
}

#[test]
fn unusable_chunks_are_reported() {
    let count = |events: &[String], kind: WarningKind| trace(events).warnings.count(kind);
    assert_eq!(count(&[chunk(NODES, "5", "1"), chunk("", "5", "1")], WarningKind::MissingPart), 1, "no head");
    let untimed = head(1).replace("\"ts\":1,", "");
    assert_eq!(count(&[untimed, chunk(NODES, "5", "1")], WarningKind::BadTime), 1);
    assert_eq!(count(&[head(1), chunk(NODES, "5,5", "1")], WarningKind::ColumnLength), 1);
    assert_eq!(count(&[head(1), chunk(NODES, "77,5", "1,1")], WarningKind::IndexOutOfRange), 1);
    assert_eq!(count(&[head(1), head(2), chunk(NODES, "5", "1")], WarningKind::CpuSamples), 1, "two heads");
    assert_eq!(count(&[head(1), chunk(NODES, "{},5", "1,\"x\"")], WarningKind::WrongType), 2);
    // A thread without samples has no samples; trees know its slices.
    let plain = trace(&[slice("f", 1, 2)]);
    assert!(plain.threads[0].samples.is_none());
}

#[test]
fn object_traces_have_profiles_too() {
    let text = format!("{{\"traceEvents\":[{},{}],\"metadata\":{{}}}}", head(0), chunk(NODES, "5", "1"));
    let profile = read(text);
    assert_eq!(sample_texts(&profile, sampled(&profile)), ["1 a"]);
}
