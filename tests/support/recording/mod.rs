//! Tiny synthetic recordings for tests: described once, written as a raw Gecko profile and as a processed profile, and
//! read back through the importer, so that every rule is checked in both forms.
//!
//! Times are in milliseconds. A payload string `@text` becomes the string table index of `text`.

pub(crate) mod flows;
pub(crate) mod jank;
pub(crate) mod real;
pub(crate) mod samples;

use flowline::import::{self, Progress};
use flowline::profile::{LocalMarker, MarkerFlags, Ns, Profile, ThreadId};
use serde_json::{Value, json};

/// A raw marker: name, phase, start, end, category, payload.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) phase: u32,
    pub(crate) start: Value,
    pub(crate) end: Value,
    pub(crate) category: u32,
    pub(crate) data: Value,
}

/// A marker without duration.
pub(crate) fn instant(name: &str, at: f64) -> Row {
    Row { name: name.into(), phase: 0, start: json!(at), end: Value::Null, category: 0, data: Value::Null }
}

/// A marker with both start and end.
pub(crate) fn interval(name: &str, start: f64, end: f64) -> Row {
    Row { phase: 1, end: json!(end), ..instant(name, start) }
}

/// The start half of a marker.
pub(crate) fn opening(name: &str, at: f64) -> Row {
    Row { phase: 2, ..instant(name, at) }
}

/// The end half of a marker.
pub(crate) fn closing(name: &str, at: f64) -> Row {
    Row { phase: 3, start: Value::Null, end: json!(at), ..instant(name, 0.0) }
}

impl Row {
    /// Sets the payload.
    pub(crate) fn with(mut self, data: Value) -> Self {
        self.data = data;
        self
    }

    /// Sets the category.
    pub(crate) fn of(mut self, category: u32) -> Self {
        self.category = category;
        self
    }
}

/// A thread of a process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Track {
    pub(crate) name: String,
    /// Process number: 0 is the root process, all others are its children.
    pub(crate) process: usize,
    pub(crate) samples: Vec<f64>,
    pub(crate) rows: Vec<Row>,
}

/// A recording to be written in both forms.
#[derive(Clone, Debug)]
pub(crate) struct Recording {
    pub(crate) categories: Vec<String>,
    pub(crate) schemas: Value,
    pub(crate) interval: f64,
    /// `meta.startTime` of every process.
    pub(crate) starts: Vec<f64>,
    pub(crate) tracks: Vec<Track>,
}

impl Recording {
    /// One process with one thread whose range is 0 to 7 ms, the range of most conformance cases.
    pub(crate) fn of(rows: Vec<Row>) -> Self {
        let categories = ["Idle", "Other", "Network", "Test", "DOM"].map(String::from).to_vec();
        let track = Track { name: "GeckoMain".into(), process: 0, samples: vec![0.0, 6.0], rows };
        Self { categories, schemas: json!([]), interval: 1.0, starts: vec![1000.0], tracks: vec![track] }
    }

    /// Sets the marker schemas.
    pub(crate) fn schemas(mut self, schemas: Value) -> Self {
        self.schemas = schemas;
        self
    }

    /// The pid of a process.
    pub(crate) fn pid(process: usize) -> usize {
        100 + process
    }

    fn meta(&self, process: usize) -> Value {
        let category = |name: &String| json!({"name": name, "color": "grey", "subcategories": ["Other"]});
        json!({
            "interval": self.interval,
            "startTime": self.starts[process],
            "categories": self.categories.iter().map(category).collect::<Vec<_>>(),
            "markerSchema": self.schemas,
        })
    }

    /// The raw form that Firefox writes: tuples, one string table per thread, nested child processes; unused times are
    /// 0.
    pub(crate) fn raw(&self) -> Value {
        let process = |process: usize| {
            let mut meta = self.meta(process);
            meta["version"] = json!(34);
            let tracks = self.tracks.iter().filter(|track| track.process == process);
            json!({"meta": meta, "libs": [], "threads": tracks.map(raw_track).collect::<Vec<_>>(), "processes": []})
        };
        let mut root = process(0);
        root["processes"] = (1..self.starts.len()).map(process).collect();
        root
    }

    /// The processed form that the Firefox Profiler saves: columns, one string table, times on the root's clock; unused
    /// times are null.
    pub(crate) fn processed(&self) -> Value {
        let mut strings = Vec::new();
        let threads: Vec<Value> = self.tracks.iter().map(|track| self.processed_track(track, &mut strings)).collect();
        let mut meta = self.meta(0);
        meta["version"] = json!(34);
        meta["preprocessedProfileVersion"] = json!(70);
        json!({"meta": meta, "libs": [], "shared": {"stringArray": strings}, "threads": threads})
    }

    fn processed_track(&self, track: &Track, strings: &mut Vec<String>) -> Value {
        let shift = self.starts[track.process] - self.starts[0];
        let shifted = |time: &Value| time.as_f64().map_or(time.clone(), |time| json!(time + shift));
        let rows = &track.rows;
        let name: Vec<usize> = rows.iter().map(|row| intern(strings, &row.name)).collect();
        let data: Vec<Value> = rows.iter().map(|row| indexed(&row.data, strings)).collect();
        json!({
            "name": track.name, "pid": Self::pid(track.process).to_string(), "tid": 7,
            "samples": {"time": track.samples.iter().map(|time| time + shift).collect::<Vec<_>>()},
            "markers": {
                "data": data,
                "name": name,
                "startTime": rows.iter().map(|row| shifted(&row.start)).collect::<Vec<_>>(),
                "endTime": rows.iter().map(|row| shifted(&row.end)).collect::<Vec<_>>(),
                "phase": rows.iter().map(|row| row.phase).collect::<Vec<_>>(),
                "category": rows.iter().map(|row| row.category).collect::<Vec<_>>(),
                "length": rows.len(),
            },
        })
    }

    /// Reads both forms. The name of the form comes first.
    pub(crate) fn read_both(&self) -> [(&'static str, Profile); 2] {
        [("raw", read(&self.raw())), ("processed", read(&self.processed()))]
    }
}

fn raw_track(track: &Track) -> Value {
    let mut strings = vec!["(root)".to_owned()];
    let or_zero = |time: &Value| if time.is_null() { json!(0) } else { time.clone() };
    let row = |row: &Row| {
        let name = intern(&mut strings, &row.name);
        let mut tuple =
            vec![json!(name), or_zero(&row.start), or_zero(&row.end), json!(row.phase), json!(row.category)];
        if !row.data.is_null() {
            tuple.push(indexed(&row.data, &mut strings));
        }
        Value::Array(tuple)
    };
    let rows: Vec<Value> = track.rows.iter().map(row).collect();
    let samples: Vec<Value> = track.samples.iter().map(|time| json!([null, time])).collect();
    json!({
        "name": track.name, "pid": Recording::pid(track.process), "tid": 7,
        "samples": {"schema": {"stack": 0, "time": 1, "eventDelay": 2}, "data": samples},
        "markers": {
            "schema": {"name": 0, "startTime": 1, "endTime": 2, "phase": 3, "category": 4, "data": 5},
            "data": rows,
        },
        "stringTable": strings,
    })
}

fn intern(strings: &mut Vec<String>, text: &str) -> usize {
    strings.iter().position(|known| known == text).unwrap_or_else(|| {
        strings.push(text.to_owned());
        strings.len() - 1
    })
}

/// Replaces `@text` with the index of `text`.
fn indexed(data: &Value, strings: &mut Vec<String>) -> Value {
    match data {
        Value::String(text) => text.strip_prefix('@').map_or(data.clone(), |text| json!(intern(strings, text))),
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| (key.clone(), indexed(value, strings)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

/// Serializes a profile with its members in Firefox's order; `Value::to_string` sorts them by name.
pub(crate) fn text(profile: &Value) -> String {
    let mut out = String::new();
    write(profile, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    const FIRST: [&str; 8] = ["meta", "libs", "shared", "schema", "name", "pid", "tid", "samples"];
    const LAST: [&str; 4] = ["data", "stringTable", "threads", "processes"];
    let rank =
        |key: &str| match (FIRST.iter().position(|first| *first == key), LAST.iter().position(|last| *last == key)) {
            (Some(place), _) => place,
            (None, None) => FIRST.len(),
            (None, Some(place)) => FIRST.len() + 1 + place,
        };
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(key, _)| rank(key));
            out.push('{');
            for (index, (key, member)) in members.into_iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                out.push_str(&json!(key).to_string());
                out.push(':');
                write(member, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                write(item, out);
            }
            out.push(']');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

/// Reads a profile that must be valid.
pub(crate) fn read(profile: &Value) -> Profile {
    read_bytes(text(profile).into_bytes()).expect("a readable recording")
}

/// Reads bytes.
pub(crate) fn read_bytes(bytes: Vec<u8>) -> Result<Profile, import::ImportError> {
    import::read(bytes, &Progress::default()).map(|imported| imported.profile)
}

/// A derived marker in comparable form; `end` is `None` for an instant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seen {
    pub(crate) name: String,
    pub(crate) start: Ns,
    pub(crate) end: Option<Ns>,
    pub(crate) category: String,
    pub(crate) incomplete: bool,
    pub(crate) data: Value,
}

/// All markers of a thread in index order.
pub(crate) fn seen(profile: &Profile, thread: usize) -> Vec<Seen> {
    let id = ThreadId::new(thread);
    let markers = &profile.thread(id).markers;
    let one = |index: usize| {
        let marker = LocalMarker::new(index);
        let mut data = String::new();
        profile.payload_resolved(id, marker).to_json(&mut data);
        Seen {
            name: profile.marker_name(id, marker).to_owned(),
            start: markers.start(marker),
            end: (!markers.is_instant(marker)).then(|| markers.end(marker)),
            category: profile.category_name(markers.category(marker)).to_owned(),
            incomplete: markers.flags(marker).has(MarkerFlags::INCOMPLETE),
            data: serde_json::from_str(&data).expect("JSON"),
        }
    };
    (0..markers.len()).map(one).collect()
}

/// Name, start and end (milliseconds) and `incomplete` of all markers of a thread.
pub(crate) fn brief(profile: &Profile, thread: usize) -> Vec<(String, f64, Option<f64>, bool)> {
    let brief = |seen: Seen| (seen.name, seen.start.as_ms(), seen.end.map(Ns::as_ms), seen.incomplete);
    seen(profile, thread).into_iter().map(brief).collect()
}

/// Number of warnings of a kind. Kinds are identified by the names that scripts see.
pub(crate) fn warned(profile: &Profile, kind: &str) -> u64 {
    profile.warnings.list().iter().filter(|warning| warning.kind.name() == kind).map(|warning| warning.count).sum()
}
