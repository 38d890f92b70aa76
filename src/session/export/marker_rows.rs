//! Markers as rows of a table.

use std::collections::HashMap;
use std::io::{self, Write};

use super::marker_json::write_marker_json;
use super::writer::{Heading, TableFormat, TableWriter};
use crate::index::depths;
use crate::profile::{LocalMarker, MarkerFlags, MarkerId, Profile, ThreadId};

/// The columns. In JSON, markers are objects with more keys.
const COLUMNS: [&str; 12] = [
    "marker",
    "thread",
    "thread_name",
    "process",
    "pid",
    "name",
    "category",
    "start_ns",
    "end_ns",
    "duration_ns",
    "incomplete",
    "data",
];

/// Rows between two looks at the progress.
const BATCH: u64 = 4096;

/// How markers follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOrder {
    /// Thread by thread, so that what is known of one thread need not be kept for the next.
    ByThread,
    /// In any order.
    Any,
}

/// Writes markers as rows, in the order given. `goes_on` gets the number of rows written and the next marker from time to
/// time. Returns the number of rows, or `None` if `goes_on` returned false.
///
/// # Errors
/// Errors of `out`.
pub fn write_markers(
    out: &mut impl Write,
    profile: &Profile,
    markers: impl Iterator<Item = MarkerId>,
    (format, order): (TableFormat, RowOrder),
    goes_on: &mut dyn FnMut(u64, MarkerId) -> bool,
) -> io::Result<Option<u64>> {
    let heading = |name: &str| Heading {
        title: name.to_owned(),
        is_number: name.ends_with("_ns") && format != TableFormat::Json,
    };
    let mut table = TableWriter::begin(out, format, COLUMNS.map(heading).into())?;
    let mut depths = Depths { profile, order, of_threads: HashMap::new() };
    let (mut object, mut data) = (String::new(), String::new());
    for (number, marker) in (0_u64..).zip(markers) {
        if number % BATCH == 0 && !goes_on(number, marker) {
            return Ok(None);
        }
        let Some((id, local)) = profile.locate(marker) else { continue };
        if format == TableFormat::Json {
            object.clear();
            write_marker_json(&mut object, profile, (id, local), depths.of(id, local));
            table.object(&object)?;
        } else {
            write_row(&mut table, &mut data, profile, (id, local))?;
        }
    }
    table.end().map(Some)
}

/// Depths of markers in the stacks of their threads, which only traces have.
struct Depths<'a> {
    profile: &'a Profile,
    order: RowOrder,
    of_threads: HashMap<ThreadId, Vec<Option<u32>>>,
}

impl Depths<'_> {
    fn of(&mut self, id: ThreadId, local: LocalMarker) -> Option<u32> {
        if !self.profile.meta.stacks_first {
            return None;
        }
        if self.order == RowOrder::ByThread && !self.of_threads.contains_key(&id) {
            self.of_threads.clear();
        }
        let known = self.of_threads.entry(id).or_insert_with(|| depths(self.profile.thread(id)));
        known.get(local.index()).copied().flatten()
    }
}

fn write_row(
    table: &mut TableWriter<impl Write>,
    data: &mut String,
    profile: &Profile,
    (id, local): (ThreadId, LocalMarker),
) -> io::Result<()> {
    let (thread, process) = (profile.thread(id), profile.process_of(id));
    let (markers, at) = (&thread.markers, local.index());
    let is_instant = markers.is_instant(local);
    let or_empty = |number: i64| if is_instant { String::new() } else { number.to_string() };
    data.clear();
    let payload = profile.payload_resolved(id, local);
    if !payload.is_null() {
        payload.to_json(data);
    }
    let numbers = [thread.global(local).0.to_string(), id.0.to_string()];
    let times = [
        markers.start[at].0.to_string(),
        or_empty(markers.end[at].0),
        or_empty((markers.end[at] - markers.start[at]).0),
    ];
    let fields: [&str; COLUMNS.len()] = [
        &numbers[0],
        &numbers[1],
        &thread.name,
        &process.name,
        &process.pid,
        profile.strings.get(markers.name[at]),
        profile.category_name(markers.category(local)),
        &times[0],
        &times[1],
        &times[2],
        if markers.flags[at].has(MarkerFlags::INCOMPLETE) { "true" } else { "false" },
        data,
    ];
    table.row(fields)
}
