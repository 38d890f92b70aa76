//! Damaged and hostile traces: intact events survive, nothing panics, and reading time stays proportional to size.

use flowline::import::{Options, Progress, read_with};
use flowline::index::flows::FlowGraph;
use flowline::index::search::{Query, run as search};
use flowline::index::{Arrangement, Index};
use flowline::profile::{LocalMarker, Profile, ThreadId, WarningKind};
use proptest::prelude::*;

use super::compare::difference;
use super::generator::recordings;
use super::importer::{Importer, read_in_chunks};
use super::reference::{Naive, Read};

fn open(text: &str, chunk: usize) -> Profile {
    let options = Options { chunk, ..Options::default() };
    read_with(text.as_bytes().to_vec(), &options, &Progress::default()).expect("readable").profile
}

/// Reads a trace, builds everything that the window builds, and reads every marker.
fn use_all(text: &[u8], chunk: usize) {
    let options = Options { chunk, ..Options::default() };
    let Ok(imported) = read_with(text.to_vec(), &options, &Progress::default()) else { return };
    let index = Index::build(imported.profile.into(), Arrangement::Stack);
    let profile = index.profile();
    for (id, thread) in profile.threads_with_ids() {
        assert!(index.layout(Arrangement::ByName).thread(id).rows.len() >= usize::from(!thread.markers.is_empty()));
        for local in (0..thread.markers.len()).map(LocalMarker::new) {
            let mut json = String::new();
            profile.payload_resolved(id, local).to_json(&mut json);
            assert!(profile.field_lines(id, local, profile.clock()).len() < 1 << 20);
        }
    }
    for (_, place) in &profile.parts {
        assert!(profile.part_text(*place, 20).chars().count() <= 21);
    }
    search(profile, index.flows(), &Query::parse("a, q:s, -cat:=x, dur:>1us"), &|| true).expect("not canceled");
    for flow in index.flows().iter() {
        let is_empty = index.flows().id_text(profile, flow).is_empty();
        assert!(!is_empty || memchr::memmem::find(text, br#""""#).is_some(), "only values that are empty in the text");
        assert!(!index.flows().members(flow).is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Bytes changed, cut out and doubled: never a panic, and the same outcome for every chunk size.
    #[test]
    fn damage_anywhere_does_not_panic(
        text in recordings(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0_u8..4), 1..6),
        chunk in 1_usize..300,
    ) {
        let mut text = text.into_bytes();
        for (place, byte, how) in changes {
            if text.is_empty() {
                break;
            }
            let at = place.index(text.len());
            match how {
                0 => text[at] = byte,
                1 => drop(text.remove(at)),
                2 => text.insert(at, text[at]),
                _ => text[at] = b"{}[]\",:\\"[usize::from(byte) % 8],
            }
        }
        use_all(&text, chunk);
        let (whole, parts) = (Importer::read(&text), read_in_chunks(&text, chunk));
        prop_assert_eq!(difference(&whole, &parts), None);
    }

    /// Events before a cut survive it.
    #[test]
    fn a_cut_loses_only_the_cut_part(text in recordings(), place in any::<prop::sample::Index>()) {
        let text = text.as_bytes();
        let cut = &text[..place.index(text.len() + 1)];
        let (expected, found) = (Naive::read(cut), Importer::read(cut));
        let slices = |of: &super::reference::Reference| of.tracks.iter().map(|track| track.slices.len()).sum::<usize>();
        prop_assert_eq!(slices(&expected), slices(&found));
    }
}

#[test]
fn arguments_ten_thousand_deep_are_read_and_shown() {
    let deep = "{\"a\":[".repeat(10_000) + "1" + &"]}".repeat(10_000);
    let text =
        format!(r#"[{{"ph":"X","name":"deep","pid":1,"ts":1,"dur":5,"args":{deep}}},{{"ph":"i","ts":3,"pid":1}}]"#);
    for chunk in [7, 1 << 21] {
        assert_eq!(open(&text, chunk).marker_count(), 2);
        use_all(text.as_bytes(), chunk);
    }
    // The same without an end.
    use_all(&text.as_bytes()[..text.len() / 2], 100);
}

#[test]
fn event_like_objects_in_arguments_are_not_events() {
    let inside = r#",{"ph":"X","ts":1,"dur":1,"pid":9}"#.repeat(2_000);
    let text = format!(
        r#"[{{"ph":"X","name":"a","pid":1,"ts":1,"dur":5,"args":{{"list":[0{inside}]}}}},{{"ph":"i","ts":3,"pid":1}}]"#
    );
    for chunk in [10, 100, 1_000, 10_000] {
        assert_eq!(open(&text, chunk).marker_count(), 2, "chunks of {chunk}");
    }
}

#[test]
fn many_ends_and_begins_take_linear_time() {
    let storm = |phase: &str, count: usize| -> String {
        let events: Vec<String> = (0..count)
            .map(|at| format!(r#"{{"ph":"{phase}","pid":1,"tid":1,"ts":{at},"name":"n{}"}}"#, at % 7))
            .collect();
        events.join(",")
    };
    let ends = open(&format!("[{}]", storm("E", 200_000)), 1 << 16);
    assert_eq!(ends.marker_count(), 0);
    assert_eq!(ends.warnings.count(WarningKind::UnmatchedEnd), 200_000);
    // Twenty thousand levels deep, then ends that match only the outermost slice.
    let text = format!(
        r#"[{{"ph":"B","pid":1,"tid":1,"ts":-1,"name":"all"}},{},{{"ph":"E","pid":1,"tid":1,"ts":90000,"name":"all"}}]"#,
        storm("B", 20_000)
    );
    let begins = open(&text, 1 << 16);
    assert_eq!(begins.marker_count(), 20_001);
    assert_eq!(begins.warnings.count(WarningKind::UnmatchedStart), 20_000);
    use_all(text.as_bytes(), 1 << 16);
}

#[test]
fn many_flow_events_at_one_time_bind_in_one_pass() {
    let slices = r#"{"ph":"X","pid":1,"tid":1,"ts":5,"dur":0,"cat":"a"},"#.repeat(30_000);
    let steps: String =
        (0..30_000).map(|id| format!(r#"{{"ph":"s","pid":1,"tid":1,"ts":5,"id":{id},"cat":"b"}},"#)).collect();
    let profile = open(&format!("[{slices}{steps}]"), 1 << 16);
    let graph = FlowGraph::build(&profile);
    assert_eq!(graph.len(), 30_000);
    // All bind to the innermost slice, which is the last one.
    let member = graph.members(graph.iter().next().expect("a flow"))[0];
    assert!(graph.iter().all(|flow| graph.members(flow) == [member]));
}

/// The importer compares ids as bytes, the index as text.
#[test]
fn invalid_utf8_ids_match_those_of_the_index() {
    let step = |ph: &str, ts: u32, id: &[u8]| {
        let event = format!(r#"{{"ph":"{ph}","name":"f","cat":"c","pid":1,"tid":1,"ts":{ts},"bp":"e","id":""#);
        [event.as_bytes(), id, b"\"},\n"].concat()
    };
    let mut text = br#"[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":9},"#.to_vec();
    for (id, ts) in [(&b"0x\xe7"[..], 1), (&b"1x\xe7"[..], 3), ("é".as_bytes(), 5)] {
        text.extend([step("s", ts, id), step("f", ts + 1, id)].concat());
    }
    use_all(&text, 50);
    let profile = read_with(text, &Options::default(), &Progress::default()).expect("readable").profile;
    let graph = FlowGraph::build(&profile);
    let ids: Vec<String> = graph.iter().map(|flow| graph.id_text(&profile, flow)).collect();
    assert_eq!(ids, ["0x\u{fffd}", "1x\u{fffd}", "é"]);
}

#[test]
fn values_of_wrong_types_lose_only_themselves() {
    let values = ["null", "true", "7", "\"x\"", "[]", "{}", "[{}]", "-1e400", "NaN", "1e-400"];
    let keys = [
        "ph", "ts", "dur", "name", "cat", "pid", "tid", "id", "id2", "scope", "s", "bp", "bind_id", "flow_in", "args",
        "cname", "sf",
    ];
    let mut events = Vec::new();
    for phase in ["B", "E", "X", "i", "b", "e", "n", "S", "T", "p", "F", "s", "t", "f", "C", "M"] {
        for key in keys {
            for value in values {
                events.push(format!(
                    r#"{{"ph":"{phase}","pid":1,"tid":1,"ts":1,"dur":1,"name":"a","cat":"b","id":1,"{key}":{value}}}"#
                ));
            }
        }
    }
    let text = format!("[{}]", events.join(","));
    for chunk in [50, 1 << 21] {
        use_all(text.as_bytes(), chunk);
        let profile = open(&text, chunk);
        assert!(profile.marker_count() > 1000, "the rest is kept");
        assert!(!profile.thread(ThreadId(0)).markers.is_empty());
    }
}

#[test]
fn any_cut_element_counts_as_cut() {
    let event = r#"{"ph":"X","name":"a","ts":1,"dur":2,"pid":1,"tid":1}"#;
    let rests = [
        (r#"[{"ph":"B","ts":1}"#, 0),
        (r#"[{"ph":"B","ts":1}]"#, 1),
        ("\"a", 0),
        ("\"a\"", 1),
        ("-1.", 0),
        ("-1.5", 0),
        ("-1.5,", 1),
        ("nul", 0),
        ("null", 0),
        ("null ", 1),
    ];
    for (rest, wrong) in rests {
        let text = format!("[{event},{rest}");
        assert_eq!(Naive::read(text.as_bytes()).warnings.get("wrong_type").copied().unwrap_or(0), wrong, "{rest}");
        for chunk in [50, 1 << 21] {
            let profile = open(&text, chunk);
            assert_eq!(profile.warnings.count(WarningKind::WrongType), wrong, "{rest}");
            assert_eq!(profile.marker_count(), 1, "{rest}");
        }
    }
}
