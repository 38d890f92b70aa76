//! Reading a thread in parts.

use flowline_synth::{Format, Options, write};

use super::*;
use flowline_import::Progress;

#[test]
fn reading_in_parts_equals_reading_the_whole_thread() {
    let options =
        Options { markers: 3_000, format: Format::Firefox, threads: Some(1), flows: None, samples: 0, seed: 2 };
    let mut text = Vec::new();
    write(&options, &mut text).expect("memory does not fail");
    let profile = flowline_import::read(text, &Progress::default()).expect("a recording").profile;
    let fields = flow_fields(&profile);
    let id = (0..profile.threads.len()).map(ThreadId::new).max_by_key(|id| profile.thread(*id).markers.len());
    let id = id.expect("a thread");
    let found = |part: usize| {
        let found = read_in_parts(&profile, id, &fields, part);
        let reference = |reference: &FlowReference| {
            (reference.marker, reference.order, reference.terminating, found.ids[reference.id as usize].hash)
        };
        (found.field_references.iter().map(reference).collect::<Vec<_>>(), found.links, format!("{:?}", found.warnings))
    };
    let whole = found(usize::MAX);
    assert!(whole.0.len() > 500 && !whole.1.is_empty());
    for part in [1, 7, 1000] {
        assert_eq!(found(part), whole, "{part}");
    }
}
