//! The level-of-detail pyramid against naive references that look at every marker: the same pixels at every zoom,
//! counts that add up, the grid as defined; and its users: finding markers, summaries, hit layouts, the clock.
//!
//! Pixels are exact integers: a view is `pixels_per_tick = q / p`, and its left edge is a multiple of `1/q` ticks.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::recording::{self, Recording, Row, instant, interval};
use flowline::index::FlowGraph;
use flowline::index::search::{HitLayout, Query, run};
use flowline::index::{Clock, Index, MAX_TICK, Packed, Pyramid, RowItems, Span, Style, ThreadLayout};
use flowline::profile::{Arrangement, LocalMarker, Ns, Profile, ThreadId, TimeRange};
use proptest::prelude::*;
use serde_json::json;

/// A row of markers in ticks.
#[derive(Clone, Debug)]
struct Ticks(Vec<(u64, u64)>);

impl RowItems for Ticks {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn packed(&self, position: usize) -> Packed {
        let (start, end) = self.0[position];
        Packed::new(start, end, Style::new(u8::try_from(position % 16).expect("small")).with_instant(start == end))
    }

    fn marker(&self, position: usize) -> LocalMarker {
        LocalMarker::new(position)
    }

    fn length(&self, marker: LocalMarker) -> u64 {
        let (start, end) = self.0[marker.index()];
        end - start
    }
}

/// Gaps and lengths of all magnitudes, including many zeros, as in real rows.
fn magnitude(bits: u32) -> impl Strategy<Value = u64> {
    prop_oneof![2 => Just(0_u64), 1 => Just(1), 5 => (0..bits).prop_flat_map(|bits| 0..=(1_u64 << bits))]
}

fn row(bits: u32) -> impl Strategy<Value = Ticks> {
    let gaps_and_lengths = prop_oneof![
        prop::collection::vec((magnitude(bits), magnitude(bits)), 1..400),
        // Bursts of short markers and instants, separated by dark columns.
        prop::collection::vec(
            (prop_oneof![6 => 0_u64..4, 1 => 0_u64..400], prop_oneof![Just(0_u64), 0_u64..3]),
            64..400
        ),
    ];
    gaps_and_lengths.prop_map(|parts| {
        let mut at = 0_u64;
        let place = |(gap, length): (u64, u64)| {
            let start = at + gap;
            at = start + length;
            (start, at)
        };
        Ticks(parts.into_iter().map(place).collect())
    })
}

fn all_spans(pyramid: &Pyramid, row: &Ticks, ticks_per_pixel: f64) -> Vec<Span> {
    let mut spans = Vec::new();
    pyramid.visit_spans(row, ticks_per_pixel, 0, MAX_TICK, |span| spans.push(span));
    spans
}

/// Spans by definition: markers shorter than 2^k merge with neighbors that start in the same cell of 2^k ticks.
fn naive_spans(row: &Ticks, k: u32) -> Vec<(u64, u64, u32, u32)> {
    let short = |(start, end): (u64, u64)| end - start < 1 << k;
    let mut spans: Vec<(u64, u64, u32, u32)> = Vec::new();
    for (position, &marker) in (0_u32..).zip(&row.0) {
        let joins = position > 0 && {
            let before = row.0[position as usize - 1];
            short(before) && short(marker) && before.0 >> k == marker.0 >> k
        };
        match spans.last_mut().filter(|_| joins) {
            Some(span) => (span.1, span.3) = (marker.1, span.3 + 1),
            None => spans.push((marker.0, marker.1, position, 1)),
        }
    }
    spans
}

/// A window on a row: `width` pixels of `p / q` ticks each, with the left edge `fraction / q` ticks before tick `from`.
#[derive(Clone, Debug)]
struct View {
    p: u64,
    q: u64,
    from: u64,
    fraction: u64,
    width: i128,
}

impl View {
    /// Pixels from the left edge to a tick, as a fraction over `p`.
    fn distance(&self, tick: u64) -> i128 {
        (i128::from(tick) - i128::from(self.from)) * i128::from(self.q) + i128::from(self.fraction)
    }

    /// Columns inside the window from one tick to another. `point` means that an instant lies at the very end.
    fn columns(&self, start: u64, end: u64, point: bool) -> std::ops::Range<i128> {
        let p = i128::from(self.p);
        let (x0, x1) = (self.distance(start), self.distance(end));
        let (first, ceil, floor) = (x0.div_euclid(p), -(-x1).div_euclid(p), x1.div_euclid(p));
        let last = (first + 1).max(ceil).max(if point { floor + 1 } else { ceil });
        first.max(0)..last.min(self.width)
    }

    fn ticks_per_pixel(&self) -> f64 {
        self.p as f64 / self.q as f64
    }

    fn to(&self) -> u64 {
        let ticks = (i128::from(self.p) * self.width - i128::from(self.fraction)).div_euclid(i128::from(self.q)) + 1;
        self.from.saturating_add(u64::try_from(ticks.max(0)).expect("in range")).min(MAX_TICK)
    }

    /// Columns lit by spans.
    fn lit(&self, visit: impl FnOnce(f64, u64, u64, &mut dyn FnMut(Packed))) -> BTreeSet<i128> {
        let mut lit = BTreeSet::new();
        let mut draw = |packed: Packed| {
            lit.extend(self.columns(packed.start(), packed.end(), packed.style().ends_in_point()));
        };
        visit(self.ticks_per_pixel(), self.from, self.to(), &mut draw);
        lit
    }

    /// Columns lit by markers, each drawn separately.
    fn lit_by_all(&self, markers: impl Iterator<Item = (u64, u64)>) -> BTreeSet<i128> {
        markers.flat_map(|(start, end)| self.columns(start, end, false)).collect()
    }
}

fn view(bits: u32) -> impl Strategy<Value = View> {
    let p = prop_oneof![(0..bits).prop_map(|bits| 1_u64 << bits), (0..bits).prop_flat_map(|bits| 1..=(1_u64 << bits))];
    let q = prop_oneof![3 => Just(1_u64), 1 => 2_u64..8];
    let from = prop_oneof![0_u64..1 << 9, 0_u64..1 << (bits + 4)];
    (p, q, from, 0_u64..8, 1_i128..200).prop_map(|(p, q, from, fraction, width)| View {
        p,
        q,
        from,
        fraction: fraction % q,
        width,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_level_matches_the_grid_definition(row in row(24)) {
        let pyramid = Pyramid::build(&row);
        // The spans of the next finer level: kinds and cover are derived from them.
        let mut finer: Vec<(u32, u8, u64)> = (0_u32..)
            .zip(&row.0)
            .map(|(position, (start, end))| (position, row.packed(position as usize).style().color(), end - start))
            .collect();
        for k in pyramid.level_exponents() {
            let spans = all_spans(&pyramid, &row, f64::from(k).exp2());
            let plain: Vec<_> = spans.iter().map(|s| (s.packed.start(), s.packed.end(), s.first, s.count)).collect();
            prop_assert_eq!(&plain, &naive_spans(&row, k), "level {}", k);
            prop_assert_eq!(spans.iter().map(|span| span.count as usize).sum::<usize>(), row.len());
            for span in &spans {
                let members = span.first as usize..(span.first + span.count) as usize;
                let longest = members.clone().map(|m| row.length(LocalMarker::new(m))).max().expect("members");
                prop_assert!(members.contains(&span.longest.index()));
                prop_assert_eq!(row.length(span.longest), longest);
                prop_assert_eq!(span.packed.style().is_merged(), span.count > 1);
                // A span has the kind that takes most of its time, and states the share of it that markers cover.
                let mut times = BTreeMap::<u8, u64>::new();
                for (_, kind, time) in finer.iter().filter(|(first, ..)| members.contains(&(*first as usize))) {
                    *times.entry(*kind).or_default() += time;
                }
                let most = times.values().max().copied();
                prop_assert_eq!(times.get(&span.packed.style().color()).copied(), most, "level {}", k);
                let (length, busy) = (span.packed.end() - span.packed.start(), times.values().sum::<u64>());
                if span.count > 1 {
                    prop_assert_eq!(u64::from(span.packed.cover()), busy * 255 / length.max(1));
                }
            }
            let length = |marker: u32| row.length(LocalMarker::new(marker as usize));
            let busy = |span: &Span| (span.first..span.first + span.count).map(length).sum::<u64>();
            finer = spans.iter().map(|span| (span.first, span.packed.style().color(), busy(span))).collect();
        }
        prop_assert!(pyramid.stored_spans() <= row.len(), "each level halves the previous one");
    }

    #[test]
    fn a_pixel_is_lit_exactly_when_a_marker_covers_it(row in row(16), views in prop::collection::vec(view(18), 1..12)) {
        let pyramid = Pyramid::build(&row);
        for view in views {
            let drawn = view.lit(|ticks, from, to, draw| pyramid.visit(&row, ticks, from, to, draw));
            prop_assert_eq!(&drawn, &view.lit_by_all(row.0.iter().copied()), "{:?}", view);
            let mut spans = Vec::new();
            pyramid.visit_spans(&row, view.ticks_per_pixel(), view.from, view.to(), |span| spans.push(span));
            let mut packed = Vec::new();
            pyramid.visit(&row, view.ticks_per_pixel(), view.from, view.to(), |span| packed.push(span));
            prop_assert!(packed.iter().eq(spans.iter().map(|span| &span.packed)), "both walks visit the same spans");
            let follows = |pair: &[Span]| pair[0].first + pair[0].count == pair[1].first;
            prop_assert!(spans.windows(2).all(follows), "every marker is counted once");
        }
    }

    #[test]
    fn panning_by_whole_pixels_moves_the_image(row in row(16), view in view(14), pixels in 1_i128..50) {
        // The window can move by exact whole pixels only if a pixel is a whole number of ticks.
        let view = View { q: 1, fraction: 0, ..view };
        let moved = View { from: view.from + view.p * u64::try_from(pixels).expect("small"), ..view.clone() };
        let pyramid = Pyramid::build(&row);
        let lit = |view: &View| view.lit(|ticks, from, to, draw| pyramid.visit(&row, ticks, from, to, draw));
        let (before, after) = (lit(&view), lit(&moved));
        let expected: BTreeSet<i128> = before.iter().map(|column| column - pixels).filter(|column| *column >= 0).collect();
        let overlap: BTreeSet<i128> = after.into_iter().filter(|column| *column < view.width - pixels).collect();
        prop_assert_eq!(overlap, expected);
    }
}

/// A recording of random markers: overlapping, with three names, with instants, some stack-based.
fn profile_of(times: &[(u32, u32, u8)]) -> Arc<Profile> {
    let schemas = json!([{"name": "SB", "display": [], "fields": [], "isStackBased": true}]);
    let row = |&(start, length, kind): &(u32, u32, u8)| -> Row {
        let name = ["a", "b", "c"][usize::from(kind % 3)];
        let (start, end) = (f64::from(start) / 1e6, f64::from(start + length) / 1e6);
        let marker = if kind & 4 == 0 { interval(name, start, end) } else { instant(name, start) };
        if kind & 8 == 0 { marker.with(json!({"type": "SB"})) } else { marker }
    };
    let mut recording = Recording::of(times.iter().map(row).collect()).schemas(schemas);
    recording.tracks[0].samples = vec![0.0];
    Arc::new(recording::read(&recording.raw()))
}

fn times() -> impl Strategy<Value = Vec<(u32, u32, u8)>> {
    let length = prop_oneof![Just(0_u32), 0_u32..20, 0_u32..2_000];
    prop::collection::vec((0_u32..4_000, length, 0_u8..16), 1..300)
}

/// Ticks of the markers in a row.
fn ticks_of(index: &Index, markers: impl Iterator<Item = LocalMarker>) -> Vec<(u64, u64)> {
    let columns = &index.profile().threads[0].markers;
    let tick = |time: Ns| index.clock().tick(time);
    markers.map(|marker| columns.range(marker)).map(|range| (tick(range.start), tick(range.end))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn layouts_find_and_light_every_marker(times in times(), views in prop::collection::vec(view(10), 1..6)) {
        let profile = profile_of(&times);
        let index = Index::build(Arc::clone(&profile), Arrangement::ByName);
        let (source, thread) = (index.source(), &profile.threads[0]);
        for arrangement in [Arrangement::ByName, Arrangement::Stack] {
            let layout = index.layout(arrangement).thread(ThreadId(0));
            for marker in (0..thread.markers.len()).map(LocalMarker::new) {
                let (row, position) = layout.find(thread, marker).expect("every marker has a row");
                prop_assert_eq!(layout.rows.row(row)[position], marker);
            }
            for (view, row) in views.iter().flat_map(|view| (0..layout.rows.len()).map(move |row| (view, row))) {
                check_rows(&index, layout, row..row + 1, view, ticks_of(&index, layout.rows.row(row).iter().copied()))?;
            }
        }
        let summary = index.summary(ThreadId(0));
        prop_assert_eq!(summary.rows.len(), 2);
        for view in &views {
            let all = (0..thread.markers.len()).map(LocalMarker::new);
            check_rows(&index, summary, 0..2, view, ticks_of(&index, all))?;
            let (long, short): (Vec<LocalMarker>, Vec<LocalMarker>) = (0..thread.markers.len())
                .map(LocalMarker::new)
                .partition(|m| thread.markers.end(*m) - thread.markers.start(*m) > index.long());
            check_rows(&index, summary, 0..1, view, ticks_of(&index, long.into_iter()))?;
            check_rows(&index, summary, 1..2, view, ticks_of(&index, short.into_iter()))?;
            for row in 0..2 {
                let whole = summary.spans(source, thread, row, view.ticks_per_pixel(), 0, MAX_TICK);
                let count: usize = whole.iter().map(|span| span.count as usize).sum();
                prop_assert_eq!(count, summary.rows.row(row).len());
            }
        }
    }

    #[test]
    fn hit_layouts_contain_exactly_the_hits(times in times(), view in view(10)) {
        let profile = profile_of(&times);
        let index = Index::build(Arc::clone(&profile), Arrangement::Stack);
        let hits = run(&profile, &FlowGraph::build(&profile), &Query::parse("name:a,dur:>0.0005ms"), &|| true).expect("not canceled");
        let layout = index.layout(Arrangement::Stack);
        let found = HitLayout::build(index.source(), layout, &hits, index.long());
        prop_assert_eq!(found.thread(ThreadId(0)).is_some(), hits.total() > 0);
        let (Some(rows), Some(summary)) = (found.thread(ThreadId(0)), found.summary(ThreadId(0))) else { return Ok(()) };
        let all = layout.thread(ThreadId(0));
        prop_assert_eq!(rows.rows.len(), all.rows.len(), "row numbers match the layout");
        for row in 0..rows.rows.len() {
            let expected: Vec<_> =
                all.rows.row(row).iter().copied().filter(|marker| hits.contains(ThreadId(0), *marker)).collect();
            prop_assert_eq!(rows.rows.row(row), expected);
            check_rows(&index, rows, row..row + 1, &view, ticks_of(&index, rows.rows.row(row).iter().copied()))?;
        }
        let hit_ticks = ticks_of(&index, hits.thread(ThreadId(0)).iter().copied());
        check_rows(&index, summary, 0..summary.rows.len(), &view, hit_ticks)?;
    }
}

/// Compares the pixels of row spans, drawn over each other, with those of markers.
fn check_rows(
    index: &Index,
    layout: &ThreadLayout,
    rows: std::ops::Range<usize>,
    view: &View,
    markers: Vec<(u64, u64)>,
) -> Result<(), TestCaseError> {
    let drawn = view.lit(|ticks, from, to, draw| {
        for row in rows.clone() {
            let spans = layout.spans(index.source(), &index.profile().threads[0], row, ticks, from, to);
            spans.into_iter().for_each(|span| draw(span.packed));
        }
    });
    prop_assert_eq!(drawn, view.lit_by_all(markers.into_iter()), "rows {:?} in {:?}", rows, view);
    Ok(())
}

#[test]
fn dense_rows_shrink_at_higher_levels() {
    let row = Ticks((0..100_000).map(|at| (at * 10, at * 10 + at % 7)).collect());
    let pyramid = Pyramid::build(&row);
    assert!(pyramid.stored_spans() <= row.len());
    assert_eq!(all_spans(&pyramid, &row, 1.0).len(), row.len(), "nothing merges below the grid");
    let coarse = all_spans(&pyramid, &row, 1e9);
    assert!(coarse.len() <= 2, "{}", coarse.len());
    assert_eq!(coarse.iter().map(|span| span.count).sum::<u32>(), 100_000);
}

#[test]
fn ticks_saturate_at_48_bits() {
    let style = Style::new(1);
    let clock = Clock::covering(TimeRange::new(Ns(0), Ns(1_000)));
    assert_eq!((clock.tick(Ns(i64::MIN)), clock.tick(Ns(i64::MAX))), (0, MAX_TICK));
    assert_eq!(clock.time(u64::MAX), Ns(i64::try_from(MAX_TICK).expect("48 bits")));
    let beyond = Packed::new(MAX_TICK - 1, MAX_TICK + 7, style);
    assert_eq!((beyond.start(), beyond.end()), (MAX_TICK - 1, MAX_TICK));
    let row = Ticks((0..200).map(|_| (MAX_TICK, MAX_TICK)).collect());
    assert_eq!(all_spans(&Pyramid::build(&row), &row, 1.0).len(), 1);
}

#[test]
fn recordings_beyond_78_hours_use_coarse_ticks_and_keep_every_marker() {
    let hour = 3_600_000.0;
    let rows = (0..400).map(|at| interval("long", f64::from(at) * hour, (f64::from(at) + 0.5) * hour));
    let mut recording = Recording::of(rows.collect());
    recording.tracks[0].samples = vec![0.0];
    let profile = Arc::new(recording::read(&recording.processed()));
    let index = Index::build(Arc::clone(&profile), Arrangement::ByName);
    assert_eq!(index.clock().tick_ns(), 8);
    let layout = index.layout(Arrangement::ByName).thread(ThreadId(0));
    let spans = layout.spans(index.source(), &profile.threads[0], 0, 0.5, 0, MAX_TICK);
    assert_eq!(spans.len(), 400);
    for (at, span) in (0_u64..).zip(&spans) {
        let ticks = 3_600_000_000_000 / 8;
        assert_eq!((span.packed.start(), span.packed.end()), (at * ticks, at * ticks + ticks / 2));
    }
}
