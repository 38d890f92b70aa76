//! Queries to begin with.

/// Titles and queries.
pub(super) const EXAMPLES: [(&str, &str); 10] = [
    ("Longest slices", "SELECT id, ts, dur, name, category\nFROM slice\nORDER BY dur DESC\nLIMIT 100"),
    (
        "Time by name",
        "SELECT name, count(*) AS count, sum(dur) AS total_ns, max(dur) AS longest_ns\nFROM slice\nGROUP BY name\nORDER BY total_ns DESC",
    ),
    (
        "Self time by category",
        "SELECT category, count(*) AS count, sum(self_dur) AS self_ns\nFROM slice\nGROUP BY category\nORDER BY self_ns DESC",
    ),
    (
        "Time by thread",
        "SELECT thread.name AS thread, process.name AS process, count(*) AS count, sum(slice.self_dur) AS self_ns\nFROM slice\nJOIN thread ON slice.utid = thread.utid\nJOIN process ON thread.upid = process.upid\nGROUP BY thread.utid, thread.name, process.name\nORDER BY self_ns DESC",
    ),
    (
        "Long tasks of main threads",
        "SELECT slice.id, slice.ts, slice.dur, slice.name\nFROM slice\nJOIN thread ON slice.utid = thread.utid\nWHERE thread.is_main_thread AND slice.depth = 0 AND slice.dur > 50000000\nORDER BY slice.ts",
    ),
    (
        "Durations in percentiles",
        "SELECT name, count(*) AS count, percentile_exact(dur, 0.5) AS p50_ns, percentile_exact(dur, 0.99) AS p99_ns\nFROM slice\nGROUP BY name\nHAVING count(*) >= 10\nORDER BY p99_ns DESC",
    ),
    (
        "Slices with their arguments",
        "SELECT slice.id, slice.ts, slice.name, args.key, args.string_value, args.int_value\nFROM slice\nJOIN args ON slice.arg_set_id = args.arg_set_id\nLIMIT 1000",
    ),
    (
        "Waits between markers of flows",
        "SELECT flow.slice_in AS id, target.ts, source.name AS source, target.name AS name,\n  target.ts - (source.ts + source.dur) AS wait_ns\nFROM flow\nJOIN slice AS source ON flow.slice_out = source.id\nJOIN slice AS target ON flow.slice_in = target.id\nORDER BY wait_ns DESC\nLIMIT 100",
    ),
    (
        "Extremes of counters",
        "SELECT track.name, count(*) AS samples, min(counter.value) AS minimum, max(counter.value) AS maximum\nFROM counter\nJOIN track ON counter.track_id = track.track_id\nGROUP BY track.track_id, track.name\nORDER BY track.name",
    ),
    (
        "Largest network requests",
        "SELECT url, method, status, mime, encoded_bytes\nFROM network_request\nORDER BY encoded_bytes DESC\nLIMIT 100",
    ),
];

/// The text of an example with its title.
pub(super) fn text((title, sql): (&str, &str)) -> String {
    format!("-- {title}\n{sql}")
}
