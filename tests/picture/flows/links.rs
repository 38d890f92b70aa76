//! Connections between the panel's rows: lines at the columns of shared markers, arrows from a cause's row to its
//! effect. The expected connections are computed from rows and graph; the actual ones are read from the frame, and some
//! of them from the GPU.

use std::cell::RefCell;
use std::collections::BTreeSet;

use flowline::profile::{FlowId, MarkerId};
use flowline::scene::{Frame, LinkInstance, LinkKind, PixelRect};
use flowline::session::Session;
use flowline::view::{Command, FlowCommand};
use proptest::prelude::*;

use super::{
    DrawnFlow, LEFT, Probe, columns_of, differing, frame_of, index_of, is_links, look_at, marks, only, open, probe,
    rows_of, session_for,
};
use crate::random::check;
use crate::renderer::Renderer;

/// All connections, each with its clip rectangle in the panel.
fn links_of(frame: &Frame) -> Vec<(PixelRect, LinkInstance)> {
    let batches = frame.batches_of::<LinkInstance>();
    batches.flat_map(|(batch, links)| links.iter().map(|link| (batch.clip, *link))).collect()
}

/// The x coordinate of a marker's connections; `None` outside the view.
fn x_at(session: &Session, marker: MarkerId) -> Option<f32> {
    let x = columns_of(session, marker).0 as f32;
    (x >= 0.0 && x < session.canvas.regions.flows.width).then_some(LEFT as f32 + x + 0.5)
}

/// The rows that contain a marker, from top to bottom.
fn rows_with(session: &Session, rows: &[DrawnFlow], marker: MarkerId) -> Vec<DrawnFlow> {
    let flows = session.index.flows().flows_of(marker);
    rows.iter().filter(|row| flows.contains(&row.flow)).copied().collect()
}

/// Markers connected to a marker: its causes as long as they have rows, and all effects that have rows.
fn followed(session: &Session, rows: &[DrawnFlow], marker: MarkerId) -> (Vec<MarkerId>, BTreeSet<MarkerId>) {
    let graph = session.index.flows();
    let shown = |marker: &MarkerId| !rows_with(session, rows, *marker).is_empty();
    let mut causes = vec![marker];
    while let Some(parent) = graph.parent(causes[causes.len() - 1]).filter(shown) {
        causes.push(parent);
    }
    let mut effects = BTreeSet::new();
    let mut open = vec![marker];
    while let Some(marker) = open.pop() {
        for child in graph.children(marker).filter(shown) {
            if effects.insert(child) {
                open.push(child);
            }
        }
    }
    (causes, effects)
}

fn is_upright(link: &LinkInstance, kind: LinkKind, x: f32) -> bool {
    link.kind == kind as u32 && link.from[0] == x && link.to[0] == x
}

/// True if vertical lines with a color cover a point in one of the panel's parts.
fn lit(links: &[(PixelRect, LinkInstance)], clip: PixelRect, color: [u8; 4], x: f32, y: f32) -> bool {
    links.iter().any(|(of, link)| {
        let (top, bottom) = (link.from[1].min(link.to[1]), link.from[1].max(link.to[1]));
        *of == clip && link.color == color && is_upright(link, LinkKind::Line, x) && top <= y && y <= bottom
    })
}

/// Visible extent of a line through rows in a part of the panel.
fn wanted(rows: &[DrawnFlow], part: usize, clip: PixelRect) -> Option<(f32, f32)> {
    if rows.len() < 2 {
        return None;
    }
    // A row of the other part is beyond the edge.
    let place = |row: &DrawnFlow| match row.part.cmp(&part) {
        std::cmp::Ordering::Less => clip.y,
        std::cmp::Ordering::Equal => row.middle(),
        std::cmp::Ordering::Greater => clip.bottom(),
    };
    let (top, bottom) = (place(&rows[0]).max(clip.y), place(&rows[rows.len() - 1]).min(clip.bottom()));
    (top < bottom).then_some((top, bottom))
}

#[derive(Debug, Default)]
struct Seen {
    lines: usize,
    /// Lines from one part to the other.
    across: usize,
    /// Lines to a row that is scrolled out of view.
    beyond: usize,
    arrows: usize,
    without: usize,
}

/// Checks that lines connect all rows that share a marker, appear nowhere else, and do not cross rows of the other
/// part.
fn check_shared(session: &Session, marker: MarkerId, seen: &mut Seen) -> Result<(), TestCaseError> {
    let frame = frame_of(session);
    let links = links_of(&frame);
    let rows = rows_of(session);
    let color = frame.palette.flow;
    let (causes, _) = followed(session, &rows, marker);
    let mut columns = BTreeSet::new();
    let parts = [session.canvas.regions.flows, session.canvas.regions.pinned];
    let placed: Vec<(f32, Vec<DrawnFlow>)> = causes
        .iter()
        .filter_map(|marker| Some((x_at(session, *marker)?, rows_with(session, &rows, *marker))))
        .collect();
    for (x, mine) in &placed {
        #[expect(clippy::cast_possible_truncation, reason = "a column")]
        columns.insert(*x as i64);
        for (part, clip) in parts.iter().enumerate().filter(|(_, clip)| clip.height >= 1.0) {
            let ranges: Vec<(f32, f32)> = placed
                .iter()
                .filter(|(other, _)| other == x)
                .filter_map(|(_, rows)| wanted(rows, part, *clip))
                .collect();
            #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
            for y in (clip.y as i32..clip.bottom() as i32).map(|y| y as f32 + 0.5) {
                let within = |by: f32| ranges.iter().any(|(top, bottom)| y > top - by && y < bottom + by);
                let is_lit = lit(&links, *clip, color, *x, y);
                prop_assert!(is_lit || !within(-1.0), "no line at {}, {}: {:?}", x, y, mine);
                prop_assert!(!is_lit || within(1.5), "a line at {}, {}: {:?}", x, y, mine);
            }
            seen.lines += usize::from(!ranges.is_empty());
            seen.beyond += usize::from(mine.iter().any(|row| row.part == part && !row.sees(row.middle(), 0.0)));
        }
        seen.across += usize::from(mine.first().zip(mine.last()).is_some_and(|(a, b)| a.part != b.part));
    }
    for (_, link) in links.iter().filter(|(_, link)| link.color == color) {
        #[expect(clippy::cast_possible_truncation, reason = "a column")]
        let column = link.from[0] as i64;
        let inside = link.from[0] > LEFT as f32 && link.from[0] < parts[0].right();
        prop_assert!(!inside || columns.contains(&column), "a line in a column without a marker: {:?}", link);
    }
    Ok(())
}

#[test]
fn shared_markers_are_connected_by_lines() {
    let seen = RefCell::new(Seen::default());
    check(600, (marks(), probe(), any::<bool>()), |(marks, probe, hover)| {
        let index = index_of(&marks);
        let Some((mut session, marker)) = session_for(&index, &probe) else { return Ok(()) };
        session.apply(if hover { Command::Hover(Some(marker)) } else { Command::Select(Some(marker)) });
        session.refresh_and_wait();
        check_shared(&session, marker, &mut seen.borrow_mut())
    });
    let seen = seen.into_inner();
    assert!(seen.lines > 300 && seen.across > 80 && seen.beyond > 25, "{seen:?}");
}

/// Checks the arrow to a row. It starts at the nearest row of the parent.
fn check_arrow(
    session: &Session,
    frame: &Frame,
    rows: &[DrawnFlow],
    (child, all): (MarkerId, &[MarkerId]),
    seen: &mut Seen,
) -> Result<(), TestCaseError> {
    let links = links_of(frame);
    let color = frame.palette.text2;
    let Some(x) = x_at(session, child) else { return Ok(()) };
    let parents_of = |child: MarkerId| {
        let parent = session.index.flows().parent(child);
        parent.map(|parent| rows_with(session, rows, parent)).unwrap_or_default()
    };
    let parents = parents_of(child);
    // Other markers of the same flow may start in the same column and have other causes.
    let here: Vec<MarkerId> = all.iter().copied().filter(|other| x_at(session, *other) == Some(x)).collect();
    let reach = 5.0 * session.canvas.scale;
    for row in rows_with(session, rows, child).iter().filter(|row| row.sees(row.middle(), 10.0 * session.canvas.scale))
    {
        let ends_here = |link: &LinkInstance| (link.to[1] - row.middle()).abs() <= reach;
        let mut heads = links.iter().filter(|(clip, link)| {
            *clip == row.clip && link.color == color && is_upright(link, LinkKind::Head, x) && ends_here(link)
        });
        let own = parents.iter().any(|parent| (parent.part, parent.top) == (row.part, row.top));
        let on_screen: Vec<&DrawnFlow> = parents.iter().filter(|parent| parent.sees(parent.middle(), 0.0)).collect();
        let of_row = |other: &&MarkerId| session.index.flows().flows_of(**other).contains(&row.flow);
        if here.iter().filter(of_row).all(|other| parents_of(*other).is_empty()) {
            prop_assert!(heads.next().is_none(), "an arrow to {:?} without a source", row);
            seen.without += 1;
        } else if !parents.is_empty() && !own && on_screen.len() == parents.len() {
            let distance = |parent: &&&DrawnFlow| (parent.top - row.top).abs();
            let nearest = on_screen.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).expect("parents");
            let down = nearest.top < row.top;
            let points_here =
                |head: &LinkInstance| (head.to[1] > head.from[1]) == down && (head.to[1] < row.middle()) == down;
            let head = heads.map(|(_, head)| *head).find(points_here);
            let head = head.ok_or_else(|| TestCaseError::fail(format!("no arrow to {row:?} from {nearest:?}")))?;
            let between = (nearest.middle() + head.from[1]) / 2.0;
            let clip = if nearest.clip.contains(x, between) { nearest.clip } else { row.clip };
            prop_assert!(lit(&links, clip, color, x, between), "its line is visible at {}, {}", x, between);
            seen.arrows += 1;
        }
    }
    Ok(())
}

#[test]
fn arrows_go_from_causes_to_effects() {
    let seen = RefCell::new(Seen::default());
    check(600, (marks(), probe()), |(mut marks, probe)| {
        // Long nested intervals that contain many others.
        marks.iter_mut().for_each(|thread| {
            thread[0].length = 1 << 28;
            thread
                .iter_mut()
                .for_each(|mark| mark.kind = if mark.kind & 32 == 0 { mark.kind } else { mark.kind & !1 | 2 });
        });
        let index = index_of(&marks);
        let Some((mut session, marker)) = session_for(&index, &probe) else { return Ok(()) };
        session.apply(Command::Select(Some(marker)));
        session.refresh_and_wait();
        let rows = rows_of(&session);
        let (causes, effects) = followed(&session, &rows, marker);
        let (frame, all) = (frame_of(&session), causes.into_iter().chain(effects).collect::<Vec<_>>());
        for child in &all {
            check_arrow(&session, &frame, &rows, (*child, &all), &mut seen.borrow_mut())?;
        }
        Ok(())
    });
    let seen = seen.into_inner();
    assert!(seen.arrows > 200 && seen.without > 200, "{seen:?}");
}

/// Pinned flows alone list no causes, so no arrow points at their markers.
#[test]
fn no_arrow_comes_from_a_flow_without_a_row() {
    let marks = vec![vec![
        super::Mark { start: 0, length: 1000, kind: 2, ids: 1 },
        super::Mark { start: 400, length: 100, kind: 2, ids: 2 },
    ]];
    let index = index_of(&marks);
    let child = index.flows().members(FlowId(1))[0];
    assert_eq!(index.flows().parent(child), Some(index.flows().members(FlowId(0))[0]));
    for (entered, pinned, arrows) in
        [(&[][..], &[1][..], 0), (&[], &[0, 1], 1), (&[1], &[], 1), (&[0], &[], 1), (&[0], &[1], 2)]
    {
        let flows = |numbers: &[u32]| numbers.iter().map(|number| FlowId(*number)).collect::<Vec<_>>();
        let mut session = open(&index, 300, 1.0, &flows(entered), &flows(pinned));
        session.canvas.regions.pinned.height = 100.0;
        session.apply(Command::Select(Some(child)));
        session.refresh_and_wait();
        let frame = frame_of(&session);
        let heads: BTreeSet<(u32, u32)> = links_of(&frame)
            .iter()
            .filter(|(_, link)| link.kind == LinkKind::Head as u32)
            .map(|(_, link)| (link.from[1].to_bits(), link.to[1].to_bits()))
            .collect();
        assert_eq!(heads.len(), arrows, "entered {entered:?}, pinned {pinned:?}");
    }
}

/// Connections never cover the labels, the chart or anything else, and they are visible in the rendered image.
#[test]
fn connections_stay_inside_the_panel_and_are_visible() {
    let renderer = RefCell::new(Renderer::new());
    let (pixels, between) = (RefCell::new(0_usize), RefCell::new(0_usize));
    check(150, (marks(), probe(), -0.2..1.2), |(marks, probe, place)| {
        let index = index_of(&marks);
        let probe = Probe { place, ..probe };
        let Some((mut session, marker)) = session_for(&index, &probe) else { return Ok(()) };
        let times = session.view.times_of(marker).expect("a marker");
        let span = session.view.axis.visible().len();
        look_at(&mut session, times.start, span, place);
        session.apply(Command::Select(Some(marker)));
        session.apply(Command::Flow(FlowCommand::AllConnections(true)));
        session.refresh_and_wait();
        let frame = frame_of(&session);
        let mut renderer = renderer.borrow_mut();
        let with = renderer.draw(&only(&frame, is_links, |_| false));
        let without = renderer.draw(&only(&frame, |_| false, |_| false));
        let changed = differing(&with, &without);
        let (flows, pinned) = (session.canvas.regions.flows, session.canvas.regions.pinned);
        for (x, y) in &changed {
            let at = (*x as f32, *y as f32);
            prop_assert!(flows.contains(at.0, at.1) || pinned.contains(at.0, at.1), "a connection at {}, {}", x, y);
        }
        *pixels.borrow_mut() += changed.len();
        let Some(x) = x_at(&session, marker) else { return Ok(()) };
        let rows = rows_with(&session, &rows_of(&session), marker);
        for pair in rows.windows(2).filter(|pair| pair.iter().all(|row| row.sees(row.middle(), 2.0))) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "on screen")]
            let at = (x as u32, f32::midpoint(pair[0].middle(), pair[1].middle()) as u32);
            prop_assert!(changed.contains(&at), "no line at {:?} between {:?}", at, pair);
            *between.borrow_mut() += 1;
        }
        Ok(())
    });
    let (pixels, between) = (pixels.into_inner(), between.into_inner());
    assert!(pixels > 10_000 && between > 60, "{pixels} pixels, {between} rows connected");
}
