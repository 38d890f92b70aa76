//! Partial loads of profiles with one large thread.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use crate::{Imported, Options, Progress, UNKNOWN_NAME, open, open_partial};
use flowline_profile::Profile;

const ROWS: usize = 3000;

const META: &str = r#""interval":1,"categories":[{"name":"Other","color":"grey"},{"name":"Layout","color":"purple"}]"#;

fn join(row: impl Fn(usize) -> String) -> String {
    (0..ROWS).map(row).collect::<Vec<_>>().join(",")
}

fn payload(row: usize) -> String {
    format!(r#"{{"type":"Text","name":"marker {row}"}}"#)
}

/// A raw profile; its string table comes after the markers.
fn raw() -> String {
    let rows = join(|row| format!("[{},{row}.5,{}.25,1,{},{}]", row % 2, row + 1, row % 2, payload(row)));
    format!(
        r#"{{"meta":{{"version":27,{META}}},"libs":[],"threads":[{{"name":"GeckoMain","processName":"Parent",
        "samples":{{"schema":{{"stack":0,"time":1}},"data":[[null,0],[null,1]]}},
        "markers":{{"schema":{{"name":0,"startTime":1,"endTime":2,"phase":3,"category":4,"data":5}},"data":[{rows}]}},
        "pid":17,"tid":18,"stackTable":{{"schema":{{}},"data":[]}},"stringTable":["Paint","Reflow"]}}],"processes":[]}}"#
    )
}

/// A processed profile: payloads before or after the other columns; strings shared, or in the thread after the markers.
fn processed(version: u32, data_first: bool) -> String {
    let data = format!(r#""data":[{}]"#, join(payload));
    let columns = [
        format!(r#""name":[{}]"#, join(|row| (row % 2).to_string())),
        format!(r#""startTime":[{}]"#, join(|row| format!("{row}.5"))),
        format!(r#""endTime":[{}]"#, join(|row| format!("{}.25", row + 1))),
        format!(r#""phase":[{}]"#, join(|_| "1".into())),
        format!(r#""category":[{}]"#, join(|row| (row % 2).to_string())),
    ]
    .join(",");
    let table = if data_first { format!("{data},{columns}") } else { format!("{columns},{data}") };
    let strings = r#""stringArray":["Paint","Reflow"]"#;
    let (shared, own) = if version >= 56 {
        (format!(r#""shared":{{{strings}}},"#), String::new())
    } else {
        (String::new(), format!(",{strings}"))
    };
    format!(
        r#"{{"meta":{{"version":24,"preprocessedProfileVersion":{version},{META}}},{shared}"threads":[{{"name":"GeckoMain",
        "frameTable":{{"length":0}},"markers":{{{table},"length":{ROWS}}},"pid":"17","tid":18{own}}}]}}"#
    )
}

struct TestFile(PathBuf);

impl TestFile {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("flowline-cut-thread-{}-{name}", std::process::id()));
        fs::write(&path, bytes).expect("written");
        Self(path)
    }

    fn whole(&self) -> Profile {
        open(&self.0, &Options::default(), &Progress::default()).expect("readable").profile
    }

    fn part(&self, bytes: usize) -> Profile {
        let Imported { profile, .. } =
            open_partial(&self.0, bytes, &Options::default(), &Progress::default()).expect("readable");
        assert_eq!(profile.meta.json_bytes, bytes as u64);
        profile
    }
}

impl Drop for TestFile {
    fn drop(&mut self) {
        let _gone = fs::remove_file(&self.0);
    }
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).expect("memory does not fail");
    encoder.finish().expect("memory does not fail")
}

/// Start, end, name, category and payload of the markers of the only thread.
fn rows(profile: &Profile) -> Vec<String> {
    let (id, thread) = profile.threads_with_ids().next().expect("a thread");
    let markers = &thread.markers;
    let row = |at: usize| {
        let marker = flowline_profile::LocalMarker::new(at);
        let category = profile.category_name(markers.category(marker)).to_owned();
        let flowline_profile::TimeRange { start, end } = markers.range(marker);
        format!("{start:?} {end:?} {} {category} {:?}", profile.marker_name(id, marker), profile.payload(id, marker))
    };
    (0..markers.len()).map(row).collect()
}

#[test]
fn a_part_shows_the_markers_before_the_cut() {
    let texts = [
        ("raw", raw()),
        ("56-first", processed(56, true)),
        ("56-last", processed(56, false)),
        ("50-first", processed(50, true)),
        ("50-last", processed(50, false)),
    ];
    for (name, text) in texts {
        let file = TestFile::new(name, text.as_bytes());
        let all = file.whole();
        let expected = rows(&all);
        assert_eq!(expected.len(), ROWS, "{name}");
        let table = text.find("marker 0").expect("payloads");
        let last = text.find("marker 2999").expect("payloads");
        for cut in [table + 3000, (table + last) / 2, last - 100] {
            let part = file.part(cut);
            let found = rows(&part);
            let complete = text[..cut].matches("marker ").count();
            if name.ends_with("last") {
                // All other columns come before the cut, so the remaining markers only lack their payload.
                assert_eq!(found.len(), ROWS, "{name} at {cut}");
            } else {
                assert!((complete - 1..=complete).contains(&found.len()), "{name}: {} of {complete}", found.len());
            }
            let same = found.len().min(complete - 1);
            assert_eq!(found[..same], expected[..same], "{name} at {cut}");
            let thread = |profile: &Profile| {
                (profile.threads[0].tid.clone(), profile.process_of(flowline_profile::ThreadId(0)).pid.clone())
            };
            assert_eq!(thread(&part), thread(&all), "{name}: members after the markers");
        }
    }
}

#[test]
fn a_part_that_ends_before_the_markers_shows_the_first_of_them() {
    for (name, text) in [("raw-early", raw()), ("processed-early", processed(56, true))] {
        let file = TestFile::new(name, text.as_bytes());
        let expected = rows(&file.whole());
        let cut = text.find("\"markers\"").expect("markers") - 3;
        let found = rows(&file.part(cut));
        assert!(!found.is_empty() && found.len() < ROWS, "{name}: {}", found.len());
        assert_eq!(found, expected[..found.len()], "{name}");
    }
}

#[test]
fn a_packed_part_shows_what_it_contains() {
    let text = raw();
    let file = TestFile::new("raw.gz", &gzip(&text));
    let part = file.part(text.len() / 2);
    let count = part.marker_count();
    assert!(count > ROWS / 3 && count < ROWS, "{count}");
    let id = flowline_profile::ThreadId(0);
    assert_eq!(part.marker_name(id, flowline_profile::LocalMarker(0)), UNKNOWN_NAME, "names come after the markers");
    let whole = file.whole();
    assert!(part.threads[0].markers.times().starts().eq(whole.threads[0].markers.times().starts().take(count)));

    let text = processed(56, false);
    let file = TestFile::new("processed.gz", &gzip(&text));
    let (part, whole) = (file.part(text.len() / 2), file.whole());
    let starts = part.threads[0].markers.times().starts();
    assert_eq!(starts.len(), ROWS, "all times come before the payloads");
    assert!(starts.eq(whole.threads[0].markers.times().starts().take(ROWS)));
}
