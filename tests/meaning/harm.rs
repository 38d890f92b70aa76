//! Slices that do harm in Firefox profiles; [`insights_of_work`](crate::insights_of_work) has those of Chrome.

use std::sync::Arc;

use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::harm::Harm;
use flowline::profile::{MarkerId, Ns, TimeRange};

use crate::recording::real::{open, shared};
use crate::recording::{Recording, Track, interval, opening, read};

fn starts(index: &Index) -> Vec<f64> {
    Harm::of(index).long().all().iter().map(|slice| slice.times.start.as_ms()).collect()
}

#[test]
fn firefox_states_long_tasks_of_main_threads() {
    let rows = vec![
        interval("LongTask", 1.0, 51.0),
        interval("LongIdleTask", 60.0, 130.0),
        interval("LongTask", 140.0, 189.0),
        interval("Styles", 200.0, 290.0),
        opening("LongTask", 300.0),
    ];
    let mut recording = Recording::of(rows.clone());
    // Other threads state short tasks as well.
    recording.tracks.push(Track { name: "Socket Thread".into(), process: 0, samples: vec![0.0], rows });
    for form in [recording.raw(), recording.processed()] {
        let index = Index::build(Arc::new(read(&form)), Arrangement::Stack);
        assert_eq!(starts(&index), [1.0, 60.0]);
        let (profile, harm) = (index.profile(), Harm::of(&index));
        let main = profile.threads_with_ids().find(|(_, thread)| thread.name == "GeckoMain").expect("a thread").0;
        let other = profile.threads_with_ids().find(|(_, thread)| thread.name != "GeckoMain").expect("a thread").0;
        assert_eq!(harm.blocking(profile, main), Ns(20_000_000));
        assert_eq!((harm.long().of_thread(profile, main).len(), harm.long().of_thread(profile, other).len()), (2, 0));
        let until = |ms: i64| TimeRange { start: Ns(0), end: Ns(ms * 1_000_000) };
        assert_eq!([0, 1, 60].map(|ms| harm.long().starting_in(until(ms)).len()), [0, 1, 2]);
        let first = harm.long().all()[0].marker;
        assert!(harm.long().contains(first) && !harm.forced().contains(first));
        assert!(!harm.long().contains(MarkerId(u32::MAX)));
    }
}

#[test]
fn flushes_that_scripts_of_a_page_forced_are_harm() {
    let Some(file) = shared("cases/insights/page-firefox-rich.json.gz") else { return };
    let index = Index::build(Arc::new(open(&file).expect("a recording")), Arrangement::Stack);
    let (profile, harm) = (index.profile(), Harm::of(&index));
    let page = |(id, thread): &(_, &flowline::profile::Thread)| {
        thread.name == "GeckoMain" && profile.process_of(*id).pid.starts_with("28445")
    };
    let (thread, _) = profile.threads_with_ids().find(page).expect("the page's main thread");
    let forced = harm.forced().of_thread(profile, thread);
    let total: i64 = forced.iter().map(|slice| slice.times.len()).sum();
    assert_eq!((forced.len(), total / 1_000), (217, 809_845));
    assert_eq!(harm.long().of_thread(profile, thread).len(), 9);
}
