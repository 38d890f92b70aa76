//! Self times of all markers of a thread in one walk: the time of a marker in which no direct child is open, as
//! [`crate::index::Nesting`] says it of a single one.
//!
//! Slices are visited by start, longer ones first. The parent of a slice is the last one before it that contains it. What ends
//! earlier than a later slice contains nothing that the later one does not contain, so it can be closed.

use std::cmp::Reverse;

use crate::index::nesting::is_nested;
use crate::profile::{LocalMarker, Ns, Thread};

/// An open slice.
struct Open {
    marker: LocalMarker,
    end: i64,
    /// Time covered by children so far, and where the last of them ends.
    covered: i64,
    until: i64,
}

/// The self time of each marker of a thread. A marker that is no slice has no children.
pub(super) fn self_times(thread: &Thread) -> Vec<Ns> {
    let (starts, ends) = (&thread.markers.start, &thread.markers.end);
    let mut times: Vec<Ns> = starts.iter().zip(ends.iter()).map(|(start, end)| *end - *start).collect();
    let group = |marker: LocalMarker| thread.groups.get(marker.index()).copied();
    let mut order: Vec<LocalMarker> =
        (0..thread.markers.len()).map(LocalMarker::new).filter(|marker| is_nested(thread, *marker)).collect();
    order.sort_unstable_by_key(|marker| {
        (group(*marker), starts[marker.index()], Reverse(ends[marker.index()]), *marker)
    });
    let mut open: Vec<Open> = Vec::new();
    let mut close = |open: &mut Vec<Open>, before: Option<i64>| {
        while let Some(last) = open.pop_if(|last| before.is_none_or(|end| last.end < end)) {
            let time = &mut times[last.marker.index()];
            *time = Ns(time.0.saturating_sub(last.covered).max(0));
        }
    };
    let mut current = None;
    for marker in order {
        let (start, end) = (starts[marker.index()].0, ends[marker.index()].0);
        if current != group(marker) {
            current = group(marker);
            close(&mut open, None);
        }
        close(&mut open, Some(end));
        if let Some(parent) = open.last_mut() {
            parent.covered = parent.covered.saturating_add(end.saturating_sub(start.max(parent.until)).max(0));
            parent.until = parent.until.max(end);
        }
        open.push(Open { marker, end, covered: 0, until: start });
    }
    close(&mut open, None);
    times
}

#[cfg(test)]
mod tests {
    use super::self_times;
    use crate::import::{Progress, read};
    use crate::index::nesting::is_nested;
    use crate::index::{Arrangement, Index, Nesting};
    use crate::profile::LocalMarker;
    use flowline_synth as synth;

    #[test]
    fn all_at_once_are_as_one_by_one() {
        let options = synth::Options {
            markers: 3_000,
            format: synth::Format::Chrome,
            threads: None,
            flows: None,
            samples: 0,
            seed: 9,
        };
        let mut text = Vec::new();
        synth::write(&options, &mut text).expect("memory does not fail");
        // Slices that overlap in part, that are equal, and that only touch.
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
                let all = self_times(thread);
                for marker in
                    (0..thread.markers.len()).map(LocalMarker::new).filter(|marker| is_nested(thread, *marker))
                {
                    let nesting = Nesting::for_marker(thread, rows, marker);
                    let contents = nesting.contents(marker, 0, &mut || true).expect("nobody stops it");
                    assert_eq!(all[marker.index()], contents.self_time, "{id:?} {marker:?}");
                    parents += usize::from(contents.children > 0);
                }
            }
            assert!(parents > 20, "{parents}");
        }
    }
}
