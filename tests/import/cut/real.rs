//! Parts of real recordings, if available.

use super::{CutOptions, check, flows, read};
use crate::recording::real::{open, shared};

#[test]
fn parts_of_real_recordings_match_the_whole() {
    const FILES: [&str; 11] = [
        "profiles/firefox-153-raw-1s.json.gz",
        "profiles/firefox-153-processed-1s.json.gz",
        "profiles/samply-flow-marker-v66.json",
        "traces/chromium-156-2s.json.gz",
        "traces/chrome-69-simple.json.gz",
        "traces/lighthouse-load.json.gz",
        "traces/fuchsia_trace.json.gz",
        "traces/flow.json.gz",
        "traces/flow_events_json_v2.json",
        "traces/nestable_async.json",
        "traces/main_thread_has_unclosed_slices.json.gz",
    ];
    for file in FILES {
        let Some(path) = shared(file) else { continue };
        let whole = open(&path).expect("readable");
        let range = whole.meta.range;
        let at = |part: i64| range.start.0 + range.len() / 10 * part;
        for part in [CutOptions::EVERYTHING, CutOptions::range(at(4), at(5)), CutOptions::range(at(2), at(2) + 1000)] {
            let cut = check(&whole, &part);
            assert!(serde_json::from_slice::<serde::de::IgnoredAny>(&cut).is_ok(), "{file}");
            if whole.meta.kind.id() == "chrome" && whole.marker_count() < 50_000 {
                assert_eq!(flows(&read(&cut), &part), flows(&whole, &part), "{file} {part:?}");
            }
        }
    }
}
