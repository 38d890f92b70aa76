//! The names that importers compare, for text that writes them with escapes: `"n\u0061me"` is `"name"` to every JSON
//! reader.
//!
//! Importers compare the bytes of keys, so an escaped key with a known name is replaced by the bytes of that name. No
//! known program writes such keys; only the slow path pays for the check.

use super::escape::unescape;

/// Object keys, and the few values that importers compare as bytes; sorted.
#[rustfmt::skip]
pub const KNOWN_NAMES: &[&str] = &[
    "$s", "$schema", "$vscode", "(garbage collector)", "(idle)", "(program)", "(root)", "C", "Inspector", "Internal",
    "JavaScript", "O", "address", "allocation", "args", "argumentValues", "at", "bind_id", "bp", "bytes", "callFrame", "cat", "category", "cause",
    "children", "cname", "col", "color", "column", "columnNumber", "columns", "count", "counters", "cpuProfile",
    "data", "display", "dur", "e", "eTLD+1", "endTime", "endValue", "endpoint", "eventDelay", "evented", "events", "false",
    "file", "fileName", "filename", "flow_ids", "flow_in", "flow_out", "frame", "frameTable", "frames", "func",
    "funcColumn", "funcLine", "funcTable", "functionName", "g", "global", "graphType", "head", "id", "id2",
    "implementation", "inlineDepth", "inlined", "innerWindowID", "isJS", "isMainThread", "jsAllocations", "label",
    "length", "libIndex", "libs", "line", "lineNumber", "lines", "local", "location", "locationId", "locations", "mainThreadIndex", "markers",
    "memoryAddress", "meta", "metadata", "method", "microseconds", "milliseconds", "modifications", "name", "nanoseconds",
    "native V8Runtime", "nativeAllocations", "nativeSymbol", "nativeSymbols", "nodes", "none", "null",
    "originalLocation", "p", "pages", "params", "parent", "path", "performance", "ph", "phase", "pid", "prefix", "prefixOffset", "processName",
    "processes", "profile", "profiles", "receiving", "registerTime", "relevantForJS", "resource", "resourceTable", "responsiveness", "result", "rootPath", "s",
    "sampleGroups", "sample_groups", "sampled", "samples", "schema", "scope", "scriptId", "seconds", "selfSize", "sending",
    "sf", "shared", "source", "sourceLocationTable", "sources", "speedscope", "src", "stack", "stackFrames", "stackTable",
    "startTime", "startValue", "stringArray", "stringTable", "subcategory", "sync", "tdur", "terminating_flow_ids",
    "threadCPUDelta", "threads", "tid", "time", "timeDeltas", "timestamps", "traceEvents", "trace_ids", "tracedObjectShapes", "tracedValues", "tracedValuesBuffer", "track",
    "transferEnd", "transferStart", "true", "ts", "tts", "type", "unit", "unregisterTime", "url", "uuid", "value", "weight",
    "weightType", "weights",
];

/// The bytes of the known name that a text with escapes represents.
#[cold]
pub(super) fn known_name(raw: &[u8]) -> Option<&'static [u8]> {
    let name = unescape(raw);
    KNOWN_NAMES.binary_search(&name.as_str()).ok().map(|at| KNOWN_NAMES[at].as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_recognized_with_escapes() {
        assert!(KNOWN_NAMES.is_sorted());
        for name in KNOWN_NAMES {
            let escaped: String = name.bytes().map(|byte| format!("\\u{byte:04X}")).collect();
            assert_eq!(known_name(escaped.as_bytes()), Some(name.as_bytes()));
        }
        assert_eq!(known_name(br"n\u0061meless"), None);
    }
}
