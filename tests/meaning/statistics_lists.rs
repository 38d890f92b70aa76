//! Statistics of counters and of flows against naive references: counters are evaluated at every nanosecond of a short
//! recording, flows are matched marker by marker.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::recording::read_bytes;
use crate::support::{FORMATS, synthetic};
use flowline::index::flows::{FlowRules, RuleMatcher};
use flowline::index::search::{Query, run as search};
use flowline::index::statistics::{FlowStatistics, RangeRule, Subject, TimeStatistics, Tracks, counters, flows};
use flowline::index::{Arrangement, Index};
use flowline::profile::{Counter, CounterGraph, MarkerId, Meta, Ns, Profile, Sample, Series, ThreadId, TimeRange};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The last nanosecond of the counter recordings.
const END: i64 = 24;

/// Samples of a series: ascending times, some of them equal; some values are not finite numbers.
fn samples() -> impl Strategy<Value = Vec<(i64, f64)>> {
    let value = prop_oneof![8 => (-20..20_i32).prop_map(f64::from), 1 => Just(f64::NAN), 1 => Just(f64::INFINITY)];
    prop::collection::vec((0..=END, value), 0..8).prop_map(|mut samples| {
        samples.sort_by_key(|(time, _)| *time);
        samples
    })
}

/// The value at a time, derived from the finite samples; `None` where it is unknown.
fn value_at(graph: CounterGraph, samples: &[(i64, f64)], time: i64) -> Option<f64> {
    let valid: Vec<(i64, f64)> = samples.iter().copied().filter(|(_, value)| value.is_finite()).collect();
    let (at, level) = valid.iter().rev().find(|(at, _)| *at <= time).copied()?;
    match graph {
        CounterGraph::Level => Some(level),
        CounterGraph::Relative => Some(level - valid.iter().map(|(_, value)| *value).fold(f64::INFINITY, f64::min)),
        CounterGraph::Rate => {
            let next = valid.iter().find(|(at, _)| *at > time)?.0;
            let sum = valid.iter().rev().find(|(at, _)| *at == next)?.1;
            Some((sum - level) / (next - at) as f64 * 1e9)
        }
    }
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs()).max(1.0)
}

proptest! {
    #[test]
    fn counter_statistics_match_every_nanosecond(
        all in prop::collection::vec(samples(), 1..3),
        graph in prop::sample::select(vec![CounterGraph::Level, CounterGraph::Relative, CounterGraph::Rate]),
        range in prop::option::weighted(0.8, (0..=END, 0..=END)),
    ) {
        let series = |samples: &Vec<(i64, f64)>| {
            let samples: Vec<Sample> =
                samples.iter().map(|(time, value)| Sample { time: Ns(*time), value: *value }).collect();
            Series { name: String::new(), samples: samples.into() }
        };
        let counter = Counter { graph, unit: "bytes".into(), series: all.iter().map(series).collect(), ..Counter::default() };
        let meta = Meta { range: TimeRange::new(Ns(0), Ns(END)), ..Meta::default() };
        let profile = Profile { counters: vec![counter], meta, ..Profile::default() };
        let index = Index::build(Arc::new(profile), Arrangement::ByName);
        let range = range.map(|(a, b)| TimeRange::new(Ns(a.min(b)), Ns(a.max(b))));
        let found = counters(&index, range);
        prop_assert_eq!(found.len(), all.len());
        let asked = range.unwrap_or(index.extent());
        for (found, samples) in found.iter().zip(&all) {
            let inside = || samples.iter().filter(|(at, _)| (asked.start.0..=asked.end.0).contains(at));
            prop_assert_eq!(found.samples, inside().count() as u64);
            prop_assert_eq!(found.invalid, inside().filter(|(_, value)| !value.is_finite()).count() as u64);
            let at = |time: i64| value_at(graph, samples, time);
            let held: Vec<f64> = (asked.start.0..=asked.end.0).filter_map(at).collect();
            let Some(values) = found.values else {
                prop_assert!(held.is_empty(), "{held:?} of {samples:?} in {asked:?}");
                continue;
            };
            let (first, last) = (held.first().copied(), held.last().copied());
            prop_assert_eq!((Some(values.first), Some(values.last)), (first, last), "{:?} in {:?}", samples, asked);
            prop_assert_eq!(values.min, held.iter().copied().fold(f64::INFINITY, f64::min));
            prop_assert_eq!(values.max, held.iter().copied().fold(f64::NEG_INFINITY, f64::max));
            prop_assert_eq!(values.change(), values.last - values.first);
            let weighted: Vec<f64> = (asked.start.0..asked.end.0).filter_map(at).collect();
            if !weighted.is_empty() {
                let mean = weighted.iter().sum::<f64>() / weighted.len() as f64;
                // Large rates of opposite sign cancel out.
                let greatest = weighted.iter().map(|value| value.abs()).fold(1.0, f64::max);
                prop_assert!((values.mean - mean).abs() <= 1e-9 * greatest, "{} and {mean}", values.mean);
            }
            let sum = weighted.iter().sum::<f64>() / 1e9;
            prop_assert_eq!(values.integral.is_some(), graph == CounterGraph::Rate);
            let is_near = |integral: f64| (integral - sum).abs() <= 1e-9 * weighted.iter().map(|value| value.abs()).fold(1.0, f64::max);
            prop_assert!(values.integral.is_none_or(is_near), "{values:?} {sum}");
        }
    }
}

/// A trace with slices on two threads and flow steps on them.
fn trace() -> impl Strategy<Value = Value> {
    let slice = (0..2_u32, 0..20_u32, 1..6_u32, 0..3_usize, prop::option::of((0..3_usize, 0..4_u32)));
    prop::collection::vec(slice, 0..30).prop_map(|slices| {
        let mut events = Vec::new();
        for (tid, ts, dur, name, step) in slices {
            let name = ["a", "b", "c"][name];
            events.push(json!({"ph": "X", "pid": 1, "tid": tid, "ts": ts, "dur": dur, "name": name, "cat": "x"}));
            if let Some((kind, id)) = step {
                let (ph, flow) = (["s", "t", "f"][kind], ["even", "odd"][(id % 2) as usize]);
                let step =
                    json!({"ph": ph, "bp": "e", "pid": 1, "tid": tid, "ts": ts, "id": id, "name": flow, "cat": "f"});
                events.push(step);
            }
        }
        json!({"traceEvents": events})
    })
}

/// Compares the flows of a subject with the flows that contain one of its markers.
fn check(index: &Index, subject: &Subject<'_>) -> usize {
    let (profile, graph) = (index.profile(), index.flows());
    let rules = RuleMatcher::new(FlowRules::built_in(), profile);
    let inside: BTreeSet<MarkerId> = subject.markers().collect();
    let mut kinds: BTreeMap<&str, Vec<[u64; 3]>> = BTreeMap::new();
    for flow in graph.iter().filter(|flow| graph.members(*flow).iter().any(|marker| inside.contains(marker))) {
        let length = graph.range(profile, flow).len().cast_unsigned();
        let timeline = rules.timeline_totals(profile, graph, flow);
        let total = timeline.run + timeline.wait + timeline.idle;
        assert_eq!(total, graph.range(profile, flow).len(), "a flow runs, waits or is idle");
        let times = [length, timeline.run.cast_unsigned(), timeline.wait.cast_unsigned()];
        kinds.entry(rules.kind_of(profile, graph, flow)).or_default().push(times);
    }
    let found = flows(subject, index, &rules, &|| true).expect("whole");
    assert_eq!(found.kinds.len(), kinds.len(), "{found:?}");
    assert!(
        found.kinds.is_sorted_by(|a, b| (a.length.total, &b.kind) >= (b.length.total, &a.kind)),
        "the largest total first"
    );
    let compare_times = |one: &TimeStatistics, mut times: Vec<u64>| {
        times.sort_unstable();
        let percentile = |thousandths: usize| times[(times.len() * thousandths).div_ceil(1000) - 1];
        let own = one.spread;
        let shown = [own.min, own.p50, own.p90, own.p99, own.p999, own.max];
        let expected = [times[0], percentile(500), percentile(900), percentile(990), percentile(999), percentile(1000)];
        assert_eq!(shown, expected);
        let total: i128 = times.iter().map(|time| i128::from(*time)).sum();
        assert_eq!(one.total, total);
        let mean = total as f64 / times.len() as f64;
        let square: f64 = times.iter().map(|time| (*time as f64 - mean).powi(2)).sum();
        assert!(near(one.mean, mean) && near(own.deviation, (square / times.len() as f64).sqrt()), "{one:?}");
    };
    let compare = |one: &FlowStatistics, all: Vec<[u64; 3]>| {
        assert_eq!(one.count, all.len() as u64);
        for (which, own) in [one.length, one.run, one.wait].iter().enumerate() {
            compare_times(own, all.iter().map(|times| times[which]).collect());
        }
    };
    found.kinds.iter().for_each(|one| compare(one, kinds[one.kind.as_str()].clone()));
    let all: Vec<[u64; 3]> = kinds.into_values().flatten().collect();
    assert_eq!(found.all.is_some(), !all.is_empty());
    found.all.iter().for_each(|one| compare(one, all.clone()));
    all.len()
}

proptest! {
    #[test]
    fn flow_statistics_match_each_marker(
        trace in trace(),
        range in prop::option::weighted(0.7, (0..20_i64, 0..12_i64)),
        rule in prop_oneof![Just(RangeRule::StartsInside), Just(RangeRule::Overlaps)],
        text in prop_oneof![Just(""), Just("name:a"), Just("-name:b")],
        is_first in any::<bool>(),
    ) {
        let Ok(profile) = read_bytes(trace.to_string().into_bytes()) else { return Ok(()) };
        let first = profile.meta.arrangement();
        let index = Index::build(Arc::new(profile), first);
        let hits = (!text.is_empty())
            .then(|| search(index.profile(), index.flows(), &Query::parse(text), &|| true).expect("whole"));
        let range = range.map(|(from, length)| TimeRange::new(Ns(from * 1000), Ns((from + length) * 1000)));
        let threads = [ThreadId(0)];
        let tracks = if is_first { Tracks::Threads(&threads) } else { Tracks::All };
        check(&index, &Subject::new(&index, tracks, range, rule, hits.as_ref()));
    }
}

#[test]
fn flows_in_a_range_are_counted_by_kind() {
    for format in FORMATS {
        let index = synthetic(format, 4_000, 3);
        let extent = index.extent();
        let range = TimeRange::new(Ns(extent.start.0 + extent.len() / 3), Ns(extent.start.0 + extent.len() / 2));
        let counted = [RangeRule::StartsInside, RangeRule::Overlaps].map(|rule| {
            let part = check(&index, &Subject::new(&index, Tracks::All, Some(range), rule, None));
            assert!(part > 0 && part < index.flows().len(), "{part} of {}", index.flows().len());
            part
        });
        assert!(counted[0] <= counted[1]);
        assert_eq!(check(&index, &Subject::everything(&index)), index.flows().len());
    }
}
