//! Collapsed stacks and speedscope files, written and read again, keep stacks and weights.

use std::collections::BTreeMap;

use flowline::profile::samples::{Export, StackTablesBuilder, ThreadSamples, WeightUnit};
use flowline::profile::{Ns, Profile, SampleTable, Thread, ThreadId, TimeRange, WarningKind};
use proptest::prelude::*;

use super::{path, read, samples};

/// Samples of a thread: function names from the root, weight, time until the next sample.
type Rows = Vec<(Vec<String>, f64, i64)>;

fn names() -> impl Strategy<Value = String> {
    const SPECIAL: [&str; 12] =
        ["", "a", "a b", "f(int; char)", "two\nlines", "é\u{2028}", "x 5", "\"q\\", " ", "<module>", "{", "tab\there"];
    prop_oneof![proptest::sample::select(&SPECIAL[..]).prop_map(str::to_owned), "[a-c;]{1,2}"]
}

fn rows() -> impl Strategy<Value = Rows> {
    let weight =
        prop_oneof![(0..1000_i32).prop_map(f64::from), (-4000..4000_i32).prop_map(|eighths| f64::from(eighths) / 8.0)];
    proptest::collection::vec((proptest::collection::vec(names(), 0..5), weight, 0..3_i64), 0..12)
}

fn profile(threads: &[Rows], units: &[WeightUnit]) -> Profile {
    let mut builder = StackTablesBuilder::default();
    let mut list = Vec::new();
    for (rows, unit) in threads.iter().zip(units) {
        let (mut times, mut stacks, mut weights, mut now) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for (names, weight, distance) in rows {
            times.push(Ns(now));
            stacks.push(builder.named_stack(names.iter().map(String::as_str)).map_or(u32::MAX, |stack| stack.0));
            weights.push(*weight);
            now += distance;
        }
        let cpu = SampleTable::with_columns(times, stacks, Vec::new(), weights, *unit);
        let samples = Some(Box::new(ThreadSamples { cpu, ..ThreadSamples::default() }));
        list.push(Thread { name: format!("thread {}", list.len()).into(), samples, ..Thread::default() });
    }
    Profile { threads: list, stacks: builder.finish(), ..Profile::default() }
}

fn shown(name: &str) -> &str {
    if name.is_empty() { "(anonymous)" } else { name }
}

/// A name as written in collapsed stacks.
fn collapsed_name(name: &str) -> String {
    let name = name.replace(';', ":").replace(|character: char| character.is_control(), " ");
    if name.trim().is_empty() { "(anonymous)".to_owned() } else { name }
}

fn in_range(range: Option<(i64, i64)>, time: i64) -> bool {
    range.is_none_or(|(start, end)| start <= time && time < end)
}

fn with_times(rows: &Rows) -> impl Iterator<Item = (i64, &(Vec<String>, f64, i64))> {
    let mut now = 0;
    rows.iter().map(move |row| {
        let time = now;
        now += row.2;
        (time, row)
    })
}

fn written(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("writing to memory succeeds");
    bytes
}

const UNITS: [WeightUnit; 3] = [WeightUnit::Milliseconds, WeightUnit::Bytes, WeightUnit::Samples];

/// True if nothing was reported but negative weights.
fn is_undamaged(profile: &Profile) -> bool {
    profile.warnings.list().iter().all(|warning| warning.kind == WarningKind::NegativeWeight)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn speedscope_keeps_every_sample(
        threads in proptest::collection::vec(rows(), 3),
        range in proptest::option::of((0..9_i64, 0..9_i64).prop_map(|(start, length)| (start, start + length))),
    ) {
        let profile = profile(&threads, &UNITS);
        let range_ns = range.map(|(start, end)| TimeRange { start: Ns(start), end: Ns(end) });
        let all = [0, 1, 2].map(ThreadId);
        let export = Export { profile: &profile, threads: &all, range: range_ns };
        let back = read(written(|out| export.write_speedscope(out)));
        prop_assert!(is_undamaged(&back), "{:?}", back.warnings.list());
        let mut found = back.threads.iter();
        for (number, (rows, unit)) in threads.iter().zip(UNITS).enumerate() {
            let expected: Vec<(String, f64)> = with_times(rows)
                .filter(|(time, _)| in_range(range, *time))
                .map(|(_, (names, weight, _))| {
                    (names.iter().map(|name| shown(name)).collect::<Vec<_>>().join(";"), *weight)
                })
                .collect();
            if expected.is_empty() {
                continue;
            }
            let thread = found.next().expect("a thread");
            prop_assert_eq!(&thread.name, &format!("thread {number}"));
            let unit = if unit == WeightUnit::Samples { WeightUnit::Plain } else { unit };
            prop_assert_eq!(thread.samples.as_ref().expect("samples").cpu.weight_unit, unit);
            let samples: Vec<(String, f64)> =
                samples(&back, thread).into_iter().map(|(_, path, weight)| (path, weight)).collect();
            prop_assert_eq!(samples, expected);
        }
        prop_assert!(found.next().is_none());
    }

    #[test]
    fn collapsed_stacks_keep_every_sum(
        mut threads in proptest::collection::vec(rows(), 2),
        range in proptest::option::of((0..9_i64, 0..9_i64).prop_map(|(start, length)| (start, start + length))),
    ) {
        // At least one stack has a caller, which identifies the format, and most lines are of this kind.
        threads[0].push((vec!["main".to_owned(), "work".to_owned()], 1.0, 0));
        let range = range.map(|(start, end)| (start, end.max(100)));
        let profile = profile(&threads, &[WeightUnit::Plain; 2]);
        let mut expected: BTreeMap<String, f64> = BTreeMap::new();
        for (_, (names, weight, _)) in
            threads.iter().flat_map(with_times).filter(|(time, row)| in_range(range, *time) && !row.0.is_empty())
        {
            let path = names.iter().map(|name| collapsed_name(name)).collect::<Vec<_>>().join(";");
            *expected.entry(path).or_default() += weight;
        }
        if expected.is_empty() {
            return Ok(());
        }
        let range_ns = range.map(|(start, end)| TimeRange { start: Ns(start), end: Ns(end) });
        let export = Export { profile: &profile, threads: &[0, 1].map(ThreadId), range: range_ns };
        let text = written(|out| export.write_collapsed(out));
        let lines: Vec<&str> = std::str::from_utf8(&text).expect("text").lines().collect();
        let paths: Vec<&str> = lines.iter().map(|line| line.rsplit_once(' ').expect("a count").0).collect();
        prop_assert_eq!(&paths, &expected.keys().map(String::as_str).collect::<Vec<_>>(), "sorted by text");
        // Without callers the text is no recording, and names that all end in a number are the first of two counts.
        let ends_in_number = |path: &&str| path.rsplit_once(' ').is_some_and(|(_, end)| end.parse::<f64>().is_ok());
        if !paths.iter().any(|path| path.contains(';')) || paths.iter().all(ends_in_number) {
            return Ok(());
        }
        let back = read(&text);
        prop_assert!(is_undamaged(&back), "{:?}", back.warnings.list());
        let table = &back.threads[0].samples.as_ref().expect("samples").cpu;
        let sums: BTreeMap<String, f64> = (0..table.len())
            .map(|sample| (path(&back, table.stack(sample).expect("a stack")), table.weight(sample)))
            .collect();
        prop_assert_eq!(sums, expected);
    }
}
