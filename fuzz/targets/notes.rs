//! Notes in a trace, as DevTools saves them: any value is read, and what was read can be written and read again.
#![no_main]

use std::sync::Arc;

use flowline_import::{self as import, Progress, write_annotated};
use flowline_index::Index;
use flowline_index::modifications::{Modifications, written};
use flowline_profile::Arrangement;
use libfuzzer_sys::fuzz_target;

const EVENTS: &str = r#"{"traceEvents":[
{"name":"A","ph":"X","pid":1,"tid":1,"ts":10,"dur":50},
{"name":"B","ph":"X","pid":1,"tid":1,"ts":20,"dur":5,"args":{"data":{"url":"http://a/b"}}},
{"name":"C","ph":"b","id":"0x1","cat":"c","pid":1,"tid":2,"ts":30},
{"name":"C","ph":"e","id":"0x1","cat":"c","pid":1,"tid":2,"ts":40},
{"name":"Profile","ph":"P","id":"0x2","pid":1,"tid":1,"ts":5,"args":{"data":{"startTime":5}}},
{"name":"ProfileChunk","ph":"P","id":"0x2","pid":1,"tid":1,"ts":6,"args":{"data":{"cpuProfile":{"nodes":[
{"id":1,"callFrame":{"functionName":"(root)","scriptId":0}},{"id":2,"parent":1,"callFrame":{"functionName":"f","scriptId":1}}],
"samples":[2,2]},"timeDeltas":[5,5]}}}],"metadata":{"modifications":"#;

fn index(text: Vec<u8>) -> Option<Arc<Index>> {
    let profile = import::read(text, &Progress::default()).ok()?.profile;
    Some(Arc::new(Index::build(Arc::new(profile), Arrangement::ByName)))
}

fuzz_target!(
    init: {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        pool.build_global().expect("no pool was built before");
    },
    |bytes: &[u8]| {
        let text = [EVENTS.as_bytes(), bytes, b"}}"].concat();
        let Some(index) = index(text.clone()) else { return };
        let read = Modifications::read(&index);
        assert!(read.problems().iter().all(|problem| !problem.is_empty()));
        let notes = written(index.profile(), &read.notes);
        let mut copy = Vec::new();
        if write_annotated(index.profile().source.bytes(), notes.text.as_bytes(), &mut copy).is_err() {
            return;
        }
        let again = self::index(copy).expect("the copy can be opened");
        let again = Modifications::read(&again);
        assert_eq!(again.damaged, 0, "{}", notes.text);
        assert_eq!(again.notes.len() + notes.omitted, read.notes.len(), "{}", notes.text);
    }
);
