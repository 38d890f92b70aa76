//! The importer and the index: for any input bytes, the result is consistent and does not depend on how the text of a
//! trace is split among threads.
#![no_main]

use std::sync::Arc;

use flowline_import::{self as import, ImportError, Imported, Options, Progress};
use flowline_index::{Index, MAX_TICK};
use flowline_profile::text::LabelKind;
use flowline_profile::{Arrangement, LocalMarker, Profile};
use libfuzzer_sys::{Corpus, fuzz_target};

/// Maximum size of unpacked text; more would only cost time.
const MAX_UNPACKED: u64 = 1 << 20;

fn read(bytes: &[u8], chunk: usize) -> Result<Imported, ImportError> {
    let options = Options { max_unpacked: MAX_UNPACKED, chunk, spill: None, ..Options::default() };
    import::read_with(bytes.to_vec(), &options, &Progress::default())
}

/// Returns the results that must not depend on the chunks: markers by thread, and warnings.
fn summary(profile: &Profile) -> (Vec<(String, usize)>, Vec<(String, u64)>) {
    let threads = profile.threads.iter().map(|thread| (thread.name.to_string(), thread.markers.len()));
    let warnings = profile.warnings.list().into_iter().map(|warning| (warning.kind.name().to_owned(), warning.count));
    (threads.collect(), warnings.collect())
}

/// Exercises everything that an import returns.
fn exercise(profile: Arc<Profile>) {
    for (id, thread) in profile.threads_with_ids() {
        let markers = &thread.markers;
        assert!(markers.start.is_sorted());
        assert!(markers.start.iter().zip(&markers.end).all(|(start, end)| start <= end));
        for marker in (0..markers.len()).map(LocalMarker::new) {
            assert_eq!(profile.locate(thread.global(marker)), Some((id, marker)));
            let _ = profile.field_lines(id, marker, profile.clock());
            for kind in [LabelKind::Tooltip, LabelKind::Chart, LabelKind::Table] {
                let _ = profile.marker_label(kind, id, marker, profile.clock());
            }
        }
    }
    for warning in profile.warnings.list() {
        assert!(warning.count > 0 && !warning.first.is_empty(), "{warning:?} has no location");
    }
    let index = Index::build(Arc::clone(&profile), Arrangement::Stack);
    for arrangement in [Arrangement::ByName, Arrangement::Stack] {
        for (id, thread) in profile.threads_with_ids() {
            let layout = index.layout(arrangement).thread(id);
            let spans = |row| layout.spans(index.source(), thread, row, 100.0, 0, MAX_TICK);
            let count: u32 = (0..layout.rows.len()).flat_map(spans).map(|span| span.count).sum();
            assert_eq!(count as usize, thread.markers.len());
        }
    }
}

fuzz_target!(
    init: {
        // libFuzzer distinguishes inputs by their execution order, so only one thread runs.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        pool.build_global().expect("no pool was built before");
    },
    |bytes: &[u8]| -> Corpus {
        let Ok(whole) = read(bytes, Options::default().chunk) else { return Corpus::Keep };
        let split = read(bytes, 64).expect("text that is readable at once is readable in chunks");
        assert_eq!(summary(&whole.profile), summary(&split.profile));
        drop(split);
        exercise(Arc::new(whole.profile));
        // Finish the importer's background drops.
        while rayon::yield_now() == Some(rayon::Yield::Executed) {}
        Corpus::Keep
    }
);
