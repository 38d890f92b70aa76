//! Synthetic recordings, read back, resemble real ones.

use std::collections::{HashMap, HashSet};

use flowline::import::{self, Progress};
use flowline::index::FlowGraph;
use flowline::profile::{MarkerFlags, MarkerId};
use flowline_synth::{Format, Options, write};

#[test]
fn firefox_flows_resemble_a_real_recording() {
    let options =
        Options { markers: 200_000, format: Format::Firefox, threads: None, flows: None, samples: 0, seed: 11 };
    let mut text = Vec::new();
    write(&options, &mut text).expect("writing to memory succeeds");
    let profile = import::read(text, &Progress::default()).expect("synthetic recordings are undamaged").profile;
    let graph = FlowGraph::build(&profile);
    assert_eq!(profile.marker_count(), 200_000);
    assert_eq!(graph.warnings().list(), []);
    let mut sizes: Vec<usize> = graph.iter().map(|flow| graph.members(flow).len()).collect();
    sizes.sort_unstable();
    assert!((2..=3).contains(&sizes[sizes.len() / 2]), "most are short");
    assert!(sizes[sizes.len() - 1] >= 2_000, "one has thousands of members");
    assert!(graph.iter().filter(|flow| graph.next_use(*flow).is_some()).count() > 1_000, "ids are reused");

    let markers = (0..profile.marker_count()).map(|number| MarkerId(u32::try_from(number).expect("few markers")));
    let hubs: Vec<MarkerId> = markers.filter(|marker| graph.children(*marker).len() >= 100).collect();
    let mut of_thread: HashMap<usize, usize> = HashMap::new();
    for hub in &hubs {
        let (thread, local) = profile.locate(*hub).expect("a marker");
        let markers = &profile.thread(thread).markers;
        assert_eq!(profile.strings.get(markers.name(local)), "SpinEventLoop");
        assert!(markers.flags(local).has(MarkerFlags::STACK_BASED));
        let flows: HashSet<_> = graph.children(*hub).flat_map(|child| graph.flows_of(child)).collect();
        assert!(flows.len() >= 50, "its children are in {} flows", flows.len());
        assert_eq!(graph.flows_of(*hub).len(), 1);
        *of_thread.entry(thread.index()).or_default() += 1;
    }
    assert!(of_thread.len() >= 3 && of_thread.values().all(|&count| count <= 4), "a few on every main thread");
    let children: usize = hubs.iter().map(|hub| graph.children(*hub).len()).sum();
    assert!(children * 5 < graph.links(), "most flow markers have another parent, or none");
}
