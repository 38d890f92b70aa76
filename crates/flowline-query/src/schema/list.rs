//! All tables.

use super::column::{ColumnSpec, ColumnType, TableSpec};

const fn column(name: &'static str, kind: ColumnType, description: &'static str) -> ColumnSpec {
    ColumnSpec { name, kind, nullable: true, description }
}

const fn known(name: &'static str, kind: ColumnType, description: &'static str) -> ColumnSpec {
    ColumnSpec { name, kind, nullable: false, description }
}

const INTEGER: ColumnType = ColumnType::Integer;
const REAL: ColumnType = ColumnType::Real;
const TEXT: ColumnType = ColumnType::Text;
const BOOLEAN: ColumnType = ColumnType::Boolean;

/// `recording`.
pub const RECORDING: &TableSpec = &TableSpec {
    name: "recording",
    description: "One row per recording.",
    columns: &[
        known("file", TEXT, "path of the file"),
        known("format", TEXT, "format of the file, such as `chrome` or `firefox`"),
        column("version", INTEGER, "version number of the format"),
        column("product", TEXT, "the recorded program"),
        column("os", TEXT, "operating system of the recorded machine, if `--label os=...` states it"),
        column("host", TEXT, "recorded machine, if `--label host=...` states it"),
        column("start_unix_ns", INTEGER, "wall-clock time at time zero, in nanoseconds since 1970"),
        column("start_ns", INTEGER, "start of the recording on the clock of its times; NULL if it has no times"),
        column("duration_ns", INTEGER, "duration of the recording; NULL if it has no times"),
        known("labels", TEXT, "labels given on the command line, as a JSON object"),
    ],
};

/// `process`.
pub const PROCESS: &TableSpec = &TableSpec {
    name: "process",
    description: "One row per process.",
    columns: &[
        known("upid", INTEGER, "number of the process in the recording"),
        column("pid", INTEGER, "process id of the operating system; NULL if it is not a number"),
        known("name", TEXT, "name"),
        column("start_ns", INTEGER, "start of its first thread, as far as known"),
        column("end_ns", INTEGER, "end of its last thread, as far as known"),
    ],
};

/// `thread`.
pub const THREAD: &TableSpec = &TableSpec {
    name: "thread",
    description: "One row per thread of a program.",
    columns: &[
        known("utid", INTEGER, "number of the thread in the recording, as in `flowline dump threads`"),
        column("tid", INTEGER, "thread id of the operating system; NULL if it is not a number"),
        known("upid", INTEGER, "its process"),
        known("name", TEXT, "name"),
        known("is_main_thread", BOOLEAN, "true for the main thread of its process"),
    ],
};

/// `track`.
pub const TRACK: &TableSpec = &TableSpec {
    name: "track",
    description: "One row per thread, per other track of slices (asynchronous operations, named tracks, CPUs), and per series of a counter.",
    columns: &[
        known("track_id", INTEGER, "number of the track in the recording"),
        column("utid", INTEGER, "the thread that it belongs to"),
        column("upid", INTEGER, "its process"),
        known("kind", TEXT, "`thread`, `async`, `process`, `global`, or `counter`"),
        known("name", TEXT, "name"),
        column("parent_id", INTEGER, "the track that it is below"),
        column("unit", TEXT, "unit of a counter"),
    ],
};

/// `slice`.
pub const SLICE: &TableSpec = &TableSpec {
    name: "slice",
    description: "One row per slice, interval or instant: everything that is drawn as a marker.",
    columns: &[
        known("id", INTEGER, "number of the slice in the recording, as in `flowline dump markers`"),
        known("ts", INTEGER, "start, in nanoseconds on the clock of the recording"),
        column("dur", INTEGER, "duration in nanoseconds; 0 for an instant, NULL while unfinished"),
        known("track_id", INTEGER, "its track"),
        column(
            "utid",
            INTEGER,
            "its thread; NULL for asynchronous, process-wide and global tracks that are not below a thread",
        ),
        known("category", TEXT, "category"),
        known("name", TEXT, "name"),
        column("depth", INTEGER, "depth in the stack of its track, 0 is outermost; NULL if it is not nested"),
        column("parent_id", INTEGER, "the slice that encloses it"),
        column("self_dur", INTEGER, "duration without the slices inside it; NULL for instants and unfinished slices"),
        column("thread_dur", INTEGER, "CPU time of the thread during the slice, if recorded"),
        column("arg_set_id", INTEGER, "its arguments; NULL if it has none"),
    ],
};

/// `args`.
pub const ARGS: &TableSpec = &TableSpec {
    name: "args",
    description: "One row per argument of a slice. Objects and lists are flattened: `a.b[0]`.",
    columns: &[
        known("arg_set_id", INTEGER, "the arguments of one slice; the same number as `slice.id`"),
        known("key", TEXT, "path of the argument"),
        known("type", TEXT, "`string`, `int`, `uint`, `real`, `bool` or `null`"),
        column("string_value", TEXT, "text; for `uint`, the digits"),
        column("int_value", INTEGER, "integer; 0 or 1 for `bool`"),
        column("real_value", REAL, "number with a fraction"),
    ],
};

/// `counter`.
pub const COUNTER: &TableSpec = &TableSpec {
    name: "counter",
    description: "One row per sample of a counter. A value applies until the next one of its track.",
    columns: &[
        known("track_id", INTEGER, "its track"),
        known("ts", INTEGER, "time"),
        known("value", REAL, "value in the unit of the track"),
    ],
};

/// `flow`.
pub const FLOW: &TableSpec = &TableSpec {
    name: "flow",
    description: "One row per arrow: from a slice to the next one of the same flow.",
    columns: &[
        known("flow_id", INTEGER, "number of the flow, as in `flowline dump flows`"),
        known("slice_out", INTEGER, "the slice where the arrow begins"),
        known("slice_in", INTEGER, "the slice where it ends"),
    ],
};

/// `flow_member`.
pub const FLOW_MEMBER: &TableSpec = &TableSpec {
    name: "flow_member",
    description: "One row per slice of a flow.",
    columns: &[
        known("flow_id", INTEGER, "the flow"),
        known("slice_id", INTEGER, "the slice"),
        known("step", INTEGER, "position in the flow, from 0"),
    ],
};

/// `flow_timeline`.
pub const FLOW_TIMELINE: &TableSpec = &TableSpec {
    name: "flow_timeline",
    description: "One row per flow: how long it ran and waited, and for what.",
    columns: &[
        known("flow_id", INTEGER, "the flow"),
        known("name", TEXT, "its id in the recording"),
        known("kind", TEXT, "its type, such as the task that was posted"),
        column("resource", TEXT, "address, host, path or file that it is about"),
        known("ts", INTEGER, "start of its first slice"),
        known("dur", INTEGER, "time from the first start to the last end"),
        known("run_ns", INTEGER, "time in which any of its slices ran"),
        known("wait_ns", INTEGER, "time from its postings until a slice ran"),
        known("longest_wait_ns", INTEGER, "its longest wait"),
        column("posted_from", INTEGER, "the thread that posted it (`utid`)"),
        column("blocker", TEXT, "the name of what ran longest on its thread during its longest wait"),
    ],
};

/// `critical_path`.
pub const CRITICAL_PATH: &TableSpec = &TableSpec {
    name: "critical_path",
    description: "One row per segment of a critical path: to each milestone of a page load, and to the slices that `--path-to` names on export.",
    columns: &[
        known("path_id", INTEGER, "the slice or marker that the path leads to"),
        known("seq", INTEGER, "position in the path, from 0, oldest first"),
        known("kind", TEXT, "`run`, `wait`, `network`, `followed` or `unknown`"),
        known("ts", INTEGER, "start"),
        known("dur", INTEGER, "duration"),
        known("slice_id", INTEGER, "the slice that runs, or that runs after the wait"),
        column("utid", INTEGER, "its thread"),
        column("blocker", TEXT, "the name of what ran longest on the thread during a wait"),
    ],
};

/// `stack_sample`.
pub const STACK_SAMPLE: &TableSpec = &TableSpec {
    name: "stack_sample",
    description: "One row per CPU sample.",
    columns: &[
        known("ts", INTEGER, "time"),
        known("utid", INTEGER, "the thread"),
        column(
            "cpu_delta_ns",
            INTEGER,
            "CPU time of the thread since its previous sample, if recorded in units of time",
        ),
        known("weight", REAL, "weight; 1 if the recording states none"),
        column("stack_id", INTEGER, "its stack; NULL if unknown"),
        column("category", TEXT, "category of the innermost frame"),
    ],
};

/// `stack_frame`.
pub const STACK_FRAME: &TableSpec = &TableSpec {
    name: "stack_frame",
    description: "One row per frame of each stack that occurs in a sample.",
    columns: &[
        known("stack_id", INTEGER, "the stack"),
        known("depth", INTEGER, "0 for the innermost frame"),
        known("function", TEXT, "name of the function"),
        column("file", TEXT, "script or source file"),
        column("line", INTEGER, "line of the position in the function, else of its start, as the format counts it"),
        column("library", TEXT, "library or site"),
    ],
};

/// `network_request`.
pub const NETWORK_REQUEST: &TableSpec = &TableSpec {
    name: "network_request",
    description: "One row per network request.",
    columns: &[
        known("slice_id", INTEGER, "the slice of the request"),
        column("upid", INTEGER, "the process that sent it"),
        known("url", TEXT, "the last requested URL"),
        column("method", TEXT, "method"),
        column("status", INTEGER, "status code"),
        column("mime", TEXT, "MIME type of the content"),
        column("resource_type", TEXT, "type, such as `Script`"),
        column("protocol", TEXT, "protocol, such as `h2`"),
        column("priority", TEXT, "final priority"),
        column("initial_priority", TEXT, "priority at the start"),
        column("initiator", TEXT, "URL of the initiator"),
        column("cache", TEXT, "the cache that the response comes from"),
        known("outcome", TEXT, "`finished`, `failed` or `unfinished`"),
        known("ts", INTEGER, "start, including redirects"),
        known("dur", INTEGER, "duration, including redirects"),
        column("redirect_ns", INTEGER, "time in redirects"),
        column("queued_ns", INTEGER, "time before the network service accepted it"),
        column("stalled_ns", INTEGER, "time before it was sent, outside of the following phases"),
        column("dns_ns", INTEGER, "time of resolving the host"),
        column("connect_ns", INTEGER, "time of connecting, without TLS"),
        column("tls_ns", INTEGER, "time of TLS negotiation"),
        column("sent_ns", INTEGER, "time of sending"),
        column("waiting_ns", INTEGER, "time until the first byte"),
        column("download_ns", INTEGER, "time of receiving"),
        column("processing_ns", INTEGER, "time after the last byte"),
        column("open_ns", INTEGER, "time as an open WebSocket connection"),
        column("unknown_ns", INTEGER, "time about which nothing is recorded"),
        column("encoded_bytes", INTEGER, "bytes received"),
        column("decoded_bytes", INTEGER, "bytes of the content"),
    ],
};

/// `milestone`.
pub const MILESTONE: &TableSpec = &TableSpec {
    name: "milestone",
    description: "One row per milestone of a page load.",
    columns: &[
        column("navigation", INTEGER, "number of the navigation of the main frame"),
        known("name", TEXT, "`TTFB`, `FCP`, `LCP`, `Load` and so on; for marks of the page, `mark`"),
        column("mark", TEXT, "name of a mark of the page"),
        column("ts", INTEGER, "time; NULL if unknown"),
        column("since_ns", INTEGER, "time since the navigation"),
        column("value_ns", INTEGER, "value of a milestone that is a duration (TBT)"),
        column("rating", TEXT, "`good`, `needs improvement` or `poor`"),
        known("is_main", BOOLEAN, "false for frames inside the page"),
        known("is_soft", BOOLEAN, "true for a navigation without a new document"),
        column("url", TEXT, "URL of the page"),
        column("utid", INTEGER, "its thread"),
        column("slice_id", INTEGER, "the marker that states it"),
        column("unknown", TEXT, "why there is no time"),
    ],
};

/// `insight`.
pub const INSIGHT: &TableSpec = &TableSpec {
    name: "insight",
    description: "One row per insight about how a page performed.",
    columns: &[
        known("name", TEXT, "name, as in `flowline insights`"),
        column("navigation", INTEGER, "number of the navigation"),
        column("upid", INTEGER, "the process (Firefox)"),
        known("state", TEXT, "`fail`, `informative`, `pass` or `unknown`"),
        known("summary", TEXT, "one line for people"),
        column("ts", INTEGER, "start of the time in which it happened"),
        column("dur", INTEGER, "duration of that time"),
        column("slice_id", INTEGER, "the marker of the late moment"),
    ],
};

/// All tables, in the order of the documentation.
pub const TABLES: &[&TableSpec] = &[
    RECORDING,
    PROCESS,
    THREAD,
    TRACK,
    SLICE,
    ARGS,
    COUNTER,
    FLOW,
    FLOW_MEMBER,
    FLOW_TIMELINE,
    CRITICAL_PATH,
    STACK_SAMPLE,
    STACK_FRAME,
    NETWORK_REQUEST,
    MILESTONE,
    INSIGHT,
];
