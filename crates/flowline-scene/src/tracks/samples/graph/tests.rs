//! Columns are a partition of the view that moves with it, and each has the busy time of its own ticks.

use super::*;
use flowline_import::Progress;
use flowline_index::Index;
use flowline_profile::ThreadId;
use flowline_view::Arrangement;
use std::sync::Arc;

fn map(origin: i64, fraction: f32, ticks_per_pixel: f64) -> AxisMap {
    #[expect(clippy::cast_possible_truncation, reason = "a zoom")]
    let pixels_per_tick = (1.0 / ticks_per_pixel) as f32;
    AxisMap { origin, fraction, pixels_per_tick, width: 700.0 }
}

#[test]
fn columns_divide_the_view_at_every_zoom() {
    for ticks_per_pixel in [0.000_2, 0.02, 0.3, 0.66, 0.67, 1.0, 1.7, 2.9, 3.1, 41.5, 1e6, 3.3e9] {
        for origin in [-40, 0, 3, 1_000_000_007, 40_000_000_000_001] {
            for fraction in [0.0, 0.4, 0.99] {
                let grid = Grid::new(&map(origin, fraction, ticks_per_pixel));
                let name = format!("{origin} {fraction} {ticks_per_pixel}: {grid:?}");
                let edges: Vec<u16> = (grid.numbers.0..=grid.numbers.1).map(|number| grid.pixel(number)).collect();
                assert_eq!((edges[0], edges[edges.len() - 1]), (0, 700), "{name}");
                assert!(edges.is_sorted(), "{name}");
                // The first and the last ones are cut by the view.
                let widths = edges.windows(2).skip(1).map(|pair| pair[1] - pair[0]);
                let inside: Vec<u16> = widths.take_while(|width| *width > 0).collect();
                if ticks_per_pixel > 0.67 {
                    assert!(inside.iter().all(|width| (1..=3).contains(width)), "{name}: {inside:?}");
                }
            }
        }
    }
}

#[test]
fn columns_move_by_whole_pixels() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..300 {
        let ticks_per_pixel = 1.0 + random.f64() * 5_000.0;
        let origin = random.i64(..1 << 40);
        #[expect(clippy::cast_possible_truncation, reason = "a part of the view")]
        let moved = origin + (random.f64() * 600.0 * ticks_per_pixel) as i64;
        let [before, after] = [origin, moved].map(|origin| Grid::new(&map(origin, 0.25, ticks_per_pixel)));
        let inside = |grid: &Grid, number: i64| (1..700).contains(&grid.pixel(number));
        let both = (after.numbers.0..before.numbers.1)
            .filter(|number| inside(&before, *number) && inside(&after, *number))
            .map(|number| i32::from(before.pixel(number)) - i32::from(after.pixel(number)))
            .collect::<Vec<_>>();
        assert!(both.windows(2).all(|pair| pair[0] == pair[1]), "{ticks_per_pixel} {origin} {moved}: {both:?}");
    }
}

/// Two threads with calls of random lengths and pauses.
fn recording(seed: u64) -> Index {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut events = Vec::new();
    for thread in 1..=2 {
        let mut at = 0;
        for _ in 0..random.u32(1..200) {
            at += if random.bool() { random.u32(..3) } else { random.u32(..3_000) };
            let length = if random.bool() { random.u32(..3) } else { random.u32(..2_000) };
            let name = ["Paint", "v8.compile", "Layout"][random.usize(..3)];
            events.push(format!(
                r#"{{"ph":"X","cat":"devtools.timeline","name":"{name}","pid":1,"tid":{thread},"ts":{at},"dur":{length}}}"#
            ));
            at += length;
        }
    }
    let text = format!("[{}]", events.join(","));
    let profile = flowline_import::read(text.into_bytes(), &Progress::default()).expect("a trace").profile;
    let index = Index::build(Arc::new(profile), Arrangement::Stack);
    (0..2).for_each(|thread| index.build_activity(ThreadId(thread)));
    index
}

/// The parts of each column.
fn by_column(parts: &[GraphPart], (from, end): (i64, i64)) -> Vec<Vec<((u16, u16), u8)>> {
    let of = |number: i64| {
        let own = parts.iter().filter(|part| part.columns.0 <= number && number < part.columns.1);
        own.map(|part| (part.edges, part.color)).collect()
    };
    (from..end).map(of).collect()
}

#[test]
fn columns_have_the_busy_time_of_their_ticks_however_the_view_moves() {
    let mut random = fastrand::Rng::with_seed(8);
    let mut merged = 0;
    for seed in 0..12 {
        let index = recording(seed);
        let threads: Vec<ThreadId> = (0..=random.u32(..2)).map(ThreadId).collect();
        let tracks: Vec<&CpuTrack> = threads.iter().map(|id| index.activity_of(*id).expect("it is built")).collect();
        let last = index.extent().len() / i64::try_from(index.clock().tick_ns()).expect("small");
        for level in [0, 1, 4, 9, 14, 18] {
            let graph = ActivityGraph { threads: threads.clone(), divisor: random.u32(1..3) };
            let key = GraphKey { index: index.id(), level, height: 17, graph, built: tracks.len() };
            let mut drawn = DrawnGraph::new(key.clone());
            for _ in 0..40 {
                let count = random.i64(1..120);
                let from = random.i64(-3..((last >> level) + 4).min(400));
                let numbers = (from, from + count);
                drawn.move_to(numbers, &tracks);
                let mut plain = Vec::new();
                for number in numbers.0.max(0)..numbers.1 {
                    let [first, end] = [number, number + 1].map(|at| u64::try_from(at).expect("from zero on") << level);
                    let mut shares: Shares = [0; _];
                    tracks.iter().for_each(|track| BusyCursor::new(track, first).advance(end, &mut shares));
                    let mut own = Vec::new();
                    add(&mut own, (number, number + 1), &shares, &key);
                    plain.extend(own);
                }
                assert_eq!(by_column(&drawn.parts, numbers), by_column(&plain, numbers), "{seed} {level} {numbers:?}");
                assert!(drawn.parts.is_sorted_by_key(|part| part.columns.0), "from left to right");
                merged += plain.len() - drawn.parts.len();
            }
        }
    }
    assert!(merged > 10_000, "equal columns are one part: {merged}");
}
