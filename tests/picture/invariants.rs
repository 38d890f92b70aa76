//! Invariants of drawing, tested on the CPU reference, which [`crate::gpu`] compares with the GPU.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use flowline::import::Progress;
use flowline::index::{Arrangement, Index};
use flowline::profile::MarkerId;
use flowline::scene::{Emphasis, ItemKind, Scene};
use flowline::session::Session;
use flowline::view::Command;
use proptest::prelude::*;

use crate::exact::Exact;
use crate::fixtures::{
    CHART, MarkerSpec, ViewSetup, Zoom, columns_of, drawn_lines, index_of, lines, session, session_for, setup, threads,
    times_of,
};
use crate::naive::{Drawn, Naive, some_marker};
use crate::random::check;
use crate::renderer::{Renderer, without_text};

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
        // As during a drag: stacks take other rows only when the view rests.
        session.canvas.is_held = true;
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
