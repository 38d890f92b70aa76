//! The time of a thread by kind of work is the same in call trees, in summaries of ranges and in details of markers.

use std::path::Path;
use std::sync::Arc;

use crate::recording::real::open;
use flowline::index::samples::{Grouping, Measure, TreeRequest};
use flowline::index::statistics::{RangeRule, Subject, Tracks, kind_times, summary};
use flowline::index::{Arrangement, Index};
use flowline::profile::{Ns, ThreadId, TimeRange};

fn recorded(name: &str) -> Index {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
    Index::build(Arc::new(open(&file).expect("a recording")), Arrangement::Stack)
}

/// Time of the call tree of a thread in a range, without idle samples.
fn of_tree(index: &Index, thread: ThreadId, range: TimeRange) -> i64 {
    let request = TreeRequest {
        threads: vec![thread],
        range: Some(range),
        without_idle: true,
        measure: Measure::Time,
        grouping: Grouping::Category,
        ..TreeRequest::default()
    };
    let profile = index.profile();
    let tree = request.tree(profile, Arc::new(request.nodes(profile)));
    tree.whole.time.0
}

#[test]
fn trees_and_summaries_have_the_same_time() {
    let mut compared = 0;
    for name in ["example.json.gz", "cases/numbers-idle-load.json", "cases/numbers-unmeasured.json"] {
        let index = recorded(name);
        let (profile, whole) = (index.profile(), index.extent());
        for (id, thread) in profile.threads_with_ids() {
            if thread.samples.as_ref().is_none_or(|samples| samples.cpu.is_empty()) {
                continue;
            }
            for part in 0..4 {
                let start = whole.start + Ns(whole.len() / 5 * part);
                let range = TimeRange::new(start, start + Ns(whole.len() / 4));
                let threads = [id];
                let subject = Subject::new(&index, Tracks::Threads(&threads), Some(range), RangeRule::Overlaps, None);
                let sums = summary(&subject, &index, &|| true).expect("not canceled");
                let of_kinds: i64 =
                    kind_times(&index, id, Some(range)).expect("samples").iter().map(|time| time.0).sum();
                let place = format!("{name}, {}, part {part}", thread.name);
                assert_eq!(sums.self_time, i128::from(of_kinds), "{place}");
                assert_eq!(of_tree(&index, id, range), of_kinds, "{place}");
                compared += usize::from(of_kinds > 0);
            }
        }
    }
    assert!(compared > 10, "{compared} ranges had work");
}
