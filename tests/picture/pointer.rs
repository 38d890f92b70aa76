//! The pointer hits what is drawn, tested on random frames.

use std::sync::Arc;

use flowline::index::Index;
use flowline::scene::{Emphasis, ItemKind, MarkerInstance, ThreadHeading, hit};
use flowline::session::Session;
use flowline::view::Command;
use proptest::prelude::*;

use crate::fixtures::{CHART, index_of, lines, session_for, setup, threads, times_of};
use crate::naive::{Drawn, Naive, some_marker};
use crate::random::check;

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
