//! Synthetic traces contain exactly the requested number of markers.

use flowline_synth::{Format, Options, write};

use super::*;

#[test]
fn synthetic_traces_have_the_requested_markers() {
    for (markers, threads, seed) in [(1_u64, Some(1), 1), (1000, Some(3), 2), (60_000, None, 3)] {
        let options = Options { markers, format: Format::Perfetto, threads, flows: None, samples: 0, seed };
        let mut bytes = Vec::new();
        write(&options, &mut bytes).expect("writing to memory succeeds");
        let mut again = Vec::new();
        write(&options, &mut again).expect("writing to memory succeeds");
        assert!(bytes == again, "the same options give the same bytes");
        let imported = flowline::import::read(bytes.clone(), &flowline::import::Progress::default()).expect("a trace");
        assert_eq!(imported.profile.marker_count() as u64, markers);
        let read = Importer::read(&bytes);
        // Some slices only have a begin; there are no other warnings.
        let odd: Vec<&str> = read.warnings.keys().copied().filter(|kind| *kind != "unmatched_start").collect();
        assert_eq!(odd, [""; 0]);
        assert!(markers < 1000 || (read.flows.len() > 50 && read.counters.len() >= 2), "{}", read.flows.len());
    }
    let sampled = Options { markers: 10, format: Format::Perfetto, threads: None, flows: None, samples: 5, seed: 1 };
    assert!(write(&sampled, Vec::new()).is_err());
}
