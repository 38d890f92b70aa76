//! Invariants of drawing, tested on the CPU reference, which [`crate::gpu`] compares with the GPU.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use flowline::import::Progress;
use flowline::index::{Arrangement, Index};
use flowline::profile::MarkerId;
use flowline::scene::reference::{Coverage, coverage};
use flowline::scene::{Emphasis, Frame, ItemKind, MarkerInstance, Scene, ThreadHeading, diamond_reach, hit};
use flowline::session::Session;
use flowline::view::Command;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};

use crate::exact::{Columns, Exact};
use crate::fixtures::{
    CHART, Line, MarkerSpec, ViewSetup, Zoom, columns_of, drawn_lines, index_of, lines, session, session_for, setup,
    threads, times_of,
};
use crate::renderer::{Renderer, without_text};

/// Runs a property on random cases (`PROPTEST_CASES` sets their number). Panics with the smallest failing case.
pub(crate) fn check<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value) -> Result<(), TestCaseError>)
where
    S::Value: std::fmt::Debug,
{
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let cases = asked.unwrap_or(cases);
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 400, ..Config::default() };
    match TestRunner::new(config).run(&strategy, test) {
        Ok(()) => {}
        Err(TestError::Fail(reason, case)) => panic!("{reason}\nfor {case:?}"),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}

/// A frame with the owners of its pixels.
struct Drawn {
    frame: Frame,
    seen: Coverage,
}

impl Drawn {
    fn of(session: &Session) -> Self {
        let mut scene = Scene::default();
        let frame = scene.build(&session.scene_input()).clone();
        let seen = coverage(&frame);
        Self { frame, seen }
    }

    /// The instance that owns a column of the chart on a line.
    fn owner(&self, column: i64, y: usize) -> Option<u32> {
        self.seen.owner(CHART.0 + usize::try_from(column).expect("inside"), y)
    }

    fn emphasis(&self, column: i64, y: usize) -> Option<u32> {
        self.owner(column, y).map(|owner| self.frame.instances.markers[owner as usize].emphasis())
    }
}

fn some_marker(index: &Index, which: prop::sample::Index) -> MarkerId {
    MarkerId(u32::try_from(which.index(index.profile().marker_count())).expect("few"))
}

/// Columns of a set of markers, each drawn separately: certainly lit, lit at most, and exactly lit. The middle line of an
/// instant that stands alone may be lit beside its column.
struct Naive {
    sure: Vec<bool>,
    most: Vec<bool>,
    meant: Vec<bool>,
    diamonds: Vec<bool>,
}

impl Naive {
    fn of(session: &Session, line: &Line, keep: impl Fn(flowline::profile::LocalMarker) -> bool) -> Self {
        let exact = Exact::new(&session.view.axis);
        let width = usize::try_from(exact.width).expect("a width");
        let dark = || vec![false; width];
        let mut naive = Self { sure: dark(), most: dark(), meant: dark(), diamonds: dark() };
        for marker in line.markers.iter().copied().filter(|marker| keep(*marker)) {
            let columns = columns_of(session, &exact, line.thread, marker);
            let (start, end) = times_of(session, line.thread, marker);
            if start == end && matches!(line.item.kind, ItemKind::Row(_)) {
                naive.diamond(session, &columns);
            }
            naive.light(columns);
        }
        naive
    }

    /// All markers and calls of a row.
    fn all(session: &Session, line: &Line) -> Self {
        let (mut naive, exact) = (Self::of(session, line, |_| true), Exact::new(&session.view.axis));
        line.calls.iter().for_each(|times| naive.light(exact.columns(times.start, times.end)));
        naive
    }

    /// The columns around an instant that its diamond may cover, with the outline of a selected one.
    fn diamond(&mut self, session: &Session, columns: &Columns) {
        let scale = session.canvas.scale;
        #[expect(clippy::cast_possible_truncation, reason = "a few pixels")]
        let reach = (diamond_reach(scale) + 2.0 * flowline::scene::line_width(scale)) as i64;
        let width = i64::try_from(self.sure.len()).expect("a width");
        for column in (columns.most.start - reach).max(0)..(columns.most.end + reach).min(width) {
            self.diamonds[usize::try_from(column).expect("inside")] = true;
        }
    }

    fn light(&mut self, columns: Columns) {
        let light = |lit: &mut Vec<bool>, range: std::ops::Range<i64>| {
            range.for_each(|column| lit[usize::try_from(column).expect("inside")] = true);
        };
        light(&mut self.sure, columns.sure);
        light(&mut self.most, columns.most);
        light(&mut self.meant, columns.meant);
    }

    /// Fails unless exactly these columns are lit, up to rounding. Returns the number of accepted rounding differences.
    fn compare(&self, lit: impl Fn(i64) -> bool, what: &dyn std::fmt::Debug) -> Result<usize, TestCaseError> {
        let mut excused = 0;
        for column in 0..self.sure.len() {
            let lit = lit(i64::try_from(column).expect("small"));
            prop_assert!(lit || !self.sure[column], "column {} is dark: {:?}", column, what);
            prop_assert!(!lit || self.most[column] || self.diamonds[column], "column {} is lit: {:?}", column, what);
            excused += usize::from(lit != self.meant[column] && !self.diamonds[column]);
        }
        Ok(excused)
    }
}

/// Invariant 1.
#[test]
fn a_column_is_lit_exactly_when_a_marker_covers_it() {
    let (columns, excused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    check(150, (threads(), prop::collection::vec(setup(), 8)), |(threads, setups)| {
        let index = index_of(&threads);
        for setup in setups {
            let session = session_for(&index, &setup);
            let drawn = Drawn::of(&session);
            for line in drawn_lines(&session) {
                let naive = Naive::all(&session, &line);
                let lit = |column| drawn.owner(column, line.y).is_some();
                excused.fetch_add(naive.compare(lit, &setup)?, Ordering::Relaxed);
                columns.fetch_add(naive.sure.len(), Ordering::Relaxed);
            }
        }
        Ok(())
    });
    let (columns, excused) = (columns.into_inner(), excused.into_inner());
    assert!(columns > 0 && excused * 1000 < columns, "{excused} of {columns} columns differ");
}

/// Invariant 3, with the spans themselves; [`crate::gpu`] compares images.
#[test]
fn panning_by_whole_pixels_moves_the_spans() {
    let pans = prop_oneof![1_i64..40, -40_i64..0];
    check(500, (threads(), setup(), pans), |(threads, setup, pixels)| {
        let index = index_of(&threads);
        let mut session = session_for(&index, &ViewSetup { pan: 0.0, ..setup.clone() });
        let before = (session.view.axis, Drawn::of(&session));
        session.apply(Command::Pan { pixels: pixels as f64, animated: false });
        session.refresh();
        let moved = session.view.axis.pixel(before.0.origin().0) - before.0.pixel(before.0.origin().0);
        prop_assume!((moved + pixels as f64).abs() < 1e-6, "the view stops at the recording's ends");
        let after = Drawn::of(&session);
        let exact = matches!(setup.zoom, Zoom::Power(_)) && setup.width.is_power_of_two();
        let seen = |drawn: &Drawn, column, y| {
            drawn.owner(column, y).map(|owner| drawn.frame.instances.markers[owner as usize])
        };
        for line in drawn_lines(&session) {
            let naive = Naive::all(&session, &line);
            for column in (0..i64::from(setup.width)).filter(|x| (0..i64::from(setup.width)).contains(&(x + pixels))) {
                let at = usize::try_from(column).expect("inside");
                let (old, new) = (seen(&before.1, column + pixels, line.y), seen(&after, column, line.y));
                if exact {
                    prop_assert_eq!(old, new, "column {}", column);
                } else if naive.sure[at] == naive.most[at] && !naive.diamonds[at] {
                    prop_assert_eq!(old.is_some(), new.is_some(), "column {}", column);
                }
            }
        }
        Ok(())
    });
}

/// Fails unless a marker drawn with an emphasis owns all of its columns.
fn owns_its_columns(session: &Session, marker: MarkerId, emphasis: Emphasis) -> Result<usize, TestCaseError> {
    let (thread, local) = session.index.profile().locate(marker).expect("a marker");
    let exact = Exact::new(&session.view.axis);
    let columns = columns_of(session, &exact, thread, local);
    let is_instant = times_of(session, thread, local).0 == times_of(session, thread, local).1;
    let drawn = Drawn::of(session);
    let mut owned = 0;
    for line in lines(session).iter().filter(|line| line.thread == thread) {
        let here = line.markers.contains(&local);
        let around = Naive::of(session, line, |marker| marker == local);
        for column in 0..exact.width {
            let emphasised = drawn.emphasis(column, line.y) == Some(emphasis as u32);
            if is_instant && here && around.diamonds[usize::try_from(column).expect("inside")] {
                prop_assert!(emphasised || !columns.sure.contains(&column), "column {} is not owned", column);
                continue;
            }
            prop_assert!(emphasised || !here || !columns.sure.contains(&column), "column {} is not owned", column);
            prop_assert!(!emphasised || here && columns.most.contains(&column), "column {} is owned", column);
            owned += usize::from(emphasised);
        }
    }
    Ok(owned)
}

/// Invariant 4 for selected and hovered markers.
#[test]
fn selected_and_hovered_markers_own_their_pixels() {
    let marker = any::<prop::sample::Index>();
    check(
        500,
        (threads(), setup(), marker, prop::bool::ANY, prop::bool::ANY),
        |(threads, setup, marker, hover, search)| {
            let index = index_of(&threads);
            let mut session = session_for(&index, &setup);
            let marker = some_marker(&index, if search { marker } else { setup.marker });
            if search {
                session.apply(Command::Search("name:gc".into()));
                session.refresh();
            }
            session.apply(if hover { Command::Hover(Some(marker)) } else { Command::Select(Some(marker)) });
            session.refresh_and_wait();
            owns_its_columns(&session, marker, if hover { Emphasis::Hovered } else { Emphasis::Selected }).map(|_| ())
        },
    );
}

/// Invariant 4 for search hits.
#[test]
fn matching_markers_own_their_pixels() {
    let (columns, excused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let queries =
        prop::sample::select(vec!["name:gc", "name:styles,name:reflow", "dur:>1us", "dur:<10ns", "name:never"]);
    check(500, (threads(), setup(), queries), |(threads, setup, query)| {
        let index = index_of(&threads);
        let mut session = session_for(&index, &setup);
        session.apply(Command::Search(query.into()));
        session.refresh_and_wait();
        let hits = &session.search().expect("a finished search").hits;
        let drawn = Drawn::of(&session);
        for line in lines(&session) {
            let mut found = Naive::of(&session, &line, |marker| hits.contains(line.thread, marker));
            if let ItemKind::Row(row) = line.item.kind
                && let Some((_, rows, _)) = session.search().and_then(|search| search.merged.rows(line.thread))
                && (row.row as usize) < rows.len()
                && !line.calls.is_empty()
            {
                let calls = session.scene_input().list.shown().merged(&session.index, line.thread).expect("calls");
                let exact = Exact::new(&session.view.axis);
                for call in rows.row(row.row as usize) {
                    let times = calls.calls.times(session.index.profile(), *call).expect("a call");
                    found.light(exact.columns(times.start, times.end));
                }
            }
            let owned = |column| drawn.emphasis(column, line.y) == Some(Emphasis::Match as u32);
            excused.fetch_add(found.compare(owned, &setup)?, Ordering::Relaxed);
            Naive::all(&session, &line).compare(|column| drawn.owner(column, line.y).is_some(), &setup)?;
            columns.fetch_add(found.sure.len(), Ordering::Relaxed);
        }
        Ok(())
    });
    let (columns, excused) = (columns.into_inner(), excused.into_inner());
    assert!(columns > 0 && excused * 1000 < columns, "{excused} of {columns} columns differ");
}

/// Five thousand markers in one pixel, among them a single important one.
#[test]
fn an_emphasized_marker_owns_a_crowded_pixel() {
    let mut crowd: Vec<MarkerSpec> =
        (0..5000).map(|at| MarkerSpec { start: 401_000_000 + at * 20, length: 10, kind: 0 }).collect();
    crowd[1234].kind = 1;
    crowd.push(MarkerSpec { start: 1_000_000_000, length: 1, kind: 0 });
    let threads = vec![crowd];
    let index = index_of(&threads);
    let mut renderer = Renderer::new();
    for expanded in [true, false] {
        let mut session = session(&index, 300, 1.0);
        session.apply(if expanded { Command::ExpandAll } else { Command::CollapseAll });
        session.refresh();
        for marker in [MarkerId(0), MarkerId(1233), MarkerId(1234), MarkerId(4999)] {
            session.apply(Command::Hover(None));
            session.apply(Command::Select(Some(marker)));
            session.refresh();
            assert_eq!(owns_its_columns(&session, marker, Emphasis::Selected).expect("owned"), 1);
            let (drawn, line) = (Drawn::of(&session), lines(&session));
            let column =
                (0..300).find(|x| line.iter().any(|l| drawn.emphasis(*x, l.y) == Some(Emphasis::Selected as u32)));
            assert_eq!(column, Some(119), "401 ms of a second in 299 columns, plus one for its end");
            let picture = renderer.draw(&without_text(&drawn.frame));
            let y =
                line.iter().find(|l| drawn.emphasis(119, l.y) == Some(Emphasis::Selected as u32)).expect("just seen").y;
            let pixel = picture.pixel(u32::try_from(CHART.0 + 120).expect("small"), u32::try_from(y).expect("small"));
            assert_eq!(pixel, drawn.frame.palette.select);
            session.apply(Command::Select(None));
            session.apply(Command::Hover(Some(marker)));
            session.refresh();
            assert_eq!(owns_its_columns(&session, marker, Emphasis::Hovered).expect("owned"), 1);
        }
        session.apply(Command::Hover(None));
        session.apply(Command::Search("name:reflow".into()));
        session.refresh_and_wait();
        assert_eq!(session.hits().expect("a finished search").total(), 1);
        let drawn = Drawn::of(&session);
        let lit = |y| (0..300).filter(|x| drawn.emphasis(*x, y) == Some(Emphasis::Match as u32)).collect::<Vec<i64>>();
        assert_eq!(lines(&session).iter().flat_map(|line| lit(line.y)).collect::<Vec<_>>(), [119]);
    }
}

/// Checks a hit: the topmost span at the point, any marker within reach, or nothing.
fn check_hit(session: &Session, drawn: &Drawn, x: usize, y: usize) -> Result<(), TestCaseError> {
    let input = session.scene_input();
    let found = hit(&input, x as f32 + 0.5, y as f32 + 0.5);
    let at = |column: usize, y: usize| drawn.seen.owner(column, y);
    let inside = |item: &&flowline::scene::Item| {
        let top = input.item_y(item);
        y as f32 + 0.5 >= top && (y as f32) + 0.5 < top + input.item_height(item)
    };
    let line = lines(session).into_iter().find(|line| inside(&&line.item));
    // Markers of a graph are hit by their own columns, and calls of a stack are hit as calls.
    if let Some(line) = line.as_ref().filter(|line| line.is_graph || !line.calls.is_empty()) {
        let hits = input.hits(x as f32 + 0.5, y as f32 + 0.5);
        let any = hits.chart.is_some() || hits.call.is_some();
        let all = Naive::all(session, line);
        let column = x - CHART.0;
        prop_assert!(any || !all.sure[column], "nothing hit at {}, {}", x, y);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few pixels")]
        let reach = (4.0 * session.canvas.scale).ceil() as usize + 1;
        let (first, end) = (column.saturating_sub(reach), column + reach + 1);
        let near = first == 0 || end >= all.most.len() || all.most[first..end].contains(&true);
        prop_assert!(near || !any, "hit far from everything at {}, {}", x, y);
        if let Some(found) = hits.chart {
            prop_assert_eq!(found.thread, line.thread);
            let (_, local) = session.index.profile().locate(found.marker).expect("a marker");
            prop_assert!(line.markers.contains(&local), "a marker of another row");
        }
        return Ok(());
    }
    if let Some(owner) = at(x, y) {
        let span = drawn.frame.instances.markers[owner as usize];
        let found = found.ok_or_else(|| TestCaseError::fail(format!("nothing hit at {x}, {y}: {span:?}")))?;
        let line = line.ok_or_else(|| TestCaseError::reject("a row cut by the chart's edge"))?;
        prop_assert_eq!(found.thread, line.thread);
        let (thread, local) = session.index.profile().locate(found.marker).expect("a marker");
        prop_assert_eq!(thread, found.thread);
        prop_assert!(line.markers.contains(&local), "a marker of another row");
        let (start, end) = times_of(session, thread, local);
        let (start, end) = (session.index.clock().tick(start), session.index.clock().tick(end));
        let packed = span.packed();
        // A marker of a collapsed thread shows where earlier ones leave a gap, so it may start before its span.
        prop_assert!(line.is_summary() || start >= packed.start(), "{:?} starts before its span {:?}", found, packed);
        prop_assert!(
            start <= packed.end() && end >= packed.start() && end <= packed.end(),
            "{:?}, span {:?}",
            found,
            packed
        );
        if span.emphasis() == Emphasis::Selected as u32 {
            prop_assert_eq!(Some(found.marker), session.view.selected);
        }
        if let Some(search) = session.search().filter(|_| span.emphasis() == Emphasis::Match as u32) {
            prop_assert!(
                search.hits.contains(thread, local),
                "the topmost marker matches, but the hit marker does not"
            );
        }
        return Ok(());
    }
    let Some(line) = line else {
        let is_row = |item: &flowline::scene::Item| {
            let is_collapsed = matches!(item.kind, ItemKind::Thread(ThreadHeading { expanded: false, .. }));
            is_collapsed || matches!(item.kind, ItemKind::Row(_) | ItemKind::CollapsedGroup(_))
        };
        let cut = input.visible_items().iter().filter(inside).any(is_row);
        prop_assert!(found.is_none() || cut, "{:?} hit outside all rows", found);
        return Ok(());
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few pixels")]
    let reach = (4.0 * session.canvas.scale).ceil() as usize;
    let chart = session.canvas.regions.chart;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "screen coordinates")]
    let right = chart.right() as usize;
    // A diamond is near if the column of its instant is.
    let is_near = |column: usize| {
        let instance = at(column, line.y).map(|owner| drawn.frame.instances.markers[owner as usize])?;
        let first = i64::from(drawn.frame.axis.columns(instance.packed()).0);
        let away = (i64::try_from(x - CHART.0).expect("small") - first).unsigned_abs();
        Some(!instance.has(MarkerInstance::ALONE) || away <= u64::try_from(reach).expect("small"))
    };
    let near = (x - reach.min(x)..=x + reach).any(|column| is_near(column) == Some(true));
    let at_edge = x < CHART.0 + reach || x + reach >= right;
    prop_assert!(!near || found.is_some(), "nothing hit near {}, {}", x, y);
    prop_assert!(near || at_edge || found.is_none(), "{:?} hit far from everything at {}, {}", found, x, y);
    Ok(())
}

/// Invariant 5.
#[test]
fn the_pointer_hits_the_drawn_marker() {
    let marker = any::<prop::sample::Index>();
    let points = prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 300);
    check(600, (threads(), setup(), marker, 0_u8..4, points), |(threads, setup, marker, marked, points)| {
        let index: Arc<Index> = index_of(&threads);
        let mut session = session_for(&index, &setup);
        if marked & 1 == 1 {
            session.apply(Command::Select(Some(some_marker(&index, marker))));
            session.refresh();
        }
        if marked & 2 == 2 {
            session.apply(Command::Search("name:gc,name:styles".into()));
            session.refresh();
        }
        session.refresh_and_wait();
        let drawn = Drawn::of(&session);
        for (x, y) in points {
            let (x, y) = (CHART.0 + x.index(setup.width as usize), CHART.1 + y.index(190));
            check_hit(&session, &drawn, x, y)?;
        }
        Ok(())
    });
}

/// Data that a scene caches between frames belongs to one recording.
#[test]
fn another_recording_shows_nothing_from_the_previous_one() {
    check(60, (threads(), threads(), setup()), |(first, second, setup)| {
        let (mut scene, setups) = (Scene::default(), [&first, &second, &first]);
        for threads in setups {
            let index: Arc<Index> = index_of(threads);
            let mut session = session_for(&index, &setup);
            session.refresh_and_wait();
            let kept = scene.build(&session.scene_input()).clone();
            let mut fresh = Scene::default();
            let fresh = fresh.build(&session.scene_input());
            prop_assert_eq!(kept.instances.markers, fresh.instances.markers.clone(), "markers");
            prop_assert_eq!(kept.instances.rects, fresh.instances.rects.clone(), "rectangles");
            prop_assert_eq!(kept.texts, fresh.texts.clone(), "labels");
        }
        Ok(())
    });
}

/// An instant at the recording's exact end has a column in the full view, at any width and length.
#[test]
fn an_instant_at_the_exact_end_is_visible() {
    for (length, width) in [(1_000_000_i64, 61_u32), (123_456_789_012, 300), (7, 1024), (1 << 44, 1701)] {
        let us = |ns: i64| format!("{}.{:03}", ns / 1000, ns % 1000);
        let trace = format!(
            r#"[{{"ph":"X","pid":1,"tid":1,"ts":0,"dur":{},"name":"a"}},{{"ph":"i","pid":1,"tid":1,"ts":{},"name":"b"}}]"#,
            us(length / 3),
            us(length)
        );
        let profile = flowline::import::read(trace.into_bytes(), &Progress::default()).expect("a trace").profile;
        let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
        let mut session = session(&index, width, 1.0);
        session.apply(Command::Show(index.first_view()));
        session.refresh_and_wait();
        let drawn = Drawn::of(&session);
        let last = i64::from(width) - 1;
        let lit = (CHART.1..CHART.1 + 180).any(|y| (last - 2..=last).any(|column| drawn.owner(column, y).is_some()));
        assert!(lit, "an instant at {length} ns in {width} pixels");
    }
}
