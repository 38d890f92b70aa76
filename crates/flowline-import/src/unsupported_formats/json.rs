//! JSON that is not a recording, named by the keys of its first object.

use super::Named;
use crate::error::ImportError;
use flowline_json::{Cursor, JsonError};

const HEAP_SNAPSHOT: Named = ("a V8 heap snapshot", "open it in the Memory panel of Chrome DevTools");
const HAR: Named =
    ("a HAR file", "it contains only network requests; open it in the Network panel of a browser's DevTools");
const NET_LOG: Named = ("a Chrome network log", "open it at netlog-viewer.appspot.com");

const OPEN_TELEMETRY: Named = (
    "OpenTelemetry data (OTLP)",
    "send it to Jaeger or Grafana Tempo through the OpenTelemetry Collector to view its spans",
);
const JAEGER: Named = ("a Jaeger trace", "open it in the search page of the Jaeger UI (Upload)");
const ZIPKIN: Named = ("a Zipkin trace", "open it in the Zipkin UI (Upload JSON)");
const PYINSTRUMENT: Named = (
    "a pyinstrument report",
    "record with pyinstrument -r speedscope -o OUT.speedscope.json, or print the session that way, and open the result",
);
const WEB_INSPECTOR: Named = (
    "a timeline of Safari's Web Inspector",
    "open it in Web Inspector (Timelines, Import), or in speedscope and save it there (Ctrl+S): the saved file opens here",
);
const LIGHTHOUSE: Named = (
    "a Lighthouse report",
    "it is made from a trace; write that with lighthouse URL --save-assets and open the .trace.json here",
);
const REACT: Named = ("an export of the React Profiler", "open it in the Profiler of React Developer Tools");
const DHAT: Named =
    ("a DHAT profile of Valgrind", "it contains totals of allocations without a timeline; open it in dh_view.html");
const JS_SELF_PROFILING: Named = (
    "a JS Self-Profiling trace",
    "record the page in the Performance panel of a browser's DevTools instead, and open that recording here",
);
const STACKPROF: Named = (
    "a StackProf dump",
    "convert the original dump to collapsed stacks and open those here: stackprof --stackcollapse FILE > OUT.collapsed",
);

/// Keys that distinguish objects of well-known programs.
const OBJECTS: [(&[&str], Named); 15] = [
    (&["snapshot", "nodes"], HEAP_SNAPSHOT),
    (&["constants", "events"], NET_LOG),
    (&["resourceSpans"], OPEN_TELEMETRY),
    (&["resourceLogs"], OPEN_TELEMETRY),
    (&["resourceMetrics"], OPEN_TELEMETRY),
    (&["batches"], OPEN_TELEMETRY),
    (&["traceID", "spans"], JAEGER),
    (&["root_frame", "sample_count"], PYINSTRUMENT),
    (&["recording", "overview"], WEB_INSPECTOR),
    (&["lighthouseVersion"], LIGHTHOUSE),
    (&["dataForRoots"], REACT),
    (&["dhatFileVersion"], DHAT),
    (&["resources", "frames", "stacks", "samples"], JS_SELF_PROFILING),
    (&["mode", "gc_samples"], STACKPROF),
    (&["mode", "missed_samples"], STACKPROF),
];

/// Returns the error for a JSON object with these first keys that no importer reads.
pub(crate) fn unknown_object(keys: &[String]) -> ImportError {
    if keys.is_empty() {
        return ImportError::UnknownJson("the object has no keys".into());
    }
    unsupported_object(keys).unwrap_or_else(|| ImportError::UnknownJson(format!("its keys are {}", quoted(keys))))
}

/// Formats the first keys in quotes, separated by commas.
fn quoted(keys: &[String]) -> String {
    keys.iter().take(SHOWN_KEYS).map(|key| format!("\"{key}\"")).collect::<Vec<_>>().join(", ")
}

/// Returns the error for a JSON object with these first keys if a well-known program writes such objects.
pub(super) fn unsupported_object(keys: &[String]) -> Option<ImportError> {
    let has = |wanted: &[&str]| wanted.iter().all(|wanted| keys.iter().any(|key| key == wanted));
    let listed = OBJECTS.iter().find(|(wanted, _)| has(wanted)).map(|(_, named)| *named);
    let (what, advice) = listed.or_else(|| (keys.len() == 1 && has(&["log"])).then_some(HAR))?;
    Some(ImportError::Unsupported { what, advice })
}

/// Returns the error for the object at the cursor, which no importer reads. Its keys name the content, or the keys of
/// its first `data`, as in Jaeger's traces.
pub(crate) fn unsupported_object_at(mut cursor: Cursor<'_>) -> ImportError {
    let of_data = || {
        let mut data = cursor;
        data.enter_object().ok()?;
        while let Some(key) = data.next_key().ok()? {
            if key.bytes == b"data" {
                data.enter_array().ok()?;
                data.next_element().ok().filter(|has_element| *has_element)?;
                return first_keys(&mut data).ok().and_then(|keys| unsupported_object(&keys));
            }
            data.skip_value().ok()?;
        }
        None
    };
    of_data().unwrap_or_else(|| unknown_object(&first_keys(&mut cursor).unwrap_or_default()))
}

/// Returns the error for the array at the cursor, which contains no trace events. The error names the content.
pub(crate) fn unsupported_array(mut cursor: Cursor<'_>) -> ImportError {
    let keys = cursor.enter_array().and_then(|()| cursor.next_element()).and_then(|_| first_keys(&mut cursor));
    let keys = keys.unwrap_or_default();
    let says = |key: &str| keys.iter().any(|found| found == key);
    if keys.is_empty() {
        return ImportError::UnknownJson("an array without trace events".into());
    }
    let quoted = quoted(&keys);
    if says("traceId") && says("id") {
        let (what, advice) = ZIPKIN;
        return ImportError::Unsupported { what, advice };
    }
    if says("method") && (says("params") || says("id")) {
        return ImportError::UnknownJson(format!(
            "an array of DevTools protocol messages (keys: {quoted}), not trace events, which have \"ph\" and \"ts\"; \
             save a trace in the Performance panel of DevTools instead"
        ));
    }
    ImportError::UnknownJson(format!(
        "an array without trace events: the keys of its first object are {quoted}, but trace events have \"ph\" and \
         \"ts\""
    ))
}

/// Maximum number of keys in a message.
const SHOWN_KEYS: usize = 6;

/// Returns the first keys of the object at the cursor, up to the first damage.
fn first_keys(cursor: &mut Cursor<'_>) -> Result<Vec<String>, JsonError> {
    cursor.enter_object()?;
    let mut keys = Vec::new();
    while keys.len() < SHOWN_KEYS {
        let Ok(Some(key)) = cursor.next_key() else { break };
        if cursor.peek().is_err() {
            break;
        }
        keys.push(key.decode());
        if cursor.skip_value().is_err() {
            break;
        }
    }
    Ok(keys)
}
