//! Damaged samples and stacks: intact data is kept, the rest is reported.

use crate::firefox_samples::{raw, raw_thread};
use crate::recording::{read, read_bytes, text, warned};
use crate::stacks::{paths, samples_of};
use flowline::profile::Profile;
use serde_json::{Value, json};

fn read_samples(samples: &Value) -> Profile {
    read(&raw(vec![raw_thread(samples, &json!([]))]))
}

fn times(profile: &Profile) -> Vec<i64> {
    samples_of(profile, 0).cpu.time.iter().map(|time| time.0 / 1_000_000).collect()
}

#[test]
fn short_rows_and_wrong_types_are_tolerated() {
    let profile = read_samples(&json!([
        [0, 1],
        [],
        7,
        [1],
        ["x", 3],
        [2, "y"],
        [1.0, 5, 0, 0, 0, 0, 0, 0],
        [-1, 6],
        [1, 7, null]
    ]));
    assert_eq!(times(&profile), [1, 3, 5, 6, 7]);
    assert_eq!(paths(&profile, &samples_of(&profile, 0).cpu), ["a", "-", "a>b", "-", "a>b"]);
    assert_eq!((warned(&profile, "bad_time"), warned(&profile, "wrong_type")), (3, 1));
}

#[test]
fn times_out_of_order_are_sorted() {
    let profile = read_samples(&json!([[0, 5, 0, 0, 1], [1, 2, 0, 0, 2], [2, 2, 0, 0, 3], [3, -1, 0, 0, 4]]));
    assert_eq!(times(&profile), [-1, 2, 2, 5]);
    let table = &samples_of(&profile, 0).cpu;
    assert_eq!(paths(&profile, table), ["d", "a>b", "a>b>c", "a"]);
    assert_eq!((0..4).map(|sample| table.cpu_delta(sample)).collect::<Vec<_>>(), [Some(4), Some(2), Some(3), Some(1)]);
    assert_eq!(warned(&profile, "sample_order"), 1);
}

#[test]
fn invalid_cpu_times_are_unknown() {
    let profile = read_samples(&json!([
        [0, 1, 0, 0, -5],
        [0, 2, 0, 0, 1e300],
        [0, 3, 0, 0, "x"],
        [0, 4, 0, 0, 1e18],
        [0, 5, 0, 0, 2.6]
    ]));
    let table = &samples_of(&profile, 0).cpu;
    let deltas: Vec<_> = (0..5).map(|sample| table.cpu_delta(sample)).collect();
    assert_eq!(deltas, [None, None, None, Some(1_000_000_000_000_000_000), Some(3)]);
    assert_eq!(warned(&profile, "bad_delta"), 3);
}

#[test]
fn indexes_out_of_range_are_reported() {
    let mut thread = raw_thread(
        &json!([[0, 1], [99, 2], [2, 3]]),
        &json!([[4, 1, 0, 0, 1, {"type": "T", "stack": {"samples": {"schema": {"stack": 0, "time": 1}, "data": [[99, 1]]}}}]]),
    );
    thread["frameTable"]["data"] = json!([[0], [77, false, 0, null, null, null, 55], "x"]);
    let profile = read(&raw(vec![thread]));
    assert_eq!(paths(&profile, &samples_of(&profile, 0).cpu), ["a", "-", "a>(unknown)>(unknown)"]);
    // A stack of a sample and one of a marker, two strings, a category, and the frame of the last stack.
    assert_eq!(warned(&profile, "index_out_of_range"), 6);
    assert!(samples_of(&profile, 0).marker_stacks.marker.is_empty());
    assert!(profile.is_consistent());
}

#[test]
fn missing_and_invalid_tables_are_tolerated() {
    for table in ["stackTable", "frameTable", "stringTable", "samples"] {
        for value in
            [Value::Null, json!(7), json!([]), json!({}), json!({"schema": 7, "data": {}}), json!({"data": [[0]]})]
        {
            let mut thread = raw_thread(&json!([[2, 1], [0, 2]]), &json!([]));
            thread[table] = value.clone();
            let profile = read(&raw(vec![thread]));
            assert!(profile.is_consistent(), "{table}: {value}");
            if table != "samples" {
                assert_eq!(times(&profile), [1, 2], "{table}: {value}");
            }
        }
    }
}

#[test]
fn columns_of_different_lengths_are_tolerated() {
    let processed = |samples: Value| {
        let mut profile = raw(vec![]);
        profile["meta"]["preprocessedProfileVersion"] = json!(70);
        profile["shared"] = json!({
            "stringArray": ["a"], "stackTable": {"frame": [0, 0], "prefixOffset": [0]}, "frameTable": {"func": [0]}, "funcTable": {"name": [0]},
        });
        profile["threads"] = json!([{"name": "T", "pid": "1", "tid": 1, "samples": samples}]);
        read(&profile)
    };
    let profile = processed(json!({"time": [1, 2, 3], "stack": [1, 0], "weight": [1], "threadCPUDelta": [1, 2, 3, 4]}));
    assert_eq!(times(&profile), [1, 2]);
    let table = &samples_of(&profile, 0).cpu;
    assert_eq!((table.weight(0), table.weight(1), paths(&profile, table)), (1.0, 0.0, vec!["a".to_owned(); 2]));
    assert_eq!(warned(&profile, "column_length"), 2, "the samples, and the stacks");

    let profile = processed(json!({"timeDeltas": [1, null, -3, 1e300, 2], "stack": [0, 0, 0, 0, 0]}));
    assert_eq!(times(&profile), [-2, 0, 1]);
    assert_eq!((warned(&profile, "bad_time"), warned(&profile, "sample_order")), (2, 1));
    let profile = processed(json!({"stack": [0, 0]}));
    assert!(profile.threads[0].samples.is_none());
    assert_eq!(warned(&profile, "column_length"), 1);
}

#[test]
fn a_deep_stack_and_a_long_cycle_take_linear_time() {
    let count = 300_000;
    let mut thread = raw_thread(&json!([[count - 1, 1]]), &json!([]));
    let deep: Vec<Value> = (0..count).map(|stack: usize| json!([stack.checked_sub(1), 0])).collect();
    thread["stackTable"]["data"] = json!(deep);
    let profile = read(&raw(vec![thread.clone()]));
    assert_eq!(profile.stacks.len(), count);
    let circle: Vec<Value> = (0..count).map(|stack: usize| json!([(stack + 1) % count, 0])).collect();
    thread["stackTable"]["data"] = json!(circle);
    let profile = read(&raw(vec![thread]));
    assert_eq!(profile.stacks.walk(samples_of(&profile, 0).cpu.stack(0).expect("a stack")).count(), 1);
    assert!(warned(&profile, "stack_order") > 0 && profile.is_consistent());
}

#[test]
fn a_truncated_thread_keeps_its_samples() {
    let whole = text(&raw(vec![raw_thread(&json!([[2, 1], [0, 2]]), &json!([]))]));
    let cut = whole.find("\"stackTable\"").expect("a table");
    let profile = read_bytes(whole.as_bytes()[..cut].to_vec()).expect("readable");
    assert_eq!(times(&profile), [1, 2]);
    assert_eq!(paths(&profile, &samples_of(&profile, 0).cpu), ["-", "-"]);
    assert_eq!(warned(&profile, "index_out_of_range"), 0, "{:?}", profile.warnings.list());
}
