//! The importer against the naive reader: random recordings, and every real trace that is available.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::compare::difference;
use super::generator::{nested_threads, recordings};
use super::importer::{Importer, is_refused, read_in_chunks};
use super::reference::{Naive, Read};
use crate::recording::read_bytes;
use flowline::profile::WarningKind;

/// The importer must return the same result for every chunk size of its parallel parser.
fn agree(text: &str, chunk: usize) -> Result<(), TestCaseError> {
    let expected = Naive::read(text.as_bytes());
    if is_refused(text.as_bytes()) {
        prop_assert!(expected.tracks.is_empty() && expected.counters.is_empty() && text.trim().starts_with('['));
        return Ok(());
    }
    for found in [Importer::read(text.as_bytes()), read_in_chunks(text.as_bytes(), chunk)] {
        prop_assert_eq!(difference(&expected, &found), None, "{}", text);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn readers_agree_on_any_recording(text in recordings(), chunk in 1_usize..400) {
        agree(&text, chunk)?;
    }

    #[test]
    fn readers_agree_on_threads_that_nest(text in nested_threads(), chunk in 1_usize..400) {
        agree(&text, chunk)?;
    }
}

#[test]
fn a_text_cut_in_samples_or_frames_has_one_warning() {
    let events =
        r#"{"traceEvents":[{"ph":"P","pid":1,"tid":1,"ts":0,"name":"s"},{"ph":"X","pid":1,"tid":1,"ts":1,"dur":2}]"#;
    let parts = [
        r#","stackFrames":{"1":{"name":"main"},"2":{"name":"f","parent":"1"}}"#,
        r#","samples":[{"cpu":0,"tid":1,"ts":3,"name":"n","sf":"1"},{"tid":1,"ts":4,"sf":"2"}]"#,
    ];
    for part in parts {
        for end in 2..part.len() {
            let profile = read_bytes(format!("{events}{}", &part[..end]).into_bytes()).expect("a trace");
            let kinds = [WarningKind::Truncated, WarningKind::WrongType, WarningKind::BrokenJson];
            let counts = kinds.map(|kind| profile.warnings.count(kind));
            assert_eq!(counts, [1, 0, 0], "{:?} in {}", profile.warnings, &part[..end]);
        }
    }
    let broken = read_bytes(format!(r#"{events},"stackFrames":{{"1":{{"name":!}}}}}}"#).into_bytes()).expect("a trace");
    assert_eq!(broken.warnings.count(WarningKind::WrongType), 0);
    assert!(broken.warnings.count(WarningKind::BrokenJson) > 0);
}

/// Frequency of each track kind, warning and other feature in some recordings.
fn features(recordings: impl Strategy<Value = String>) -> BTreeMap<String, usize> {
    let mut runner = TestRunner::deterministic();
    let mut count = BTreeMap::new();
    for _ in 0..1000 {
        let text = recordings.new_tree(&mut runner).expect("a recording").current();
        let found = Naive::read(text.as_bytes());
        let mut features: Vec<String> = found.warnings.keys().map(|kind| (*kind).to_owned()).collect();
        for track in &found.tracks {
            features.push(track.kind.to_owned());
            features.extend(track.slices.iter().map(|slice| format!("depth {:?}", slice.depth)));
        }
        features.extend(found.flows.iter().map(|flow| format!("flow of {}", flow.steps.len())));
        features.extend(found.flows.iter().filter(|flow| flow.loose).map(|_| "loose flow".to_owned()));
        features.extend(found.counters.iter().map(|counter| format!("counter of {}", counter.series.len())));
        features.extend(found.names.threads.values().map(|_| "thread name".to_owned()));
        features.extend(found.names.processes.values().map(|_| "process name".to_owned()));
        for feature in features {
            *count.entry(feature).or_default() += 1;
        }
    }
    count
}

#[test]
fn random_recordings_cover_every_rule() {
    let any = features(recordings());
    let kinds = "unmatched_end unmatched_start overlapping mixed_steps unbound_flow bad_time negative_duration \
                 not_drawn missing_part wrong_type thread process global async";
    for feature in kinds.split_ascii_whitespace() {
        assert!(any.get(feature).is_some_and(|count| *count > 20), "{feature}: {any:#?}");
    }
    for feature in ["depth Some(5)", "flow of 5", "counter of 2", "thread name", "process name"] {
        assert!(any.get(feature).is_some_and(|count| *count > 20), "{feature}: {any:#?}");
    }
    assert!(!any.contains_key("bad_json"), "generated text is JSON except for NaN and Infinity");
    let nested = features(nested_threads());
    let decided = |depth: &str| nested.get(depth).copied().unwrap_or(0);
    assert!(decided("depth Some(4)") > 100 && decided("depth None") * 100 < decided("depth Some(1)"), "{nested:#?}");
    assert!(decided("flow of 2") > 100 && decided("unbound_flow") > 100, "{nested:#?}");
}
