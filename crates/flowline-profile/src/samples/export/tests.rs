//! Tests of exported files.

use super::Export;
use crate::samples::{Frame, Func, ScriptSource, StackTablesBuilder, ThreadSamples, WeightUnit};
use crate::{Profile, SampleTable, Thread, ThreadId};
use flowline_format::{Ns, TimeRange};

fn profile() -> Profile {
    let mut builder = StackTablesBuilder::default();
    let [main, spaced, deep, hard] = [&["a"][..], &["a b"], &["a", "b"], &["x;y\nz", ""]]
        .map(|names| builder.named_stack(names.iter().copied()).expect("names").0);
    let (name, file, none) = (builder.text("f"), builder.text("/a.js"), builder.text(""));
    let source = builder.source(ScriptSource { file, id: none });
    let func = builder.func(Func { source, line: 7, ..Func::named(name) });
    let frame = builder.frame(Frame::of(func));
    let placed = builder.stack(None, frame).0;
    let table = |stacks: &[u32], weights: &[f64], unit| {
        let times = (0..).map(Ns).take(stacks.len()).collect();
        let cpu = SampleTable::with_columns(times, stacks.to_vec(), Vec::new(), weights.to_vec(), unit);
        Some(Box::new(ThreadSamples { cpu, ..ThreadSamples::default() }))
    };
    let first = table(&[deep, main, u32::MAX, deep, spaced], &[], WeightUnit::Samples);
    let second = table(&[hard, main, placed], &[0.5, 2.0, -3.0], WeightUnit::Milliseconds);
    let thread = |name: &str, samples| Thread { name: name.into(), samples, ..Thread::default() };
    let threads = vec![thread("one", first), thread("two \"", second), thread("none", None)];
    Profile { threads, stacks: builder.finish(), ..Profile::default() }
}

fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("writing to memory");
    String::from_utf8(bytes).expect("text")
}

#[test]
fn collapsed_stacks_are_summed_and_sorted() {
    let profile = profile();
    let all = Export { profile: &profile, threads: &[0, 1, 2].map(ThreadId), range: None };
    let written = text(|out| all.write_collapsed(out));
    assert_eq!(written, "a 3\na b 1\na;b 2\nf -3\nx:y z;(anonymous) 0.5\n");
    let part = Export { range: Some(TimeRange { start: Ns(1), end: Ns(4) }), threads: &[ThreadId(0)], ..all };
    assert_eq!(text(|out| part.write_collapsed(out)), "a 1\na;b 1\n");
    assert_eq!(text(|out| Export { threads: &[ThreadId(9)], ..all }.write_collapsed(out)), "");
}

#[test]
fn speedscope_has_a_profile_for_each_thread() {
    let profile = profile();
    let all = Export { profile: &profile, threads: &[1, 2, 0].map(ThreadId), range: None };
    let written: serde_json::Value = serde_json::from_str(&text(|out| all.write_speedscope(out))).expect("JSON");
    let frames = written["shared"]["frames"].as_array().expect("frames");
    let name = |frame: &serde_json::Value| {
        frames[usize::try_from(frame.as_u64().expect("a number")).expect("small")]["name"].clone()
    };
    let profiles = written["profiles"].as_array().expect("profiles");
    assert_eq!(profiles.len(), 2);
    let facts = |profile: &serde_json::Value| {
        let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
        let stacks: Vec<Vec<_>> =
            list(&profile["samples"]).iter().map(|stack| list(stack).iter().map(name).collect()).collect();
        (
            profile["name"].clone(),
            profile["unit"].clone(),
            stacks,
            profile["weights"].clone(),
            profile["endValue"].clone(),
        )
    };
    let stacks = |stacks: &[&[&str]]| -> Vec<Vec<serde_json::Value>> {
        stacks.iter().map(|stack| stack.iter().map(|name| (*name).into()).collect()).collect()
    };
    let (first, second) = (facts(&profiles[0]), facts(&profiles[1]));
    assert_eq!(first.2, stacks(&[&["x;y\nz", "(anonymous)"], &["a"], &["f"]]));
    assert_eq!((first.0, first.1, first.3), ("two \"".into(), "milliseconds".into(), serde_json::json!([0.5, 2, -3])));
    assert_eq!(first.4, 2.5);
    assert_eq!(second.2, stacks(&[&["a", "b"], &["a"], &[], &["a", "b"], &["a b"]]));
    assert_eq!((second.0, second.1, second.3), ("one".into(), "none".into(), serde_json::json!([1, 1, 1, 1, 1])));
    let placed = frames.iter().find(|frame| frame["name"] == "f").expect("a frame");
    assert_eq!((&placed["file"], &placed["line"], placed.get("col")), (&"/a.js".into(), &7.into(), None));
}
