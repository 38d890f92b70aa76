//! Self times of many markers of a thread, computed in one pass. The self time of a marker is the time in which no
//! direct child is open, as [`crate::Nesting`] computes it for a single marker.
//!
//! Slices are visited by start, longer ones first. The parent of a slice is the last one before it that contains it. A
//! slice that ends before the current one contains no later slice that the current one does not contain, so it can be
//! closed.

use std::cmp::Reverse;
use std::ops::Range;

use super::is_nested;
use flowline_profile::{LocalMarker, Ns, Thread, TimeRange};

/// Number of markers visited between two cancellation checks.
const BATCH: usize = 1 << 15;

/// An open slice.
struct Open {
    marker: LocalMarker,
    end: i64,
    /// Time covered by children so far, and the latest end of a child.
    covered: i64,
    until: i64,
}

/// The self time of each marker of a thread. A marker that is not a slice has no children.
#[must_use]
pub fn self_times(thread: &Thread) -> Vec<Ns> {
    let mut times = vec![Ns(0); thread.markers.len()];
    let all = 0..thread.markers.len();
    // Never canceled, so the result is always complete.
    let _whole = visit_self_times(thread, all, None, &|| true, |marker, time| times[marker.index()] = time);
    times
}

/// Calls `each` with the self times of consecutive markers of a thread, in no particular order. Time outside `inside`
/// counts neither for a marker nor for its children; slices that end before it are left out. The self time of a marker is correct only if all its children are
/// among `markers`, so the range may begin anywhere but must end with the last marker that starts in `inside`.
///
/// Returns `None` if `keep_going` returned `false`.
pub fn visit_self_times(
    thread: &Thread,
    markers: Range<usize>,
    inside: Option<TimeRange>,
    keep_going: &dyn Fn() -> bool,
    mut each: impl FnMut(LocalMarker, Ns),
) -> Option<()> {
    let times = thread.markers.times();
    let part = |time: i64| inside.map_or(time, |inside| time.clamp(inside.start.0, inside.end.0));
    let mut close = |open: &mut Vec<Open>, before: Option<i64>| {
        while let Some(last) = open.pop_if(|last| before.is_none_or(|end| last.end < end)) {
            let length = part(last.end).saturating_sub(part(times.start(last.marker.index()).0));
            each(last.marker, Ns(length.saturating_sub(last.covered).max(0)));
        }
    };
    let mut open: Vec<Open> = Vec::new();
    let mut current = None;
    for (number, marker) in in_order(thread, markers.clone(), inside).enumerate() {
        if number % BATCH == 0 && !keep_going() {
            return None;
        }
        let TimeRange { start: Ns(start), end: Ns(end) } = times.range(marker.index());
        let start = part(start);
        let group = thread.groups.get(marker.index()).copied();
        if current != group {
            current = group;
            close(&mut open, None);
        }
        close(&mut open, Some(end));
        if let Some(parent) = open.last_mut() {
            parent.covered = parent.covered.saturating_add(part(end).saturating_sub(start.max(parent.until)).max(0));
            parent.until = parent.until.max(part(end));
        }
        open.push(Open { marker, end, covered: 0, until: start });
    }
    close(&mut open, None);
    for marker in markers.map(LocalMarker::new).filter(|marker| !is_nested(thread, *marker)) {
        let range = times.range(marker.index());
        each(marker, Ns(part(range.end.0).saturating_sub(part(range.start.0))));
    }
    Some(())
}

/// The markers of a range that can nest and do not end before `inside`, by operation and by start, longer ones first.
/// The others have no time in it and contain no slice that has.
pub(super) fn in_order(
    thread: &Thread,
    markers: Range<usize>,
    inside: Option<TimeRange>,
) -> impl Iterator<Item = LocalMarker> {
    let times = thread.markers.times();
    let start = |marker: &LocalMarker| times.start(marker.index());
    let is_early = |marker: &LocalMarker| inside.is_some_and(|inside| times.end(marker.index()) < inside.start);
    let nested = markers.map(LocalMarker::new).filter(|marker| !is_early(marker) && is_nested(thread, *marker));
    let mut order: Vec<LocalMarker> = nested.collect();
    let group = |marker: LocalMarker| thread.groups.get(marker.index()).copied();
    // Markers are numbered by start, and a stable sort keeps that order within an operation.
    if !thread.groups.is_empty() {
        order.sort_by_key(|marker| group(*marker));
    }
    let at_once = |a: &LocalMarker, b: &LocalMarker| start(a) == start(b) && group(*a) == group(*b);
    for run in order.chunk_by_mut(at_once).filter(|run| run.len() > 1) {
        run.sort_by_key(|marker| Reverse(times.end(marker.index())));
    }
    order.into_iter()
}

#[cfg(test)]
mod tests {
    use super::{is_nested, self_times};
    use crate::{Arrangement, Index, Nesting};
    use flowline_import::{Progress, read};
    use flowline_profile::LocalMarker;
    use flowline_synth as synth;

    #[test]
    fn one_pass_agrees_with_single_markers() {
        let options = synth::Options {
            markers: 3_000,
            format: synth::Format::Chrome,
            threads: None,
            flows: None,
            samples: 0,
            seed: 9,
        };
        let mut text = Vec::new();
        synth::write(&options, &mut text).expect("writing to memory");
        // Slices that partly overlap, that are equal, and that only touch.
        let mut random = fastrand::Rng::with_seed(4);
        let slice = |_| {
            let (start, length) = (random.u32(..300), [0, 3, 20, 90][random.usize(..4)]);
            format!(r#"{{"ph":"X","pid":7,"tid":8,"ts":{start},"dur":{length},"name":"s"}}"#)
        };
        let overlapping = "[".to_owned() + &(0..300).map(slice).collect::<Vec<_>>().join(",") + "]";
        for text in [text, overlapping.into_bytes()] {
            let profile = read(text, &Progress::default()).expect("whole").profile;
            let index = Index::build(profile.into(), Arrangement::Stack);
            let mut parents = 0;
            for (id, thread) in index.profile().threads_with_ids() {
                let rows = &index.layout(Arrangement::Stack).thread(id).rows;
                let (all, enclosing) = (self_times(thread), crate::nesting::parents(thread));
                for marker in
                    (0..thread.markers.len()).map(LocalMarker::new).filter(|marker| is_nested(thread, *marker))
                {
                    let nesting = Nesting::for_marker(thread, rows, marker);
                    let contents = nesting.contents(marker, 0, &mut || true).expect("never canceled");
                    assert_eq!(all[marker.index()], contents.self_time, "{id:?} {marker:?}");
                    let parent = nesting.ancestors(marker).first().copied();
                    assert_eq!(enclosing[marker.index()], parent, "{id:?} {marker:?}");
                    parents += usize::from(contents.children > 0);
                }
            }
            assert!(parents > 20, "{parents}");
        }
    }
}
