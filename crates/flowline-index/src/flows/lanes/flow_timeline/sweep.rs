//! Sweep over the pieces of a flow's markers that yields the segments of its timeline.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::{SegmentKind, TimelineSegment};
use flowline_profile::{MarkerId, Ns, TimeRange};

/// A marker of a flow and a time during which it runs; an empty piece only marks its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Piece {
    pub(super) start: Ns,
    /// True if the marker began earlier and continues here.
    pub(super) resumed: bool,
    pub(super) end: Ns,
    pub(super) marker: MarkerId,
    /// True if the marker posts what comes next.
    pub(super) posts: bool,
}

/// Segments of a range, which must contain all pieces. Time without an active piece is a wait from a posting until
/// something runs, and idle otherwise. If no piece ends it, it belongs to `last`.
pub(super) fn segments(mut pieces: Vec<Piece>, range: TimeRange, last: Option<MarkerId>) -> Vec<TimelineSegment> {
    pieces.sort_unstable();
    let mut segments: Vec<TimelineSegment> = Vec::new();
    // Active pieces, by start and by end.
    let mut on: BTreeSet<(Ns, MarkerId, Ns)> = BTreeSet::new();
    let mut ends: BinaryHeap<Reverse<(Ns, Ns, MarkerId)>> = BinaryHeap::new();
    let (mut now, mut next, mut is_posted) = (range.start, 0, false);
    loop {
        while let Some(piece) = pieces.get(next).filter(|piece| piece.start <= now) {
            is_posted = piece.posts || is_posted && piece.end <= piece.start;
            if piece.end > now {
                on.insert((piece.start, piece.marker, piece.end));
                ends.push(Reverse((piece.end, piece.start, piece.marker)));
            }
            next += 1;
        }
        while let Some(Reverse((end, start, marker))) = ends.peek().copied().filter(|Reverse((end, _, _))| *end <= now)
        {
            on.remove(&(start, marker, end));
            ends.pop();
        }
        if now >= range.end {
            return segments;
        }
        let begins = pieces.get(next);
        let ending = ends.peek().map_or(range.end, |Reverse((end, _, _))| *end);
        let until = begins.map_or(ending, |piece| piece.start.min(ending)).min(range.end);
        let (kind, marker) = match on.last() {
            Some((_, marker, _)) => (SegmentKind::Run, Some(*marker)),
            None if is_posted => (SegmentKind::Wait, begins.map(|piece| piece.marker).or(last)),
            None => (SegmentKind::Idle, begins.map(|piece| piece.marker).or(last)),
        };
        if let Some(marker) = marker {
            match segments
                .last_mut()
                .filter(|last| kind == SegmentKind::Run && (last.kind, last.marker) == (kind, marker))
            {
                Some(last) => last.range.end = until,
                None => segments.push(TimelineSegment { range: TimeRange { start: now, end: until }, kind, marker }),
            }
        }
        now = until;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pieces: &[(i64, i64)], range: (i64, i64)) -> Vec<(i64, i64, SegmentKind, u32)> {
        let piece = |(number, (start, end)): (usize, &(i64, i64))| Piece {
            start: Ns(*start),
            resumed: false,
            end: Ns(*end),
            marker: MarkerId::new(number),
            posts: true,
        };
        let pieces = pieces.iter().enumerate().map(piece).collect();
        let range = TimeRange { start: Ns(range.0), end: Ns(range.1) };
        let plain =
            |segment: TimelineSegment| (segment.range.start.0, segment.range.end.0, segment.kind, segment.marker.0);
        segments(pieces, range, Some(MarkerId(99))).into_iter().map(plain).collect()
    }

    #[test]
    fn intervals_run_and_the_rest_waits_for_the_next_marker() {
        use SegmentKind::{Run, Wait};
        assert_eq!(found(&[(0, 0), (5, 5), (9, 12)], (0, 12)), [(0, 5, Wait, 1), (5, 9, Wait, 2), (9, 12, Run, 2)]);
        assert_eq!(
            found(&[(0, 10), (3, 5), (4, 4)], (0, 10)),
            [(0, 3, Run, 0), (3, 5, Run, 1), (5, 10, Run, 0)],
            "an instant does not split a run"
        );
        assert_eq!(found(&[(0, 4), (4, 6)], (0, 9)), [(0, 4, Run, 0), (4, 6, Run, 1), (6, 9, Wait, 99)]);
        assert_eq!(found(&[(0, 0), (7, 7)], (0, 7)), [(0, 7, Wait, 1)]);
        assert_eq!(found(&[(3, 3)], (3, 3)), []);
    }

    #[test]
    fn a_flow_waits_from_a_posting_until_something_runs() {
        use SegmentKind::{Idle, Run, Wait};
        let piece = |start, end, number, posts| Piece {
            start: Ns(start),
            resumed: false,
            end: Ns(end),
            marker: MarkerId(number),
            posts,
        };
        let found = |pieces: &[Piece]| -> Vec<(i64, i64, SegmentKind)> {
            let all = segments(pieces.to_vec(), TimeRange { start: Ns(0), end: Ns(20) }, Some(MarkerId(9)));
            all.into_iter().map(|own| (own.range.start.0, own.range.end.0, own.kind)).collect()
        };
        let used = piece(3, 3, 1, false);
        let ran = piece(5, 8, 2, false);
        assert_eq!(
            found(&[piece(0, 0, 0, true), used, ran]),
            [(0, 3, Wait), (3, 5, Wait), (5, 8, Run), (8, 20, Idle)],
            "a use that neither posts nor runs leaves the posting open"
        );
        assert_eq!(found(&[piece(0, 0, 0, false), ran]), [(0, 5, Idle), (5, 8, Run), (8, 20, Idle)]);
        let posting = piece(6, 6, 3, true);
        assert_eq!(
            found(&[piece(0, 0, 0, false), ran, posting]),
            [(0, 5, Idle), (5, 8, Run), (8, 20, Wait)],
            "posted while it ran"
        );
    }

    #[test]
    fn segments_partition_the_range_and_match_a_reference() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..3_000 {
            let pieces: Vec<(i64, i64)> = (0..random.usize(1..9))
                .map(|_| {
                    let start = random.i64(0..14);
                    (start, start + random.i64(0..6) * i64::from(random.bool()))
                })
                .collect();
            let range = (
                pieces.iter().map(|piece| piece.0).min().unwrap_or(0),
                pieces.iter().map(|piece| piece.1).max().unwrap_or(0),
            );
            let found = found(&pieces, range);
            assert!(found.windows(2).all(|pair| pair[0].1 == pair[1].0));
            assert_eq!(found.iter().map(|segment| segment.1 - segment.0).sum::<i64>(), range.1 - range.0);
            for moment in range.0..range.1 {
                let on = (0..pieces.len()).filter(|at| pieces[*at].0 <= moment && pieces[*at].1 > moment);
                let deepest = on.max_by_key(|at| (pieces[*at].0, *at));
                let segment =
                    found.iter().find(|segment| segment.0 <= moment && segment.1 > moment).expect("a segment");
                match deepest {
                    Some(deepest) => {
                        assert_eq!((segment.2, segment.3 as usize), (SegmentKind::Run, deepest), "{pieces:?}")
                    }
                    None => {
                        let next = (0..pieces.len()).filter(|at| pieces[*at].0 > moment).map(|at| pieces[at].0).min();
                        assert_eq!((segment.2, Some(segment.1)), (SegmentKind::Wait, next), "{pieces:?}");
                    }
                }
            }
        }
    }
}
