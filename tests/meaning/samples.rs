//! Samples over time: calls on rows and thread activity, compared with naive references that look at every sample.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::recording::samples::{FUNCS, INTERVAL, Sampled, profile, random_samples};
use flowline::index::samples::StackChart;
use flowline::index::search::Query;
use flowline::index::{Arrangement, Index, MAX_TICK, RowItems as _};
use flowline::profile::samples::{CallTable, FuncFlags, NONE};
use flowline::profile::{CategoryId, Implementation, Ns, Profile, StackId, ThreadId, TimeRange};

const THREAD: ThreadId = ThreadId(0);

fn index_of(profile: Profile) -> Index {
    Index::build(Arc::new(profile), Arrangement::ByName)
}

/// Start and end of each sample.
fn spans(samples: &[Sampled]) -> Vec<(i64, i64)> {
    let end = |at: usize| samples.get(at + 1).map_or(samples[at].time + INTERVAL, |next| next.time);
    (0..samples.len()).map(|at| (samples[at].time, end(at))).collect()
}

/// Functions of the calls running at a time, one per row, with start and end of each call.
fn running(index: &Index, chart: &StackChart, time: i64) -> Vec<(u32, i64, i64)> {
    let (profile, calls) = (index.profile(), chart.calls(index.profile()));
    let on_row = |row| {
        let order: &[u32] = chart.rows().row(row);
        let inside = |call: &&u32| calls.start[**call as usize].0 <= time && time < calls.end[**call as usize].0;
        let found: Vec<&u32> = order.iter().filter(inside).collect();
        assert!(found.len() <= 1, "calls of a row do not overlap");
        let at = *found.first().copied()? as usize;
        Some((profile.stacks.func(calls.stack[at]).0, calls.start[at].0, calls.end[at].0))
    };
    (0..chart.rows().len()).map_while(on_row).collect()
}

#[test]
fn calls_match_the_stacks_and_lengths_of_samples() {
    for seed in 0..60 {
        let samples = random_samples(seed, 1 + usize::try_from(seed).expect("small") * 4);
        let index = index_of(profile(std::slice::from_ref(&samples), false));
        let chart = index.charts().build(THREAD);
        for (sample, (start, end)) in samples.iter().zip(spans(&samples)).filter(|(_, (start, end))| end > start) {
            for time in [start, start.midpoint(end), end - 1] {
                let stack: Vec<u32> = sample.stack.iter().flatten().map(|func| u32::from(*func)).collect();
                let found = running(&index, chart, time);
                assert_eq!(found.iter().map(|call| call.0).collect::<Vec<_>>(), stack, "{seed}, {time}");
                assert!(found.windows(2).all(|pair| pair[0].1 <= pair[1].1 && pair[0].2 >= pair[1].2), "nested");
            }
        }
        // Only sampled functions run: rows are exactly as long as the samples that reach them.
        let calls = chart.calls(index.profile());
        let length = |call: &u32| calls.end[*call as usize].0 - calls.start[*call as usize].0;
        for row in 0..chart.rows().len() {
            let deep = |sample: &Sampled| sample.stack.as_ref().is_some_and(|stack| stack.len() > row);
            let expected: i64 =
                samples.iter().zip(spans(&samples)).filter(|(s, _)| deep(s)).map(|(_, t)| t.1 - t.0).sum();
            assert_eq!(chart.rows().row(row).iter().map(length).sum::<i64>(), expected, "{seed}, row {row}");
        }
        let own: i64 =
            (0..calls.len()).filter_map(|call| chart.self_time(u32::try_from(call).ok()?)).map(|t| t.0).sum();
        let with_stack = samples.iter().zip(spans(&samples)).filter(|(sample, _)| sample.stack.is_some());
        assert_eq!(own, with_stack.map(|(_, (start, end))| end - start).sum::<i64>(), "self times add up");
        let track = index.cpu().get(THREAD);
        let deepest = samples.iter().filter_map(|sample| Some(sample.stack.as_ref()?.len())).max().unwrap_or(0);
        assert!(deepest <= 1 || track.is_some_and(|track| track.depth as usize == deepest), "{seed}");
        assert!(chart.rows().len() == deepest, "{seed}");
    }
}

#[test]
fn script_and_native_charts_contain_only_their_functions() {
    for seed in 0..60 {
        let samples = random_samples(seed, 1 + usize::try_from(seed).expect("small") * 4);
        let mut recorded = profile(std::slice::from_ref(&samples), false);
        let funcs = recorded.stacks.funcs.make_mut();
        funcs.iter_mut().step_by(2).for_each(|func| func.flags = FuncFlags::IS_JS);
        let is_js = |func: u32| func.is_multiple_of(2);
        let mut given = recorded.clone();
        let index = index_of(recorded);
        // The same calls as supplied by an importer.
        let all = index.charts().build(THREAD).calls(index.profile()).clone();
        given.threads[0].samples.as_mut().expect("samples").calls = Some(all);
        let given = index_of(given);
        for functions in [Implementation::Js, Implementation::Native] {
            let is_shown = |func: &u32| is_js(*func) == (functions == Implementation::Js);
            let chart = index.charts().showing(functions).build(THREAD);
            let of_given = given.charts().showing(functions).build(THREAD);
            for (sample, (start, end)) in samples.iter().zip(spans(&samples)).filter(|(_, (start, end))| end > start) {
                for time in [start, start.midpoint(end), end - 1] {
                    let stack = sample.stack.iter().flatten().map(|func| u32::from(*func));
                    let stack: Vec<u32> = stack.filter(is_shown).collect();
                    for (index, chart) in [(&index, chart), (&given, of_given)] {
                        let found: Vec<u32> = running(index, chart, time).iter().map(|call| call.0).collect();
                        assert_eq!(found, stack, "{seed}, {time}, {functions:?}");
                    }
                }
            }
            let found = index.charts().showing(functions).find(&Query::parse("f"));
            assert!(found.rows(THREAD).is_none_or(|(choice, ..)| choice == functions));
        }
    }
}

#[test]
fn spans_contain_every_call_at_every_zoom() {
    for seed in 0..12 {
        let index = index_of(profile(&[random_samples(seed, 900)], false));
        let chart = index.charts().build(THREAD);
        let pyramids = chart.pyramids().expect("built");
        let clock = index.clock();
        for zoom in (0..34).map(|power| f64::from(power).exp2() * 1.3) {
            let mut seen = BTreeSet::new();
            for (row, pyramid) in pyramids.iter().enumerate() {
                let items = index.charts().items(chart, chart.rows(), row);
                pyramid.visit_spans(&items, zoom, 0, MAX_TICK, |span| {
                    let first = span.first as usize;
                    for position in first..first + span.count as usize {
                        let call = items.marker(position).0;
                        let times = chart.times(index.profile(), call).expect("a call");
                        let (start, end) = (clock.tick(times.start), clock.tick(times.end));
                        assert!(span.packed.start() <= start && end <= span.packed.end(), "{seed}, {zoom}");
                        assert!(seen.insert(call), "a call is drawn once");
                    }
                });
            }
            assert_eq!(seen.len(), chart.calls(index.profile()).len(), "{seed}, {zoom}: no call is missing");
        }
        for call in (0..chart.calls(index.profile()).len()).map(|call| u32::try_from(call).expect("few")) {
            let (row, position) = chart.find(index.profile(), call).expect("a row");
            assert_eq!(chart.rows().row(row)[position], call);
        }
    }
}

#[test]
fn damaged_calls_of_a_recording_are_all_shown() {
    let mut random = fastrand::Rng::with_seed(9);
    for round in 0..200 {
        let mut profile = profile(&[random_samples(round, 20)], false);
        let stacks = profile.stacks.len();
        let mut calls = CallTable::default();
        for _ in 0..random.usize(1..120) {
            let start = random.i64(0..1000);
            let depth = if random.u8(..9) == 0 { random.u32(..) } else { random.u32(..6) };
            let times = [Ns(start), Ns(start + random.i64(-20..300))];
            calls.push(times, StackId::new(random.usize(..stacks.max(1))), depth, NONE);
        }
        if stacks == 0 {
            continue;
        }
        let samples = profile.threads[0].samples.as_mut().expect("samples");
        samples.calls = Some(calls);
        let index = index_of(profile);
        let chart = index.charts().build(THREAD);
        let count = chart.calls(index.profile()).len();
        let mut seen = BTreeSet::new();
        assert!(chart.rows().len() <= count);
        for row in 0..chart.rows().len() {
            let order = chart.rows().row(row);
            let times: Vec<TimeRange> = order.iter().filter_map(|call| chart.times(index.profile(), *call)).collect();
            assert!(times.windows(2).all(|pair| pair[0].end <= pair[1].start), "{round}: rows do not overlap");
            seen.extend(order.iter().copied());
            assert!(order.iter().all(|call| chart.find(index.profile(), *call).is_some_and(|found| found.0 == row)));
        }
        assert_eq!(seen.len(), count, "{round}: no call is missing");
        assert!(index.extent().start <= Ns(0).max(chart.times(index.profile(), 0).expect("one").start));
    }
}

/// Percent and color over time by the rule: parts with start, end, percent and category.
fn naive_activity(samples: &[Sampled], has_cpu: bool) -> Vec<(i64, i64, u64, u16)> {
    let category = |stack: &Option<Vec<u8>>| {
        let of = stack.iter().flatten().rev().map(|func| FUNCS[usize::from(*func)].1).find(|own| *own != u16::MAX);
        of.unwrap_or(1)
    };
    let percent = |at: usize| -> u64 {
        if at == 0 || at == samples.len() {
            return 0;
        }
        let length = samples[at].time - samples[at - 1].time;
        match samples[at].cpu {
            Some(cpu) if length > 0 => ((200 * cpu + length.unsigned_abs()) / (2 * length.unsigned_abs())).min(100),
            Some(_) => 100,
            // Unknown use is a gap.
            None => 0,
        }
    };
    let mut parts = Vec::new();
    for (at, sample) in samples.iter().enumerate() {
        let before = if at == 0 { sample.time - INTERVAL } else { samples[at - 1].time };
        let next = samples.get(at + 1).map_or(sample.time + INTERVAL, |next| next.time);
        let category = category(&sample.stack);
        let halves = match has_cpu {
            true => [percent(at), percent(at + 1)],
            false => [if sample.stack.is_some() { 100 } else { 0 }; 2],
        };
        let halves = if category == 0 { [0; 2] } else { halves };
        let middle = |from: i64, to: i64| from + (to - from) / 2;
        parts.push((middle(before, sample.time), sample.time, halves[0], category));
        parts.push((sample.time, middle(sample.time, next), halves[1], category));
    }
    parts.retain(|part| part.1 > part.0);
    parts
}

#[test]
fn activity_is_exact_over_any_span() {
    let mut random = fastrand::Rng::with_seed(3);
    for seed in 0..60 {
        let has_cpu = seed % 2 == 0;
        let samples = random_samples(seed, 3 + usize::try_from(seed).expect("small") * 7);
        let index = index_of(profile(std::slice::from_ref(&samples), has_cpu));
        let Some(track) = index.cpu().get(THREAD) else { continue };
        let parts = naive_activity(&samples, has_cpu);
        let base = index.clock().base().0;
        let ticks = track.tick_tree().all();
        let whole = track.extent(0, ticks.len());
        assert!(whole.max <= 100.0 && whole.min >= 0.0);
        for _ in 0..200 {
            let end = index.extent().len().unsigned_abs();
            let (one, other) = (random.u64(..=end), random.u64(..=end));
            let (from, to) = (one.min(other), one.max(other) + 1);
            let first = track.tick_tree().count_below_from(0, from + 1).saturating_sub(1);
            let after = track.tick_tree().count_below_from(0, to);
            if after <= first || ticks[first] > from {
                continue;
            }
            let (low, high) = (base + i64::try_from(from).expect("small"), base + i64::try_from(to).expect("small"));
            let inside = || parts.iter().filter(|part| part.0 < high && part.1 > low);
            let most = inside().map(|part| part.2).max().unwrap_or(0);
            let covered: i64 = inside().map(|part| part.1.min(high) - part.0.max(low)).sum();
            let least = if covered < high - low { 0 } else { inside().map(|part| part.2).min().unwrap_or(0) };
            let extent = track.extent(first, after);
            assert!((extent.max - most as f32).abs() < 1e-3, "{seed}: {extent:?} {most}");
            assert!((extent.min - least as f32).abs() < 1e-3, "{seed}: {extent:?} {least}");
            let shares = track.shares((first, after), (from, to));
            let mut expected = [0_u64; 16];
            for part in inside() {
                let color = flowline::index::color_index(crate::recording::samples::CATEGORIES[usize::from(part.3)].1);
                expected[usize::from(color)] += part.2 * (part.1.min(high) - part.0.max(low)).unsigned_abs();
            }
            if expected.iter().sum::<u64>() > 0 {
                assert_eq!(shares, expected, "{seed}: {from}..{to}");
            }
        }
    }
}

#[test]
fn the_pointer_reads_the_sample_at_its_time() {
    let sampled = |time: i64, func: Option<u8>, cpu| Sampled { time, stack: func.map(|func| vec![0, func]), cpu };
    let samples = [
        sampled(1_000_000, Some(2), Some(u64::MAX)),
        sampled(2_000_000, Some(3), Some(250_000)),
        sampled(4_000_000, None, Some(1_000_000)),
        sampled(5_000_000, Some(4), None),
    ];
    let read = |index: &Index, time| {
        let at = index.cpu().get(THREAD).expect("a track").at(index.profile(), THREAD, Ns(time));
        at.map(|at| (at.sample, at.percent, at.category.map(|category| category.0)))
    };
    let index = index_of(profile(&[samples.to_vec()], true));
    let expected = [
        (400_000, None),
        (600_000, Some((0, Some(0), Some(2)))),
        (1_400_000, Some((0, Some(25), Some(2)))),
        (1_600_000, Some((1, Some(25), Some(3)))),
        (2_900_000, Some((1, Some(50), Some(3)))),
        (3_100_000, Some((2, Some(50), None))),
        // The last sample does not state its CPU time.
        (4_400_000, Some((2, None, None))),
        (4_600_000, Some((3, None, Some(0)))),
        (5_400_000, Some((3, Some(0), Some(0)))),
        (5_600_000, None),
    ];
    for (time, found) in expected {
        assert_eq!(read(&index, time), found, "{time}");
    }
    let index = index_of(profile(&[samples.to_vec()], false));
    assert_eq!(read(&index, 1_400_000), Some((0, None, Some(2))), "CPU times are unknown");
    assert_eq!(index.profile().category_name(CategoryId(2)), "Graphics");
}

#[test]
fn threads_with_only_a_root_function_have_no_stack_chart() {
    let sampled = |func: Option<u8>| Sampled { time: 0, stack: func.map(|func| vec![func]), cpu: Some(5) };
    let root = || vec![sampled(Some(0)), sampled(None), sampled(Some(0))];
    assert!(index_of(profile(&[root()], false)).cpu().get(THREAD).is_none(), "only the root");
    let index = index_of(profile(&[root()], true));
    assert_eq!(index.cpu().get(THREAD).map(|track| (track.depth, track.samples, track.without_stack)), Some((0, 3, 1)));
    let both = vec![sampled(Some(0)), sampled(Some(1))];
    let index = index_of(profile(&[both], false));
    assert_eq!(index.cpu().get(THREAD).map(|track| track.depth), Some(1), "two functions are shown");
    assert!(index_of(profile(&[Vec::new()], true)).cpu().is_empty());
}

#[test]
fn a_search_finds_calls_by_function_name() {
    let index = index_of(profile(&[random_samples(5, 400), vec![Sampled::default()]], false));
    let chart = index.charts().build(THREAD);
    let found = index.charts().find(&Query::parse("ONCLICK"));
    assert!(found.has(THREAD) && !found.has(ThreadId(1)) && !found.is_empty());
    let (_, rows, pyramids) = found.rows(THREAD).expect("the chart was built");
    assert_eq!((rows.len(), pyramids.len()), (chart.rows().len(), chart.rows().len()), "rows keep their numbers");
    let (profile, calls) = (index.profile(), chart.calls(index.profile()));
    for row in 0..rows.len() {
        let is_found =
            |call: &&u32| profile.stacks.name(profile.stacks.func(calls.stack[**call as usize])) == "onClick";
        assert!(chart.rows().row(row).iter().filter(is_found).eq(rows.row(row)), "{row}");
    }
    assert!(index.charts().find(&Query::parse("nowhere")).is_empty());
}

#[test]
fn extent_and_overview_match_the_samples() {
    let samples = random_samples(8, 200);
    let index = index_of(profile(&[samples.clone(), Vec::new()], false));
    let (first, last) = (samples[0].time, samples.last().expect("some").time);
    assert_eq!(index.extent(), TimeRange::new(Ns(first), Ns(last + INTERVAL)));
    let counted: u32 = (0..flowline::index::SLICES).flat_map(|slice| index.activity().slice(slice)).sum();
    let is_busy = |sample: &&Sampled| {
        let own = sample.stack.iter().flatten().rev().map(|func| FUNCS[usize::from(*func)].1);
        sample.stack.is_some() && own.into_iter().find(|own| *own != u16::MAX).unwrap_or(1) != 0
    };
    assert_eq!(counted as usize, samples.iter().filter(is_busy).count(), "every non-idle sample");
}

/// Samples of Firefox with markers: a call is inside the marker in which it was sampled, and a marker that begins while a
/// script runs is inside the script. Native functions around the script are left out, and others are one call.
#[test]
fn markers_and_folded_calls_share_a_stack_without_overlap() {
    let text = r#"{"meta":{"version":27,"interval":1,"startTime":0,"shutdownTime":null,"stackwalk":1,"processType":0,
"categories":[{"name":"Idle","color":"transparent","subcategories":["Other"]},{"name":"Other","color":"grey","subcategories":["Other"]},
{"name":"JavaScript","color":"yellow","subcategories":["Other"]}],
"markerSchema":[{"name":"tick","display":["marker-chart"],"data":[],"isStackBased":true}]},"libs":[],"pages":[],"processes":[],"pausedRanges":[],
"threads":[{"name":"GeckoMain","tid":1,"pid":1,"processType":"default","registerTime":0,"unregisterTime":null,
"markers":{"schema":{"name":0,"startTime":1,"endTime":2,"phase":3,"category":4,"data":5},
"data":[[6,1.5,8.5,1,1,{"type":"tick"}],[7,3.2,4.3,1,1,{"type":"tick"}],[6,10.2,12.6,1,1,{"type":"tick"}]]},
"samples":{"schema":{"stack":0,"time":1,"eventDelay":2},"data":[[1,2,0],[3,3,0],[4,4,0],[3,5,0],[3,8,0],[1,9,0],[3,11,0],[3,12,0],[3,13,0],[0,14,0]]},
"frameTable":{"schema":{"location":0,"relevantForJS":1,"innerWindowID":2,"implementation":3,"line":4,"column":5,"category":6,"subcategory":7},
"data":[[0,false,0,null,null,null,1,0],[1,false,0,null,null,null,1,0],[2,true,0,null,3,1,2,0],[3,false,0,null,null,null,1,0],[4,false,0,null,null,null,0,0]]},
"stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0],[0,1],[1,2],[1,2],[3,3]]},
"stringTable":["0x11","0x12","work (http://a.test/x.js:3:1)","0x13","poll","x","Tick","Inner"]}]}"#;
    let imported = flowline::import::read(text.as_bytes().to_vec(), &flowline::import::Progress::default());
    let index = Index::build(Arc::new(imported.expect("a profile").profile), Arrangement::Stack);
    let merged = index.charts().build_merged(index.source(), THREAD).expect("markers and samples");
    let (profile, calls) = (index.profile(), merged.calls.calls(index.profile()));
    let mut found: Vec<(usize, String, i64, i64)> = Vec::new();
    for row in 0..merged.layout.rows.len().max(merged.calls.rows().len()) {
        let markers = merged.layout.rows.row(row).iter().map(|marker| {
            let range = profile.thread(THREAD).markers.range(*marker);
            (row, profile.marker_name(THREAD, *marker).to_owned(), range.start.0, range.end.0)
        });
        let of_call = |call: &u32| {
            let (at, stacks) = (*call as usize, &profile.stacks);
            let name = match flowline::index::samples::folded_frames(stacks, calls.stack[at]) {
                0 => stacks.name(stacks.func(calls.stack[at])).to_owned(),
                count => format!("{count} native"),
            };
            (row, name, calls.start[at].0, calls.end[at].0)
        };
        let mut on_row: Vec<_> = markers.chain(merged.calls.rows().row(row).iter().map(of_call)).collect();
        on_row.sort_by_key(|(_, _, start, end)| (*start, *end));
        assert!(on_row.windows(2).all(|pair| pair[0].3 <= pair[1].2), "entries of a row do not overlap: {on_row:?}");
        found.extend(on_row);
    }
    let at = |name: &str, time: i64| {
        let here = |entry: &&(usize, String, i64, i64)| entry.1 == name && entry.2 <= time && time < entry.3;
        found.iter().find(here).map(|entry| entry.0)
    };
    let ms = |time: f64| Ns::from_ms(time).expect("a time").0;
    assert_eq!((at("Tick", ms(2.0)), at("work", ms(3.1))), (Some(0), Some(1)), "{found:?}");
    assert_eq!(at("Inner", ms(3.5)), Some(2), "the script ran before and after: {found:?}");
    assert_eq!(at("work", ms(8.4)), Some(1), "{found:?}");
    assert_eq!(at("work", ms(8.6)), None, "the script ends with the marker: {found:?}");
    assert_eq!((at("work", ms(12.0)), at("work", ms(13.1))), (Some(1), Some(0)), "cut at the end: {found:?}");
    assert_eq!(at("2 native", ms(9.1)), Some(0), "{found:?}");
}
