//! The example has the expected size and contains every part of the page load.

use super::write_example;
use crate::tests::{processes, tallies};
use serde_json::Value;
use std::collections::HashSet;

fn example() -> (usize, Value) {
    let mut bytes = Vec::new();
    write_example(&mut bytes).unwrap();
    (bytes.len(), serde_json::from_slice(&bytes).unwrap())
}

/// Returns all rows as (name, start, end, data) on the recording's clock.
fn rows(profile: &Value) -> Vec<(String, f64, f64, Value)> {
    let base = profile["meta"]["startTime"].as_f64().unwrap() + profile["meta"]["profilingStartTime"].as_f64().unwrap();
    let mut rows = Vec::new();
    for process in processes(profile) {
        let offset = process["meta"]["startTime"].as_f64().unwrap() - base;
        for thread in process["threads"].as_array().unwrap() {
            for row in thread["markers"]["data"].as_array().unwrap() {
                let name = thread["stringTable"][usize::try_from(row[0].as_u64().unwrap()).unwrap()].as_str().unwrap();
                let (start, end) = (row[1].as_f64().unwrap() + offset, row[2].as_f64().unwrap() + offset);
                rows.push((name.to_owned(), start, end, row.get(5).cloned().unwrap_or_default()));
            }
        }
    }
    rows
}

#[test]
fn size_and_complete_markers() {
    let (size, profile) = example();
    assert!((400_000..900_000).contains(&size), "{size} bytes");
    let tallies = tallies(&profile);
    let markers: usize = tallies.iter().map(|tally| tally.markers).sum();
    assert!((1_500..3_000).contains(&markers), "{markers} markers");
    assert_eq!(tallies.iter().map(|tally| tally.halves).sum::<usize>(), 0, "nothing is incomplete");
    assert_eq!(tallies.len(), 20);
    assert_eq!(processes(&profile).len(), 4);
}

#[test]
fn flows_run_through_processes_and_end_last() {
    let (_, profile) = example();
    let mut field_references: Vec<_> = tallies(&profile)
        .into_iter()
        .enumerate()
        .flat_map(|(thread, tally)| tally.field_references.into_iter().map(move |reference| (thread, reference)))
        .collect();
    field_references.sort_by(|a, b| a.1.2.total_cmp(&b.1.2));
    let mut ended = HashSet::new();
    let mut threads = std::collections::HashMap::<String, HashSet<usize>>::new();
    for (thread, (id, ends, _)) in field_references {
        assert!(!ended.contains(&id), "{id} continues after its end");
        threads.entry(id.clone()).or_default().insert(thread);
        if ends {
            ended.insert(id);
        }
    }
    assert!(threads.values().filter(|threads| threads.len() >= 8).count() >= 11, "every image crosses many threads");
}

#[test]
fn the_largest_image_waits_for_the_script() {
    let (_, profile) = example();
    let rows = rows(&profile);
    let find = |name: &str, key: &str, part: &str| {
        rows.iter()
            .find(|row| row.0 == name && row.3[key].as_str().is_none_or(|text| text.contains(part)))
            .unwrap_or_else(|| panic!("{name} {part}"))
    };
    let script = find("LongTask", "name", "");
    let load = find("load", "url", "hero");
    let paint = find("LargestContentfulPaint", "url", "hero");
    assert!((script.2 - script.1 - 180.0).abs() < 0.01);
    assert!(load.3["latency"].as_f64().unwrap() > 150.0, "{load:?}");
    assert!(load.1 > script.2 && load.1 < script.2 + 5.0);
    assert!(paint.2 > load.1 && paint.2 < load.1 + 90.0);
    assert!(find("FirstContentfulPaint", "url", "").2 < 500.0);
}

#[test]
fn every_part_of_the_page_load_is_recorded() {
    let (_, profile) = example();
    let rows = rows(&profile);
    let network =
        |key: &str, value: Value| rows.iter().filter(|row| row.3["type"] == "Network" && row.3[key] == value).count();
    assert_eq!(network("status", "STATUS_START".into()), 15);
    assert_eq!(network("status", "STATUS_STOP".into()), 14);
    assert_eq!(network("status", "STATUS_REDIRECT".into()), 1);
    assert_eq!(network("responseStatus", 404.into()), 1);
    assert_eq!(network("cache", "Hit".into()), 1);
    let names: HashSet<&str> = rows.iter().map(|row| row.0.as_str()).collect();
    for name in [
        "nsDocShell::LoadURI",
        "ParseHTML",
        "imgLoader::LoadImage",
        "ImageDecode",
        "TextureUpload",
        "error",
        "Runnable",
        "RefreshDriverTick",
        "Styles",
        "Reflow (sync)",
        "DisplayList",
        "Rasterize",
        "Composite #1",
        "setTimeout callback",
        "RunMicroTask",
        "GCMinor",
        "GCSlice",
        "Worker task",
        "IPC",
        "Preference Read",
        "UserTiming",
        "Idle task",
    ] {
        assert!(names.contains(name), "{name}");
    }
    let counters: Vec<_> = processes(&profile)
        .iter()
        .flat_map(|process| process["counters"].as_array().unwrap())
        .map(|counter| counter["category"].as_str().unwrap())
        .collect();
    assert_eq!(counters, ["Bandwidth", "Memory"]);
}

#[test]
fn samples_show_which_function_slowed_the_script() {
    let (_, profile) = example();
    let rows = rows(&profile);
    let script = rows.iter().find(|row| row.0 == "LongTask").unwrap();
    let base = profile["meta"]["startTime"].as_f64().unwrap() + profile["meta"]["profilingStartTime"].as_f64().unwrap();
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let (mut in_script, mut comparing, mut threads) = (0, 0, 0);
    for process in processes(&profile) {
        let offset = process["meta"]["startTime"].as_f64().unwrap() - base;
        for thread in process["threads"].as_array().unwrap() {
            let data = |table: &str| thread[table]["data"].as_array().unwrap();
            let (frames, stacks) = (data("frameTable"), data("stackTable"));
            let names = |stack: &Value| {
                let mut names = Vec::new();
                let mut next = stack.as_u64();
                while let Some(stack) = next {
                    let stack = &stacks[usize::try_from(stack).unwrap()];
                    let frame = &frames[number(&stack[1])];
                    names.push(thread["stringTable"][number(&frame[0])].as_str().unwrap());
                    next = stack[0].as_u64();
                }
                names
            };
            let mut works = 0;
            for sample in data("samples") {
                let names = names(&sample[0]);
                works += usize::from(sample[3].as_u64().unwrap() > 0);
                let at = sample[1].as_f64().unwrap() + offset;
                let has = |name: &str| names.iter().any(|found| found.starts_with(name));
                if has("layoutMasonry ") {
                    assert!(at >= script.1 && at < script.2 + 1.0, "{at}");
                    in_script += 1;
                    comparing += usize::from(has("compareHeights (https://gallery.example/gallery.js:233:24)"));
                }
            }
            threads += usize::from(works > 3);
        }
    }
    assert!((88..=90).contains(&in_script), "{in_script} samples of 2 ms");
    assert!(comparing * 10 > in_script * 8, "{comparing} of {in_script}");
    assert!(threads >= 8, "{threads} threads work");
}

#[test]
fn the_page_load_has_milestones_a_long_interaction_and_two_late_frames() {
    let (_, profile) = example();
    let rows = rows(&profile);
    let named = |name: &str| rows.iter().filter(move |row| row.0 == name).collect::<Vec<_>>();
    for name in ["FirstContentfulPaint", "LargestContentfulPaint", "DocumentLoad"] {
        let [milestone] = named(name)[..] else { panic!("one {name}") };
        assert!((milestone.1 - 43.0).abs() < 0.01 && milestone.3["innerWindowID"] == 15, "{milestone:?}");
    }
    let [presented] = named("MouseUpFollowedByClick Payload Presented")[..] else { panic!("one click") };
    assert!(presented.2 - presented.1 > 200.0, "{presented:?}");
    let script = named("LongTask")[0];
    assert!(script.1 < presented.1 && presented.1 < script.2, "the click waits for the script");
    let late = named("CONTENT_FRAME_TIME").into_iter().filter(|frame| frame.2 - frame.1 > 34.0).count();
    assert_eq!(late, 2);
}
