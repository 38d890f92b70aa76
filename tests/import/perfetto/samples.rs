//! CPU samples with stacks.

use super::*;

fn text(number: u64, value: &str) -> Message {
    message().number(1, number).text(2, value)
}

#[test]
fn track_events_have_stacks() {
    let interned = message()
        .message(5, &text(1, "main"))
        .message(5, &text(2, "work"))
        .message(17, &text(1, "libx.so"))
        .message(18, &text(1, "a.cc"))
        .message(19, &message().number(1, 9).number(7, 1))
        .message(6, &message().number(1, 1).number(2, 1))
        .message(6, &message().number(1, 2).number(2, 2).number(5, 1).number(6, 7))
        .message(6, &message().number(1, 3).number(3, 9).number(4, 0x1f))
        .message(7, &message().number(1, 4).numbers(2, &[1, 2, 3]));
    let listed = message()
        .message(1, &message().text(1, "f").text(2, "x.cc").number(3, 3))
        .message(1, &message().text(1, "g"))
        .message(1, &message());
    let with = |ts: u64, kind: u64, name: &str, more: &dyn Fn(Message) -> Message| {
        at(ts).number(13, 2).message(11, &more(track_event(kind, 2, name)))
    };
    let packets = [
        thread(2, 7, 8, "main"),
        message().number(10, 1).number(13, 1).message(12, &interned),
        with(10, BEGIN, "interned", &|event| event.number(56, 4).double(57, 2.5)),
        with(20, END, "", &|event| event),
        with(30, INSTANT, "listed", &|event| event.message(55, &listed)),
        with(40, INSTANT, "unknown", &|event| event.number(56, 77)),
        with(50, BEGIN, "ended", &|event| event),
        with(60, END, "", &|event| event.number(56, 4)),
    ];
    let bytes = trace(&packets);
    // Comparison with the same trace as text, and with other chunks.
    assert_eq!(slice_named(&read(&packets), "interned").args, serde_json::json!({"callstack_weight": 2.5}));
    let profile = flowline::import::read(bytes, &flowline::import::Progress::default()).expect("a trace").profile;
    let thread = flowline::profile::ThreadId(0);
    let table = flowline::profile::stack::FrameTable::build(&profile);
    let told: Vec<String> = (0..4)
        .map(|at| {
            let refs = profile.event_stack_refs(thread, flowline::profile::LocalMarker::new(at));
            let stacks = refs.resolve(&profile.source, &table).into_iter().map(|stack| {
                let frames: Vec<String> = stack.frames.into_iter().map(|frame| frame.name).collect();
                format!("{}{}", if stack.at_end { "at the end: " } else { "" }, frames.join(" < "))
            });
            stacks.collect::<Vec<_>>().join("; ")
        })
        .collect();
    let interned = "libx.so+0x1f < work (a.cc:7) < main";
    assert_eq!(told, [interned, "[unknown] < g < f (x.cc:3)", "", &format!("at the end: {interned}")]);
    assert_eq!(profile.event_stacks(), 3);
}

#[test]
fn samples_have_the_stacks_of_their_sequence() {
    let interned = message()
        .message(5, &text(1, "main"))
        .message(5, &text(2, "work"))
        .message(17, &text(1, "usr"))
        .message(17, &text(2, "libc.so"))
        .message(19, &message().number(1, 9).numbers(7, &[1, 2]))
        .message(6, &message().number(1, 1).number(2, 1))
        .message(6, &message().number(1, 2).number(2, 2).number(3, 9))
        .message(6, &message().number(1, 3).number(3, 9).number(4, 0x1f))
        .message(7, &message().number(1, 1).number(2, 1).number(2, 2))
        .message(7, &message().number(1, 2).numbers(2, &[1, 3]));
    let sample = |ts: u64, tid: u64, stack: u64| {
        at(ts).number(13, 2).message(66, &message().number(1, 0).number(2, 7).number(3, tid).number(4, stack))
    };
    let packets = [
        thread(2, 7, 8, "main"),
        message().number(10, 1).number(13, 1).message(12, &interned),
        sample(1000, 8, 1),
        sample(2000, 8, 2),
        sample(3000, 9, 1),
        sample(4000, 8, 1),
        sample(5000, 8, 77),
        // Samples skipped by the profiler.
        at(6000).message(66, &message().number(2, 7).number(3, 8).number(18, 2)),
    ];
    let bytes = trace(&packets);
    let profile =
        flowline::import::read(bytes.clone(), &flowline::import::Progress::default()).expect("a trace").profile;
    let told = |thread: usize| {
        let cpu = &crate::stacks::samples_of(&profile, thread).cpu;
        cpu.time.iter().map(|time| time.0).zip(crate::stacks::paths(&profile, cpu)).collect::<Vec<_>>()
    };
    let expected = [(1000, "main>work"), (2000, "main>libc.so+0x1f"), (4000, "main>work")];
    assert_eq!(told(0), expected.map(|(time, path)| (time, path.to_owned())));
    assert_eq!(told(1), [(3000, "main>work".to_owned())]);
    assert_eq!(crate::stacks::resource(&profile, "work").map(|found| found.1), Some("libc.so"));
    assert_eq!(warned(&Importer::read(&bytes), "not_drawn"), 1);
}

#[test]
fn self_sampling_threads_use_time_differences() {
    let described = message().number(1, 7).number(2, 8).number(6, 100).text(5, "main");
    let interned = message()
        .message(5, &text(1, "main"))
        .message(6, &message().number(1, 1).number(2, 1))
        .message(7, &message().number(1, 1).number(2, 1));
    let packets = [
        message().number(10, 1).number(13, 1).message(44, &described).message(12, &interned),
        message().number(10, 1).message(54, &message().numbers(1, &[1, 1]).numbers(2, &[5, 10])),
        message().number(10, 1).message(54, &message().number(1, 1).number(2, 1)),
    ];
    let profile =
        flowline::import::read(trace(&packets), &flowline::import::Progress::default()).expect("a trace").profile;
    let times: Vec<i64> = crate::stacks::samples_of(&profile, 0).cpu.time.iter().map(|time| time.0).collect();
    assert_eq!(times, [105_000, 115_000, 116_000]);
}

#[test]
fn symbols_of_modules_name_frames() {
    let line = |function: &str, file: &str, line: u64| message().text(1, function).text(2, file).number(3, line);
    let symbols = |build_id: &str| {
        let inlined =
            message().number(1, 0x10).message(2, &line("inner", "in.h", 7)).message(2, &line("outer", "x.cc", 3));
        message().message(61, &message().text(1, "/libx.so").text(2, build_id).message(3, &inlined))
    };
    let interned = message()
        .message(16, &message().number(1, 1).bytes(2, &[0xab, 0xcd]))
        .message(17, &text(1, "libx.so"))
        .message(18, &text(1, "y.cc"))
        .message(5, &text(1, "own"))
        .message(19, &message().number(1, 1).number(2, 1).number(7, 1))
        .message(6, &message().number(1, 1).number(3, 1).number(4, 0x10))
        .message(6, &message().number(1, 2).number(2, 1).number(3, 1).number(4, 0x20).number(5, 1).number(6, 9))
        .message(7, &message().number(1, 1).numbers(2, &[1, 2]));
    let sample = message().number(2, 10).number(3, 10).number(4, 1);
    let packets = |build_id: &str| {
        trace(&[
            message().number(10, 1).number(13, 1).message(12, &interned),
            at(1000).number(13, 2).message(66, &sample),
            // Tools append symbols.
            symbols(build_id),
        ])
    };
    let bytes = packets("ABCD");
    let profile =
        flowline::import::read(bytes.clone(), &flowline::import::Progress::default()).expect("a trace").profile;
    let cpu = &crate::stacks::samples_of(&profile, 0).cpu;
    assert_eq!(crate::stacks::paths(&profile, cpu), ["outer>inner>own"]);
    let frames = crate::stacks::frames(&profile, cpu.stack(0).expect("a stack"));
    let told: Vec<_> = frames.iter().map(|frame| (frame["file"].as_str(), frame["line"].as_u64())).collect();
    assert_eq!(told, [(Some("y.cc"), Some(9)), (Some("in.h"), Some(7)), (Some("x.cc"), Some(3))]);
    assert_eq!(crate::stacks::resource(&profile, "outer").map(|found| found.1), Some("libx.so"));
    assert_eq!(warned(&Importer::read(&bytes), "not_drawn"), 0);
    // Symbols of another build.
    let profile =
        flowline::import::read(packets("abce"), &flowline::import::Progress::default()).expect("a trace").profile;
    assert_eq!(crate::stacks::paths(&profile, &crate::stacks::samples_of(&profile, 0).cpu), ["libx.so+0x10>own"]);
}
