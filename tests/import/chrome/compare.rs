//! Compares two results for a recording and reports the first difference.
//!
//! Ignored: the order of tracks, counters, series and flows, the order of equal slices, the text of an async group
//! (only the grouping counts), the depth of slices that partial overlap leaves undefined, and the slices of flows bound
//! there. For `overlapping`, only its presence is compared: once a row is undefined, the number of further overlaps
//! depends on it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::reference::{Counter, Flow, Reference, Slice, Track};

/// `None` if both results agree, else the first difference.
pub(crate) fn difference(expected: &Reference, found: &Reference) -> Option<String> {
    let warnings = |of: &Reference| -> BTreeMap<&str, u64> {
        let presence = |(kind, count): (&&'static str, &u64)| (*kind, if *kind == "overlapping" { 1 } else { *count });
        of.warnings.iter().filter(|(_, count)| **count > 0).map(presence).collect()
    };
    differs("track", &track_heads(expected), &track_heads(found))
        .or_else(|| slices_differ(expected, found))
        .or_else(|| differs("async group", &groups(expected), &groups(found)))
        .or_else(|| counters_differ(expected, found))
        .or_else(|| flows_differ(expected, found))
        .or_else(|| arrows_differ(expected, found))
        .or_else(|| differs("names", &shown_names(expected), &shown_names(found)))
        .or_else(|| differs("not drawn", &expected.not_drawn, &found.not_drawn))
        .or_else(|| differs("warnings", &warnings(expected), &warnings(found)))
}

/// Names as displayed: labels follow the process name; empty names are omitted.
pub(crate) fn shown_names(of: &Reference) -> Vec<String> {
    let processes = of.names.processes.iter().filter_map(|(pid, names)| {
        let name = names.name.as_ref().filter(|name| !name.is_empty())?;
        let labels = names.labels.as_ref().filter(|labels| !labels.is_empty());
        let labels = labels.map(|labels| format!(": {labels}")).unwrap_or_default();
        Some(format!("process {pid}: {name}{labels}"))
    });
    let threads = of.names.threads.iter().filter_map(|((pid, tid), names)| {
        let name = names.name.as_ref().filter(|name| !name.is_empty())?;
        Some(format!("thread {pid}/{tid}: {name}"))
    });
    processes.chain(threads).collect()
}

fn differs<T: PartialEq + std::fmt::Debug>(what: &str, expected: &T, found: &T) -> Option<String> {
    (expected != found).then(|| format!("{what}: expected {expected:?}, found {found:?}"))
}

fn head(track: &Track) -> (&'static str, &str, &str) {
    (track.kind, &track.pid, &track.tid)
}

fn track_heads(of: &Reference) -> Vec<(&'static str, &str, &str)> {
    let mut heads: Vec<_> = of.tracks.iter().filter(|track| !track.slices.is_empty()).map(head).collect();
    heads.sort_unstable();
    heads
}

/// The same value with whole numbers written without a fraction, so that `1.0` equals `1`.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            #[expect(clippy::cast_possible_truncation, reason = "a small whole number")]
            Some(whole) if whole.fract() == 0.0 && whole.abs() < 9e15 => Value::from(whole as i64),
            _ => value.clone(),
        },
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(members) => members.iter().map(|(key, value)| (key.clone(), plain(value))).collect(),
        _ => value.clone(),
    }
}

/// A slice without depth and group, as text for sorting and comparison.
fn text_of(slice: &Slice) -> String {
    let Slice { start_ns, end_ns, name, cat, incomplete, args, .. } = slice;
    let args = if *args == Value::Null { "{}".to_owned() } else { plain(args).to_string() };
    let longer_first = i128::from(i64::MAX) - i128::from(slice.end());
    let incomplete = if *incomplete { " incomplete" } else { "" };
    format!(
        "{:020}{longer_first:020} {start_ns}..{end_ns:?} {name:?} [{cat}]{incomplete} {args}",
        i128::from(*start_ns) - i128::from(i64::MIN)
    )
}

fn sorted(track: &Track) -> Vec<(String, Option<usize>)> {
    let mut slices: Vec<_> = track.slices.iter().map(|slice| (text_of(slice), slice.depth)).collect();
    slices.sort_unstable();
    slices
}

fn slices_differ(expected: &Reference, found: &Reference) -> Option<String> {
    for track in &expected.tracks {
        let Some(same) = found.tracks.iter().find(|same| head(same) == head(track)) else { continue };
        let (ours, theirs) = (sorted(track), sorted(same));
        for at in 0..ours.len().max(theirs.len()) {
            let (Some((our, our_depth)), Some((their, their_depth))) = (ours.get(at), theirs.get(at)) else {
                return Some(format!("{:?}: expected {:?}, found {:?}", head(track), ours.get(at), theirs.get(at)));
            };
            let same_depth = our_depth.is_none() || their_depth.is_none() || our_depth == their_depth;
            if our != their || !same_depth {
                return Some(format!("{:?}: expected {:?}, found {:?}", head(track), ours[at], theirs[at]));
            }
        }
    }
    None
}

/// Groups of asyncs, each as sorted texts of its slices.
fn groups(of: &Reference) -> Vec<Vec<String>> {
    let mut groups: BTreeMap<(&str, Option<&str>), Vec<String>> = BTreeMap::new();
    for track in of.tracks.iter().filter(|track| track.kind == "async") {
        for slice in &track.slices {
            groups.entry((&track.pid, slice.group.as_deref())).or_default().push(text_of(slice));
        }
    }
    let mut groups: Vec<_> = groups.into_values().collect();
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_unstable();
    groups
}

/// (pid, name, id, series), and samples.
type Series<'a> = ((&'a str, &'a str, Option<&'a str>, &'a str), &'a [(i64, f64)]);

fn counters_differ(expected: &Reference, found: &Reference) -> Option<String> {
    let (ours, theirs) = (series(&expected.counters), series(&found.counters));
    if !ours.iter().map(|series| series.0).eq(theirs.iter().map(|series| series.0)) {
        return Some(format!("counters: expected {ours:?}, found {theirs:?}"));
    }
    for ((key, our), (_, their)) in ours.iter().zip(&theirs) {
        let same = |(a, b): (&(i64, f64), &(i64, f64))| a.0 == b.0 && (a.1 - b.1).abs() <= a.1.abs() * 1e-15;
        if our.len() != their.len() || !our.iter().zip(their.iter()).all(same) {
            return Some(format!("counter {key:?}: expected {our:?}, found {their:?}"));
        }
    }
    None
}

fn series(counters: &[Counter]) -> Vec<Series<'_>> {
    let mut all: Vec<Series<'_>> = Vec::new();
    for Counter { pid, name, id, series } in counters {
        all.extend(series.iter().map(|(key, samples)| ((&**pid, &**name, id.as_deref(), &**key), &**samples)));
    }
    all.sort_by(|a, b| a.partial_cmp(b).expect("samples are finite"));
    all
}

/// Compares slices of flows by id, as sets of texts. If a flow of an id is loose, only the number of flows is compared.
fn flows_differ(expected: &Reference, found: &Reference) -> Option<String> {
    let loose: BTreeSet<&str> =
        expected.flows.iter().chain(&found.flows).filter(|flow| flow.loose).map(|flow| &*flow.id).collect();
    let (ours, theirs) = (flows_by_id(expected, &loose), flows_by_id(found, &loose));
    for id in ours.keys().chain(theirs.keys()) {
        if ours.get(id) != theirs.get(id) {
            return Some(format!("flow {id}: expected {:#?}, found {:#?}", ours.get(id), theirs.get(id)));
        }
    }
    None
}

fn flows_by_id<'a>(of: &'a Reference, loose: &BTreeSet<&str>) -> BTreeMap<&'a str, Vec<BTreeSet<String>>> {
    let mut flows: BTreeMap<&str, Vec<BTreeSet<String>>> = BTreeMap::new();
    for flow in &of.flows {
        flows.entry(&flow.id).or_default().push(if loose.contains(&*flow.id) {
            BTreeSet::new()
        } else {
            slices_of(of, flow)
        });
    }
    flows.values_mut().for_each(|flows| flows.sort_unstable());
    flows
}

/// Arrows of all flows except loose ones, as texts.
fn arrows_differ(expected: &Reference, found: &Reference) -> Option<String> {
    let loose: BTreeSet<&str> =
        expected.flows.iter().chain(&found.flows).filter(|flow| flow.loose).map(|flow| &*flow.id).collect();
    let arrows = |of: &Reference| {
        let mut arrows: Vec<String> = Vec::new();
        for flow in of.flows.iter().filter(|flow| !loose.contains(&*flow.id)) {
            let end = |step: usize| {
                let (time, track, slice) = flow.steps[step];
                let track = &of.tracks[track];
                format!("{time} {:?} {}", head(track), text_of(&track.slices[slice]))
            };
            arrows.extend(flow.arrows.iter().map(|(from, to)| format!("{} -> {}", end(*from), end(*to))));
        }
        arrows.sort_unstable();
        arrows
    };
    let (ours, theirs) = (arrows(expected), arrows(found));
    let first = ours.iter().zip(&theirs).find(|(our, their)| our != their);
    (ours != theirs).then(|| format!("{} and {} arrows, first {first:?}", ours.len(), theirs.len()))
}

fn slices_of(of: &Reference, flow: &Flow) -> BTreeSet<String> {
    let text = |(_, track, slice): &(i64, usize, usize)| {
        let track = &of.tracks[*track];
        format!("{:?} {}", head(track), text_of(&track.slices[*slice]))
    };
    flow.steps.iter().map(text).collect()
}
