//! Format of a case: a short input with tables of its complete expected result, and the comparison with every reader.
//!
//! Times in tables are in microseconds. Tracks are written `pid/tid`, `process pid`, `global` and `async pid`.

use flowline::import::{self, Progress};
use flowline::profile::Profile;

use super::importer::Importer;
use super::reference::{Naive, Read, Reference};

/// A depth that the rules do not define.
pub(crate) const OPEN: usize = usize::MAX;

/// Pid, name, id or empty, series, samples.
type CounterCase = (&'static str, &'static str, &'static str, &'static str, &'static [(i64, f64)]);

/// An input and its complete expected result, in any order.
#[derive(Clone, Copy, Default)]
pub(crate) struct Case {
    pub(crate) input: &'static str,
    /// Track, name, start, end, depth.
    pub(crate) slices: &'static [(&'static str, &'static str, i64, i64, usize)],
    /// Track, name, time, depth.
    pub(crate) instants: &'static [(&'static str, &'static str, i64, usize)],
    /// Names of incomplete slices.
    pub(crate) incomplete: &'static [&'static str],
    pub(crate) counters: &'static [CounterCase],
    /// Id, and names of the slices in time order.
    pub(crate) flows: &'static [(&'static str, &'static [&'static str])],
    pub(crate) warnings: &'static [(&'static str, u64)],
}

/// Reads the case with every reader and compares the results.
pub(crate) fn check(case: Case) {
    check_with::<Naive>(&case);
    check_with::<Importer>(&case);
}

/// Passes every reader's result to `look`, for facts outside the tables of a case.
pub(crate) fn every_reader(input: &str, look: impl Fn(&Reference)) {
    look(&Naive::read(input.as_bytes()));
    look(&Importer::read(input.as_bytes()));
}

/// Imports a trace.
pub(crate) fn profile(input: &[u8]) -> Profile {
    import::read(input.to_vec(), &Progress::default()).expect("a recording").profile
}

/// Track, name, start, end (none for an instant), depth (none if undefined).
type Row = (String, String, i64, Option<i64>, Option<usize>);

fn check_with<R: Read>(case: &Case) {
    let found = R::read(case.input.as_bytes());
    let expected = rows_expected(case);
    let is_open = |row: &Row| {
        expected
            .iter()
            .any(|open| open.4.is_none() && (&open.0, &open.1, open.2, open.3) == (&row.0, &row.1, row.2, row.3))
    };
    let mut rows = rows_of(&found);
    for row in &mut rows {
        if is_open(row) {
            row.4 = None;
        }
    }
    rows.sort();
    assert_eq!(rows, expected, "slices of {}", R::NAME);
    let slices = found.tracks.iter().flat_map(|track| &track.slices);
    let incomplete = slices.filter(|slice| slice.incomplete).map(|slice| slice.name.clone());
    assert_eq!(
        sorted(incomplete),
        sorted(case.incomplete.iter().map(|name| (*name).to_owned())),
        "incomplete of {}",
        R::NAME
    );
    assert_eq!(counters_of(&found), counters_expected(case), "counters of {}", R::NAME);
    let flow =
        |(id, names): &(&str, &[&str])| (String::from(*id), names.iter().map(|name| String::from(*name)).collect());
    assert_eq!(flows_of(&found), sorted(case.flows.iter().map(flow)), "flows of {}", R::NAME);
    let warnings = found.warnings.iter().filter(|(_, count)| **count > 0).map(|(kind, count)| (*kind, *count));
    assert_eq!(sorted(warnings), sorted(case.warnings.iter().copied()), "warnings of {}", R::NAME);
}

fn sorted<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort();
    items
}

fn rows_expected(case: &Case) -> Vec<Row> {
    let depth_of = |depth: usize| (depth != OPEN).then_some(depth);
    let slices = case.slices.iter().map(|&(track, name, start, end, depth)| {
        (track.to_owned(), name.to_owned(), start, Some(end), depth_of(depth))
    });
    let instants = case
        .instants
        .iter()
        .map(|&(track, name, time, depth)| (track.to_owned(), name.to_owned(), time, None, depth_of(depth)));
    sorted(slices.chain(instants))
}

fn rows_of(found: &Reference) -> Vec<Row> {
    let mut rows = Vec::new();
    for track in &found.tracks {
        let text = match track.kind {
            "thread" => format!("{}/{}", track.pid, track.tid),
            "global" => "global".to_owned(),
            kind => format!("{kind} {}", track.pid),
        };
        for slice in &track.slices {
            let end = slice.end_ns.map(|end| end / 1000);
            rows.push((text.clone(), slice.name.clone(), slice.start_ns / 1000, end, slice.depth));
        }
    }
    rows
}

/// Pid, name, id, series, and samples as text.
type CounterRow = (String, String, String, String, String);

fn counters_of(found: &Reference) -> Vec<CounterRow> {
    let rows = found.counters.iter().flat_map(|counter| {
        counter.series.iter().map(|(series, samples)| {
            let samples: Vec<_> = samples.iter().map(|(ns, value)| (ns / 1000, value)).collect();
            let id = counter.id.clone().unwrap_or_default();
            (counter.pid.clone(), counter.name.clone(), id, series.clone(), format!("{samples:?}"))
        })
    });
    sorted(rows)
}

fn counters_expected(case: &Case) -> Vec<CounterRow> {
    sorted(case.counters.iter().map(|&(pid, name, id, series, samples)| {
        (pid.to_owned(), name.to_owned(), id.to_owned(), series.to_owned(), format!("{samples:?}"))
    }))
}

/// Ids with the names of their slices, each slice once.
fn flows_of(found: &Reference) -> Vec<(String, Vec<String>)> {
    sorted(found.flows.iter().map(|flow| {
        let mut seen = Vec::new();
        for (_, track, slice) in &flow.steps {
            if !seen.contains(&(track, slice)) {
                seen.push((track, slice));
            }
        }
        let name = |(track, slice): (&usize, &usize)| found.tracks[*track].slices[*slice].name.clone();
        (flow.id.clone(), seen.into_iter().map(name).collect())
    }))
}
